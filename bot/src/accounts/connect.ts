import type { ViewOutput } from "@slack/bolt";
import { within } from "@threadlore/client/delay";
import { publishHome } from "../ask/entry/home.ts";
import { onPress } from "../ask/presses.ts";
import type { BotContext, Register } from "../context.ts";
import { plainDate } from "../slack/render/sources.ts";
import {
  ACCOUNT_ACTIONS,
  confirmForm,
  connectedForm,
  failedForm,
  startingForm,
  TOKEN_BLOCK,
  tokenForm,
  tryingForm,
} from "./account-blocks.ts";
import { mayConnect } from "./choose-key.ts";
import { type ConnectBody, forgetPending } from "./pending.ts";
import { disconnect, forgetFormer } from "./disconnect.ts";

/** The platform lets a form be opened for three seconds, milliseconds. */
const OFFER_WAIT_MS = 1_500;

/** Somebody tries tokens: at most so many in so long, milliseconds. */
const TRIES = { most: 10, windowMs: 600_000 };

/** What no key holds: it travels in a header. */
const NOT_IN_A_KEY = /[^\u0021-\u007e]/;
const NO_KEY =
  "This is no access token: it holds blanks or letters no token has. Copy the whole of it, and nothing else.";

const NOT_YOU = "The rules here let you connect no account. Ask whoever runs me.";

/** On the Home: connecting one's own account by a token that is pasted into a form, and disconnecting it. */
export const registerAccounts: Register = (app, context) => {
  onPress(app, ACCOUNT_ACTIONS.connect, async ({ user, triggerId }) => {
    // What was pressed may stand on a Home from when they might.
    if (!context.accounts.isOffered || !(await mayConnect(context, user))) return;
    // Where the server does not say so in time, a token can be pasted.
    const isByLink = await within(context.accounts.offersSignIn(), OFFER_WAIT_MS).catch(() => false);
    const view = isByLink ? startingForm() : tokenForm(serverName(context));
    const opened = await context.clients.posts.views.open({ trigger_id: triggerId, view }).catch((error: unknown) => {
      context.log.warn("account form not opened", { user, error });
    });
    const viewId = opened?.view?.id;
    if (!isByLink || viewId === undefined) return;
    const wait = await whyWait(context, user);
    if (wait === undefined) await beginByLink(context, { user, viewId });
    else await context.clients.posts.views.update({ view_id: viewId, view: failedForm(wait) });
  });
  onPress(app, ACCOUNT_ACTIONS.token, async ({ user, triggerId }) => {
    const view = tokenForm(serverName(context));
    await context.clients.posts.views.push({ trigger_id: triggerId, view }).catch((error: unknown) => {
      context.log.warn("account form not opened", { user, error });
    });
  });
  onPress(app, ACCOUNT_ACTIONS.cancel, ({ user }) => {
    context.later("cancel connecting", async () => {
      await context.accounts.begin(user);
      await forgetPending(context, user);
      await publishHome(context, user);
    });
  });
  app.view(ACCOUNT_ACTIONS.form, async ({ view, body, ack }) => {
    const { block, token } = tokenIn(view);
    if (token === "" || NOT_IN_A_KEY.test(token))
      return ack({ response_action: "errors", errors: { [block]: NO_KEY } });
    const user = body.user.id;
    if (!(await mayConnect(context, user))) return ack({ response_action: "errors", errors: { [block]: NOT_YOU } });
    const wait = await whyWait(context, user);
    if (wait !== undefined) return ack({ response_action: "errors", errors: { [block]: wait } });
    // A server may take longer to say whose it is than the platform waits for us.
    await ack({ response_action: "update", view: tryingForm() });
    context.later("connect an account", () => connect(context, { user, token, viewId: view.id, attempt: view.hash }));
  });
  app.view(ACCOUNT_ACTIONS.confirm, async ({ view, body, ack }) => {
    const user = body.user.id;
    const token = context.accounts.shown(user, view.private_metadata);
    if (token === undefined) return ack({ response_action: "update", view: failedForm(BEGIN_ANEW) });
    await ack({ response_action: "update", view: tryingForm() });
    const given = { user, token, viewId: view.id, attempt: view.hash, isMeant: true };
    context.later("connect an account", () => connect(context, given));
  });
  onPress(app, ACCOUNT_ACTIONS.disconnect, ({ user }) => {
    context.later("disconnect an account", async () => {
      await disconnect(context, user);
      await forgetPending(context, user);
      await publishHome(context, user);
    });
  });
  // Whoever has left the company leaves nothing here.
  app.event("user_change", ({ event }) => {
    if (!event.user.deleted) return Promise.resolve();
    context.people.forget(event.user.id);
    context.later("disconnect an account", () => disconnect(context, event.user.id));
    return Promise.resolve();
  });
};

/** Has the inbox get a key for whoever pressed. */
async function beginByLink(context: BotContext, { user, viewId }: { user: string; viewId: string }): Promise<void> {
  const ticket = await context.accounts.begin(user);
  const body = { user, viewId, ticket } satisfies ConnectBody;
  await context.inbox.accept({ key: `connect:${ticket}`, kind: "connect", partitionKey: `connect:${ticket}`, body });
}

/** A token somebody pasted. */
interface Given {
  readonly user: string;
  readonly token: string;
  readonly viewId: string;
  readonly attempt: string;
  /** They were asked whether they mean another's account. */
  readonly isMeant?: boolean;
}

async function connect(context: BotContext, { user, token, viewId, attempt, isMeant }: Given): Promise<void> {
  const { accounts, clients, log, people } = context;
  const email = (await people.account(user).catch(() => undefined))?.email;
  const result = await accounts.connect(user, token, { email, isMeant });
  const isConnected = "account" in result;
  if (isConnected) await forgetPending(context, user);
  // What was noted of the account before it is not the new one's.
  if (isConnected && result.former !== undefined) await forgetFormer(context, result.former);
  log.info("account connected", { user, state: isConnected ? "connected" : "refused" });
  const view = isConnected
    ? connectedForm(result.account)
    : (askedBack(context, { user, token, email }, result.belongsTo) ??
      tokenForm(serverName(context), { words: result.words, attempt: attempt.replaceAll(/\W/g, "") }));
  await clients.posts.views.update({ view_id: viewId, view }).catch((error: unknown) => {
    // The form was closed; the Home says how it stands.
    log.info("account form not updated", { user, error });
  });
  if (isConnected) await publishHome(context, user);
}

const BEGIN_ANEW = "I cannot read this token any more. Begin anew.";

/** The token goes along with the question, hidden, so that whoever never answers leaves nothing here. */
function askedBack(
  { accounts }: BotContext,
  { user, token, email = "" }: { user: string; token: string; email: string | undefined },
  belongsTo: string | undefined,
) {
  const hidden = belongsTo === undefined ? undefined : accounts.hidden(user, token);
  return belongsTo === undefined || hidden === undefined ? undefined : confirmForm(belongsTo, email, hidden);
}

function tokenIn({ state }: Pick<ViewOutput, "state">): { block: string; token: string } {
  for (const [block, elements] of Object.entries(state.values)) {
    if (!block.startsWith(TOKEN_BLOCK)) continue;
    const given = elements["token"]?.value ?? "";
    return { block, token: given.trim().replace(/^Bearer\s+/i, "") };
  }
  return { block: TOKEN_BLOCK, token: "" };
}

/** Words for why it may not be tried now. */
async function whyWait({ store, self, now }: BotContext, user: string): Promise<string | undefined> {
  const hit = await store.hit([{ name: `connect:${self.teamId}:${user}`, ...TRIES }], now());
  return hit.allowed ? undefined : `You tried too many. Try again after ${plainDate(hit.resetAt)}.`;
}

/** Where tokens are made: the server's address, without the path its programs use. */
function serverName({ config }: BotContext): string {
  const { baseUrl } = config.server;
  return URL.parse(baseUrl)?.origin ?? baseUrl;
}

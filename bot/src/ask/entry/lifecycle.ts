import type { BotContext, Register } from "../../context.ts";
import { forgetEverybody } from "../../gaps/forget-questions.ts";
import { oweGoodAnswers } from "../../gaps/good-answers.ts";
import { postMessage } from "../../post-message.ts";
import { withdrawDocument } from "../../pins/pin-server.ts";
import { settingsFor } from "../../rules/rules.ts";
import type { MessageEvent } from "../../slack/read/message-event.ts";
import { WorkspaceRevoked } from "../../slack/transport/refusals.ts";
import { rulesInWords } from "./home.ts";

/** The bot comes to a channel, and the app leaves the workspace. */
export const registerLifecycle: Register = (app, context) => {
  app.event("member_joined_channel", ({ event }) => {
    if (event.user === context.self.userId) context.later("introduce myself", () => introduce(context, event.channel));
    else context.people.forget(event.user);
    return Promise.resolve();
  });
  // What is remembered of a channel would be wrong for up to a minute.
  const forget = async ({ event }: { event: { channel: string } }) => context.people.forget(event.channel);
  app.event("channel_shared", forget);
  app.event("channel_unshared", forget);
  app.event("channel_archive", forget);
  app.event("channel_unarchive", forget);
  app.event("group_archive", forget);
  app.event("group_unarchive", forget);
  app.event("app_uninstalled", async () => {
    context.log.error("app uninstalled", { team: context.self.teamId });
    await forgetWorkspace(context);
    context.end(new WorkspaceRevoked("account_inactive"));
  });
  app.event("tokens_revoked", ({ event }) => {
    // Uninstalling tells itself. A revoked token may be replaced, and everything goes on.
    const ours = event.tokens.bot?.includes(context.self.userId) === true;
    if (ours) context.log.error("token revoked", { reason: "install the app again and set SLACK_BOT_TOKEN anew" });
    return Promise.resolve();
  });
};

/** A channel was renamed, made private or public: what is remembered of it would be wrong for up to a minute. */
export function hearOfPlaces({ people }: BotContext, { kind, channel, message }: MessageEvent): Promise<void> {
  if (kind === "notice" && CHANGES.has(message.subtype ?? "")) people.forget(channel);
  return Promise.resolve();
}

const CHANGES: ReadonlySet<string> = new Set([
  "channel_name",
  "group_name",
  "channel_convert_to_private",
  "channel_convert_to_public",
]);

/** Says once in a channel who has come, and what holds there. */
async function introduce(context: BotContext, channel: string): Promise<void> {
  const { store, people, rules, self, now } = context;
  const name = `introduced:${channel}`;
  if ((await store.recall(name)) !== undefined) return;
  if (!(await store.claimTurn(name, { now: now(), periodMs: 30_000 }))) return;
  const place = await people.place(channel, { fresh: true });
  if (place === undefined || place.kind === "im") return;
  const settings = settingsFor(rules(), place);
  const greeting = `Hello! I answer questions from what this company knows, and name my sources. Ask like this: <@${self.userId}> how do I claim travel expenses?`;
  const isForeign = place.shared && settings.slack_connect === "refuse";
  const text = isForeign ? NOT_HERE : `${greeting}\n${rulesInWords(settings, place.kind)}`;
  await postMessage(context, { channel, text });
  await store.remember(name, String(now()), { lasting: true });
}

const NOT_HERE =
  "Hello! This channel is shared with another company, so I answer nothing here. Ask me in an internal channel or in a direct message.";

/**
 * The app was uninstalled: what was kept of the workspace's messages is taken back from the knowledge server, then
 * everything the bot remembers is deleted. Documents the server does not give back now are counted in the log; they
 * bear ids that begin with `slack-` and the workspace's id.
 */
async function forgetWorkspace(context: BotContext): Promise<void> {
  const { store, self, log } = context;
  let left = 0;
  for (const pin of await store.allPins()) {
    if (pin.state === "tombstone" || pin.hash === undefined) continue;
    const sent = await withdrawDocument(context, pin, "removed").catch(() => undefined);
    if (sent?.kind !== "done") left += 1;
  }
  await endKeys(context);
  const { areGoodAnswersGone } = await forgetEverybody(context);
  if (left > 0) log.error("documents left at the server", { count: left, team: self.teamId });
  await store.forgetEverything();
  if (!areGoodAnswersGone) await oweGoodAnswers(context);
}

/** What the server gave to the bot for somebody is worth nothing any more, whoever has a copy. Best effort. */
async function endKeys({ accounts }: BotContext): Promise<void> {
  for (const user of await accounts.holders()) {
    const former = await accounts.former(user);
    if (former?.toEnd !== undefined) await accounts.endKey(former.toEnd);
  }
}

/** What people see of their own account: the part of the Home, and the forms in front of it. */
import type { KnownBlock, ModalView } from "@slack/types";
import { modal, plainText, section } from "../ask/block-kit.ts";
import { button } from "../slack/render/answer-actions.ts";
import { markupAddress, mrkdwnText } from "../slack/render/escape.ts";
import { dateMarkup } from "../slack/render/sources.ts";
import { context, verbatim } from "../slack/render/text-blocks.ts";
import type { WaitingSignIn } from "./sign-in.ts";
import type { OwnAccount } from "./vault.ts";

/** `action_id`s and `callback_id` of what can be pressed and sent. */
export const ACCOUNT_ACTIONS = {
  connect: "account_connect",
  disconnect: "account_disconnect",
  cancel: "account_cancel",
  token: "account_token_instead",
  form: "account_form",
  confirm: "account_confirm",
} as const;

/** What of a sign-in its person needs. */
type Shown = Pick<WaitingSignIn, "userCode" | "page" | "expiresAt">;

/** The part of the Home; `account`: the one that is connected; `waiting`: what they have to agree to; `said`: what went wrong. */
export function accountBlocks(account: OwnAccount | undefined, waiting?: Shown, said?: string): KnownBlock[] {
  const title: KnownBlock = { type: "header", text: plainText("Your account") };
  if (waiting !== undefined) return [title, ...waitingBlocks(waiting), row([CANCEL])];
  if (said !== undefined) return [...accountBlocks(account), verbatim(`:warning: ${mrkdwnText(said)}`)];
  if (account === undefined) return [title, section(WHY), row([connectButton("Connect your account")])];
  const since = dateMarkup(new Date(account.connectedAt).toISOString()) ?? "some time ago";
  const who = `*${mrkdwnText(account.name)}*`;
  if (!account.isGood) {
    const words = `:warning: The knowledge server no longer accepts ${who}, connected ${since}. It needs to be connected again; until then I answer you with what everybody here may see.`;
    return [title, verbatim(words), row([connectButton("Connect again"), DISCONNECT])];
  }
  return [
    title,
    verbatim(`:white_check_mark: Connected as ${who} since ${since}. ${USED_FOR}`),
    ...(account.isAdmin ? [verbatim(ADMIN)] : []),
    row([DISCONNECT]),
  ];
}

function waitingBlocks({ userCode, page, expiresAt }: Shown): KnownBlock[] {
  const until = dateMarkup(new Date(expiresAt).toISOString()) ?? "in a few minutes";
  const host = URL.parse(page)?.host ?? "";
  const open = `Open <${markupAddress(page)}|the page of the knowledge server> (${mrkdwnText(host)}), see that it shows the code below, and agree there. I wait until ${until}.`;
  return [verbatim(open), { type: "header", text: plainText(userCode) }, context([NOT_FROM_OTHERS])];
}

const NOT_FROM_OTHERS =
  "Agree only to a code you see here. Never open one that somebody sent you: it would give them your rights.";
const CANCEL = button("Cancel", ACCOUNT_ACTIONS.cancel, "cancel");

/** While a code is asked for, and while it waits for its person. */
export const startingForm = (): ModalView =>
  modal({ title: TITLE }, [section("I am asking the knowledge server for a code …")]);
export const waitingForm = (waiting: Shown): ModalView =>
  modal({ title: TITLE }, [
    ...waitingBlocks(waiting),
    row([button("Paste an access token instead", ACCOUNT_ACTIONS.token, "token")]),
  ]);

/** Nothing was connected. */
export const failedForm = (words: string): ModalView =>
  modal({ title: TITLE }, [verbatim(`:warning: ${mrkdwnText(words)}`)]);

const USED_FOR = "What only you read, here and in answers for you alone, is asked with it.";
const WHY =
  "Connect your own account of the knowledge server, and what only you read (direct messages, `/ask`) is answered with " +
  "your own rights and your own history. What a whole channel reads stays as it is.";
const ADMIN =
  ":warning: This is an administrator's token: answers for you can hold what only administrators may see. A token of less rights is enough.";

const connectButton = (words: string) => ({
  ...button(words, ACCOUNT_ACTIONS.connect, "connect"),
  style: "primary" as const,
});

const DISCONNECT = {
  ...button("Disconnect", ACCOUNT_ACTIONS.disconnect, "disconnect"),
  confirm: {
    title: plainText("Disconnect your account?"),
    text: plainText("I forget the token, and which conversations were yours. Your account itself stays as it is."),
    confirm: plainText("Disconnect"),
    deny: plainText("Keep it"),
  },
};

const row = (elements: ReturnType<typeof button>[]): KnownBlock => ({ type: "actions", elements });

/** Where the token stands in the form. What is written into a log of everything is cut out by this name. */
export const TOKEN_BLOCK = "account_token";

/**
 * The form a token is pasted into. `server`: where tokens are made; `wrong`: what was wrong with the one before it, which is
 * not shown again. `attempt`: new for each, so that nothing that was typed comes back.
 */
export function tokenForm(server: string, wrong?: { readonly words: string; readonly attempt: string }): ModalView {
  const where = `Make an access token of your own at *${mrkdwnText(server)}* (in your settings there; or ask whoever runs it for a key of your own), and paste it here.`;
  const form = { callback_id: ACCOUNT_ACTIONS.form, title: TITLE, submit: "Connect", close: "Cancel" };
  return modal(form, [
    ...(wrong === undefined ? [] : [verbatim(`:warning: ${mrkdwnText(wrong.words)}`)]),
    verbatim(where),
    {
      type: "input",
      block_id: wrong === undefined ? TOKEN_BLOCK : `${TOKEN_BLOCK}_${wrong.attempt}`,
      label: plainText("Your access token"),
      element: { type: "plain_text_input", action_id: "token", max_length: 3_000 },
    },
    context([KEPT]),
  ]);
}

const TITLE = "Connect your account";
const KEPT =
  "I keep it encrypted, send it to that server alone, ask with it only what you alone read, and forget it when you disconnect. Never send it in a message.";

/** The platform keeps no more with a form. */
const MAX_CARRIED = 3_000;

/**
 * Asks whether a token of an account with another address is meant; undefined: it is too long to be carried meanwhile.
 * @param hidden the token, readable to the bot alone
 */
export function confirmForm(belongsTo: string, own: string, hidden: string): ModalView | undefined {
  if (hidden.length > MAX_CARRIED) return undefined;
  const form = { callback_id: ACCOUNT_ACTIONS.confirm, private_metadata: hidden, submit: "Connect it", close: "No" };
  const words = `:warning: This token belongs to *${mrkdwnText(belongsTo)}*. Your own address in Slack is *${mrkdwnText(own)}*.`;
  return modal({ ...form, title: TITLE }, [verbatim(words), section(WHOSE)]);
}

const WHOSE =
  "What you ask me would be asked as that account: it stands in its history, where whoever else uses the account can read " +
  "it. Connect it only if both are yours. If somebody sent you this token, press *No*.";

/** While the token is tried. */
export const tryingForm = (): ModalView =>
  modal({ title: TITLE }, [section("I am trying it with the knowledge server …")]);

/** It is connected. */
export function connectedForm({ name, isAdmin }: OwnAccount): ModalView {
  const words = `:white_check_mark: Connected as *${mrkdwnText(name)}*. ${USED_FOR}`;
  return modal({ title: TITLE }, [verbatim(words), ...(isAdmin ? [verbatim(ADMIN)] : [])]);
}

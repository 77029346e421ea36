import { backoffMs } from "@threadlore/client/delay";
import { EmptyThreadError } from "@threadlore/documents";
import type { BotContext } from "../context.ts";
import { type Outcome, type PinRecord, type PinState, placeOf } from "@threadlore/inbox";
import { answerMoved, answerMoves, askWhatChanges } from "../gaps/keep/keep-moves.ts";
import { tellOperator } from "../knowledge-server/server-trouble.ts";
import { platformError } from "../slack/read/people.ts";
import { mark } from "./pin-notices.ts";
import { tell, tellOnce } from "../tell.ts";
import type { Sent } from "./pin-server.ts";
import { newRecord, type PinWork } from "./pin-work.ts";

const MINUTE = 60_000;
type KeptMessage = Pick<PinRecord, "channel" | "ts">;
type Again = Extract<Sent, { kind: "again" }>;

/** Between two attempts at a server that does not answer. */
const MAX_WAIT_MS = 2 * MINUTE;

/** A message came to its next state: that is shown, saved and counted. */
export async function reach(bot: BotContext, record: PinRecord, from: PinState | undefined, ...words: string[]) {
  // Shown first: once it is saved, whoever watches the index may show the next state.
  const refusal = await mark(bot, record, { to: record.state, from });
  if (refusal !== undefined) await note(bot, record, notShown(refusal));
  await askWhatChanges(bot, record);
  await answerMoves(bot, record);
  await bot.store.savePin({ ...record, updatedAt: bot.now() });
  await answerMoved(bot, record);
  bot.metrics.ingestion(record.state);
  await note(bot, record, ...words);
  return record.state === "failed" ? "failed" : "done";
}

/** The server took it, and it is not there: it is looked for and sent again, the later the more often that was. */
export async function unconfirmed(bot: BotContext, record: PinRecord, from: PinState | undefined, sends: number) {
  const { first, longest } = bot.patience.confirm ?? CONFIRM;
  const due = bot.now() + backoffMs(sends - 1, { baseMs: first, capMs: longest });
  const words = "The knowledge server took it, and does not find it yet. It is sent again.";
  const outcome = await reach(bot, { ...record, state: "unconfirmed", reason: NOT_FOUND, sends, due }, from, words);
  // What takes a while to be found is usually there by then.
  if (sends === 2) {
    await tellOperator(bot, record, NOT_INDEXING);
    await tellOnce(bot, { channel: record.channel, user: record.by, what: "unconfirmed" }, NOT_FOUND);
  }
  return outcome;
}

/** Pauses before a document is sent again, milliseconds; each twice as long as the one before. */
const CONFIRM = { first: 30_000, longest: 30 * MINUTE };
const NOT_FOUND = "The knowledge server took this, but it cannot be found there yet. I send it again until it can.";
const NOT_INDEXING =
  "The knowledge server takes documents and does not make them findable. See whether its indexing works (the embedding " +
  "model, the index). They are sent again by themselves until they are found.";

/** The server could not do it now: it is asked again, the later the more often that was. */
export async function again(bot: BotContext, pin: PinRecord, { words, at = 0 }: Again, attempt: number) {
  await note(bot, pin, words);
  // The first failure is usually over before anybody has looked.
  if (attempt === 2) await tellOnce(bot, { channel: pin.channel, user: pin.by, what: `again:${pin.ts}` }, words);
  const wait = backoffMs(attempt - 1, { baseMs: 4_000, capMs: MAX_WAIT_MS });
  return { later: Math.max(bot.now() + wait, at) };
}

/** It cannot be kept as it is. `fix`: what whoever runs the bot has to do. */
export async function fail(
  bot: BotContext,
  record: PinRecord,
  from: PinState | undefined,
  { words, fix }: { readonly words: string; readonly fix?: string },
) {
  const outcome = await reach(bot, { ...record, state: "failed", reason: words }, from, "It could not be kept.", words);
  if (fix !== undefined) await tellOperator(bot, record, fix);
  const { channel, by, ts } = record;
  // What only whoever runs the bot can change is said once per person, not once per pin.
  const once = words === new EmptyThreadError().message ? `empty:${ts}` : `failed:${words.slice(0, 40)}`;
  await tellOnce(bot, { channel, user: by, what: once }, words);
  return outcome;
}

/** Before what a server said of a document that it did not give up. */
export const COULD_NOT_REMOVE = "What was kept of this message could not be removed. ";

/** The task failed too often to go on: the message is marked and its pinner told; reconciling tries again later. */
export async function failMessage(bot: BotContext, work: PinWork, error: unknown, leaving: boolean): Promise<void> {
  const before = await bot.store.findPin(work.channel, work.ts);
  const word = platformError(error);
  if (word !== undefined) bot.log.warn("message not read", { channel: work.channel, ts: work.ts, reason: word });
  const words =
    word === undefined
      ? "I could not finish this after several tries. I try again by myself later."
      : "Slack did not let me read this message. Invite me to the channel; I try again by myself later.";
  if (leaving || before?.state === "accepted" || before?.state === "indexed") {
    // Its document is there still, as it was.
    await note(bot, work, words);
    if (leaving && before !== undefined) await tell(bot, work.channel, work.by ?? before.by, COULD_NOT_REMOVE + words);
    return;
  }
  const record = before ?? newRecord(bot, work, work.by ?? "");
  await fail(bot, { ...record, state: "failed" }, before?.state, { words });
}

/** For the trace: the platform would not show a state. */
export const notShown = (refusal: string): string => `Its state could not be shown as a reaction: ${refusal}.`;

/** Nothing is done about it, for a reason that its trace tells. */
export async function stayOut(bot: BotContext, message: KeptMessage, words: string): Promise<Outcome> {
  await note(bot, message, words);
  return "stayed_out";
}

/** Adds to the decision trace of a message. */
export async function note(bot: BotContext, { channel, ts }: KeptMessage, ...steps: readonly string[]): Promise<void> {
  const place = placeOf({ team: bot.self.teamId, channel, ts });
  for (const words of steps) await bot.store.trace(place, { at: bot.now(), words });
}

import { type Answer, type FailureCause, failureCause } from "@threadlore/ask";
import type { PinRecord } from "@threadlore/inbox";
import * as z from "zod";
import type { BotContext } from "../context.ts";
import type { Turn } from "../ask/turn.ts";
import { postMessage } from "../post-message.ts";
import { mrkdwnText } from "../slack/render/escape.ts";
import { failureWords } from "./failure-words.ts";
import type { FindingsChange } from "./server-watch.ts";

/** A failure as administrators see it. */
const Trouble = z.object({
  at: z.number(),
  /** The reference people were given. */
  task: z.string(),
  kind: z.string(),
  /** The server's own words. */
  detail: z.string(),
});
export type Trouble = z.infer<typeof Trouble>;

const NAME = "server trouble";
const MAX_KEPT = 10;
const MAX_DETAIL = 500;

/** Of these a server tends to quote the question, which is nobody's but the asker's. */
const MAY_QUOTE: ReadonlySet<FailureCause> = new Set(["declined", "too_long"]);

/** Keeps what the server said of a failed answer for whoever runs the bot; people get a sentence and the reference. */
export async function noteFailure({ context, task, note }: Turn, answer: Answer): Promise<void> {
  const kind = failureCause(answer);
  const detail = (answer.failure?.message ?? "").slice(0, MAX_DETAIL);
  await note(`The server did not answer in full (${kind}). Reference ${task.id}.`);
  context.log.warn("answer failed", {
    task: task.id,
    code: answer.failure?.code ?? "",
    reason: kind,
    ...(MAY_QUOTE.has(kind) ? { text: detail } : { detail }),
  });
  await keepTrouble(context, { at: context.now(), task: task.id, kind, detail: MAY_QUOTE.has(kind) ? "" : detail });
}

/** Advice for whoever runs the bot about a message that is not kept: to the log and the administrators' Home. */
export async function tellOperator(context: BotContext, pin: PinRecord, detail: string): Promise<void> {
  const { channel, ts, documentId } = pin;
  context.log.warn("message not kept", { channel, ts, document: documentId, detail });
  if ((await troubles(context)).some((known) => known.detail === detail)) return;
  await keepTrouble(context, { at: context.now(), task: documentId, kind: "pin", detail });
}

/** Keeps it for the administrators' Home. Two at once may keep one of them: the log has both. */
async function keepTrouble(context: Pick<BotContext, "store">, trouble: Trouble): Promise<void> {
  const known = await troubles(context);
  await context.store.remember(NAME, JSON.stringify([trouble, ...known].slice(0, MAX_KEPT)));
}

/** The newest failures, newest first. */
export async function troubles({ store }: Pick<BotContext, "store">): Promise<readonly Trouble[]> {
  const kept = (await store.recall(NAME)) ?? "[]";
  return z.array(Trouble).safeParse(JSON.parse(kept)).data ?? [];
}

/** Whoever runs the bot is told of one matter once an hour. */
const isTurn = ({ store, now }: BotContext, matter: string) =>
  store.claimTurn(matter, { now: now(), periodMs: 3_600_000 });

/** Tells that questions cannot be answered: in the log, and in a channel where one is configured. */
export async function alertAdmin(context: BotContext, error: unknown): Promise<void> {
  if (!(await isTurn(context, "admin alert"))) return;
  context.log.error("the server needs attention", { error });
  const { what, fix } = failureWords(error);
  await tellAdmins(context, `I cannot answer questions at the moment. ${mrkdwnText(`${what} ${fix}`.trim())}`);
}

/**
 * Tells what came to be wrong with the knowledge server or a key, and what is well again: each in one line of this
 * instance's log, and to the channel for administrators at most once an hour, however many instances see it.
 */
export async function tellOfServer(context: BotContext, { worse, better }: FindingsChange): Promise<void> {
  const told = worse.map(({ what, evidence, fix }) => ({ what, detail: `${evidence} ${fix}`.trim() }));
  for (const { what, detail } of told) context.log.error("the server needs attention", { reason: what, detail });
  for (const { what } of better) context.log.info("the server is well again", { reason: what });
  if (context.config.adminChannel === undefined) return;
  for (const { what, detail } of told) {
    const subject = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
    if (await isTurn(context, `server alert:${what}`)) await tellAdmins(context, mrkdwnText(`${subject}: ${detail}`));
  }
}

type Telling = Pick<BotContext, "clients" | "config" | "log" | "now" | "pacer" | "self" | "store">;

/** Tells whoever runs the bot of something that holds until they change it: once, however often it comes up. */
export async function tellAdminsOnce(context: Telling, matter: string, words: string): Promise<void> {
  const name = `told admins:${matter}`;
  if ((await context.store.recall(name)) !== undefined) return;
  // Of two that find out at the same moment, one tells.
  if (!(await context.store.claimTurn(name, { now: context.now(), periodMs: TURN_MS }))) return;
  await context.store.remember(name, String(context.now()), { lasting: true });
  context.log.warn("an administrator is needed", { reason: words });
  await tellAdmins(context, words);
}

/** Long enough to remember that it was told. */
const TURN_MS = 30_000;

async function tellAdmins(context: Telling, words: string): Promise<void> {
  const channel = context.config.adminChannel;
  if (channel === undefined) return;
  await postMessage(context, { channel, text: `:rotating_light: ${words}` }).catch((failed: unknown) =>
    context.log.warn("admin not told", { channel, error: failed }),
  );
}

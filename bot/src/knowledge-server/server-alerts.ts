import type { Finding } from "@threadlore/client/diagnose";
import type { BotContext } from "../context.ts";
import { failureWords } from "./failure-words.ts";
import { postMessage } from "../post-message.ts";
import type { FindingsChange } from "./server-watch.ts";
import { mrkdwnText } from "../slack/render/escape.ts";

type Teller = Pick<BotContext, "store" | "log" | "config" | "clients" | "pacer" | "self" | "now">;

const ALERT_EVERY_MS = 3_600_000;

/** Whoever runs the bot is told once an hour: in the log, and in a channel where one is configured. */
export async function alertAdmin(context: Teller, error: unknown): Promise<void> {
  if (!(await context.store.claimTurn("admin alert", { now: context.now(), periodMs: ALERT_EVERY_MS }))) return;
  context.log.error("the server needs attention", { error });
  const { what, fix } = failureWords(error);
  await post(context, `I cannot answer questions at the moment. ${mrkdwnText(`${what} ${fix}`.trim())}`);
}

/**
 * Tells what came to be wrong with the knowledge server or a key, and what is well again: each in one line of this
 * instance's log, and to the channel for administrators at most once an hour, however many instances see it.
 */
export async function tellOfServer(context: Teller, { worse, better }: FindingsChange): Promise<void> {
  for (const { what, evidence, fix } of worse) {
    context.log.error("the server needs attention", { reason: what, detail: `${evidence} ${fix}`.trim() });
  }
  for (const { what } of better) context.log.info("the server is well again", { reason: what });
  for (const finding of worse) await tellAdmins(context, finding);
}

async function tellAdmins(context: Teller, { what, evidence, fix }: Finding): Promise<void> {
  if (context.config.adminChannel === undefined) return;
  const turn = { now: context.now(), periodMs: ALERT_EVERY_MS };
  if (!(await context.store.claimTurn(`server alert:${what}`, turn))) return;
  const subject = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  await post(context, mrkdwnText(`${subject}: ${evidence} ${fix}`.trim()));
}

async function post(context: Teller, words: string): Promise<void> {
  const channel = context.config.adminChannel;
  if (channel === undefined) return;
  await postMessage(context, { channel, text: `:rotating_light: ${words}` }).catch((failed: unknown) =>
    context.log.warn("admin not told", { channel, error: failed }),
  );
}

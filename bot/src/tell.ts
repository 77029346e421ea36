import { createHash } from "node:crypto";
import type { BotContext } from "./context.ts";
import { postEphemeral } from "./post-message.ts";
import { mrkdwnText } from "./slack/render/escape.ts";

/**
 * Says something that only this person sees: in the channel, or in a thread that has replies. Best effort: they may have
 * left the channel.
 */
export async function tell(bot: BotContext, channel: string, user: string, words: string, threadTs?: string) {
  await tellMarkup(bot, { channel, user, threadTs }, mrkdwnText(words));
}

/** Who is told something, and where. */
interface Told {
  readonly channel: string;
  readonly user: string;
  readonly threadTs?: string | undefined;
}

/** The same in mrkdwn of ours: words that hold a moment, which each reader sees in their own time zone. */
export async function tellMarkup(bot: BotContext, { channel, user, threadTs }: Told, text: string): Promise<void> {
  if (user === "") return;
  await postEphemeral(bot, { channel, user, text, thread_ts: threadTs }).catch(() => undefined);
}

/** For so long somebody who was told something does not hear the same again, milliseconds. */
const SAID_MS = 60_000;

/** The same, once a minute for all instances: whoever presses on and on hears nothing new. */
export async function tellSeldom(bot: BotContext, told: Told, text: string): Promise<void> {
  const what = createHash("sha256").update(text).digest("hex").slice(0, 16);
  if (await isSaidNow(bot, told, what)) await tellMarkup(bot, told, text);
}

/**
 * Whether it may be said now that was not said to this person there within a minute; counts as said. What stands in one
 * thread nobody sees in another.
 */
export function isSaidNow(
  { store, now }: Pick<BotContext, "store" | "now">,
  { channel, user, threadTs = "" }: Told,
  what: string,
): Promise<boolean> {
  return store.claimTurn(`said:${channel}:${threadTs}:${user}:${what}`, { now: now(), periodMs: SAID_MS });
}

/** The same, once per person, channel and matter. */
export async function tellOnce(
  bot: BotContext,
  { channel, user, what }: { channel: string; user: string; what: string },
  words: string,
): Promise<void> {
  const name = `told:${channel}:${user}:${what}`;
  if (await bot.store.rememberFirst(name, String(bot.now()))) await tell(bot, channel, user, words);
}

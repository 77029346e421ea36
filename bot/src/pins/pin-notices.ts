import type { WebClient } from "@slack/web-api";
import type { BotContext } from "../context.ts";
import { postEphemeral, postMessage } from "../post-message.ts";
import { mrkdwnText } from "../slack/render/escape.ts";
import { type Place, platformError } from "../slack/read/people.ts";

/** Pages of members looked through, a thousand each: larger channels than that are rare, and a call each. */
const MAX_PAGES = 20;

/** Whether somebody is in a channel. False also where the app may not look. Rejects when the platform fails. */
export async function isMember(client: WebClient, channel: string, user: string): Promise<boolean> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply = await client.conversations.members({ channel, limit: 1_000, cursor }).catch((error: unknown) => {
      if (platformError(error) !== undefined) return undefined;
      throw error;
    });
    if (reply?.members?.includes(user) === true) return true;
    cursor = reply?.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return false;
  }
  return false;
}

type Notifier = Pick<BotContext, "clients" | "pacer" | "self" | "store" | "now">;

/**
 * Says something that only this person sees: in the channel, or in a thread that has replies. Best effort: they may have
 * left the channel.
 */
export async function tell(
  bot: Notifier,
  channel: string,
  user: string,
  words: string,
  threadTs?: string,
): Promise<void> {
  if (user === "") return;
  const message = { channel, user, text: mrkdwnText(words), thread_ts: threadTs };
  await postEphemeral(bot, message).catch(() => undefined);
}

/** The same, once per person, channel and matter. */
export async function tellOnce(
  bot: Notifier,
  { channel, user, what }: { channel: string; user: string; what: string },
  words: string,
): Promise<void> {
  const name = `told:${channel}:${user}:${what}`;
  if ((await bot.store.recall(name)) !== undefined) return;
  await bot.store.remember(name, String(bot.now()));
  await tell(bot, channel, user, words);
}

/** Long enough for a post to come back, short enough that a crash in between does not leave the channel untold. */
const TURN_MS = 30_000;

/**
 * Tells a channel, once, what becomes of pins in it (docs/threats.md, T32). Rejects when it cannot be posted: what
 * nobody was told of is not kept.
 */
export async function noticeOnce(bot: Notifier, place: Place): Promise<void> {
  const name = `pins-notice:${place.id}`;
  if ((await bot.store.recall(name)) !== undefined) return;
  if (!(await bot.store.claimTurn(name, { now: bot.now(), periodMs: TURN_MS }))) return;
  await postMessage(bot, {
    channel: place.id,
    text:
      ":pushpin: Pinned messages in this channel become documents that people find when they ask me. " +
      "Unpin a message to remove it again; `/ask pins` lists them.",
  });
  await bot.store.remember(name, String(bot.now()), { lasting: true });
}

import { WebAPIRateLimitedError, type WebClient } from "@slack/web-api";
import type { PinState } from "@threadlore/inbox";
import type { BotContext } from "../context.ts";
import { postMessage } from "../post-message.ts";
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

/** What people are told in a channel that the bot is not in. */
export const CANNOT_SEE = "I cannot see this channel. Invite me to it, then try again.";

/** Long enough for a post to come back, short enough that a crash in between does not leave the channel untold. */
const TURN_MS = 30_000;

/**
 * Tells a channel, once, what becomes of pins in it (docs/threats.md, T32). Rejects when it cannot be posted: what
 * nobody was told of is not kept.
 */
export async function noticeOnce(bot: BotContext, place: Place): Promise<void> {
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

/** Reaction by state of a kept message. Nothing stands on one that waits, or whose text is gone. */
const MARKS: Readonly<Partial<Record<PinState, string>>> = {
  accepted: "inbox_tray",
  unconfirmed: "hourglass_flowing_sand",
  indexed: "white_check_mark",
  failed: "warning",
};

/** Words by state, for lists. */
export const STATE_WORDS: Readonly<Record<PinState, string>> = {
  waiting: ":hourglass_flowing_sand: waiting",
  accepted: ":inbox_tray: accepted",
  unconfirmed: ":hourglass_flowing_sand: sent, not found yet",
  indexed: ":white_check_mark: can be found",
  failed: ":warning: failed",
  tombstone: "removed",
};

/** How long a mark may wait for its turn, milliseconds: whoever waits holds up other work. */
const PATIENCE_MS = 3_000;
/** The platform's word for "not now". */
export const RATE_LIMITED = "ratelimited";

/**
 * Shows the state of a kept message as the bot's reaction; takes the earlier one back. Resolves with the platform's
 * word where it would not (a missing scope, too many reactions): a mark is a courtesy.
 */
export async function mark(
  bot: BotContext,
  message: { readonly channel: string; readonly ts: string },
  change: { readonly to: PinState; readonly from?: PinState | undefined },
  { patienceMs = PATIENCE_MS, signal }: { patienceMs?: number; signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const { channel, ts: timestamp } = message;
  const { reactions } = bot.clients.posts;
  const wait = { until: bot.now() + patienceMs, signal };
  const call = (verb: "add" | "remove", name: string) => {
    const turn = { team: bot.self.teamId, method: `reactions.${verb}` };
    return bot.pacer
      .call(turn, () => reactions[verb]({ channel, timestamp, name }), wait)
      .then(() => undefined, wordOf);
  };
  const [name, earlier] = [MARKS[change.to], change.from && MARKS[change.from]];
  const words: (string | undefined)[] = [];
  if (name !== undefined) words.push(await call("add", name));
  if (earlier !== undefined && earlier !== name) words.push(await call("remove", earlier));
  // Nothing may be left on a message that is not kept, whatever was last known of its mark.
  if (change.to === "tombstone" && words.includes("no_reaction")) {
    for (const other of Object.values(MARKS)) if (other !== earlier) words.push(await call("remove", other));
  }
  return words.find((word) => word !== undefined && !SETTLED.has(word));
}

/** The platform's word for why it would not. */
function wordOf(error: unknown): string {
  return error instanceof WebAPIRateLimitedError ? RATE_LIMITED : (platformError(error) ?? "unreachable");
}

/** The reaction is as it should be. */
const SETTLED: ReadonlySet<string> = new Set(["already_reacted", "no_reaction", "message_not_found"]);

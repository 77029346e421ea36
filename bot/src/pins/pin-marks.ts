import { WebAPIRateLimitedError } from "@slack/web-api";
import type { BotContext } from "../context.ts";
import type { PinState } from "@threadlore/inbox";
import { platformError } from "../slack/read/people.ts";

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

type Marker = Pick<BotContext, "clients" | "pacer" | "self" | "now">;

/** How long a mark may wait for its turn, milliseconds: whoever waits holds up other work. */
const PATIENCE_MS = 3_000;
/** The platform's word for "not now". */
export const RATE_LIMITED = "ratelimited";

/**
 * Shows the state of a kept message as the bot's reaction; takes the earlier one back. Resolves with the platform's
 * word where it would not (a missing scope, too many reactions): a mark is a courtesy.
 */
export async function mark(
  bot: Marker,
  message: { readonly channel: string; readonly ts: string },
  change: { readonly to: PinState; readonly from?: PinState | undefined },
  { patienceMs = PATIENCE_MS, signal }: { patienceMs?: number; signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const { channel, ts: timestamp } = message;
  const { reactions } = bot.clients.posts;
  const wait = { until: bot.now() + patienceMs, signal };
  const call = (verb: "add" | "remove", name: string) =>
    wordOf(
      bot.pacer.call(
        { team: bot.self.teamId, method: `reactions.${verb}` },
        () => reactions[verb]({ channel, timestamp, name }),
        wait,
      ),
    );
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

/** The platform's word for why it would not; undefined when it did. */
async function wordOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof WebAPIRateLimitedError) return RATE_LIMITED;
    return platformError(error) ?? "unreachable";
  }
}

/** The reaction is as it should be. */
const SETTLED: ReadonlySet<string> = new Set(["already_reacted", "no_reaction", "message_not_found"]);

import type { BotContext } from "../context.ts";
import type { RunResult } from "@threadlore/inbox";
import { mark, RATE_LIMITED } from "./pin-notices.ts";
import { answerMoved, answerMoves } from "../gaps/keep/keep-moves.ts";
import { tellOnce } from "../tell.ts";
import { again, COULD_NOT_REMOVE, note, stayOut } from "./pin-progress.ts";
import { withdrawDocument } from "./pin-server.ts";
import { isOutdated, newRecord, type PinRun, type PinWork } from "./pin-work.ts";

/** Until a mark is taken back again when the platform allowed no more. */
const MARK_AGAIN_MS = 20_000;

/**
 * Takes a message's document back: it was unpinned, deleted or removed by hand. Safe to do any number of times; what
 * was never kept stays untouched.
 */
export async function dropMessage(bot: BotContext, work: PinWork, run: PinRun): Promise<RunResult> {
  const { store } = bot;
  const { channel, ts, why = "unpinned" } = work;
  const before = await store.findPin(channel, ts);
  if (before === undefined) {
    // Its pin may still be on the way: events come in any order.
    await store.savePin({ ...newRecord(bot, work, ""), state: "tombstone" });
    return "stayed_out";
  }
  if (isOutdated(before, work)) return stayOut(bot, work, "Something newer happened to this message since.");
  if (before.state === "tombstone") {
    await store.savePin({ ...before, moment: Math.max(work.moment, before.moment ?? 0) });
    return "done";
  }
  if ((before.how === "added" || before.how === "answer") && why === "unpinned") {
    return stayOut(bot, work, "It was added by hand, so unpinning does not remove it.");
  }
  // Without a hash nothing was ever sent.
  if (before.hash !== undefined) {
    const place = await bot.people.place(channel);
    const sent = await withdrawDocument(bot, before, why, { place, signal: run.signal });
    if (sent.kind === "again") return again(bot, before, sent, run.attempt);
    if (sent.kind === "failed") {
      await store.savePin({ ...before, reason: `It could not be removed. ${sent.words}`, updatedAt: bot.now() });
      await note(bot, work, "Its document could not be removed.", sent.words);
      await tellOnce(bot, { channel, user: work.by ?? before.by, what: `drop:${ts}` }, COULD_NOT_REMOVE + sent.words);
      return "failed";
    }
  }
  if (why !== "deleted") {
    const refusal = await mark(bot, before, { to: "tombstone", from: before.state });
    // Its text is gone already; to take it back again does nothing.
    if (refusal === RATE_LIMITED) return { later: bot.now() + MARK_AGAIN_MS };
  }
  await answerMoves(bot, { ...before, state: "tombstone" });
  // What is still known of it is that it is no longer kept.
  await store.savePin({ ...newRecord(bot, work, before.by, before), state: "tombstone" });
  bot.metrics.ingestion("tombstone");
  await answerMoved(bot, { ...before, state: "tombstone" });
  await note(bot, work, `It was ${why}; its document is removed.`);
  return "done";
}

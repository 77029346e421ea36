import type { PinRecord } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { beginStill } from "../still-true/still-tasks.ts";
import { beginCallTask } from "../calls/call-tasks.ts";

/**
 * A kept message came to another state: where it is the answer to a call, what follows from that is begun. `taken`: the
 * server took it, and does not tell whether it can be found.
 */
export async function answerMoved(bot: BotContext, pin: PinRecord, { taken = false } = {}): Promise<void> {
  if (pin.how !== "answer") return;
  const kept = await bot.store.findKeptAnswer(pin.channel, pin.ts);
  if (kept === undefined) return;
  const { task } = kept;
  // Its call is forgotten, and now it is gone itself: nothing is left to know it by.
  const isOver = pin.state === "tombstone" && (await bot.store.findCall(task)) === undefined;
  if (isOver) return bot.store.forgetKeptAnswer(pin.channel, pin.ts);
  const once = `${pin.ts}:${pin.state}:${pin.hash ?? ""}:${pin.moment ?? 0}${taken ? ":taken" : ""}`;
  await beginStill(bot, { do: "moved", channel: pin.channel, ts: pin.ts }, once);
  await beginCallTask(bot, pin.channel, { do: "show", task, taken }, once);
}

/**
 * A message that somebody had kept, and is no answer, can be found: they are asked what it changes, once for each version.
 * Called before that is saved, so that an end in between leaves nobody unasked.
 */
export async function askWhatChanges(bot: BotContext, { channel, ts, hash, state, how }: PinRecord): Promise<void> {
  if (how === "answer" || state !== "indexed" || hash === undefined) return;
  await beginStill(bot, { do: "near", channel, ts, hash }, hash);
}

import type { PinRecord, RunResult, Task } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { beginStill } from "../still-true/still-tasks.ts";
import { beginCallTask, type CallStep } from "../calls/call-tasks.ts";

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
 * A kept message is just coming to another state. Called before that is saved: where the process ends between the two, whoever goes
 * on begins what follows from it, which nothing else would.
 */
export async function answerMoves(bot: BotContext, { channel, ts, state, how }: PinRecord): Promise<void> {
  if (how !== "answer") return;
  const kept = await bot.store.findKeptAnswer(channel, ts);
  if (kept === undefined) return;
  const { task } = kept;
  await beginCallTask(bot, channel, { do: "moving", task, channel, ts, state }, `${ts}:${state}:${bot.now()}`);
}

/** Looks whether it came to it: as a rule all that follows is begun by then, and is not begun twice. */
export async function followMove(
  bot: BotContext,
  { channel, ts, state }: CallStep<"moving">,
  { acceptedAt }: Pick<Task, "acceptedAt">,
): Promise<RunResult> {
  const pin = await bot.store.findPin(channel, ts);
  if (pin?.state === state) {
    await answerMoved(bot, pin);
    return "done";
  }
  return bot.now() < acceptedAt + MOVE_MS ? { later: bot.now() + LOOK_MS } : "gone";
}

/** So long it may take to save it, and between two looks whether it is, milliseconds. */
const MOVE_MS = 10_000;
const LOOK_MS = 500;

/**
 * A message that somebody had kept, and is no answer, can be found: they are asked what it changes, once for each version.
 * Called before that is saved, so that an end in between leaves nobody unasked.
 */
export async function askWhatChanges(bot: BotContext, { channel, ts, hash, state, how }: PinRecord): Promise<void> {
  if (how === "answer" || state !== "indexed" || hash === undefined) return;
  await beginStill(bot, { do: "near", channel, ts, hash }, hash);
}

import { randomUUID } from "node:crypto";
import type { BotContext, TaskWork } from "../context.ts";
import { placeOf, type Task, taskKey, type TaskTools } from "@threadlore/inbox";
import { placeOfAnswer } from "../ask/question.ts";
import { strayBeginnings } from "../ask/begun-threads.ts";
import { beginTurn, type Turn } from "../ask/turn.ts";
import { LateBody, lookLater, waitForLate } from "./late-calls.ts";
import { methodOf, type SlackCall, SlackCalls, type SlackReply } from "../slack/transport/calls.ts";
import { delay, machineClock } from "../slack/transport/clock.ts";
import { isComplete, readProgress, type Traces } from "../slack/deliver/delivery-seam.ts";
import { type OwnMessage, saysTheSame } from "../slack/transport/reconcile.ts";
import { PlaceGone, Unreachable } from "../slack/transport/refusals.ts";

/**
 * Has what a run that lost its task may have left behind looked at: a process can be paused between asking for its lease
 * and the effect of the call it asked for; the call then comes late, perhaps after another run has ended the answer. That
 * is done once the run that has the task now has ended: the partition keeps that order. Kept in the store, so that
 * it happens whatever becomes of this process. What cannot be kept now is logged.
 */
export async function askToMend(turn: Turn, traces: Traces): Promise<void> {
  const { context, task, question } = turn;
  const place = { team: question.team, channel: question.channel, ts: question.ts };
  const once = `${task.id}-${randomUUID().slice(0, 8)}`;
  const mend = {
    key: taskKey("mend", place, once),
    kind: "mend",
    partitionKey: task.partitionKey,
    place: `mend:${placeOf(place)}`,
    body: { task: task.id, touched: [...traces.touched], lostStarts: [...traces.lostStarts] },
  } as const;
  // As old as what it mends, so that it comes before whatever else waits in the thread.
  await Promise.all([context.store.accept(mend, task.acceptedAt), lookLater(turn, traces)]).catch((error: unknown) =>
    context.log.warn("lost task not looked at", { task: task.id, error }),
  );
}

/**
 * Puts right what came after nobody waited for it any more, or of a run that had lost its task: what belongs to nobody goes,
 * what was damaged is done again.
 */
export const mendWork: TaskWork = {
  async run(context, task, tools) {
    const body = LateBody.parse(task.body);
    const { pauses } = body;
    const lost = await context.store.find(body.task);
    if (lost === undefined) return "done";
    if (pauses !== undefined) return waitForLate(context, { task, tools, late: lost, body: { ...body, pauses } });
    if (lost.state !== "ended") return { later: context.now() + 1_000 };
    try {
      await putRight(context, lost, tools, body);
    } catch (error) {
      if (!(error instanceof PlaceGone)) throw error;
    }
    return "done";
  },
  async giveUp(context, task, error) {
    context.log.warn("lost task not mended", { task: task.id, error });
  },
};

async function putRight(context: BotContext, lost: Task, tools: TaskTools, traces: Traces): Promise<void> {
  const turn = beginTurn(context, lost, tools);
  const { question, progress } = turn;
  if (question.private) return;
  const delivery = readProgress(progress.delivery);
  const kept = delivery?.messages ?? [];
  const { clients, pacer, self } = context;
  const leaving = new AbortController().signal;
  const deps = { clients, pacer, self, run: "", guard: tools.hold, leaving };
  const calls = new SlackCalls(placeOfAnswer(question), deps);
  const until = machineClock.now() + PATIENCE_MS;
  const insist = (call: SlackCall): Promise<SlackReply> => makeSure(calls, call, until);
  const reply = await insist({ do: "read" });
  const found = reply.type === "done" ? (reply.messages ?? []) : [];
  const isKept = (ts: string): boolean => kept.some((message) => message.ts === ts);
  const strangers = found.filter((message) => !isKept(message.ts) && isOurs(message, lost.id, traces));
  for (const ts of await strayBeginnings(turn)) await insist({ do: "delete", ts });
  for (const { ts, mark } of strangers) {
    // Another question's answer may have taken it for its own meanwhile.
    if ((await context.store.findAnswer(question.channel, ts)) !== undefined) continue;
    if (mark === undefined) await calls.perform({ do: "stop", ts }, until);
    await insist({ do: "delete", ts });
  }
  // Nobody is at work in the thread any more, whatever a late start said.
  await calls.perform({ do: "settleSession" }, until);
  const damaged = kept.filter(({ ts }) => traces.touched.includes(ts));
  if (delivery === undefined || damaged.length === 0 || isComplete(kept, found, lost.id)) return;
  await tools.hold();
  await context.store.reopen(lost.id, { ...progress, delivery: { ...delivery, stage: "posting" } });
}

/** How long the platform is waited for, milliseconds. */
const PATIENCE_MS = 120_000;

/** Makes a call until the platform answers. @throws {Unreachable} it does not. @throws {PlaceGone} the channel is closed to us. */
async function makeSure(calls: SlackCalls, call: SlackCall, until: number): Promise<SlackReply> {
  for (let tries = 0; ; tries += 1) {
    const reply = await calls.perform(call, until);
    if (reply.type === "done") return reply;
    const { kind, code } = reply.refusal;
    if (kind === "gone" && call.do === "read") throw new PlaceGone(code);
    if (kind !== "lost") return reply;
    if (machineClock.now() >= until) throw new Unreachable(methodOf(call));
    await delay(machineClock, Math.min(8000, 250 * 2 ** tries));
  }
}

function isOurs(message: OwnMessage, taskId: string, { touched, lostStarts, anyStream }: Traces): boolean {
  if (message.mark !== undefined) return message.mark.task === taskId;
  if (message.foreign) return false;
  // Whoever is at an answer of the thread is not at it now: a stream without an end is nobody's.
  return (
    anyStream === true || touched.includes(message.ts) || lostStarts.some((text) => saysTheSame(text, message.text))
  );
}

/** How an answer ends: with what was streamed, with messages that are posted, with a failure, or because it was stopped. */
import type { AnyBlock } from "@slack/types";

import { saysTheSame } from "../../transport/reconcile.ts";
import { MessageRefused, Unreachable } from "../../transport/refusals.ts";
import { textOf } from "../../layout/layout.ts";
import { simpler } from "../../layout/simpler.ts";
import { isSought } from "./message-jobs.ts";
import { breaks, type Move, note, over, instead, wait } from "./moves.ts";
import type { DeliverJob, DeliveryState, EndOf, Job, JobOf, PostJob, Result } from "./state.ts";
import { asMessage, markOf, progressOf, restOf, streamedOf } from "./streamed.ts";
import type { Ending, How } from "../delivery-seam.ts";
import type { PostedMessage } from "../../transport/calls.ts";

const deliverWhole = (queue: readonly PostedMessage[], plain?: Ending["plain"]): Job => ({
  do: "deliver",
  queue,
  isWhole: true,
  plain,
  count: 0,
});
const deliverRest = (queue: readonly PostedMessage[]): Job => ({ do: "deliver", queue, isWhole: false, count: 0 });
const toConclude = (kind: "delivered" | "stopped"): Job => ({ do: "conclude", kind });
const endMessage = (end: EndOf): Job => ({ do: "endMessage", end });

export function finish(before: DeliveryState, { ending }: JobOf<"finish">): Move {
  const state = { ...before, remembered: ending.remember ?? {} };
  const begin = { do: "bePatient" } as const;
  if (state.isStopped && ending.withdrawn !== true) return stop(before, { do: "stop", closing: [] });
  const isNew = ending.rewritten === true || ending.withdrawn === true;
  if (state.plan.isPrivate || isNew || streamedOf(state).length === 0) {
    const whole = [deliverWhole(ending.messages(), ending.plain), toConclude("delivered")];
    return instead(state, [...(state.open === undefined ? [] : [endMessage({ kind: "replaced" })]), ...whole], begin);
  }
  const { closing } = ending;
  const last = state.open === undefined ? [] : [endMessage({ kind: "answer", closing })];
  return instead({ ...state, view: ending }, [...last, { do: "rest", ending }, toConclude("delivered")], begin);
}

export function rest(state: DeliveryState, { ending }: JobOf<"rest">, result: Result): Move {
  const isSaid = result.type === "ended" && result.isSaid;
  const left = restOf(state, isSaid ? [] : ending.closing, ending.text);
  const check: Job = { do: "verify", isLastStreamed: left.length === 0 };
  return instead(state, left.length === 0 ? [check] : [check, deliverRest(left)]);
}

export function fail(state: DeliveryState, { message }: JobOf<"fail">): Move {
  const begin = { do: "bePatient" } as const;
  if (state.plan.isPrivate || (state.open === undefined && state.isResumed)) {
    return instead(state, [deliverWhole([message]), toConclude("delivered")], begin);
  }
  if (state.open === undefined) return instead(state, [deliverRest([message]), toConclude("delivered")], begin);
  const closing: readonly AnyBlock[] = message.blocks ?? [
    { type: "section", text: { type: "mrkdwn", text: message.text } },
  ];
  const said = endMessage({ kind: "failure", closing });
  return instead(state, [said, { do: "sayFailure", message }, toConclude("delivered")], begin);
}

export function sayFailure(state: DeliveryState, { message }: JobOf<"sayFailure">, result: Result): Move {
  const isLastStreamed = result.type === "ended" && result.isSaid;
  const check: Job = { do: "verify", isLastStreamed };
  return instead(state, isLastStreamed ? [check] : [deliverRest([message]), check]);
}

export function stop(state: DeliveryState, { closing }: JobOf<"stop">): Move {
  const open = state.open === undefined ? [] : [endMessage({ kind: "stopped", closing })];
  return instead(state, [...open, toConclude("stopped")], { do: "bePatient" });
}

export function deliver(before: DeliveryState, job: DeliverJob, result: Result): Move {
  if (job.at === undefined) {
    const state = job.isWhole ? { ...before, slots: before.shown, shown: [] } : before;
    return wait(state, { ...job, at: "ready" }, { do: "save", progress: progressOf(state, "posting") });
  }
  const [message] = job.queue;
  const [slot] = before.slots;
  if (job.at === "ready" || message === undefined) return deliverNext(before, { ...job, at: "showing" });
  const isShort = message.blocks === undefined && message.text.length <= SHORT_TEXT;
  if (result.type === "replaced" && (result.how === "impossible" || (result.how === "content" && isShort))) {
    // It gives way to a new message, and with it those after it: a new one would stand below them.
    return clearSlots(before, job);
  }
  const shown = result.type === "posted" ? result.shown : isReplaced(result) ? slot : undefined;
  if (shown === undefined) {
    const whole = message.blocks === undefined ? undefined : job.plain;
    const queue = whole === undefined ? [...simpler(message), ...job.queue.slice(1)] : whole();
    return deliverNext(before, { ...job, queue });
  }
  const slots = isReplaced(result) ? before.slots.slice(1) : before.slots;
  const state = { ...before, slots, shown: [...before.shown, shown] };
  const next: DeliverJob = { ...job, queue: job.queue.slice(1), plain: undefined, count: job.count + 1 };
  // Nobody finds a private message again, so nothing of it is kept.
  if (state.plan.isPrivate) return deliverNext(state, next);
  return wait(state, { ...next, at: "ready" }, { do: "save", progress: progressOf(state, "posting") });
}

const isReplaced = (result: Result): boolean => result.type === "replaced" && result.how === "replaced";

function deliverNext(state: DeliveryState, job: DeliverJob): Move {
  const [message] = job.queue;
  const [slot] = state.slots;
  if (message === undefined) return slot === undefined ? over(state) : clearSlots(state, job);
  const part = (job.isWhole ? 1 : state.nextNumber) + job.count;
  const mark = markOf(state, part, job.queue.length === 1);
  const one: Job =
    slot === undefined
      ? { do: "post", message, mark, tries: 0 }
      : { do: "replace", ts: slot.ts, message, mark, tries: 0, mayBeGone: true };
  return instead(state, [one, job]);
}

function clearSlots(state: DeliveryState, job: DeliverJob): Move {
  const deletes = state.slots.map(({ ts }): Job => ({ do: "attempt", call: { do: "delete", ts } }));
  return instead({ ...state, slots: [] }, [...deletes, { ...job, at: "ready" }]);
}

/** A text this short is not made shorter when it is refused, characters. */
const SHORT_TEXT = 400;

export function post(state: DeliveryState, job: PostJob, result: Result, isLate: boolean): Move {
  const { message, mark, tries } = job;
  const { isPrivate } = state.plan;
  const how: How = isPrivate ? "ephemeral" : message.blocks === undefined ? "plain" : "post";
  const posted = (ts: string): Move => over(state, { type: "posted", shown: { ts, how } });
  const call = isPrivate ? ({ do: "postEphemeral", message } as const) : ({ do: "post", message, mark } as const);
  const backOff = { do: "backOff", tries: isPrivate ? tries + 1 : tries } as const;
  switch (result.type) {
    case "done":
      return posted(result.ts ?? "");
    case "found":
      if (result.message !== undefined) return posted(result.message.ts);
      if (isLate) return breaks(state, new Unreachable("chat.postMessage"));
      return wait(state, job, backOff);
    case "ready":
      return isPrivate ? wait(state, job, call) : instead(state, [{ do: "read" }, job]);
    case "read": {
      const late = result.messages?.find((one) => isSought(state, mark.part, one));
      if (late !== undefined) return posted(late.ts);
      return wait({ ...state, isTwinPossible: true }, { ...job, tries: tries + 1 }, call);
    }
    case "refused":
      if (result.refusal.kind !== "lost") return notPosted(state, job, how, result.refusal);
      if (!isPrivate) {
        const words = "No answer to a post: looking in the thread whether it arrived.";
        return instead(state, [{ do: "seek", part: mark.part }, job], note(words));
      }
      // Nobody can read such a message back. Seen twice by one person is better than never.
      if (isLate) return breaks(state, new Unreachable("chat.postEphemeral"));
      return wait(state, { ...job, tries: tries + 1 }, backOff);
    default:
      return wait(state, job, call);
  }
}

/** Refused: a simpler message may be taken, unless nothing about it can be simpler. */
function notPosted(
  state: DeliveryState,
  { message }: PostJob,
  how: How,
  { kind, code }: Extract<Result, { type: "refused" }>["refusal"],
): Move {
  const notAsItIs: Result = { type: "posted", shown: undefined };
  if (message.blocks !== undefined) {
    const words = `Slack refused the message's blocks (${code}); it is posted as plain text.`;
    return how === "ephemeral" ? over(state, notAsItIs) : over(state, notAsItIs, note(words));
  }
  if (how === "plain" && kind === "content" && message.text.length > SHORT_TEXT) return over(state, notAsItIs);
  return breaks(state, new MessageRefused(how === "plain" ? "chat.postMessage" : "chat.postEphemeral", code));
}

export function verify(state: DeliveryState, job: JobOf<"verify">, result: Result): Move {
  const left = job.left ?? streamedOf(state).filter(({ isDoubtful }) => isDoubtful);
  const [message] = left;
  if (message === undefined) return over(state);
  const { ts, number } = message;
  if (job.at === undefined)
    return instead(state, [
      { do: "read", ts },
      { ...job, left, at: "reading" },
    ]);
  const next = { ...job, left: left.slice(1), at: undefined };
  const content = asMessage(state, message);
  const mark = markOf(state, number, job.isLastStreamed && streamedOf(state).at(-1)?.ts === ts);
  if (result.type === "replaced") {
    if (isReplaced(result)) return instead(state, [next]);
    const text = content.plain ?? content.text;
    return instead(state, [{ do: "replace", ts, message: { text }, mark, tries: 0 }, next]);
  }
  const read = result.type === "read" ? result.messages?.[0] : undefined;
  if (!message.isUnsure && (read === undefined || saysTheSame(read.text, textOf(message.chunks))))
    return instead(state, [next]);
  const words = "A message was not as it should be after a lost call; it is replaced.";
  return instead(state, [{ do: "replace", ts, message: content, mark, tries: 0 }, job], note(words));
}

export function sweep(state: DeliveryState, job: JobOf<"sweep">, result: Result): Move {
  const { lostStarts, isTwinPossible, plan } = state;
  if (job.at === undefined) {
    if (lostStarts.length === 0 && !isTwinPossible) return over(state);
    return wait(state, { ...job, at: "settling" }, { do: "settle" });
  }
  if (result.type !== "read") return instead(state, [{ do: "read" }, job]);
  const known = new Set(state.shown.map(({ ts }) => ts));
  const strangers = (result.messages ?? []).flatMap(({ ts, mark, foreign, text }): Job[] => {
    if (known.has(ts) || foreign) return [];
    const remove: Job = { do: "attempt", call: { do: "delete", ts } };
    if (mark !== undefined) return isTwinPossible && mark.task === plan.task ? [remove] : [];
    const isLost = lostStarts.some((lost) => saysTheSame(lost, text));
    return isLost ? [{ do: "attempt", call: { do: "stop", ts } }, remove] : [];
  });
  const found = note("A message that was taken for lost is there after all; it is deleted.");
  return instead(state, strangers, ...(strangers.length === 0 ? [] : [found]));
}

export function conclude(state: DeliveryState, job: JobOf<"conclude">): Move {
  const save = (): Move => wait(state, { ...job, at: "saving" }, { do: "save", progress: progressOf(state, "closed") });
  switch (job.at) {
    case undefined:
      return instead(state, [{ do: "sweep" }, { ...job, at: "swept" }]);
    case "swept":
      // What an earlier process began to stream or said of itself stands there still.
      if (!state.isProcessing && !state.isResumed) return save();
      return instead(state, [
        { do: "attempt", call: { do: "settleSession" } },
        { ...job, at: "settled" },
      ]);
    case "settled":
      return save();
    case "saving": {
      const messages = state.shown.map(({ ts }) => ts);
      const how = state.shown[0]?.how ?? state.how;
      return over({ ...state, tag: "closed", outcome: { kind: job.kind, messages, how }, jobs: [] });
    }
  }
}

/** The place is no more: what stands there stays. */
export function concludeGone(before: DeliveryState, job: JobOf<"concludeGone">, result: Result): Move {
  const state = { ...before, slots: [] };
  if (result.type !== "ready") return wait(state, job, { do: "save", progress: progressOf(state, "closed") });
  const messages = state.shown.map(({ ts }) => ts);
  return over({ ...state, tag: "closed", outcome: { kind: "gone", reason: job.code, messages }, jobs: [] });
}

/** How an answer ends: with what was streamed, with messages that are posted, with a failure, or because it was stopped. */
import type { AnyBlock } from "@slack/types";

import { textOf } from "../../layout/cut-into-messages.ts";
import { simpler } from "../../layout/answer-messages.ts";
import { type Marked, methodOf, type PostedMessage, type SlackCall } from "../../transport/calls.ts";
import { saysTheSame } from "../../transport/reconcile.ts";
import { MessageRefused } from "../../transport/refusals.ts";
import type { Ending, LastMessage, Shown } from "../delivery-seam.ts";
import { endMessage, replace } from "./messages.ts";
import { orGone, type Run, type Script } from "./run.ts";
import type { DeliveryState } from "./state.ts";
import { asMessage, markOf, outcomeOf, restOf, streamedOf } from "./streamed.ts";

export function* finish(run: Run, { ending }: { readonly ending: Ending }): Script {
  const { plan, isStopped } = run.state;
  if (isStopped && ending.withdrawn !== true) return yield* stop(run, { closing: [] });
  run.change({ remembered: ending.remember ?? {} });
  const isNew = ending.rewritten === true || ending.withdrawn === true;
  if (plan.isPrivate || isNew || streamedOf(run.state).length === 0) {
    yield* endMessage(run, { kind: "replaced" });
    yield* deliverWhole(run, ending.messages(), ending.plain);
  } else {
    run.change({ view: ending });
    const isSaid = yield* endMessage(run, { kind: "answer", closing: ending.closing });
    const left = restOf(run.state, isSaid ? [] : ending.closing, ending.text);
    yield* verify(run, left.length === 0);
    if (left.length > 0) yield* deliver(run, left, run.state.nextNumber);
  }
  yield* conclude(run, "delivered");
}

export function* fail(run: Run, { message }: { readonly message: PostedMessage }): Script {
  const { plan, open, isResumed } = run.state;
  if (plan.isPrivate || (open === undefined && isResumed)) yield* deliverWhole(run, [message]);
  else {
    const section = { type: "section", text: { type: "mrkdwn", text: message.text } } as const;
    const isSaid = yield* endMessage(run, { kind: "failure", closing: message.blocks ?? [section] });
    if (!isSaid) yield* deliver(run, [message], run.state.nextNumber);
    yield* verify(run, isSaid);
  }
  yield* conclude(run, "delivered");
}

export function* stop(run: Run, { closing }: { readonly closing: readonly AnyBlock[] }): Script {
  yield* endMessage(run, { kind: "stopped", closing });
  yield* conclude(run, "stopped");
}

/** The messages take the place of whatever is there. */
function* deliverWhole(run: Run, messages: readonly PostedMessage[], plain?: Ending["plain"]): Script {
  run.change({ slots: run.state.shown, shown: [] });
  yield* deliver(run, messages, 1, plain);
}

/**
 * Delivers messages, numbered from `number`: each replaces one of the state's `slots`, the rest are posted, slots left
 * over are deleted. `plain`: all of them without blocks, for when the blocks of the first are refused.
 */
function* deliver(run: Run, messages: readonly PostedMessage[], number: number, plain?: Ending["plain"]): Script {
  yield* run.save("posting");
  const queue = [...messages];
  let whole = plain;
  let part = number;
  for (let [message] = queue; message !== undefined; [message] = queue) {
    const { slots } = run.state;
    const [slot] = slots;
    const mark = markOf(run.state, part, queue.length === 1);
    const how = slot === undefined ? undefined : yield* replace(run, slot.ts, message, mark, true);
    const isShort = message.blocks === undefined && message.text.length <= SHORT_TEXT;
    if (how === "impossible" || (how === "content" && isShort)) {
      // It gives way to a new message, and with it those after it: a new one would stand below them.
      yield* clearSlots(run);
      continue;
    }
    const shown = how === undefined ? yield* post(run, message, mark) : how === "replaced" ? slot : undefined;
    if (shown === undefined) {
      if (whole === undefined || message.blocks === undefined) queue.splice(0, 1, ...simpler(message));
      else queue.splice(0, queue.length, ...whole());
      continue;
    }
    run.change({ shown: [...run.state.shown, shown], slots: slots.slice(1), posted: { ts: shown.ts, message } });
    whole = undefined;
    part += 1;
    queue.shift();
    // Nobody finds a private message again, so nothing of it is kept.
    if (!run.state.plan.isPrivate) yield* run.save("posting");
  }
  yield* clearSlots(run);
}

function* clearSlots(run: Run): Script {
  const { slots } = run.state;
  run.change({ slots: [] });
  for (const { ts } of slots) yield* run.insist({ do: "delete", ts });
}

/** A text this short is not made shorter when it is refused, characters. */
const SHORT_TEXT = 400;

/** Posts a message, once; undefined: it is refused as it is, and may be taken when it is simpler. */
function* post(run: Run, message: PostedMessage, mark: Marked): Script<Shown | undefined> {
  const { isPrivate } = run.state.plan;
  const call: SlackCall = isPrivate ? { do: "postEphemeral", message } : { do: "post", message, mark };
  const how = isPrivate ? "ephemeral" : message.blocks === undefined ? "plain" : "post";
  for (let tries = 0; ; tries += 1) {
    // Nobody can read a private message back. Seen twice by one person is better than never.
    const reply = orGone(isPrivate ? yield* run.insist(call) : yield call);
    if (reply.type !== "refused") return { ts: reply.ts ?? "", how };
    const { kind, code } = reply.refusal;
    if (kind !== "lost") {
      if (message.blocks !== undefined) {
        if (!isPrivate) run.note(`Slack refused the message's blocks (${code}); it is posted as plain text.`);
        return undefined;
      }
      if (!isPrivate && kind === "content" && message.text.length > SHORT_TEXT) return undefined;
      throw new MessageRefused(methodOf(call), code);
    }
    run.note("No answer to a post: looking in the thread whether it arrived.");
    const { isTwinPossible } = run.state;
    run.change({ isTwinPossible: true });
    yield* run.save("posting");
    let found = yield* run.seek(mark.part);
    if (found === undefined) {
      yield* run.backOff(call, tries);
      found = yield* run.find(mark.part);
    }
    if (found === undefined) continue;
    run.change({ isTwinPossible });
    return { ts: found.ts, how };
  }
}

/** Reads back every message of which a call was lost; what is not as it should be is replaced. */
function* verify(run: Run, isLastStreamed: boolean): Script {
  for (const message of streamedOf(run.state).filter(({ isDoubtful }) => isDoubtful)) {
    const { ts, number, parts, isUnsure } = message;
    const read = (yield* run.read(ts))?.[0];
    if (!isUnsure && (read === undefined || saysTheSame(read.text, textOf(parts)))) continue;
    run.note("A message was not as it should be after a lost call; it is replaced.");
    const content = asMessage(message);
    const mark = markOf(run.state, number, isLastStreamed && streamedOf(run.state).at(-1)?.ts === ts);
    const how = yield* replace(run, ts, content, mark);
    if (how !== "replaced") yield* replace(run, ts, { text: content.plain ?? content.text }, mark);
  }
}

/** Deletes what came to be after all although it was taken for lost. */
function* sweep(run: Run): Script {
  const { lostStarts, isTwinPossible, plan, shown } = run.state;
  if (lostStarts.length === 0 && !isTwinPossible) return;
  yield { do: "settle" };
  const isKnown = new Set(shown.map(({ ts }) => ts));
  const strangers = ((yield* run.read()) ?? []).filter(({ ts, mark, foreign, text }) => {
    if (isKnown.has(ts) || foreign) return false;
    if (mark !== undefined) return isTwinPossible && mark.task === plan.task;
    return lostStarts.some((lost) => saysTheSame(lost, text));
  });
  if (strangers.length > 0) run.note("A message that was taken for lost is there after all; it is deleted.");
  for (const { ts, mark } of strangers) {
    if (mark === undefined) yield { do: "stop", ts };
    yield* run.insist({ do: "delete", ts });
  }
}

function* conclude(run: Run, kind: "delivered" | "stopped"): Script {
  yield* sweep(run);
  // What an earlier process began to stream or said of itself stands there still.
  if (run.state.isProcessing || run.state.isResumed) yield { do: "settleSession" };
  yield* run.save("closed");
  run.change({ tag: "closed", outcome: { ...outcomeOf(run.state, kind), ...lastOf(run.state) } });
}

/** The message with the end in it, where it is known and can be found again. */
function lastOf(state: DeliveryState): { readonly last?: LastMessage } {
  const ts = state.shown.at(-1)?.ts ?? "";
  if (ts === "") return {};
  if (state.posted?.ts === ts) return { last: state.posted };
  const streamed = streamedOf(state).find((message) => message.ts === ts);
  return streamed === undefined ? {} : { last: { ts, message: asMessage(streamed) } };
}

/** The place is no more: what stands there stays. */
export function* leave(run: Run, { reason }: { readonly reason: string }): Script {
  run.change({ slots: [] });
  yield* run.save("closed");
  const { messages } = outcomeOf(run.state, "delivered");
  run.change({ tag: "closed", outcome: { kind: "gone", reason, messages } });
}

/** What is done with one message: ended, replaced, mended. */
import type { AnyBlock } from "@slack/types";

import { closeCards } from "../../layout/message-budget.ts";
import type { Marked, PostedMessage, SlackCall } from "../../transport/calls.ts";
import { orGone, type Run, type Script } from "./run.ts";
import type { DeliveryState, StreamedMessage } from "./state.ts";
import { asMessage, forgotten, markOf, nextBatch, streamedOf, withAdded, withoutOpen } from "./streamed.ts";

/** One way to end a streamed message. `last`: with this message the answer is complete and final. */
type StreamEnd = Omit<Extract<SlackCall, { do: "stop" }>, "do" | "ts" | "mark"> & { readonly last?: boolean };

/** Why a streamed message is ended; decides what it ends with, and what is done where that is refused. */
type EndOf =
  /**
   * `part`: it is full or old; the answer goes on in another. `empty`: there is nothing in it that anybody would miss: it
   * gives way to the next one. `replaced`: the answer is posted instead.
   */
  | { readonly kind: "part" | "empty" | "replaced" }
  /** The end of the answer, with what fits of the rest; a failure, said below what is there; somebody stopped it. */
  | { readonly kind: "answer" | "failure" | "stopped"; readonly closing: readonly AnyBlock[] };

type Closed = "closed" | "expired" | "refused";

/**
 * Ends a streamed message once, whatever is lost on the way. `ends`: the next is tried where one is refused; `index` says
 * which it was.
 */
function* close(
  run: Run,
  { ts, number }: StreamedMessage,
  ends: readonly StreamEnd[],
): Script<{ readonly how: Closed; readonly index: number }> {
  for (const [index, { last, ...end }] of ends.entries()) {
    const call: SlackCall = { do: "stop", ts, ...end, mark: markOf(run.state, number, last) };
    const how = yield* closeWith(run, ts, call);
    if (how === "closed") run.change({ isProcessing: end.status === "processing" });
    if (how !== "refused") return { how, index };
  }
  return { how: "refused", index: ends.length };
}

function* closeWith(run: Run, ts: string, call: SlackCall): Script<Closed> {
  for (let tries = 0; ; tries += 1) {
    const reply = yield* run.call(call);
    if (reply.type !== "refused") return "closed";
    const { kind, code } = reply.refusal;
    if (kind === "ended" && tries === 0) return "expired";
    if (kind !== "ended" && kind !== "lost") {
      run.note(`Slack refused the end of the stream (${code}).`);
      return "refused";
    }
    if (kind === "lost") run.note("No answer to the end of a stream: reading the message back.");
    // Only a stop that took effect leaves our mark on a message.
    if ((yield* run.read(ts))?.[0]?.mark?.task === run.state.plan.task) return "closed";
    if (kind === "ended") return "expired";
    yield* run.backOff(call, tries);
  }
}

/** Replaces a message; `mayBeGone`: another takes its place where it is no more. */
export function* replace(
  run: Run,
  ts: string,
  message: PostedMessage,
  mark: Marked,
  mayBeGone = false,
): Script<"replaced" | "content" | "impossible"> {
  for (let tries = 0; ; tries += 1) {
    // Replacing twice is replacing once.
    const reply = yield* run.insist({ do: "update", ts, message, mark });
    if (reply.type !== "refused") return "replaced";
    const { kind, code } = reply.refusal;
    if (code === "streaming_state_conflict" && tries < 3) {
      yield { do: "stop", ts };
      continue;
    }
    if (!mayBeGone || code !== "message_not_found") orGone(reply);
    run.note(
      kind === "gone"
        ? "A message of the answer was deleted; the answer is posted anew."
        : `Slack will not have the message replaced (${code}).`,
    );
    return kind === "content" ? "content" : "impossible";
  }
}

/**
 * After Slack ended a stream by itself the message looks broken until it is replaced by what it held; true: it was.
 * `asEnd`: it holds the end of the answer; where it cannot be replaced it gives way to a message of its own.
 */
export function* mend(run: Run, ts: string, asEnd?: { readonly last: boolean }): Script<boolean> {
  if (run.state.open?.ts === ts) run.state = withoutOpen(run.state);
  const old = run.state.ended.find((message) => message.ts === ts);
  if (old === undefined) return false;
  const message = asMessage(old);
  if (message.blocks?.length !== 0) {
    const how = yield* replace(run, ts, message, markOf(run.state, old.number, asEnd?.last ?? false));
    if (how === "replaced" || asEnd === undefined) {
      const ended = run.state.ended.map((one) => (one === old ? { ...old, isDoubtful: false } : one));
      run.change({ ended });
      return how === "replaced";
    }
  }
  yield* run.insist({ do: "delete", ts });
  run.state = forgotten(run.state, ts);
  return false;
}

/** Ends the open message, if there is one; true: all there was to say is in it. */
export function* endMessage(run: Run, end: EndOf): Script<boolean> {
  const { open } = run.state;
  if (open === undefined) return false;
  const { ends, taken, isSaid = false, closing = [] } = endingsOf(run.state, open, end);
  const { how, index } = yield* close(run, open, ends);
  if (end.kind === "empty" || (how === "refused" && end.kind !== "part" && end.kind !== "stopped")) {
    yield* run.insist({ do: "delete", ts: open.ts });
    // Of an empty message that was deleted the next one shows the cards again.
    run.state = forgotten(end.kind === "empty" ? run.state : withoutOpen(run.state), open.ts);
    return false;
  }
  if (how === "expired" && end.kind !== "stopped") {
    if (end.kind !== "answer" || index > 0) {
      yield* mend(run, open.ts);
      return false;
    }
    run.note("Slack had ended the stream by itself; its message is replaced.");
    run.state = withAdded(run.state, taken, { closing });
    const isIn = yield* mend(run, open.ts, { last: isSaid && !isDoubtful(run.state) });
    return isSaid && isIn;
  }
  if (how === "closed" && index === 0) run.state = withAdded(run.state, taken, { closing });
  run.state = withoutOpen(run.state);
  return how === "closed" && index === 0 && isSaid;
}

/**
 * How a message may be ended, in order of preference; what is in it if the first is taken, and whether nothing is left to
 * say then.
 */
function endingsOf(state: DeliveryState, { budget }: StreamedMessage, end: EndOf) {
  const status = end.kind === "part" || end.kind === "empty" ? "processing" : "active";
  const bare: StreamEnd = { status, chunks: [] };
  const failedCards = closeCards(budget, "failed");
  const unfinished = [...(failedCards.length === 0 ? [] : [{ ...bare, chunks: failedCards }]), bare];
  switch (end.kind) {
    case "part":
      return { ends: [{ ...bare, chunks: closeCards(budget, "goes on") }, bare] };
    case "empty":
      return { ends: [bare] };
    case "replaced":
      return { ends: unfinished };
    case "stopped": {
      const chunks = closeCards(budget, "stopped");
      const last = { ...bare, last: true };
      return { ends: [{ ...last, chunks, blocks: end.closing }, last], closing: end.closing };
    }
    case "failure": {
      const batch = nextBatch(state, true);
      // The cards as they are in the end, and none of them at work.
      const chunks = batch.more ? failedCards : [...batch.chunks, ...closeCards(batch.budget, "failed")];
      const said = { ...bare, last: true, chunks, blocks: end.closing };
      const taken = batch.more ? undefined : batch;
      return { ends: [said, ...unfinished], taken, closing: end.closing, isSaid: true };
    }
    case "answer": {
      const batch = nextBatch(state, true);
      const { more } = batch;
      const chunks = more ? [...batch.chunks, ...closeCards(batch.budget, "goes on")] : batch.chunks;
      const closing = more ? [] : end.closing;
      const said = { ...bare, last: !more && !isDoubtful(state), chunks, blocks: closing };
      return { ends: [said, ...unfinished], taken: batch, closing, isSaid: !more };
    }
  }
}

/** Whether something is left to put right. */
const isDoubtful = (state: DeliveryState): boolean => streamedOf(state).some((message) => message.isDoubtful);

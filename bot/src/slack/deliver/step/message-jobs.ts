/** What is done with one message: ended, replaced, read back, looked for. */
import { methodOf } from "../../transport/calls.ts";
import { isOlder, type OwnMessage } from "../../transport/reconcile.ts";
import { Unreachable } from "../../transport/refusals.ts";
import type { Batch } from "../../layout/layout.ts";
import { closeCards, type CardsEnd } from "../../layout/card-rows.ts";
import { breaks, type Move, note, over, instead, wait } from "./moves.ts";
import type {
  CloseJob,
  DeliveryState,
  EndOf,
  Job,
  JobOf,
  ReplaceJob,
  Result,
  StreamedMessage,
  StreamEnd,
} from "./state.ts";
import { asMessage, forgotten, markOf, nextBatch, streamedOf, withAdded, withoutOpen } from "./streamed.ts";

/** Reads until it succeeds, or until it is known that the thread cannot be read. */
export function read(state: DeliveryState, job: JobOf<"read">, result: Result, isLate: boolean): Move {
  const { tries = 0, ts } = job;
  if (result.type === "read") return over(state, result);
  if (result.type !== "refused") return wait(state, job, { do: "read", ...(ts === undefined ? {} : { ts }) });
  const { refusal } = result;
  if (refusal.kind !== "lost") {
    const words = `The thread cannot be read (${refusal.code}), so it is not known what arrived.`;
    return over(state, { type: "read", messages: undefined }, note(words));
  }
  if (isLate) return breaks(state, new Unreachable("conversations.replies"));
  return wait(state, { ...job, tries: tries + 1 }, { do: "backOff", tries });
}

export function seek(state: DeliveryState, job: JobOf<"seek">, result: Result): Move {
  if (result.type === "read") {
    const message = result.messages?.find((one) => isSought(state, job.part, one));
    if (message !== undefined || job.at === "second") return over(state, { type: "found", message });
    // The second look is for what was still on its way inside the platform.
    return wait(state, { ...job, at: "second" }, { do: "settle" });
  }
  return instead(state, [{ do: "read" }, { at: "first", ...job }]);
}

/** A certain part of this answer, or a message of ours that nobody knows of: a stream whose start was never answered. */
export function isSought({ plan, shown }: DeliveryState, part: number | undefined, message: OwnMessage): boolean {
  const { mark, foreign, ts } = message;
  if (part !== undefined) return mark?.task === plan.task && mark.part === part;
  return mark === undefined && !foreign && isOlder(shown.at(-1)?.ts ?? plan.questionTs, ts);
}

export function attempt(state: DeliveryState, job: JobOf<"attempt">, result: Result, isLate: boolean): Move {
  const { call, persists = false, tries = 0 } = job;
  if (result.type === "refused" && result.refusal.kind === "lost" && persists) {
    if (isLate) return breaks(state, new Unreachable(methodOf(call)));
    return wait(state, { ...job, tries: tries + 1 }, { do: "backOff", tries });
  }
  if (result.type === "refused" || result.type === "done") return over(state);
  return wait(state, job, call);
}

export function close(state: DeliveryState, job: CloseJob, result: Result, isLate: boolean): Move {
  const { ts, ends, index, tries } = job;
  const end = ends[index];
  if (end === undefined) return over(state, { type: "closed", how: "refused", index });
  const isClosed = (): Move =>
    over({ ...state, isProcessing: end.status === "processing" }, { type: "closed", how: "closed", index });
  if (result.type === "done") return isClosed();
  if (result.type === "read") {
    // Only a stop that took effect leaves our mark on a message.
    if (result.messages?.[0]?.mark?.task === state.plan.task) return isClosed();
    if (job.at === "ended") return over(state, { type: "closed", how: "expired", index });
    if (isLate) return breaks(state, new Unreachable("chat.stopStream"));
    return wait(state, { ...job, tries: tries + 1 }, { do: "backOff", tries });
  }
  if (result.type !== "refused") return wait(state, job, stopOf(state, job, end));
  const { refusal } = result;
  if (refusal.kind === "lost") {
    const words = "No answer to the end of a stream: reading the message back.";
    return instead(
      state,
      [
        { do: "read", ts },
        { ...job, at: "lost" },
      ],
      note(words),
    );
  }
  if (refusal.kind === "ended") {
    if (tries === 0) return over(state, { type: "closed", how: "expired", index });
    return instead(state, [
      { do: "read", ts },
      { ...job, at: "ended" },
    ]);
  }
  return instead(
    state,
    [{ ...job, index: index + 1, tries: 0 }],
    note(`Slack refused the end of the stream (${refusal.code}).`),
  );
}

const stopOf = (state: DeliveryState, { ts, number }: CloseJob, { last, ...end }: StreamEnd) =>
  ({ do: "stop", ts, ...end, mark: markOf(state, number, last) }) as const;

export function replace(state: DeliveryState, job: ReplaceJob, result: Result, isLate: boolean): Move {
  const { ts, message, mark, tries } = job;
  const { at, ...again } = job;
  if (at === "unlocking" || (result.type !== "done" && result.type !== "refused"))
    return wait(state, again, { do: "update", ts, message, mark });
  if (result.type === "done") return over(state, { type: "replaced", how: "replaced" });
  const { refusal } = result;
  if (refusal.kind === "other" && refusal.code === "streaming_state_conflict" && tries < 3)
    return wait(state, { ...job, tries: tries + 1, at: "unlocking" }, { do: "stop", ts });
  if (refusal.kind === "lost") {
    // Replacing twice is replacing once.
    if (isLate) return breaks(state, new Unreachable("chat.update"));
    return wait(state, { ...job, tries: tries + 1 }, { do: "backOff", tries });
  }
  const words =
    refusal.kind === "gone"
      ? "A message of the answer was deleted; the answer is posted anew."
      : `Slack will not have the message replaced (${refusal.code}).`;
  const how = refusal.kind === "content" ? "content" : "impossible";
  return over(state, { type: "replaced", how }, note(words));
}

/** After Slack ended a stream by itself the message looks broken until it is replaced by what it held. */
export function mend(state: DeliveryState, job: JobOf<"mend">, result: Result): Move {
  const { ts, asEnd } = job;
  const left = state.open?.ts === ts ? withoutOpen(state) : state;
  const old = left.ended.find((message) => message.ts === ts);
  if (old === undefined) return over(left, { type: "mended", isIn: false });
  if (result.type === "ready") return over(forgotten(left, ts), { type: "mended", isIn: false });
  const remove: Job[] = [{ do: "attempt", call: { do: "delete", ts } }, job];
  if (result.type === "replaced") {
    if (result.how !== "replaced" && asEnd !== undefined) return instead(left, remove);
    const ended = left.ended.map((message) => (message === old ? { ...old, isDoubtful: false } : message));
    return over({ ...left, ended }, { type: "mended", isIn: result.how === "replaced" });
  }
  const message = asMessage(left, old);
  if (message.blocks?.length === 0) return instead(left, remove);
  const mark = markOf(left, old.number, asEnd?.last ?? false);
  return instead(left, [{ do: "replace", ts, message, mark, tries: 0 }, job]);
}

/** Ends the open message; what becomes of it depends on why, and on what the platform says. */
export function endMessage(state: DeliveryState, job: JobOf<"endMessage">, result: Result): Move {
  const { open } = state;
  const { end, taken } = job;
  if (result.type === "mended") {
    const isSaid = taken !== undefined && !taken.more && result.isIn;
    return over(withoutOpen(state), { type: "ended", isSaid });
  }
  if (open === undefined) return over(state, { type: "ended", isSaid: false });
  const { ts, number } = open;
  if (result.type === "closed") return afterClose(state, open, job, result);
  if (result.type === "ready") {
    // Of an empty message that was deleted the next one shows the cards again.
    const left = end.kind === "empty" ? state : withoutOpen(state);
    return over(forgotten(left, ts), { type: "ended", isSaid: false });
  }
  const { ends, taken: batch } = endingsOf(state, open, end);
  return instead(state, [
    { do: "close", ts, number, ends, index: 0, tries: 0 },
    { ...job, ...(batch === undefined ? {} : { taken: batch }) },
  ]);
}

/** How a message may be ended, in order of preference, and what is in it if the first is taken. */
function endingsOf(
  state: DeliveryState,
  { budget }: StreamedMessage,
  end: EndOf,
): { readonly ends: readonly StreamEnd[]; readonly taken?: Batch } {
  const cards = (how: CardsEnd, of = budget) => closeCards(of, state.limits, how);
  const goesOn = { status: "processing", last: false } as const;
  const isOver = { status: "active", last: false } as const;
  const failedCards = cards("failed");
  const bare = [...(failedCards.length === 0 ? [] : [{ ...isOver, chunks: failedCards }]), { ...isOver, chunks: [] }];
  switch (end.kind) {
    case "part":
      return {
        ends: [
          { ...goesOn, chunks: cards("goes on") },
          { ...goesOn, chunks: [] },
        ],
      };
    case "empty":
      return { ends: [{ ...goesOn, chunks: [] }] };
    case "replaced":
      return { ends: bare };
    case "stopped": {
      const last = { status: "active", last: true } as const;
      return {
        ends: [
          { ...last, chunks: cards("stopped"), blocks: end.closing },
          { ...last, chunks: [] },
        ],
      };
    }
    case "failure": {
      const batch = nextBatch(state, true);
      // The cards as they are in the end, and none of them at work.
      const chunks = batch.more ? failedCards : [...batch.chunks, ...cards("failed", batch.budget)];
      const said = { status: "active", last: true, chunks, blocks: end.closing } as const;
      return { ends: [said, ...bare], ...(batch.more ? {} : { taken: batch }) };
    }
    case "answer": {
      const batch = nextBatch(state, true);
      const chunks = batch.more ? [...batch.chunks, ...cards("goes on", batch.budget)] : batch.chunks;
      const blocks = batch.more ? [] : end.closing;
      return {
        ends: [{ status: "active", last: isLast(state, batch), chunks, blocks }, ...bare],
        taken: batch,
      };
    }
  }
}

/** Whether nothing is left to show or to put right after the batch. */
const isLast = (state: DeliveryState, batch: Batch): boolean =>
  !batch.more && !streamedOf(state).some(({ isDoubtful }) => isDoubtful);

function afterClose(
  state: DeliveryState,
  { ts }: StreamedMessage,
  job: JobOf<"endMessage">,
  { how, index }: Extract<Result, { type: "closed" }>,
): Move {
  const { end } = job;
  const remove: Job = { do: "attempt", call: { do: "delete", ts } };
  if (end.kind === "empty") return instead(state, [remove, job]);
  const left = over(withoutOpen(state), { type: "ended", isSaid: false });
  if (end.kind === "stopped") return left;
  if (how === "refused") return end.kind === "part" ? left : instead(state, [remove, { ...job, taken: undefined }]);
  const taken = index === 0 ? job.taken : undefined;
  if (how === "expired") {
    if (end.kind !== "answer" || taken === undefined) {
      return instead(state, [
        { do: "mend", ts },
        { ...job, taken: undefined },
      ]);
    }
    const said = note("Slack had ended the stream by itself; its message is replaced.");
    const closing = taken.more ? [] : end.closing;
    const held = withAdded(state, taken, { closing });
    return instead(
      held,
      [
        { do: "mend", ts, asEnd: { last: isLast(state, taken) } },
        { ...job, taken },
      ],
      said,
    );
  }
  if (index > 0 || (end.kind !== "answer" && end.kind !== "failure")) return left;
  const isSaid = end.kind === "failure" || taken?.more === false;
  const closing = isSaid ? end.closing : [];
  const held = taken === undefined ? withClosing(state, closing) : withAdded(state, taken, { closing });
  return over(withoutOpen(held), { type: "ended", isSaid });
}

const withClosing = (state: DeliveryState, closing: StreamedMessage["closing"]): DeliveryState =>
  state.open === undefined ? state : { ...state, open: { ...state.open, closing } };

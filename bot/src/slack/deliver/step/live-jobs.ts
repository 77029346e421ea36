/** What is done while the answer grows: a message is begun, added to, and left when it is full or old. */
import type { Refusal } from "../../transport/refusals.ts";
import { isOlder, type OwnMessage, saysTheSame } from "../../transport/reconcile.ts";
import { isComplete, type Shown } from "../delivery-seam.ts";
import { textOf } from "../../layout/layout.ts";
import { budgetInDoubt } from "../../layout/message-budget.ts";
import { type Move, note, over, instead, wait } from "./moves.ts";
import type { DeliveryState, Job, JobOf, Result } from "./state.ts";
import { hasBlocks, hasContent, progressOf, streamedOf, withAdded, withOpened } from "./streamed.ts";

/** A message that is refused as too long with fewer bytes than this is refused for another reason. */
const MIN_LONG_BYTES = 2000;

/** What is shown, is shown at the end from now on. */
function quiet(state: DeliveryState, why: string): Move {
  const how = streamedOf(state).length === 0 ? "post" : state.how;
  const tag = state.tag === "waiting" || state.tag === "streaming" ? "quiet" : state.tag;
  return over({ ...state, tag, how }, { type: "ready" }, note(`No streaming: ${why}.`));
}

const again = (state: DeliveryState): Move => over({ ...state, again: true });

export function prepare(state: DeliveryState, job: JobOf<"prepare">, result: Result): Move {
  if (result.type === "prepared") return result.isOff ? quiet(state, "streaming is off here") : over(state);
  const saves = job.saves ? progressOf(state, "starting") : undefined;
  return wait(state, job, { do: "prepare", saves, streams: job.streams });
}

export function start(state: DeliveryState, job: JobOf<"start">, result: Result): Move {
  const { batch } = job;
  switch (result.type) {
    case "begin":
      return wait(state, job, { do: "start", chunks: batch.chunks });
    case "done":
      return opened(state, job, result.ts ?? "", false);
    case "found":
      if (result.message !== undefined) return opened(state, job, result.message.ts, true);
      return notOpened({ ...state, lostStarts: [...state.lostStarts, textOf(batch.chunks)] });
    case "refused":
      return notStarted(state, job, result.refusal);
    default:
      return over(state);
  }
}

function opened(state: DeliveryState, job: JobOf<"start">, ts: string, isDoubtful: boolean): Move {
  const now = withOpened(state, ts, job.batch, isDoubtful);
  return wait(now, job, { do: "save", progress: progressOf(now, "streaming") });
}

function notStarted(before: DeliveryState, job: JobOf<"start">, refusal: Refusal): Move {
  const isFirst = streamedOf(before).length === 0;
  if (refusal.kind === "limited" && refusal.code === NO_START_LEFT) {
    return isFirst ? quiet(before, "too many answers are being streamed; this one is posted") : again(before);
  }
  const state = { ...before, failedStarts: before.failedStarts + 1 };
  switch (refusal.kind) {
    case "limited":
      return isFirst ? quiet(state, "Slack limits new streams; this answer is posted") : again(state);
    case "lost": {
      const words = "No answer to the start of a stream: looking in the thread whether it is there.";
      return instead(state, [{ do: "seek" }, job], note(words));
    }
    case "unstreamable":
      return instead(state, [{ do: "switchOff", code: refusal.code, wide: refusal.wide }]);
    default:
      if (refusal.kind !== "content" || !hasBlocks(job.batch.chunks) || state.plainTables)
        return quiet(state, refusal.code);
      return notOpened({ ...state, plainTables: true });
  }
}

/** Refused without a call: the workspace's starts of this minute are taken. */
export const NO_START_LEFT = "no_start_left";

const notOpened = (state: DeliveryState): Move =>
  state.failedStarts >= 2 ? quiet(state, "it could not be started") : again(state);

export function switchOff(state: DeliveryState, job: JobOf<"switchOff">, result: Result): Move {
  if (result.type === "ready") return quiet(state, job.code);
  return wait(state, job, { do: "switchOff", code: job.code, wide: job.wide });
}

export function append(state: DeliveryState, job: JobOf<"append">, result: Result): Move {
  const { batch } = job;
  const { open } = state;
  switch (result.type) {
    case "begin":
      if (open === undefined) return over(state);
      if (batch.chunks.length > 0) return wait(state, job, { do: "append", ts: open.ts, chunks: batch.chunks });
      return added(state, job, { do: "turnUnused" });
    case "done":
      return added(withAdded(state, batch), job);
    case "read":
      return afterLost(state, job, result.messages?.[0]);
    case "ready":
      return expired(state, job);
    case "mended":
      return state.expiries > 2 ? quiet(state, "streams keep ending by themselves") : again(state);
    case "refused":
      return notAppended(state, job, result.refusal);
    default:
      return over(state);
  }
}

/** The batch is in: the message may be full or old by now. */
function added(state: DeliveryState, { batch }: JobOf<"append">, ...effects: Move["effects"]): Move {
  const { open } = state;
  if (open === undefined) return over(state);
  if ((batch.full && batch.more) || state.aged === open.ts) {
    return instead({ ...state, again: true }, [rollOver(open.budget.isBegun)], ...effects);
  }
  return over({ ...state, again: state.again || batch.more }, { type: "ready" }, ...effects);
}

const rollOver = (isBegun: boolean): Job => ({ do: "endMessage", end: { kind: isBegun ? "part" : "empty" } });

function notAppended(state: DeliveryState, job: JobOf<"append">, refusal: Refusal): Move {
  const { open, limits } = state;
  if (open === undefined) return over(state);
  switch (refusal.kind) {
    case "lost":
      return instead(
        { ...state, open: { ...open, isDoubtful: true } },
        [{ do: "read", ts: open.ts }, job],
        note("No answer to a part of the answer: reading the message back."),
      );
    case "stopped": {
      const tag = state.tag === "closing" ? state.tag : "quiet";
      return over({ ...state, tag, isStopped: true }, { type: "ready" }, note("The person stopped the answer."));
    }
    case "ended":
      // Another run may have ended it; then nothing of it is this one's to repair.
      return wait(state, job, { do: "guard" });
    case "unstreamable":
      return instead(state, [{ do: "switchOff", code: refusal.code, wide: refusal.wide }]);
    case "limited":
      return again(state);
    case "content": {
      if (!refusal.long) {
        if (!hasBlocks(job.batch.chunks) || state.plainTables) return quiet(state, refusal.code);
        return again({ ...state, plainTables: true });
      }
      // Whatever the limit was, what is in this message is too much: the next ones stay below it.
      const bytes = Math.max(MIN_LONG_BYTES, Math.min(limits.bytes, open.budget.bytes));
      const shorter = { ...state, limits: { ...limits, bytes }, again: true };
      const full = note(`Slack takes no more in this message (${refusal.code}).`);
      if (open.budget.bytes >= MIN_LONG_BYTES) return instead(shorter, [rollOver(open.budget.isBegun)], full);
      const { effects, ...move } = quiet(shorter, "even short messages are too long");
      return { ...move, effects: [full, ...effects] };
    }
    default:
      return quiet(state, refusal.code);
  }
}

function expired(state: DeliveryState, job: JobOf<"append">): Move {
  const { open } = state;
  if (open === undefined) return over(state);
  return instead(
    { ...state, expiries: state.expiries + 1 },
    [{ do: "mend", ts: open.ts }, job],
    note("Slack ended the stream by itself; the answer goes on in a new message."),
  );
}

/** Nobody knows whether the text arrived, and sending it again could double it: the message itself tells. */
function afterLost(state: DeliveryState, job: JobOf<"append">, read: OwnMessage | undefined): Move {
  const { batch } = job;
  const { open } = state;
  if (open === undefined) return over(state);
  const before = textOf(open.chunks);
  const sent = textOf(batch.chunks);
  const isKnown = read !== undefined && sent.trim() !== "";
  if (isKnown && saysTheSame(read.text, before) && !saysTheSame(sent, "")) return again(state);
  const isIn = isKnown && saysTheSame(read.text, before + sent);
  const isUnsure = open.isUnsure || (!isIn && hasContent(batch.chunks));
  return added(withAdded({ ...state, again: true }, batch, { budget: budgetInDoubt(batch.budget), isUnsure }), job);
}

/** What another process left: what it showed but did not record is found, and what is open is closed. */
export function resume(state: DeliveryState, job: JobOf<"resume">, result: Result): Move {
  const { task } = state.plan;
  if (job.at === undefined) return instead(state, [{ do: "read" }, { ...job, at: "reading" }]);
  if (job.at === "reading") {
    const found = result.type === "read" ? (result.messages ?? []) : [];
    const shown = withFound(state.shown, found, task);
    const isOpen = ({ ts, how }: Shown): boolean =>
      how === "stream" && !found.some((one) => one.ts === ts && one.mark !== undefined);
    const closing = shown.filter(isOpen).map(
      // Whatever else the platform says, the message is replaced in the end.
      ({ ts }): Job => ({ do: "attempt", call: { do: "stop", ts, status: "processing" }, persists: true }),
    );
    const isDone = isComplete(shown, found, task);
    return instead({ ...state, shown }, [...closing, { ...job, isDone, at: "closing" }]);
  }
  if (state.shown.length === 0) {
    return instead({ ...state, tag: state.tag === "resuming" ? "waiting" : state.tag }, [
      { do: "prepare", saves: true, streams: true },
    ]);
  }
  if (job.at === "closing") {
    const progress = progressOf(state, job.isDone === true ? "closed" : "streaming");
    return wait(state, { ...job, at: "saving" }, { do: "save", progress });
  }
  const messages = state.shown.map(({ ts }) => ts);
  if (job.isDone !== true) {
    return over({ ...state, tag: state.tag === "resuming" ? "quiet" : state.tag, how: "post", isResumed: true });
  }
  const outcome = { kind: "delivered", messages, how: state.shown[0]?.how ?? "post" } as const;
  return over({ ...state, tag: "closed", outcome, jobs: [] });
}

/** Recorded messages that still stand, and ours that are not recorded, by age. */
function withFound(recorded: readonly Shown[], found: readonly OwnMessage[], task: string): Shown[] {
  const known = new Map(recorded.map((message) => [message.ts, message]));
  for (const message of found) {
    if (known.has(message.ts) || message.foreign) continue;
    if (message.mark !== undefined && message.mark.task !== task) continue;
    known.set(message.ts, { ts: message.ts, how: message.mark === undefined ? "stream" : "post" });
  }
  return [...known.values()].toSorted((one, other) => (isOlder(one.ts, other.ts) ? -1 : 1));
}

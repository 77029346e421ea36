/** What is done while the answer grows: a message is begun, added to, and left when it is full or old. */
import type { Batch } from "../../layout/cut-into-messages.ts";
import { textOf } from "../../layout/cut-into-messages.ts";
import { budgetInDoubt } from "../../layout/message-budget.ts";
import { byAge, type OwnMessage, saysTheSame } from "../../transport/reconcile.ts";
import type { Refusal } from "../../transport/refusals.ts";
import { isComplete, type Shown } from "../delivery-seam.ts";
import { endMessage, mend } from "./messages.ts";
import type { Run, Script } from "./run.ts";
import type { StreamedMessage } from "./state.ts";
import { outcomeOf, progressOf, streamedOf, withAdded, withOpened } from "./streamed.ts";

/** A message that is refused as too long with fewer bytes than this is refused for another reason. */
const MIN_LONG_BYTES = 2000;

/** Refused without a call: the workspace's starts of this minute are taken. */
export const NO_START_LEFT = "no_start_left";

export function* prepare(run: Run): Script {
  const progress = progressOf(run.state, "starting");
  const reply = yield { do: "prepare", progress, streams: !run.state.plan.isPrivate };
  if (reply.isOff === true) run.quiet("streaming is off here");
}

/** Shows the batch in the open message, or in a new one. */
export function* show(run: Run, { batch }: { readonly batch: Batch }): Script {
  if (run.state.open === undefined) yield* start(run, batch);
  else yield* append(run, batch, run.state.open);
}

function* start(run: Run, batch: Batch): Script {
  const reply = yield* run.call({ do: "start", chunks: batch.chunks });
  if (reply.type === "done") yield* opened(run, batch, reply.ts ?? "", false);
  else yield* notStarted(run, batch, reply.refusal);
}

function* opened(run: Run, batch: Batch, ts: string, isDoubtful: boolean): Script {
  run.state = withOpened(run.state, ts, batch, isDoubtful);
  yield* run.save("streaming");
}

function* notStarted(run: Run, batch: Batch, refusal: Refusal): Script {
  const isFirst = streamedOf(run.state).length === 0;
  const isNoCall = refusal.code === NO_START_LEFT;
  if (!isNoCall) run.change({ failedStarts: run.state.failedStarts + 1 });
  switch (refusal.kind) {
    case "limited": {
      const why = isNoCall ? "too many answers are being streamed" : "Slack limits new streams";
      return isFirst ? run.quiet(`${why}; this answer is posted`) : run.change({ again: true });
    }
    case "lost": {
      run.note("No answer to the start of a stream: looking in the thread whether it is there.");
      const { lostStarts } = run.state;
      run.change({ lostStarts: [...lostStarts, textOf(batch.parts)] });
      yield* run.save(isFirst ? "starting" : "streaming");
      const found = yield* run.seek();
      if (found === undefined) break;
      run.change({ lostStarts });
      return yield* opened(run, batch, found.ts, true);
    }
    case "unstreamable":
      return yield* switchOff(run, refusal);
    default:
      if (!avoidsTables(run, batch, refusal)) return run.quiet(refusal.code);
  }
  if (run.state.failedStarts >= 2) run.quiet("it could not be started");
  else run.change({ again: true });
}

function* switchOff(run: Run, { code, wide }: Extract<Refusal, { kind: "unstreamable" }>): Script {
  yield { do: "switchOff", code, wide };
  run.quiet(code);
}

/** Whether what was refused is tried once more, its tables and asides as text. */
function avoidsTables(run: Run, { parts }: Batch, { kind }: Refusal): boolean {
  if (kind !== "content" || parts.every((part) => part.kind === "text") || run.state.plainTables) return false;
  run.change({ plainTables: true });
  return true;
}

function* append(run: Run, batch: Batch, open: StreamedMessage): Script {
  if (batch.chunks.length === 0) run.effects.push({ do: "turnUnused" });
  else {
    const reply = yield* run.call({ do: "append", ts: open.ts, chunks: batch.chunks });
    if (reply.type === "refused") return yield* notAppended(run, batch, open, reply.refusal);
    run.state = withAdded(run.state, batch);
  }
  yield* added(run, batch);
}

/** The batch is in: the message may be full or old by now. */
function* added(run: Run, batch: Batch): Script {
  const { open, aged, again } = run.state;
  const isOver = open !== undefined && ((batch.full && batch.more) || aged === open.ts);
  run.change({ again: again || batch.more || isOver });
  if (isOver) yield* rollOver(run, open);
}

const rollOver = (run: Run, { budget }: StreamedMessage): Script<boolean> =>
  endMessage(run, { kind: budget.isBegun ? "part" : "empty" });

function* notAppended(run: Run, batch: Batch, open: StreamedMessage, refusal: Refusal): Script {
  switch (refusal.kind) {
    case "lost": {
      run.change({ open: { ...open, isDoubtful: true } });
      run.note("No answer to a part of the answer: reading the message back.");
      return yield* afterLost(run, batch, open, (yield* run.read(open.ts))?.[0]);
    }
    case "stopped":
      run.change({ tag: run.state.tag === "closing" ? "closing" : "quiet", isStopped: true });
      return run.note("The person stopped the answer.");
    case "ended":
      // Another run may have ended it; then nothing of it is this one's to repair.
      yield { do: "guard" };
      run.change({ expiries: run.state.expiries + 1 });
      run.note("Slack ended the stream by itself; the answer goes on in a new message.");
      yield* mend(run, open.ts);
      return run.state.expiries > 2 ? run.quiet("streams keep ending by themselves") : run.change({ again: true });
    case "unstreamable":
      return yield* switchOff(run, refusal);
    case "limited":
      return run.change({ again: true });
    case "content":
      if (refusal.long) return yield* tooLong(run, open, refusal.code);
      return avoidsTables(run, batch, refusal) ? run.change({ again: true }) : run.quiet(refusal.code);
    default:
      return run.quiet(refusal.code);
  }
}

/** Whatever the limit was, what is in this message is too much: the next ones stay below it. */
function* tooLong(run: Run, open: StreamedMessage, code: string): Script {
  const { limits } = run.state;
  const bytes = Math.max(MIN_LONG_BYTES, Math.min(limits.bytes, open.budget.bytes));
  run.change({ limits: { ...limits, bytes }, again: true });
  run.note(`Slack takes no more in this message (${code}).`);
  if (open.budget.bytes >= MIN_LONG_BYTES) yield* rollOver(run, open);
  else run.quiet("even short messages are too long");
}

/** Nobody knows whether the text arrived, and sending it again could double it: the message itself tells. */
function* afterLost(run: Run, batch: Batch, open: StreamedMessage, read: OwnMessage | undefined): Script {
  const before = textOf(open.parts);
  const sent = textOf(batch.parts);
  const isKnown = read !== undefined && sent.trim() !== "";
  run.change({ again: true });
  if (isKnown && saysTheSame(read.text, before) && !saysTheSame(sent, "")) return;
  const isIn = isKnown && saysTheSame(read.text, before + sent);
  const isUnsure = open.isUnsure || (!isIn && batch.parts.length > 0);
  run.state = withAdded(run.state, batch, { budget: budgetInDoubt(batch.budget), isUnsure });
  yield* added(run, batch);
}

/** What another process left: what it showed but did not record is found, and what is open is closed. */
export function* resume(run: Run): Script {
  const { task } = run.state.plan;
  const found = (yield* run.read()) ?? [];
  const shown = withFound(run.state.shown, found, task);
  run.change({ shown });
  for (const { ts, how } of shown) {
    if (how !== "stream" || found.some((one) => one.ts === ts && one.mark !== undefined)) continue;
    // Whatever else the platform says, the message is replaced in the end.
    yield* run.insist({ do: "stop", ts, status: "processing" });
  }
  const become = (tag: "waiting" | "quiet"): void =>
    run.change({ tag: run.state.tag === "resuming" ? tag : run.state.tag });
  if (shown.length === 0) {
    become("waiting");
    return yield* prepare(run);
  }
  const isDone = isComplete(shown, found, task);
  yield* run.save(isDone ? "closed" : "streaming");
  if (isDone) return run.change({ tag: "closed", outcome: outcomeOf({ shown, how: "post" }, "delivered") });
  become("quiet");
  run.change({ how: "post", isResumed: true });
}

/** Recorded messages that still stand, and ours that are not recorded, by age. */
function withFound(recorded: readonly Shown[], found: readonly OwnMessage[], task: string): Shown[] {
  const known = new Map(recorded.map((message) => [message.ts, message]));
  for (const { ts, mark, foreign } of found) {
    if (known.has(ts) || foreign || (mark !== undefined && mark.task !== task)) continue;
    known.set(ts, { ts, how: mark === undefined ? "stream" : "post" });
  }
  return [...known.values()].toSorted(byAge);
}

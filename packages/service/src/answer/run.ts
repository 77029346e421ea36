/** A run: one turn carried out, stored as it goes, and told packet by packet. */
import type { FileDescriptor } from "@threadlore/client/models";
import type { ServiceContext } from "../context.ts";
import { Problem, refusal } from "../http/problem.ts";
import { DAMAGED, isDamage, isOutOfSpace } from "../store/sqlite/database-error.ts";
import {
  beginTurn,
  branchTo,
  filesOfBranch,
  deleteSession,
  forgetTurn,
  INTERRUPTED,
  type MessageStatus,
  newestMessage,
  saveAnswer,
  type TurnIds,
} from "../store/sessions.ts";
import { answerTurn } from "./answer.ts";
import { attachmentsOf } from "./attachments.ts";
import { Fold } from "./fold.ts";
import { type Emission, errorPacket, isPlaced, messageDelta, serverMade, type WirePacket } from "./packets.ts";
import { isPassing, LOCAL_LIMIT, type LocalText } from "./retrieve.ts";
import type { Ending, RunHandle, Runs } from "./runs.ts";
import type { Turn } from "./turn.ts";
import { wordingRemover } from "./extracted/wording.ts";

/** A request that passed every check. */
export interface Order {
  readonly sessionId: string;
  /** The session was created for this message, so the stream begins by naming it. */
  readonly isNewSession: boolean;
  /** False: there is no room for the session, so neither question nor answer will be in the history. */
  readonly kept: boolean;
  readonly parent: Parent;
  readonly origin: string;
  readonly files: readonly FileDescriptor[];
  /** The request's additional context, to keep it out of what is stored. */
  readonly passingText: string | null;
  readonly turn: Omit<Turn, "history">;
}

/** Where in the tree the question goes. */
export type Parent =
  /** After the newest message, once it is this run's turn. */
  | { readonly after: "newest" }
  | { readonly after: "root" }
  | { readonly after: number }
  /** Answers that question anew. */
  | { readonly again: number; readonly parentId: number | null };

/** Milliseconds between two writes of a growing answer. A kill loses no more than this. */
const SAVE_EVERY = 500;

/** Characters of additional context that can come up in an answer: what is read of one text, and a few lines above. */
const CONTEXT_READ = LOCAL_LIMIT + 50_000;

/** What an answer says that will not be found again. */
const NOT_KEPT = "This question and its answer are not kept in the history: the service's disk is full.";
const NOT_KEPT_DAMAGED = "This answer is not kept in the history: the service's database is damaged.";

/** A run that has begun. */
export interface Run {
  readonly packets: AsyncGenerator<Emission>;
  /** Everything said so far. */
  readonly fold: Fold;
  /** Why there is no answer, or only a part; undefined: there is one. */
  failure(): Problem | undefined;
  /** Ends the run because nobody listens any more. */
  abandon(): void;
}

/** Begins a run. Its packets must be read to their end, or the run abandoned. */
export function startRun(context: ServiceContext, runs: Runs, order: Order): Run {
  const fold = new Fold();
  fold.sessionId = order.kept ? order.sessionId : null;
  const keepable = wordingRemover(order.passingText?.slice(0, CONTEXT_READ) ?? null);
  let failure: Problem | undefined;
  let settled = false;
  const settle: Writing["settle"] = (status, error = null) => {
    if (settled || fold.messageId === null) return undefined;
    settled = status !== "running";
    return saved(context, fold, () =>
      saveAnswer(context.db, fold.messageId ?? 0, {
        text: keepable(fold.stored),
        status,
        error,
        citations: fold.citationMap,
        documents: fold.documents.filter((document) => !isPassing(document.document_id)),
      }),
    );
  };
  const handle = runs.open(order.sessionId, (reason) => void settle(...statusOf(reason)));
  const fail = (problem: Problem) => (failure = problem);
  const packets = run(context, order, { handle, fold, settle, fail, prepare: keepable.prepare });
  return { packets, fold, failure: () => failure, abandon: () => handle.end("gone") };
}

/** Writes what there is of an answer; where that cannot be done, the sentence that says so. */
function saved({ log }: ServiceContext, fold: Fold, save: () => void): string | undefined {
  try {
    save();
    return undefined;
  } catch (error) {
    if (!isOutOfSpace(error) && !isDamage(error)) throw error;
    log.warn("an answer could not be kept", { cause: error });
    fold.unkept = true;
    return isDamage(error) ? NOT_KEPT_DAMAGED : NOT_KEPT;
  }
}

function statusOf(reason: Ending): [MessageStatus, string | null] {
  return reason === "stopped" ? ["stopped", null] : ["interrupted", INTERRUPTED];
}

interface Writing {
  readonly handle: RunHandle;
  readonly fold: Fold;
  /** Answers with what is to be said where it could not be written. */
  readonly settle: (status: MessageStatus, error?: string | null) => string | undefined;
  readonly fail: (problem: Problem) => void;
  /** Goes through what must not be kept, before anything is. */
  readonly prepare: () => Promise<void>;
}

async function* run(
  context: ServiceContext,
  order: Order,
  { handle, fold, settle, fail, prepare }: Writing,
): AsyncGenerator<Emission> {
  let turnIndex = 0;
  const told = (emission: Emission): Emission => {
    fold.add(emission);
    if (isPlaced(emission.packet)) turnIndex = emission.packet.placement.turn_index;
    return emission;
  };
  const tell = (packet: WirePacket): Emission => told({ packet });
  try {
    await unlessAborted(handle.turn, handle.signal);
    const { ids, turn } = begin(context, order);
    if (ids === undefined && order.isNewSession) fold.sessionId = null;
    else if (order.isNewSession) yield tell({ chat_session_id: order.sessionId, incognito: false });
    if (ids !== undefined) {
      yield tell({ user_message_id: ids.userMessageId, reserved_assistant_message_id: ids.assistantMessageId });
    }
    await prepare();
    let writtenAt = performance.now();
    for await (const emission of answerTurn(context, turn, handle.signal)) {
      handle.signal.throwIfAborted();
      yield told(emission);
      if (performance.now() - writtenAt < SAVE_EVERY) continue;
      writtenAt = performance.now();
      settle("running");
    }
    handle.signal.throwIfAborted();
    const unkept = settle("done");
    if (unkept !== undefined) {
      yield told(messageDelta(turnIndex, `\n\n${unkept}`));
      forget(context, order, ids);
    }
    yield tell(serverMade(turnIndex, { type: "stop", stop_reason: null }).packet);
  } catch (error) {
    if (handle.signal.reason === "stopped") {
      yield tell(serverMade(turnIndex, { type: "stop", stop_reason: "user_cancelled" }).packet);
    } else if (handle.signal.reason === "closing") {
      const problem = refusal(503, "SERVICE_UNAVAILABLE", "The service is shutting down. Ask again when it is back.");
      fail(problem);
      yield tell(errorPacket(problem.message, "SERVICE_UNAVAILABLE", true));
    } else if (!handle.signal.aborted) {
      const problem = failureOf(error, context);
      fail(problem);
      settle("failed", problem.message);
      yield tell(errorPacket(problem.message, String(problem.body["error_code"]), !isDamage(error)));
    }
  } finally {
    settle("interrupted", INTERRUPTED);
    handle.close();
  }
}

/** Stores the question, where there is room, and gathers the branch it continues. */
function begin(context: ServiceContext, order: Order): { ids: TurnIds | undefined; turn: Turn } {
  const { sessionId, parent, turn } = order;
  const parentId = "again" in parent ? parent.parentId : parentIdOf(parent, newestMessage(context.db, sessionId));
  const ids = order.kept ? stored(context, order, parentId) : undefined;
  const history = branchTo(context.db, parentId, MAX_HISTORY_LENGTH);
  const notes = ids === undefined ? [...turn.notes, NOT_KEPT] : turn.notes;
  return { ids, turn: { ...turn, notes, history, texts: withEarlierFiles(context, turn, parentId) } };
}

/** Messages: so far back a conversation is told, as far as it fits what a model is told. Few are read in a moment. */
const MAX_HISTORY_LENGTH = 200;

/** The ids of the stored question and its answer; undefined where there is no room for them. */
function stored({ db, now, log }: ServiceContext, order: Order, parentId: number | null): TurnIds | undefined {
  const { sessionId, parent, origin, files, turn } = order;
  const again = "again" in parent ? { userMessageId: parent.again } : {};
  try {
    return beginTurn(db, { sessionId, parentId, ...again, text: turn.question, origin, files, now: now() });
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    log.warn("a question could not be kept", { cause: error });
    if (order.isNewSession) tidy(() => deleteSession(db, sessionId));
    return undefined;
  }
}

/** Takes back what was stored of a turn that could not be stored to its end. */
function forget({ db }: ServiceContext, { parent, isNewSession, sessionId }: Order, ids: TurnIds | undefined): void {
  if (isNewSession) tidy(() => deleteSession(db, sessionId));
  else if (ids !== undefined) tidy(() => forgetTurn(db, ids, !("again" in parent)));
}

/** What cannot be tidied up now is marked as interrupted at the next start. */
function tidy(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isOutOfSpace(error) && !isDamage(error)) throw error;
  }
}

/** Files attached earlier on this branch still belong to the conversation; those of this question come first. */
function withEarlierFiles(context: ServiceContext, turn: Order["turn"], parentId: number | null): LocalText[] {
  const files = filesOfBranch(context.db, parentId);
  return [...turn.texts, ...attachmentsOf(context, turn.caller, files, turn.texts).texts];
}

function parentIdOf({ after }: Extract<Parent, { after: unknown }>, newest: number | null): number | null {
  if (after === "newest") return newest;
  return after === "root" ? null : after;
}

/** What a listener is told about a failure: a refusal in its own words, anything else in none of its words. */
function failureOf(error: unknown, { log }: ServiceContext): Problem {
  if (error instanceof Problem && typeof error.body["detail"] === "string") return error;
  log.warn("answer failed", { cause: error });
  if (isDamage(error)) return refusal(500, "DATABASE_DAMAGED", DAMAGED);
  return refusal(500, "INTERNAL_ERROR", "The service failed while answering; its log says where. Ask again.");
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** A run: one turn carried out, stored as it goes, and told packet by packet. */
import { setTimeout as pause } from "node:timers/promises";
import type { Finding, FileDescriptor } from "@threadlore/client/models";
import type { OpenSpan } from "@threadlore/tracing";
import type { ServiceContext } from "../context.ts";
import { Problem, refusal } from "../http/problem.ts";
import { isDamage, isOutOfSpace, isUnreachable } from "../store/sqlite/database-error.ts";
import {
  beginTurn,
  branchTo,
  filesOfBranch,
  deleteSession,
  forgetTurn,
  type MessageStatus,
  type NewSession,
  newestMessage,
  saveAnswer,
  type TurnIds,
} from "../store/sessions.ts";
import { isUnanswered, ownQuestion } from "../gaps/own.ts";
import { percentSearched } from "../search/succession/index-state.ts";
import { answerTurn, type Known } from "./answer.ts";
import { attachmentsOf } from "./attachments.ts";
import { Fold } from "./fold.ts";
import { type Emission, errorPacket, isPlaced, messageDelta, serverMade } from "./packets.ts";
import { contextTexts, isPassing, LOCAL_LIMIT } from "./retrieve.ts";
import type { RunHandle, Runs } from "./runs.ts";
import type { Turn } from "./turn.ts";
import type { Wording } from "./wording/wording.ts";
import { type WordingRemover, wordingRemover } from "./extracted/wording.ts";
import { type Steps, together } from "../store/steps.ts";

/** A request that passed every check. */
export interface Order {
  readonly sessionId: string;
  /** The session that is created for this message, so that the stream begins by naming it. */
  readonly newSession: NewSession | undefined;
  readonly parent: Parent;
  readonly origin: string;
  readonly files: readonly FileDescriptor[];
  /** The request's additional context, to keep it out of what is stored. */
  readonly passingText: string | null;
  readonly turn: Omit<Turn, "history" | "texts" | "notes">;
}

/** Where in the tree the question goes. */
export type Parent =
  /** After the newest message, once it is this run's turn; null: at the root. */
  | { readonly after: "newest" | number | null }
  /** Answers that question anew. */
  | { readonly again: number; readonly parentId: number | null };

/** How a run comes to its place among the questions that are answered at one time. */
export interface Entrance {
  /** Resolves when there is a place; throws a Problem where it is not to be had. */
  readonly enter: (signal: AbortSignal) => Promise<void>;
  /** Whoever reads a stream is told that the question arrived before it waits; else one without a place is not kept. */
  readonly isStreamed: boolean;
}

/** Milliseconds between two writes of a growing answer. A kill loses no more than this. */
const SAVE_EVERY = 500;

/** For so long an answer is held that could not be kept, and so often it is tried, milliseconds. */
const MAX_KEPT_LATER_MS = 600_000;
const KEEP_AGAIN_MS = 1_000;

/** Characters of additional context that can come up in an answer: what is read of one text, and a few lines above. */
const CONTEXT_READ = LOCAL_LIMIT + 50_000;

/** A run that has begun. Its packets must be read to their end, or the run abandoned. */
export class Run {
  /** Everything said so far. */
  readonly fold = new Fold();
  /** Why there is no answer, or only a part; undefined: there is one. */
  failure: Problem | undefined;
  readonly #context: ServiceContext;
  readonly #order: Order;
  readonly #handle: RunHandle;
  readonly #keepable: WordingRemover;
  readonly #entrance: Entrance;
  #settled = false;
  /** The turn of the packet that was told last. */
  #turn = 0;
  readonly #span: OpenSpan;

  constructor(context: ServiceContext, runs: Runs, order: Order, entrance: Entrance) {
    this.#context = context;
    this.#order = order;
    this.#entrance = entrance;
    this.#span = context.tracing.begin("answer");
    this.fold.sessionId = order.sessionId;
    this.#keepable = wordingRemover(order.passingText?.slice(0, CONTEXT_READ) ?? null);
    this.#handle = runs.open(order.sessionId, (reason) => {
      const settled =
        reason === "stopped" ? this.#settle("stopped") : this.#settle("interrupted", this.#failures.interrupted);
      context.keepOpen(settled);
    });
  }

  /** Ends the run because nobody listens any more. */
  abandon(): void {
    this.#handle.end("gone");
  }

  /** Answers. To be called once. */
  packets(): AsyncGenerator<Emission> {
    return this.#span.through(this.#packets());
  }

  async *#packets(): AsyncGenerator<Emission> {
    const { signal } = this.#handle;
    try {
      yield* this.#answer(signal);
    } catch (error) {
      if (signal.reason === "stopped") {
        yield this.#tell(serverMade(this.#turn, { type: "stop", stop_reason: "user_cancelled" }));
      } else if (signal.reason === "closing") {
        const words = this.#failures.closing;
        this.failure = refusal(503, "SERVICE_UNAVAILABLE", words);
        yield this.#tell({ packet: errorPacket(words, "SERVICE_UNAVAILABLE", true) });
      } else if (!signal.aborted) {
        const problem = failureOf(error, this.#context, this.#failures);
        this.failure = problem;
        this.#span.fail(String(problem.body["error_code"]));
        await this.#settle("failed", problem.message);
        const code = String(problem.body["error_code"]);
        yield this.#tell({ packet: errorPacket(problem.message, code, !isDamage(error)) });
      }
    } finally {
      await this.#settle("interrupted", this.#failures.interrupted);
      this.#handle.close();
    }
  }

  async *#answer(signal: AbortSignal): AsyncGenerator<Emission> {
    const context = this.#context;
    const { newSession, sessionId } = this.#order;
    const { enter, isStreamed } = this.#entrance;
    signal.throwIfAborted();
    // The session's turn comes before the place, for everybody: whoever waited for the turn with a place would keep it from
    // the one who has the turn and waits for a place.
    await this.#handle.turn;
    if (!isStreamed) {
      await enter(signal);
      signal.throwIfAborted();
    }
    const parentId = await context.store.read(parentIdOf(this.#order));
    const ids = await stored(context, this.#order, parentId);
    if (ids === undefined && newSession !== undefined) this.fold.sessionId = null;
    else if (newSession !== undefined) yield this.#tell({ packet: { chat_session_id: sessionId, incognito: false } });
    if (ids !== undefined) {
      const { userMessageId: user_message_id, assistantMessageId: reserved_assistant_message_id } = ids;
      yield this.#tell({ packet: { user_message_id, reserved_assistant_message_id } });
    }
    signal.throwIfAborted();
    if (isStreamed) await enter(signal);
    const turn = await context.store.read(begun(this.#order, parentId, ids !== undefined));
    // What must not be kept is gone through before anything is.
    await this.#keepable.prepare();
    let writtenAt = performance.now();
    const known: Known = {};
    for await (const emission of answerTurn(context, turn, signal, known)) {
      signal.throwIfAborted();
      yield this.#tell(emission);
      if (performance.now() - writtenAt < SAVE_EVERY) continue;
      writtenAt = performance.now();
      await this.#saved("running");
    }
    signal.throwIfAborted();
    const unkept = await this.#saved("done");
    if (unkept !== undefined) {
      yield this.#tell(messageDelta(this.#turn, `\n\n${unkept}`));
      await forget(context, this.#order, ids);
    }
    yield this.#tell(serverMade(this.#turn, { type: "stop", stop_reason: null }));
    if (unkept === undefined) this.#noteGap(known);
  }

  /** Whoever asked has everything by now. */
  #noteGap({ wouldQuote = () => true }: Known): void {
    const { gaps, now, db } = this.#context;
    const { messageId, finding, citations } = this.fold;
    if (gaps === undefined || messageId === null) return;
    const order = this.#order;
    const { turn, sessionId } = order;
    const asked = { caller: turn.caller, sessionId, messageId, question: turn.question, now: now() };
    const note = (isWithout: () => boolean): void => {
      // As long as the index has not everything, nothing is known of what is missing.
      gaps.noteOwn(() =>
        isWithout() && percentSearched(db) === undefined ? ownQuestion("nothing", asked) : undefined,
      );
    };
    const isWithout = (): boolean => isUnanswered(order, { finding, citations: citations.length, wouldQuote });
    if (finding === null) note(isWithout);
    else if (isWithout()) note(() => true);
  }

  /** Why there is no answer, in the question's language. */
  get #failures(): Wording["failures"] {
    return this.#order.turn.wording.failures;
  }

  #tell(emission: Emission): Emission {
    this.fold.add(emission);
    if (isPlaced(emission.packet)) this.#turn = emission.packet.placement.turn_index;
    return emission;
  }

  /** As `#settle`, together with what others write. */
  async #saved(status: "running" | "done"): Promise<string | undefined> {
    const { store } = this.#context;
    const { messageId } = this.fold;
    if (this.#settled || messageId === null) return undefined;
    try {
      const outcome = this.#outcome(status, null);
      this.#settled = status !== "running";
      await store.write(() => saveAnswer(messageId, outcome));
      return undefined;
    } catch (error) {
      if (isUnreachable(error)) {
        // The next piece, or the end, has all of this one.
        if (status === "done") this.#keepLater(messageId, status, null);
        return undefined;
      }
      if (!isOutOfSpace(error) && !isDamage(error)) throw error;
      // By itself it may have the room that is kept back, and says why not.
      this.#settled = false;
      return this.#settle(status);
    }
  }

  #outcome(status: MessageStatus, error: string | null) {
    const { fold } = this;
    return {
      text: this.#keepable(fold.stored),
      status,
      error,
      citations: fold.citationMap,
      documents: fold.documents.filter((document) => !isPassing(document.document_id)),
      finding: fold.finding && keepableFinding(fold.finding),
    };
  }

  /** Writes the end once the database is there again: whoever read the answer has it, and finds it then. */
  #keepLater(messageId: number, status: MessageStatus, error: string | null): void {
    const { store, log, closing, keepOpen } = this.#context;
    const outcome = this.#outcome(status, error);
    const until = performance.now() + MAX_KEPT_LATER_MS;
    const keep = async (): Promise<void> => {
      while (performance.now() < until) {
        await pause(KEEP_AGAIN_MS, undefined, { signal: closing, ref: false });
        try {
          await store.makeRoom(() => saveAnswer(messageId, outcome));
          return;
        } catch (cause) {
          if (!isUnreachable(cause)) throw cause;
        }
      }
    };
    log.warn("the database cannot be reached: an answer is kept once it can");
    keepOpen(keep());
  }

  /** Writes what there is of the answer, until it has ended; where that cannot be done, the sentence that says so. */
  async #settle(status: MessageStatus, error: string | null = null): Promise<string | undefined> {
    const { fold } = this;
    const { messageId } = fold;
    if (this.#settled || messageId === null) return undefined;
    this.#settled = status !== "running";
    try {
      const { store } = this.#context;
      const outcome = this.#outcome(status, error);
      // An end is worth the room that is kept back: half an answer would stay otherwise.
      if (status === "running") await store.write(() => saveAnswer(messageId, outcome));
      else await store.makeRoom(() => saveAnswer(messageId, outcome));
      return undefined;
    } catch (cause) {
      if (isUnreachable(cause)) {
        this.#keepLater(messageId, status, error);
        return undefined;
      }
      if (!isOutOfSpace(cause) && !isDamage(cause)) throw cause;
      this.#context.log.warn("an answer could not be kept", { cause });
      fold.unkept = true;
      const { diskFull, damaged } = this.#order.turn.wording.notes;
      return isDamage(cause) ? damaged : diskFull;
    }
  }
}

/** The turn with what came along and the branch it continues. */
function* begun(order: Order, parentId: number | null, isKept: boolean): Steps<Turn> {
  const { turn, passingText, files } = order;
  const { wording, caller } = turn;
  // Files attached earlier on this branch still belong to the conversation; those of this question come first.
  const [{ texts: attached, notes: gaps }, history, before] = yield* together(
    attachmentsOf(caller, files, { wording }),
    branchTo(parentId, MAX_HISTORY_LENGTH),
    filesOfBranch(parentId),
  );
  const sent = passingText === null ? attached : [...contextTexts(passingText), ...attached];
  const notes = isKept ? gaps : [...gaps, wording.notes.diskFull];
  const earlier = yield* attachmentsOf(caller, before, { wording, before: sent });
  return { ...turn, notes, history, texts: [...sent, ...earlier.texts] };
}

/** Messages: so far back a conversation is told, as far as it fits what a model is told. Few are read in a moment. */
const MAX_HISTORY_LENGTH = 200;

/** The ids of the stored question and its answer; undefined where there is no room for them. */
async function stored(context: ServiceContext, order: Order, parentId: number | null): Promise<TurnIds | undefined> {
  const { store, now, log } = context;
  const { sessionId, newSession, parent, origin, files, turn } = order;
  const again = "again" in parent ? { userMessageId: parent.again } : {};
  const begin = { sessionId, parentId, ...again, text: turn.question, origin, files, now: now() };
  try {
    return await store.write(() => beginTurn(begin, newSession));
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    log.warn("a question could not be kept", { cause: error });
    return undefined;
  }
}

/** Takes back what was stored of a turn that could not be stored to its end. */
async function forget(
  { store }: ServiceContext,
  { parent, newSession, sessionId }: Order,
  ids: TurnIds | undefined,
): Promise<void> {
  if (newSession !== undefined) await tidy(store.makeRoom(() => deleteSession(sessionId)));
  else if (ids !== undefined) await tidy(store.makeRoom(() => forgetTurn(ids, !("again" in parent))));
}

/** What cannot be tidied up now is marked as interrupted at the next start. */
async function tidy(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isOutOfSpace(error) && !isDamage(error)) throw error;
  }
}

function* parentIdOf({ parent, sessionId, newSession }: Order): Steps<number | null> {
  if ("again" in parent) return parent.parentId;
  if (newSession !== undefined) return null;
  return parent.after === "newest" ? yield* newestMessage(sessionId) : parent.after;
}

/** What a listener is told about a failure: a refusal in its own words, anything else in none of its words. */
function failureOf(error: unknown, { log }: ServiceContext, failures: Wording["failures"]): Problem {
  if (error instanceof Problem && typeof error.body["detail"] === "string") return error;
  log.warn("answer failed", { cause: error });
  if (isDamage(error)) return refusal(500, "DATABASE_DAMAGED", failures.damaged);
  if (isUnreachable(error)) return refusal(503, "DATABASE_UNREACHABLE", failures.internal);
  return refusal(500, "INTERNAL_ERROR", failures.internal);
}

/** A finding without what only came along with the question. */
function keepableFinding({ closest, conflict, ...finding }: Finding): Finding {
  const isKept = ({ document_id: id }: { readonly document_id: string }): boolean => !isPassing(id);
  return { ...finding, closest: closest?.filter(isKept), conflict: conflict?.filter(isKept) };
}

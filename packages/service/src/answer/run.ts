/** A run: one turn carried out, stored as it goes, and told packet by packet. */
import type { FileDescriptor } from "@threadlore/client/models";
import type { ServiceContext } from "../context.ts";
import { Problem } from "../problem.ts";
import {
  beginTurn,
  branchTo,
  INTERRUPTED,
  type Message,
  type MessageStatus,
  newestMessage,
  saveAnswer,
} from "../store/sessions.ts";
import { answerTurn } from "./answer.ts";
import { attachmentsOf } from "./attachments.ts";
import { Fold } from "./fold.ts";
import { type Emission, errorPacket, isPlaced, serverMade, type WirePacket } from "./packets.ts";
import { isPassing, LOCAL_LIMIT, type LocalText } from "./retrieve.ts";
import type { Ending, RunHandle, Runs } from "./runs.ts";
import type { Turn } from "./turn.ts";
import { wordingRemover } from "./wording.ts";

/** A request that passed every check. */
export interface Order {
  readonly sessionId: string;
  /** The session was created for this message, so the stream begins by naming it. */
  readonly isNewSession: boolean;
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

/** A run that has begun. */
export interface Run {
  readonly packets: AsyncGenerator<Emission>;
  /** Everything said so far. */
  readonly fold: Fold;
  /** Ends the run because nobody listens any more. */
  abandon(): void;
}

/** Begins a run. Its packets must be read to their end, or the run abandoned. */
export function startRun(context: ServiceContext, runs: Runs, order: Order): Run {
  const fold = new Fold();
  fold.sessionId = order.sessionId;
  const keepable = wordingRemover(order.passingText?.slice(0, CONTEXT_READ) ?? null);
  let settled = false;
  const settle = (status: MessageStatus, error: string | null = null) => {
    if (settled || fold.messageId === null) return;
    settled = status !== "running";
    saveAnswer(context.db, fold.messageId, {
      text: keepable(fold.stored),
      status,
      error,
      citations: fold.citationMap,
      documents: fold.documents.filter((document) => !isPassing(document.document_id)),
    });
  };
  const handle = runs.open(order.sessionId, (reason) => settle(...statusOf(reason)));
  const packets = run(context, order, { handle, fold, settle });
  return { packets, fold, abandon: () => handle.end("gone") };
}

function statusOf(reason: Ending): [MessageStatus, string | null] {
  return reason === "stopped" ? ["stopped", null] : ["interrupted", INTERRUPTED];
}

interface Writing {
  readonly handle: RunHandle;
  readonly fold: Fold;
  readonly settle: (status: MessageStatus, error?: string | null) => void;
}

async function* run(
  context: ServiceContext,
  order: Order,
  { handle, fold, settle }: Writing,
): AsyncGenerator<Emission> {
  let turnIndex = 0;
  const told = (emission: Emission): Emission => {
    fold.add(emission);
    if (isPlaced(emission.packet)) turnIndex = emission.packet.placement.turn_index;
    return emission;
  };
  const tell = (packet: WirePacket): Emission => told({ packet });
  try {
    if (order.isNewSession) yield tell({ chat_session_id: order.sessionId, incognito: false });
    await unlessAborted(handle.turn, handle.signal);
    const { ids, turn } = begin(context, order);
    yield tell({ user_message_id: ids.userMessageId, reserved_assistant_message_id: ids.assistantMessageId });
    let saved = performance.now();
    for await (const emission of answerTurn(context, turn, handle.signal)) {
      handle.signal.throwIfAborted();
      yield told(emission);
      if (performance.now() - saved < SAVE_EVERY) continue;
      saved = performance.now();
      settle("running");
    }
    handle.signal.throwIfAborted();
    settle("done");
    yield tell(serverMade(turnIndex, { type: "stop", stop_reason: null }).packet);
  } catch (error) {
    if (handle.signal.reason === "stopped") {
      yield tell(serverMade(turnIndex, { type: "stop", stop_reason: "user_cancelled" }).packet);
    } else if (handle.signal.reason === "closing") {
      yield tell(errorPacket("The service is shutting down. Ask again when it is back.", "SERVICE_UNAVAILABLE", true));
    } else if (!handle.signal.aborted) {
      const { text, code } = failureOf(error, context);
      settle("failed", text);
      yield tell(errorPacket(text, code, true));
    }
  } finally {
    settle("interrupted", INTERRUPTED);
    handle.close();
  }
}

/** Stores the question and gathers the branch it continues. */
function begin(context: ServiceContext, { sessionId, parent, origin, files, turn }: Order) {
  const { db, now } = context;
  const parentId = "again" in parent ? parent.parentId : parentIdOf(parent, newestMessage(db, sessionId));
  const again = "again" in parent ? { userMessageId: parent.again } : {};
  const ids = beginTurn(db, { sessionId, parentId, ...again, text: turn.question, origin, files, now: now() });
  const history = branchTo(db, parentId);
  return { ids, turn: { ...turn, history, texts: withEarlierFiles(context, turn, history) } };
}

/** Files attached earlier on this branch still belong to the conversation; those of this question come first. */
function withEarlierFiles(context: ServiceContext, turn: Order["turn"], history: readonly Message[]): LocalText[] {
  const files = history.flatMap((message) => message.files);
  return [...turn.texts, ...attachmentsOf(context, turn.caller, files, turn.texts).texts];
}

function parentIdOf({ after }: Extract<Parent, { after: unknown }>, newest: number | null): number | null {
  if (after === "newest") return newest;
  return after === "root" ? null : after;
}

/** What a listener is told about a failure: a refusal in its own words, anything else in none of its words. */
function failureOf(error: unknown, { log }: ServiceContext): { text: string; code: string } {
  if (error instanceof Problem && typeof error.body["detail"] === "string") {
    return { text: error.body["detail"], code: String(error.body["error_code"] ?? "UNKNOWN_ERROR") };
  }
  log.warn("answer failed", { cause: error });
  return { text: "The service failed while answering; its log says where. Ask again.", code: "INTERNAL_ERROR" };
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

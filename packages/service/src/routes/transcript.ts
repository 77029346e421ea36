import { ownerOf } from "../answer/chat-request.ts";
import { placed, serverMade, type WirePacket } from "../answer/packets.ts";
import type { Caller, ServiceContext } from "../context.ts";
import type { Database } from "../store/sqlite/database.ts";
import { findPersona } from "../store/personas.ts";
import { feedbackOf, findSession, type Message, messagesAfter, type Session, treeOf } from "../store/sessions.ts";

/**
 * A whole session: its tree of messages, and per answer the packets that would show it again. A long one is read and
 * sent a piece at a time, others first: it can be tens of megabytes.
 */
export function sendTranscript(context: ServiceContext, session: Session, caller: Caller): Response {
  const parts = transcriptOf(context, session, caller);
  // What cannot be read at all is an error, and not a reply that breaks off.
  let piece = pieceOf(parts);
  const encoder = new TextEncoder();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  context.keepOpen(promise);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode(piece));
      try {
        if (piece.length >= LARGE_PIECE) await context.questions.quiet();
        piece = pieceOf(parts);
      } catch (error) {
        context.log.warn("a conversation could not be read to its end", { cause: error });
        end();
        throw error;
      }
      if (piece !== "") return;
      end();
      controller.close();
    },
    cancel: () => end(),
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

/** Characters. */
const LARGE_PIECE = 250_000;

/** The next parts together; empty: there are no more. */
function pieceOf(parts: Iterator<string>): string {
  let piece = "";
  while (piece.length < LARGE_PIECE) {
    const { done, value } = parts.next();
    if (done === true) break;
    piece += value;
  }
  return piece;
}

/**
 * The reply's text in parts. Messages that come while it is read are not in it, and an answer that ends meanwhile may be
 * whole in the packets only.
 * @throws Error when the conversation is deleted meanwhile: a reply that breaks off is better than half of it as all
 */
function* transcriptOf({ db }: ServiceContext, session: Session, caller: Caller): Generator<string> {
  const tree = treeOf(db, session.id);
  const newestChild = new Map<number, number>();
  for (const { id, parentId } of tree) if (parentId !== null) newestChild.set(parentId, id);
  const running = tree.findLast(({ isRunning }) => isRunning);
  const judged = feedbackOf(db, session.id, ownerOf(caller));
  const head = {
    chat_session_id: session.id,
    description: session.description ?? "",
    persona_id: session.personaId,
    persona_name: findPersona(db, caller, session.personaId)?.name ?? null,
  };
  const tail = {
    time_created: new Date(session.createdAt).toISOString(),
    shared_status: "private",
    current_run: running === undefined ? null : { run_id: running.id },
    incognito: false,
  };
  const last = tree.at(-1)?.id ?? 0;
  yield `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  yield* elements(messagesTo(db, session.id, last), (message) => ({
    chat_session_id: session.id,
    message_id: message.id,
    parent_message: message.parentId,
    latest_child_message: newestChild.get(message.id) ?? null,
    message: message.text,
    message_type: message.role,
    context_docs: message.documents,
    citations: message.role === "user" ? null : message.citations,
    files: message.files,
    error: message.error,
    current_feedback: judged.get(message.id) ?? null,
    time_sent: new Date(message.createdAt).toISOString(),
    status: message.status,
  }));
  yield `],"packets":[`;
  yield* elements(answersTo(db, session.id, last), packetsOf);
  yield `],${JSON.stringify(tail).slice(1)}`;
}

/** A session's messages up to `last`, oldest first, read some at a time. */
function* messagesTo(db: Database, sessionId: string, last: number): Generator<Message> {
  for (let after = 0; after < last;) {
    const messages = messagesAfter(db, sessionId, { after, last, limit: 50 });
    yield* messages;
    if (findSession(db, sessionId) === undefined) throw new Error("the conversation was deleted while it was read");
    after = messages.at(-1)?.id ?? last;
  }
}

function* answersTo(db: Database, sessionId: string, last: number): Generator<Message> {
  for (const message of messagesTo(db, sessionId, last)) if (message.role === "assistant") yield message;
}

/** The elements of a JSON array, without its brackets. */
function* elements<One>(all: Iterable<One>, show: (one: One) => unknown): Generator<string> {
  let comma = "";
  for (const one of all) {
    yield comma + JSON.stringify(show(one));
    comma = ",";
  }
}

function packetsOf({ text, citations, documents, status }: Message): WirePacket[] {
  const place = { turn: 0 };
  const cited = Object.entries(citations).map(([number, id]) =>
    placed(place, { type: "citation_info", citation_number: Number(number), document_id: id }),
  );
  return [
    placed(place, { type: "message_start", final_documents: [...documents] }),
    ...cited,
    placed(place, { type: "message_delta", content: text }),
    placed(place, { type: "section_end" }),
    serverMade(0, { type: "stop", stop_reason: status === "stopped" ? "user_cancelled" : null }),
  ].map(({ packet }) => packet);
}

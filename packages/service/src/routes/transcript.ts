import { ownerOf } from "../answer/chat-request.ts";
import { placed, serverMade, type WirePacket } from "../answer/packets.ts";
import type { Caller, ServiceContext } from "../context.ts";
import type { Store } from "../store/store.ts";
import { findPersona } from "../store/personas.ts";
import { feedbackOf, findSession, type Message, messagesAfter, type Session, treeOf } from "../store/sessions.ts";

/**
 * A whole session: its tree of messages, and per answer the packets that would show it again. A long one is read and
 * sent a piece at a time, others first: it can be tens of megabytes.
 */
export async function sendTranscript(context: ServiceContext, session: Session, caller: Caller): Promise<Response> {
  const parts = transcriptOf(context, session, caller);
  // What cannot be read at all is an error, and not a reply that breaks off.
  let piece = await pieceOf(parts);
  const encoder = new TextEncoder();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  context.keepOpen(promise);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode(piece));
      try {
        if (piece.length >= LARGE_PIECE) await context.questions.quiet();
        piece = await pieceOf(parts);
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
async function pieceOf(parts: AsyncIterator<string>): Promise<string> {
  let piece = "";
  while (piece.length < LARGE_PIECE) {
    const { done, value } = await parts.next();
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
async function* transcriptOf({ store }: ServiceContext, session: Session, caller: Caller): AsyncGenerator<string> {
  const tree = await store.read(treeOf(session.id));
  const newestChild = new Map<number, number>();
  for (const { id, parentId } of tree) if (parentId !== null) newestChild.set(parentId, id);
  const running = tree.findLast(({ isRunning }) => isRunning);
  const judged = await store.read(feedbackOf(session.id, ownerOf(caller)));
  const head = {
    chat_session_id: session.id,
    description: session.description ?? "",
    persona_id: session.personaId,
    persona_name: (await store.read(findPersona(caller, session.personaId)))?.name ?? null,
  };
  const tail = {
    time_created: new Date(session.createdAt).toISOString(),
    shared_status: "private",
    current_run: running === undefined ? null : { run_id: running.id },
    incognito: false,
  };
  const last = tree.at(-1)?.id ?? 0;
  yield `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  yield* elements(messagesTo(store, session.id, last), (message) => ({
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
    ...(message.finding !== null && { finding: message.finding }),
  }));
  yield `],"packets":[`;
  yield* elements(answersTo(store, session.id, last), packetsOf);
  yield `],${JSON.stringify(tail).slice(1)}`;
}

/** A session's messages up to `last`, oldest first, read some at a time. */
async function* messagesTo(store: Store, sessionId: string, last: number): AsyncGenerator<Message> {
  for (let after = 0; after < last;) {
    const messages = await store.read(messagesAfter(sessionId, { after, last, limit: 50 }));
    yield* messages;
    if ((await store.read(findSession(sessionId))) === undefined) {
      throw new Error("the conversation was deleted while it was read");
    }
    after = messages.at(-1)?.id ?? last;
  }
}

async function* answersTo(store: Store, sessionId: string, last: number): AsyncGenerator<Message> {
  for await (const message of messagesTo(store, sessionId, last)) if (message.role === "assistant") yield message;
}

/** The elements of a JSON array, without its brackets. */
async function* elements<One>(all: AsyncIterable<One>, show: (one: One) => unknown): AsyncGenerator<string> {
  let comma = "";
  for await (const one of all) {
    yield comma + JSON.stringify(show(one));
    comma = ",";
  }
}

function packetsOf({ text, citations, documents, finding, status }: Message): WirePacket[] {
  const place = { turn: 0 };
  const cited = Object.entries(citations).map(([number, id]) =>
    placed(place, { type: "citation_info", citation_number: Number(number), document_id: id }),
  );
  return [
    placed(place, { type: "message_start", final_documents: [...documents], ...(finding !== null && { finding }) }),
    ...cited,
    placed(place, { type: "message_delta", content: text }),
    placed(place, { type: "section_end" }),
    serverMade(0, { type: "stop", stop_reason: status === "stopped" ? "user_cancelled" : null }),
  ].map(({ packet }) => packet);
}

import { randomUUID } from "node:crypto";
import type { Account } from "./accounts.ts";
import { packet, type Packet } from "../../fixtures/wire-json.ts";
import type { SearchDocument } from "./search-document.ts";
import type { Run } from "../answer/run.ts";

/** What is stored of an answer that was not finished. */
export const placeholder = "Response was terminated prior to completion, try regenerating.";

function newMessage(id: number, role: "system" | "user" | "assistant", text: string, parent: number | undefined) {
  return {
    id,
    parent,
    latestChild: undefined as number | undefined,
    role,
    text,
    documents: [] as SearchDocument[],
    /** Number of a citation to the document's id. */
    citations: {} as Record<number, string>,
    error: null as string | null,
    /** What the tools of this answer sent, as it is told again. */
    toolPackets: [] as Packet[],
    stopReason: null as string | null,
    files: [] as unknown[],
    sentAt: new Date(),
    seconds: null as number | null,
    feedback: null as "like" | "dislike" | null,
  };
}

/** A message as it is stored. */
export type StoredMessage = ReturnType<typeof newMessage>;

function newSession(account: Account, name: string, personaId: number) {
  const now = new Date();
  return {
    id: randomUUID() as string,
    account,
    /** Empty until it is named. */
    name,
    personaId,
    createdAt: now,
    updatedAt: now,
    deleted: false,
    shared: "private" as "private" | "public",
    messages: new Map<number, StoredMessage>(),
    /** The newest answer, running or not. */
    run: undefined as Run | undefined,
  };
}

/** A conversation. */
export type StoredSession = ReturnType<typeof newSession>;

/** Conversations, and the numbers of their messages. */
export class Sessions {
  readonly byId = new Map<string, StoredSession>();
  #messages = 100;

  create(
    account: Account,
    { name = "", personaId = 0 }: { name: string | undefined; personaId: number | undefined },
  ): StoredSession {
    const session = newSession(account, name, personaId);
    this.byId.set(session.id, session);
    return session;
  }

  /** The session, if this account may have it; otherwise why not. */
  find(id: string, account: Account): StoredSession | "unknown" | "deleted" | "foreign" {
    const session = this.byId.get(id);
    if (session === undefined) return "unknown";
    if (session.account !== account) return "foreign";
    return session.deleted ? "deleted" : session;
  }

  /** Adds a message below another. */
  add(
    session: StoredSession,
    role: StoredMessage["role"],
    text: string,
    parent: StoredMessage | undefined,
  ): StoredMessage {
    const message = newMessage(++this.#messages, role, text, parent?.id);
    session.messages.set(message.id, message);
    if (parent !== undefined) parent.latestChild = message.id;
    session.updatedAt = message.sentAt;
    return message;
  }

  /** Finds a message of any session. */
  message(id: number): { session: StoredSession; message: StoredMessage } | undefined {
    for (const session of this.byId.values()) {
      const message = session.messages.get(id);
      if (message !== undefined) return { session, message };
    }
    return undefined;
  }
}

/** The messages of the branch that is shown, from the root on. */
export function mainline(session: StoredSession): StoredMessage[] {
  const branch: StoredMessage[] = [];
  let message = [...session.messages.values()].find(({ parent }) => parent === undefined);
  while (message !== undefined) {
    branch.push(message);
    message = message.latestChild === undefined ? undefined : session.messages.get(message.latestChild);
  }
  return branch;
}

/** A stored answer told again as packets: what its tools sent, its text in one piece, its citations, the end. */
export function storedPackets(message: StoredMessage): Packet[] {
  const turn = Math.max(0, ...message.toolPackets.map(({ placement }) => placement.turn_index)) + 1;
  const cited = Object.entries(message.citations).map(([number, document_id]) => ({
    type: "citation_info",
    citation_number: Number(number),
    document_id,
  }));
  const later = cited.length > 0 ? [...cited, { type: "section_end" }] : [];
  const final_documents = message.documents.length === 0 ? null : message.documents;
  const answer = [
    { type: "message_start", final_documents, pre_answer_processing_seconds: null },
    { type: "message_delta", content: message.text },
    { type: "section_end" },
  ];
  const stop = packet(
    { type: "stop", stop_reason: message.stopReason },
    { turn: cited.length > 0 ? turn + 1 : turn, model: null },
  );
  return [
    ...message.toolPackets,
    ...answer.map((obj) => packet(obj, { turn, model: null })),
    ...later.map((obj) => packet(obj, { turn: turn + 1, model: null })),
    stop,
  ];
}

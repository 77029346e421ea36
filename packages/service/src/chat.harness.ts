import { addConnector, addCredential, addDocumentSet, addPair } from "./store/connectors.ts";
import { join } from "node:path";
import { addKey, type NewKey } from "./http/keys.ts";
import { type Carrier, inProcess, OWNER_KEY, type OpenService, temporaryFolder } from "./service.harness.ts";
import type { ServeOptions } from "./serve.ts";
import { Database } from "./store/sqlite/database.ts";

/** The types of the packets of an answer that searched once and cites one source, in their order. */
export const CITED_ANSWER = [
  "search_tool_start",
  "search_tool_queries_delta",
  "search_tool_documents_delta",
  "section_end",
  "message_start",
  "message_delta",
  "citation_info",
  "message_delta",
  "stop",
];

/** A packet as it came over the wire. */
interface WireObject {
  readonly placement?: {
    turn_index: number;
    tab_index: number;
    sub_turn_index: number | null;
    model_index: number | null;
  };
  readonly obj?: { readonly type: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** A streamed answer, taken apart. */
interface Streamed {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly packets: readonly WireObject[];
  /** Types of the placed packets, in order, repeats of message_delta folded. */
  readonly types: readonly string[];
  /** The last message group. */
  readonly answer: string;
  readonly sessionId: string;
  readonly assistantId: number;
}

/** A service to chat with, over a database other keys and documents were put into. */
export interface ChatSubject extends OpenService {
  readonly databasePath: string;
  /** Streams an answer. `as`: another key than the owner's; null: none. */
  ask(request: Record<string, unknown>, as?: string | null): Promise<Streamed>;
  /** Asks for one complete response. */
  answer(request: Record<string, unknown>, as?: string | null): Promise<Record<string, unknown>>;
  ingest(id: string, text: string, more?: Record<string, unknown>, pair?: number): Promise<void>;
  upload(
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    type: string,
  ): Promise<{ id: string; chat_file_type: string }>;
}

/** Opens a service on a database in a file, after `prepare` filled it. */
export async function openChat(
  options: Partial<ServeOptions> = {},
  prepare: (db: Database) => void = () => {},
  carrier: Carrier = inProcess,
): Promise<ChatSubject> {
  const folder = temporaryFolder();
  const databasePath = options.database ?? join(folder.path, "chat.db");
  const db = new Database(databasePath);
  prepare(db);
  db.close();
  const subject = await carrier.open({ ...options, database: databasePath });
  const call = (request: Record<string, unknown>, as: string | null | undefined) =>
    subject.call("POST", "/chat/send-chat-message", request, authorization(as));
  return {
    ...subject,
    databasePath,
    ask: async (request, as) => streamedOf(await call(request, as)),
    answer: async (request, as) => {
      const { status, body, text } = await call({ ...request, stream: false }, as);
      if (status !== 200) throw new Error(`status ${status}: ${text}`);
      return body as Record<string, unknown>;
    },
    async ingest(id, text, more = {}, pair = 1) {
      const link = `https://docs.example.com/${id}`;
      const document = {
        id,
        semantic_identifier: id,
        source: "web",
        metadata: {},
        sections: [{ text, link }],
        ...more,
      };
      const reply = await subject.call("POST", "/service-api/ingestion", { document, cc_pair_id: pair });
      if (reply.status !== 200) throw new Error(reply.text);
      await subject.service.drain();
    },
    async upload(name, content, type) {
      const form = new FormData();
      form.append("files", new File([content], name, { type }));
      const reply = await subject.call("POST", "/user/projects/file/upload", form);
      const {
        user_files: [file],
      } = reply.body as { user_files: { id: string; chat_file_type: string }[] };
      if (file === undefined) throw new Error(reply.text);
      return file;
    },
    async close() {
      await subject.close();
      folder.remove();
    },
  };
}

/** Adds a key to a database before its service starts. */
export function withKey(db: Database, key: string, settings: Partial<NewKey> = {}): void {
  db.transact(addKey(key, { name: key, role: "ordinary", ...settings }, 0));
}

/** Keys that see pair 2, pair 3, and both. */
export const TWO_PAIRS = { site: "tl_TESTsite", staff: "tl_TESTstaff", both: "tl_TESTboth" } as const;

/** Two pairs with a document set each, and keys of this role for them. */
export function withTwoPairs(db: Database, role: NewKey["role"]): void {
  const connectorId = db.transact(addConnector({ name: "Files", source: "file" }));
  const credentialId = db.transact(addCredential({ name: "none", source: "file" }));
  db.transact(addPair({ name: "Public site", connectorId, credentialId }));
  db.transact(addPair({ name: "Staff", connectorId, credentialId }));
  db.transact(addDocumentSet({ name: "Site", pairIds: [2] }));
  db.transact(addDocumentSet({ name: "Staff", pairIds: [3] }));
  withKey(db, TWO_PAIRS.site, { role, documentSets: ["Site"] });
  withKey(db, TWO_PAIRS.staff, { role, documentSets: ["Staff"] });
  withKey(db, TWO_PAIRS.both, { role, documentSets: ["Site", "Staff"] });
}

/** Takes a streamed reply apart, strictly: every event is one `data:` line with one JSON object. */
export function streamedOf(reply: { status: number; headers: Headers; text: string }): Streamed {
  const events = reply.status === 200 ? reply.text.split("\n\n") : [];
  if (reply.status === 200 && events.pop() !== "") throw new Error("the stream does not end with an empty line");
  const packets = events.map((event) => {
    if (!event.startsWith("data: ") || event.includes("\n")) throw new Error(`not one data line: ${event}`);
    return JSON.parse(event.slice("data: ".length)) as WireObject;
  });
  let answer = "";
  const types: string[] = [];
  for (const { obj } of packets) {
    if (obj === undefined) continue;
    if (obj.type === "message_start") answer = "";
    if (obj.type === "message_delta") answer += String(obj["content"]);
    if (obj.type !== "message_delta" || types.at(-1) !== "message_delta") types.push(obj.type);
  }
  const ids = packets.find((packet) => "reserved_assistant_message_id" in packet);
  return {
    ...reply,
    packets,
    types,
    answer,
    sessionId: String(packets[0]?.["chat_session_id"] ?? ""),
    assistantId: Number(ids?.["reserved_assistant_message_id"]),
  };
}

export function authorization(key: string | null | undefined): Record<string, string | null> {
  return { authorization: key === null ? null : `Bearer ${key ?? OWNER_KEY}` };
}

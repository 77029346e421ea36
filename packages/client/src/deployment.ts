import * as z from "zod/mini";
import {
  CreatedSession,
  Credential,
  DocumentSet,
  type FoundPassage,
  IngestedDocument,
  Me,
  Pair,
  Persona,
  RenamedSession,
  SearchReply,
  SessionDetail,
  SessionPage,
  Tool,
  Version,
} from "./deployment-models.ts";
import type { CallOptions } from "./client.ts";
import { InvalidRequestError } from "./errors.ts";
import { Health } from "./health.ts";
import { type Call, type ConnectionOptions, createTransport } from "./http.ts";
import type { Packet, Tag } from "./models.ts";
import { flatten, openLater, readBatches, type Batches } from "./packet-stream.ts";
import { createPacketDecoder } from "./packets.ts";
import { pathSegment } from "./path-segment.ts";
import { DEFAULT_PROFILE, type Profile } from "./profile.ts";
import { rememberSupport, type Support } from "./support.ts";
import { type FileToUpload, findUploadPath, sendFiles, type Upload } from "./upload.ts";
import { withDefaults } from "./with-defaults.ts";

export { accountOf, type Account } from "./account.ts";
export type {
  Credential,
  DocumentSet,
  FoundPassage,
  IngestedDocument,
  Me,
  Pair,
  Persona,
  Personalization,
  Session,
  SessionDetail,
  SessionPage,
  StoredMessage,
  Tool,
} from "./deployment-models.ts";
export { permissionsOf, type Permissions } from "./permissions.ts";
export type { Support } from "./support.ts";
export type { FileToUpload, Upload, UploadedFile } from "./upload.ts";

/** How to reach a server. */
export interface DeploymentOptions extends ConnectionOptions {
  /** What differs by server; what is absent follows the specification. */
  profile?: Partial<Profile>;
}

/** What a new session is created with. Field names are the wire's. */
export interface NewSession {
  /** Default 0: the server's own assistant. */
  persona_id?: number;
  description?: string;
  project_id?: number;
}

/** A judgement of an answer: at least one of `isPositive` and `text`. */
export interface Feedback {
  /** Id of the assistant's message. */
  messageId: number;
  isPositive?: boolean;
  text?: string;
}

/** What to search for. Field names are the wire's; what is absent restricts nothing. */
export interface SearchQuery {
  /** At most 2,048 characters on deployed servers. */
  query: string;
  /** Source types, such as "web". */
  sources?: readonly string[];
  /** Names, not ids. */
  document_sets?: readonly string[];
  tags?: readonly Tag[];
  /** ISO 8601: only what was updated since. */
  time_cutoff?: string;
  persona_id?: number;
  /** Searches for the words as they are, without asking a model for others. */
  skip_query_expansion?: boolean;
}

/**
 * What servers offer beyond the four specified operations (facts: wire section 1.9). No server has to: an operation
 * this one does not know throws UnsupportedError, the second time without asking. Everything throws the client's own
 * errors; an unknown id is a NotFoundError, which is not the same as an unknown operation.
 */
export interface Deployment {
  /** Resolves when the server is up. Needs no key. */
  health(options?: CallOptions): Promise<void>;
  /** The server's own name for its version; not always a number. */
  version(options?: CallOptions): Promise<string>;
  /** Who the key belongs to; see `permissionsOf` and `accountOf`. */
  whoami(options?: CallOptions): Promise<Me>;
  /**
   * Switches the memory of the key's account on or off: both what stands in its questions and what is added to it.
   * What is remembered already is kept, and comes back with "on".
   */
  setMemory(on: boolean, options?: CallOptions): Promise<void>;
  /** Passages without an answer, the best first. Nothing found is an empty list. */
  search(query: SearchQuery, options?: CallOptions): Promise<FoundPassage[]>;

  /** Newest first. `before` continues a list: the `time_updated` of its last session. At most 100 at once. */
  listSessions(page?: { pageSize?: number; before?: string }, options?: CallOptions): Promise<SessionPage>;
  getSession(sessionId: string, options?: CallOptions): Promise<SessionDetail>;
  /** The new session's id. Not repeated after a loss, which could leave an empty session. */
  createSession(session?: NewSession, options?: CallOptions): Promise<string>;
  /** Without a name the server makes one up from the conversation; the name it then has. */
  renameSession(sessionId: string, name?: string, options?: CallOptions): Promise<string>;
  deleteSession(sessionId: string, options?: CallOptions): Promise<void>;
  /** Ends the answer being written, if any. Closing its stream does not: servers go on and store it. */
  stop(sessionId: string, options?: CallOptions): Promise<void>;
  /** Everything of the answer being written from its first packet, then what follows. NotFoundError: none is. */
  resume(sessionId: string, options?: CallOptions): AsyncIterable<Packet>;
  giveFeedback(feedback: Feedback, options?: CallOptions): Promise<void>;

  /** Stores files so that a question or an image section can name them. */
  upload(files: readonly FileToUpload[], options?: CallOptions): Promise<Upload>;
  personas(options?: CallOptions): Promise<Persona[]>;
  documentSets(options?: CallOptions): Promise<DocumentSet[]>;
  tools(options?: CallOptions): Promise<Tool[]>;

  /** Connector/credential pairs. Deployed servers leave their default pair out. */
  pairs(options?: CallOptions): Promise<ListedPair[]>;
  pair(pairId: number, options?: CallOptions): Promise<ListedPair>;
  credentials(options?: CallOptions): Promise<Credential[]>;
  /** Documents that were ingested, of one pair or of all. */
  documents(of?: { pairId?: number }, options?: CallOptions): Promise<IngestedDocument[]>;
  /**
   * Deletes an ingested document, by the `document_id` the server gave; it can differ from the id that was sent. A server
   * that keeps a document per pair deletes that of `pairId`, or each with "all"; told neither, it refuses where several
   * pairs have one.
   */
  deleteDocument(documentId: string, options?: CallOptions & { pairId?: number | "all" }): Promise<void>;

  /** What is known of an operation so far; nothing is asked. */
  supports(operation: Exclude<keyof Deployment, "supports">): Support;
}

/** A pair with its number where every caller expects it, whichever way it was asked for. */
export type ListedPair = Pair & { cc_pair_id: number };

/** Makes the client of everything beyond the four operations. Throws InvalidRequestError for a base URL that can never work. */
export function createDeployment(options: DeploymentOptions): Deployment {
  const transport = createTransport(options);
  const { ingestionPath } = withDefaults(DEFAULT_PROFILE, options.profile);
  const memory = rememberSupport();
  let uploadPath: string | undefined;

  async function resumed(sessionId: string, signal: AbortSignal): Promise<Batches> {
    const path = `/chat/chat-session/${pathSegment(sessionId)}/resume-stream`;
    // The cursor counts the server's chunks, which say nothing here: from the first one the whole answer is rebuilt.
    const call: Call = { ...get(path, { cursor: 0 }), accept: STREAM_TYPES, signal };
    const reply = await memory.attempt("resume", () => transport.open(call));
    const contentType = reply.headers.get("content-type") ?? "no content type";
    return readBatches(reply, createPacketDecoder({ host: transport.host, contentType }), transport.timeouts);
  }

  /** One operation: one call, whose reply must have this shape. */
  function ask<Schema extends z.ZodMiniType>(
    operation: keyof Deployment | "documents of a pair",
    call: Call,
    schema: Schema,
    { signal }: CallOptions = {},
  ): Promise<z.output<Schema>> {
    return memory.attempt(operation, () => transport.json({ ...call, ...(signal && { signal }) }, schema));
  }

  const get = (path: string, query: Call["query"] = {}): Call => ({ method: "GET", path, query, repeatable: true });
  const remove = (path: string): Call => ({ method: "DELETE", path, repeatable: true });
  const post = (path: string, json?: unknown): Call => ({ method: "POST", path, json, repeatable: false });
  const session = (verb: string, sessionId: string) => `/chat/${verb}/${pathSegment(sessionId)}`;

  return {
    async health(given) {
      await ask("health", { ...get("/health"), anonymous: true }, Health, given);
    },
    version: async (given) => (await ask("version", get("/version"), Version, given)).backend_version,
    whoami: (given) => ask("whoami", get("/me"), Me, given),
    async setMemory(on, given) {
      const json = { use_memories: on, enable_memory_tool: on };
      const call: Call = { method: "PATCH", path: "/user/personalization", json, repeatable: true };
      await ask("setMemory", call, z.unknown(), given);
    },
    async search(query, given) {
      return (await ask("search", { ...post("/search", query), repeatable: true }, SearchReply, given)).results;
    },

    listSessions({ pageSize, before } = {}, given) {
      const query = { page_size: pageSize, before };
      return ask("listSessions", get("/chat/get-user-chat-sessions", query), SessionPage, given);
    },
    getSession: async (id, given) => ask("getSession", get(session("get-chat-session", id)), SessionDetail, given),
    async createSession(wanted = {}, given) {
      const created = await ask("createSession", post("/chat/create-chat-session", wanted), CreatedSession, given);
      return created.chat_session_id;
    },
    async renameSession(id, name, given) {
      const json = { chat_session_id: id, ...(name === undefined ? {} : { name }) };
      const call: Call = { method: "PUT", path: "/chat/rename-chat-session", json, repeatable: true };
      return (await ask("renameSession", call, RenamedSession, given)).new_name;
    },
    async deleteSession(id, given) {
      await ask(
        "deleteSession",
        { ...remove(session("delete-chat-session", id)), repeatable: false },
        z.unknown(),
        given,
      );
    },
    async stop(id, given) {
      await ask("stop", { ...post(session("stop-chat-session", id)), repeatable: true }, z.unknown(), given);
    },
    resume(id, { signal } = {}) {
      return flatten(openLater((ended) => resumed(id, ended), signal));
    },
    async giveFeedback({ messageId, isPositive, text }, given) {
      if (isPositive === undefined && text === undefined) throw emptyFeedback();
      const json = {
        chat_message_id: messageId,
        ...(isPositive === undefined ? {} : { is_positive: isPositive }),
        ...(text === undefined ? {} : { feedback_text: text }),
      };
      await ask("giveFeedback", post("/chat/create-chat-message-feedback", json), z.unknown(), given);
    },

    upload: (files, { signal } = {}) =>
      memory.attempt("upload", async () => {
        if (files.length === 0) return { files: [], rejected: [] };
        uploadPath ??= await findUploadPath(transport, signal);
        return sendFiles(transport, uploadPath, files, signal);
      }),
    personas: (given) => ask("personas", get("/persona"), z.array(Persona), given),
    documentSets: (given) => ask("documentSets", get("/manage/document-set"), z.array(DocumentSet), given),
    tools: (given) => ask("tools", get("/tool"), z.array(Tool), given),

    async pairs(given) {
      const listed = await ask("pairs", get("/manage/admin/connector/status"), z.array(Pair), given);
      return listed.flatMap((pair) => numbered(pair) ?? []);
    },
    async pair(pairId, given) {
      const pair = await ask("pair", get(`/manage/admin/cc-pair/${pairId}`), Pair, given);
      return { ...pair, cc_pair_id: pairId };
    },
    credentials: (given) => ask("credentials", get("/manage/admin/credential"), z.array(Credential), given),
    documents({ pairId } = {}, given) {
      const documents = z.array(IngestedDocument);
      if (pairId === undefined) return ask("documents", get(ingestionPath), documents, given);
      const ofPair = `${ingestionPath.slice(0, ingestionPath.lastIndexOf("/"))}/connector-docs/${pairId}`;
      return ask("documents of a pair", get(ofPair), documents, given);
    },
    async deleteDocument(documentId, { pairId, ...given } = {}) {
      const query = { cc_pair_id: pairId };
      const call: Call = { ...remove(`${ingestionPath}/${pathSegment(documentId)}`), query };
      await ask("deleteDocument", call, z.unknown(), given);
    },

    supports: (operation) => memory.of(operation),
  };
}

const STREAM_TYPES = "text/event-stream, application/x-ndjson, application/json;q=0.5";

function numbered(pair: Pair): ListedPair | undefined {
  const number = pair.cc_pair_id ?? pair.id;
  return number === undefined ? undefined : { ...pair, cc_pair_id: number };
}

function emptyFeedback(): InvalidRequestError {
  const message = "Feedback needs a thumb or a text. Say whether the answer was good, or what was wrong with it.";
  return new InvalidRequestError(message, [{ loc: ["body", "is_positive"], msg: message, type: "missing" }]);
}

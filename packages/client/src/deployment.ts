import * as z from "zod/mini";
import {
  CreatedSession,
  Credential,
  DocumentSet,
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
} from "./deployment/models.ts";
import type { CallOptions } from "./client.ts";
import type { Deployment, ListedPair } from "./deployment/operations.ts";
import { InvalidRequestError, UnsupportedError } from "./errors/errors.ts";
import { Health } from "./address/health.ts";
import type { ConnectionOptions } from "./http/connection-options.ts";
import { type Call, createTransport } from "./http/transport.ts";
import { flatten, openLater, readBatches, type Batches } from "./stream/packet-stream.ts";
import { createPacketDecoder } from "./stream/packet-decoder.ts";
import { aboutId, isUnknownRoute, keptId, pathSegment } from "./http/path-segment.ts";
import { DEFAULT_PROFILE, type Profile } from "./profile.ts";
import { rememberSupport } from "./deployment/support.ts";
import { findUploadPath, sendFiles } from "./deployment/upload.ts";
import { withDefaults } from "./with-defaults.ts";

export { accountOf, type Account } from "./deployment/account.ts";
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
} from "./deployment/models.ts";
export type {
  Deployment,
  Feedback,
  FileToUpload,
  ListedPair,
  NewSession,
  SearchQuery,
  Upload,
  UploadedFile,
} from "./deployment/operations.ts";
export { keyChange, type KeyChange } from "./deployment/key-change.ts";
export { permissionsOf, type Permissions } from "./deployment/permissions.ts";
export type { Support } from "./deployment/support.ts";

/** How to reach a server. */
export interface DeploymentOptions extends ConnectionOptions {
  /** What differs by server; what is absent follows the specification. */
  profile?: Partial<Profile>;
}

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
    const reply = await transport.open(call).catch((error: unknown) => {
      throw aboutId(error, sessionId);
    });
    memory.answered("resume");
    const contentType = reply.headers.get("content-type") ?? "no content type";
    return readBatches(reply, createPacketDecoder({ host: transport.host, contentType }), transport.timeouts);
  }

  /** One operation: one call, whose reply must have this shape. */
  function ask<Schema extends z.ZodMiniType>(
    operation: keyof Deployment,
    call: Call,
    schema: Schema,
    { signal }: CallOptions = {},
  ): Promise<z.output<Schema>> {
    return memory.attempt(operation, () => transport.json({ ...call, ...(signal && { signal }) }, schema));
  }

  /** As `ask`, for a call with an id in its path: what the server says of one id's path is not remembered for others. */
  async function askAbout<Schema extends z.ZodMiniType>(
    id: string,
    operation: keyof Deployment,
    call: Call,
    schema: Schema,
    { signal }: CallOptions = {},
  ): Promise<z.output<Schema>> {
    try {
      const result = await transport.json({ ...call, ...(signal && { signal }) }, schema);
      memory.answered(operation);
      return result;
    } catch (error) {
      throw aboutId(error, id);
    }
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
    getSession: async (id, given) =>
      askAbout(id, "getSession", get(session("get-chat-session", id)), SessionDetail, given),
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
      const call = { ...remove(session("delete-chat-session", id)), repeatable: false };
      await askAbout(id, "deleteSession", call, z.unknown(), given);
    },
    async stop(id, given) {
      const call = { ...post(session("stop-chat-session", id)), repeatable: true };
      await askAbout(id, "stop", call, z.unknown(), given);
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
        const known = uploadPath;
        uploadPath ??= await findUploadPath(transport, signal);
        return sendFiles(transport, uploadPath, files, signal).catch(async (error: unknown) => {
          // A path that was there once can be gone after an upgrade; what was not taken can be sent to another.
          if (known === undefined || !(error instanceof UnsupportedError)) throw error;
          uploadPath = undefined;
          uploadPath = await findUploadPath(transport, signal);
          return sendFiles(transport, uploadPath, files, signal);
        });
      }),
    personas: (given) => ask("personas", get("/persona"), z.array(Persona), given),
    documentSets: (given) => ask("documentSets", get("/manage/document-set"), z.array(DocumentSet), given),
    tools: (given) => ask("tools", get("/tool"), z.array(Tool), given),

    async pairs(given) {
      const listed = await ask("pairs", get("/manage/admin/connector/status"), z.array(Pair), given);
      return listed.flatMap((pair) => numbered(pair) ?? []);
    },
    async pair(pairId, given) {
      const pair = await askAbout(String(pairId), "pair", get(`/manage/admin/cc-pair/${pairId}`), Pair, given);
      return { ...pair, cc_pair_id: pairId };
    },
    credentials: (given) => ask("credentials", get("/manage/admin/credential"), z.array(Credential), given),
    documents({ pairId } = {}, given) {
      const documents = z.array(IngestedDocument);
      if (pairId === undefined) return ask("documents", get(ingestionPath), documents, given);
      const ofPair = `${ingestionPath.slice(0, ingestionPath.lastIndexOf("/"))}/connector-docs/${pairId}`;
      return askAbout(String(pairId), "documents", get(ofPair), documents, given);
    },
    async deleteDocument(documentId, { pairId, ...given } = {}) {
      const query = { cc_pair_id: pairId };
      const by = async (id: string) => {
        const call: Call = { ...remove(`${ingestionPath}/${pathSegment(id)}`), query };
        await transport.json({ ...call, ...(given.signal && { signal: given.signal }) }, z.unknown());
      };
      await by(documentId).catch((error: unknown) => {
        if (!isUnknownRoute(error) || keptId(documentId) === documentId) throw error;
        return by(keptId(documentId));
      });
      memory.answered("deleteDocument");
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

import {
  ChatFullResponse,
  ChatSessionCreationRequest,
  CredentialSwapRequest,
  CredentialSwapResponse,
  ErrorPacket,
  FileDescriptor,
  HTTPValidationError,
  IngestionRequest,
  IngestionResponse,
  MessageIdsPacket,
  PlacedPacket,
  SearchDoc,
  SendMessageRequest,
  SessionPacket,
  ToolValidationRequest,
  ToolValidationResponse,
} from "@threadlore/client/models";
import * as z from "zod/mini";
import type { Role } from "../context.ts";
import { FeedbackRequest, RenameRequest } from "../routes/sessions.ts";
import { NewTool } from "../routes/tools.ts";

/** Models of requests, described as a caller writes them: what has a default is optional. */
const REQUESTS = {
  SendMessageRequest,
  ChatSessionCreationRequest,
  RenameRequest,
  FeedbackRequest,
  FileDescriptor,
  IngestionRequest,
  CredentialSwapRequest,
  ToolValidationRequest,
  NewTool,
};

/** Models of replies, described as they arrive. */
const REPLIES = {
  Packet: z.union([SessionPacket, MessageIdsPacket, PlacedPacket, ErrorPacket]),
  ChatFullResponse,
  SearchDoc,
  IngestionResponse,
  CredentialSwapResponse,
  ToolValidationResponse,
  HTTPValidationError,
};

/** One operation as the description tells it. */
interface Operation {
  readonly summary: string;
  /** The least role that may call it; `anyone`: no key needed; `caller`: whoever the service admits. */
  readonly role: Role | "anyone" | "caller";
  /** `Multipart`: files; `Code`: what pairing takes. */
  readonly request?: keyof typeof REQUESTS | "Multipart" | "Code";
  readonly query?: readonly string[];
  readonly reply?: keyof typeof REPLIES;
  /** Each server-sent event's data, for operations that stream. */
  readonly events?: keyof typeof REPLIES;
}

/** Every operation the service offers, by method and path as its router knows them. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /health": { summary: "Whether the service is up", role: "anyone" },
  "POST /pairing": {
    summary: "Give a browser extension a key of its own, for the code the terminal shows",
    role: "anyone",
    request: "Code",
  },
  "POST /chat/send-chat-message": {
    summary: "Send a chat message and get its answer, streamed or whole",
    role: "caller",
    request: "SendMessageRequest",
    reply: "ChatFullResponse",
    events: "Packet",
  },
  "POST /chat/create-chat-session": {
    summary: "Create a session before its first message",
    role: "caller",
    request: "ChatSessionCreationRequest",
  },
  "GET /chat/get-user-chat-sessions": {
    summary: "The caller's sessions, newest first",
    role: "caller",
    query: ["page_size", "before", "project_id", "only_non_project_chats"],
  },
  "GET /chat/get-chat-session/{id}": { summary: "A session with everything said in it", role: "caller" },
  "PUT /chat/rename-chat-session": { summary: "Name a session", role: "caller", request: "RenameRequest" },
  "DELETE /chat/delete-chat-session/{id}": { summary: "Delete a session", role: "caller" },
  "POST /chat/stop-chat-session/{id}": { summary: "End the answer being written", role: "caller" },
  "POST /chat/create-chat-message-feedback": {
    summary: "Say what is thought of an answer",
    role: "caller",
    request: "FeedbackRequest",
  },
  "DELETE /chat/remove-chat-message-feedback": {
    summary: "Take feedback back",
    role: "caller",
    query: ["chat_message_id"],
  },
  "POST /user/file/upload": { summary: "Store files: all of them or none", role: "ordinary", request: "Multipart" },
  "POST /user/projects/file/upload": {
    summary: "Store files, and tell which were refused",
    role: "ordinary",
    request: "Multipart",
  },
  "POST /service-api/ingestion": {
    summary: "Submit a document for indexing",
    role: "editor",
    request: "IngestionRequest",
    reply: "IngestionResponse",
  },
  "GET /service-api/ingestion": { summary: "Documents that were ingested", role: "editor" },
  "GET /service-api/connector-docs/{pair}": { summary: "Documents of one pair", role: "editor" },
  "DELETE /service-api/ingestion/{document_id}": { summary: "Delete a document", role: "editor" },
  "GET /admin/origins": { summary: "How many messages came from where", role: "admin" },
  "GET /version": { summary: "The version that runs", role: "anyone" },
  "GET /auth/type": { summary: "Whether callers without a key are admitted", role: "anyone" },
  "GET /me": { summary: "Who the key belongs to and what it may do", role: "caller" },
  "GET /openapi.json": { summary: "This description", role: "caller" },
  "GET /persona": { summary: "Personas a session can be created with", role: "caller" },
  "GET /persona/{id}": { summary: "One persona", role: "caller" },
  "GET /manage/document-set": { summary: "Document sets the caller may see", role: "caller" },
  "GET /query/valid-tags": {
    summary: "Tags of documents the caller may see",
    role: "caller",
    query: ["match_pattern", "sources", "limit"],
  },
  "GET /tool": { summary: "Tools an answer can use", role: "caller" },
  "POST /admin/tool/custom": {
    summary: "Add a custom tool whose definition is valid",
    role: "admin",
    request: "NewTool",
  },
  "POST /admin/tool/custom/validate": {
    summary: "Validate a custom tool definition and return its methods",
    role: "admin",
    request: "ToolValidationRequest",
    reply: "ToolValidationResponse",
  },
  "PUT /manage/admin/credential/swap": {
    summary: "Replace the credential used by a connector",
    role: "admin",
    request: "CredentialSwapRequest",
    reply: "CredentialSwapResponse",
  },
  "GET /manage/admin/credential": { summary: "Credentials", role: "admin" },
  "GET /manage/admin/connector/status": { summary: "Connector/credential pairs and their documents", role: "editor" },
  "GET /manage/admin/cc-pair/{id}": {
    summary: "One pair: how many documents are pending, indexed or failed, and why",
    role: "editor",
    query: ["page_num", "page_size"],
  },
};

/** A route as the router lists it; middleware has the method ALL. */
interface Route {
  readonly method: string;
  readonly path: string;
}

/**
 * The OpenAPI 3.1 description of these routes. A route that OPERATIONS does not know is listed with
 * `x-undescribed: true` rather than left out: the description never hides what the service really answers.
 */
export function describeService(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path: pattern } of routes) {
    if (method === "ALL") continue;
    const path = pathOf(pattern);
    const operation = OPERATIONS[`${method} ${path}`];
    (paths[path] ??= {})[method.toLowerCase()] =
      operation === undefined ? { "x-undescribed": true, responses: {} } : describeOperation(method, path, operation);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Threadlore service", version, description: "Enterprise search and chat on one machine." },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: { ...modelSchemas(REQUESTS, "input"), ...modelSchemas(REPLIES, "output"), Refusal: REFUSAL },
    },
  };
}

/** The router's `:name` and `:name{pattern}` as `{name}`. */
function pathOf(pattern: string): string {
  return pattern.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}");
}

/** The body of every refusal that is not a 422. */
const REFUSAL = {
  type: "object",
  properties: { error_code: { type: "string" }, detail: { type: "string" } },
  required: ["detail"],
};

function describeOperation(method: string, path: string, operation: Operation): Record<string, unknown> {
  const needsKey = operation.role !== "anyone";
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "_")}`.replace(/_$/, ""),
    summary: operation.summary,
    ...(needsKey ? { description: ROLES[operation.role] } : { security: [] }),
    parameters: parametersOf(path, operation.query ?? []),
    ...(operation.request === undefined ? {} : { requestBody: requestBodyOf(operation.request) }),
    responses: {
      200: { description: "Done", content: replyContent(operation) },
      422: { description: "The request is not valid", content: jsonContent("HTTPValidationError") },
      default: { description: "Refused, and why", content: jsonContent("Refusal") },
    },
  };
}

const ROLES: Record<Operation["role"], string> = {
  anyone: "Needs no key.",
  caller: "Needs any key.",
  ordinary: "Needs a key of the role ordinary.",
  editor: "Needs a key of the role editor.",
  admin: "Needs a key of the role admin.",
};

function parametersOf(path: string, query: readonly string[]): Record<string, unknown>[] {
  const schema = { type: "string" };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema }));
  return [...inPath, ...query.map((name) => ({ name, in: "query", required: false, schema }))];
}

function requestBodyOf(request: NonNullable<Operation["request"]>): Record<string, unknown> {
  if (request === "Multipart") {
    const file = { type: "string", contentMediaType: "application/octet-stream" };
    const schema = { type: "object", properties: { files: { type: "array", items: file } }, required: ["files"] };
    return { required: true, content: { "multipart/form-data": { schema } } };
  }
  const code = { type: "object", properties: { code: { type: "string" } }, required: ["code"] };
  const schema = request === "Code" ? code : reference(request);
  return { required: true, content: { "application/json": { schema } } };
}

function replyContent({ reply, events }: Operation): Record<string, unknown> {
  return {
    ...(events === undefined ? {} : { "text/event-stream": { schema: reference(events) } }),
    "application/json": { schema: reply === undefined ? {} : reference(reply) },
  };
}

function jsonContent(model: string): Record<string, unknown> {
  return { "application/json": { schema: reference(model) } };
}

function reference(model: string): { $ref: string } {
  return { $ref: `#/components/schemas/${model}` };
}

function modelSchemas(
  models: Readonly<Record<string, z.ZodMiniType>>,
  io: "input" | "output",
): Record<string, unknown> {
  const registry = z.registry<{ id: string }>();
  for (const [id, model] of Object.entries(models)) registry.add(model, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: "any",
  });
  // Names and dialect are said once, by the document around them.
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _name, ...schema }]) => [id, schema]),
  );
}

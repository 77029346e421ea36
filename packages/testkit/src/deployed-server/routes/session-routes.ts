import { FieldReader, isUuid, uuidFault } from "./field-reader.ts";
import { unreadable, type Flaw } from "../python-repr.ts";
import { detail, json, refusedValue, type DoubleReply } from "./replies.ts";
import { route, withBody, type Route } from "./routing.ts";
import { inFullReply, offsetTime } from "../world/search-document.ts";
import { storedPackets } from "../world/stored-packets.ts";
import type { StoredMessage, StoredSession } from "../world/sessions.ts";
import type { Call, World } from "../world/world.ts";

const file = "query_and_chat/chat_backend.py";
const reading = ["read:chat", "write:chat"];
const writing = ["write:chat"];

/** Conversations: made, listed, read, named, shared, deleted, judged. */
export function sessionRoutes(world: World): Route[] {
  return [
    route("POST", "/chat/create-chat-session", { scopes: writing }, (call) => {
      const handler = { file, line: 420, name: "create_new_chat_session", route: "POST /chat/create-chat-session" };
      return withBody(call, handler, (_body, fields) => {
        const personaId = fields.whole("persona_id", { nullable: false }) ?? 0;
        const name = fields.text("description") ?? "";
        const projectId = fields.whole("project_id");
        if (fields.flaws.length > 0) return fields.flaws;
        if (projectId !== undefined || !world.personas.some(({ id }) => id === personaId))
          return detail(403, "User does not have access to this persona or project");
        const session = world.sessions.create(call.account, { name, personaId });
        return json({ chat_session_id: session.id, incognito: false });
      });
    }),
    route("GET", "/chat/get-user-chat-sessions", { scopes: reading }, (call) => list(world, call)),
    route("GET", "/chat/get-chat-session/{}", { scopes: reading }, (call) => {
      const [id = ""] = call.params;
      const handler = { file, line: 349, name: "get_chat_session", route: "GET /chat/get-chat-session/{session_id}" };
      if (!isUuid(id)) return unreadable([notUuid("session_id", id)], handler);
      const session = world.sessions.find(id, call.account);
      if (session === "foreign") return detail(403, "Access denied");
      if (session === "deleted") return detail(404, "Chat session has been deleted");
      if (session === "unknown") return detail(404, "Chat session not found");
      return json(sessionDetail(world, session));
    }),
    route("PUT", "/chat/rename-chat-session", { scopes: writing }, (call) => {
      const handler = { file, line: 480, name: "rename_chat_session", route: "PUT /chat/rename-chat-session" };
      return withBody(call, handler, (_body, fields) => {
        fields.require("chat_session_id");
        const id = fields.uuid("chat_session_id") ?? "";
        const name = fields.text("name") ?? "";
        if (fields.flaws.length > 0) return fields.flaws;
        const session = world.sessions.find(id, call.account);
        if (typeof session === "string") return refusedValue("Invalid Chat Session ID provided");
        session.name = name === "" ? titleOf(session) : name;
        return json({ new_name: session.name });
      });
    }),
    route("DELETE", "/chat/delete-chat-session/{}", { scopes: writing }, (call) => {
      const session = world.sessions.find(call.params[0] ?? "", call.account);
      if (session === "deleted") return detail(400, "Cannot delete an already deleted chat session");
      if (typeof session === "string") return detail(400, "Invalid Chat Session ID provided");
      session.deleted = true;
      if (call.query.get("hard_delete") === "true") world.sessions.byId.delete(session.id);
      return json(null);
    }),
    route("PATCH", "/chat/chat-session/{}", { scopes: writing }, (call) => {
      const handler = { file, line: 510, name: "patch_chat_session", route: "PATCH /chat/chat-session/{session_id}" };
      return withBody(call, handler, (_body, fields) => {
        const status = fields.word("sharing_status", ["public", "private"]);
        if (fields.flaws.length > 0) return fields.flaws;
        const session = world.sessions.find(call.params[0] ?? "", call.account);
        if (typeof session === "string") return refusedValue("Invalid Chat Session ID provided");
        session.shared = status === "public" ? "public" : "private";
        return json(null);
      });
    }),
    route("GET", "/chat/search", { scopes: reading }, ({ account, query }) => {
      const words = (query.get("query") ?? "").toLowerCase();
      const chats = own(world, account).filter(({ name }) => name.toLowerCase().includes(words));
      const groups = chats.length === 0 ? [] : [{ title: "Today", chats: chats.map(sessionEntry) }];
      return json({ groups, has_more: false, next_page: null });
    }),
    route("POST", "/chat/create-chat-message-feedback", { scopes: writing }, (call) => feedback(world, call)),
    route("DELETE", "/chat/remove-chat-message-feedback", { scopes: writing }, (call) => {
      const found = world.sessions.message(Number(call.query.get("chat_message_id")));
      if (found === undefined) return refusedValue("Invalid Chat Message specified");
      found.message.feedback = null;
      return json(null);
    }),
  ];
}

function notUuid(name: string, input: string): Flaw {
  const error = uuidFault(input);
  const msg = `Input should be a valid UUID, ${error}`;
  return { type: "uuid_parsing", loc: ["path", name], msg, input, ctx: { error } };
}

/** What the model would call a conversation nobody named. */
function titleOf(session: StoredSession): string {
  const first = [...session.messages.values()].find(({ role }) => role === "user");
  return first?.text.split(/\s+/).slice(0, 5).join(" ") ?? "New Chat";
}

function own(world: World, account: Call["account"]): StoredSession[] {
  const sessions = [...world.sessions.byId.values()].filter((one) => one.account === account && !one.deleted);
  // Made within the same millisecond, the later one still comes first.
  return sessions.toReversed().toSorted((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
}

function list(world: World, { account, query }: Call): DoubleReply {
  const size = Number(query.get("page_size") ?? 50);
  const before = query.get("before");
  const all = own(world, account).filter(({ updatedAt }) => before === null || updatedAt < new Date(before));
  return json({ sessions: all.slice(0, size).map(sessionEntry), has_more: all.length > size });
}

function sessionEntry(session: StoredSession): Record<string, unknown> {
  return {
    id: session.id,
    name: session.name,
    persona_id: session.personaId,
    time_created: offsetTime(session.createdAt),
    time_updated: offsetTime(session.updatedAt),
    shared_status: session.shared,
    current_alternate_model: null,
    current_temperature_override: null,
    current_reasoning_effort_override: null,
  };
}

function sessionDetail(world: World, session: StoredSession): Record<string, unknown> {
  const messages = [...session.messages.values()];
  const runId = session.run && world.running.get(session.run)?.assistantMessageId;
  return {
    chat_session_id: session.id,
    description: session.name,
    persona_id: session.personaId,
    persona_name: "Assistant",
    personal_icon_name: null,
    messages: messages.map((message) => messageEntry(session.id, message)),
    time_created: session.createdAt.toISOString(),
    shared_status: session.shared,
    current_alternate_model: null,
    current_temperature_override: null,
    current_reasoning_effort_override: null,
    deleted: session.deleted,
    owner_name: null,
    packets: messages.filter(({ role }) => role === "assistant").map(storedPackets),
    current_run: runId === undefined ? null : { run_id: runId },
    incognito: false,
  };
}

function messageEntry(sessionId: string, message: StoredMessage): Record<string, unknown> {
  const answer = message.role === "assistant";
  const done = answer && message.seconds !== null;
  const params = { max_tokens: null, model_name: "scripted", sent_kwargs: { temperature: 0 } };
  return {
    chat_session_id: sessionId,
    message_id: message.id,
    parent_message: message.parent ?? null,
    latest_child_message: message.latestChild ?? null,
    message: message.text,
    reasoning_tokens: null,
    message_type: message.role,
    context_docs: message.documents.map((document) => ({ ...inFullReply(document), db_doc_id: message.id })),
    citations: Object.keys(message.citations).length === 0 ? null : message.citations,
    time_sent: message.sentAt.toISOString(),
    files: message.files,
    error: message.error,
    current_feedback: message.feedback,
    processing_duration_seconds: message.seconds,
    preferred_response_id: null,
    model_display_name: answer ? "scripted" : null,
    request_params: done ? { ...params, model_provider: "openai_compatible", reasoning_effort: "auto" } : null,
  };
}

function feedback(world: World, call: Call) {
  const name = "create_chat_feedback";
  const handler = { file, line: 860, name, route: "POST /chat/create-chat-message-feedback" };
  return withBody(call, handler, (body) => {
    const fields = new FieldReader(body);
    fields.require("chat_message_id");
    const id = fields.whole("chat_message_id", { nullable: false }) ?? 0;
    const positive = fields.truth("is_positive", { nullable: true });
    const text = fields.text("feedback_text") ?? fields.text("predefined_feedback");
    if (fields.flaws.length > 0) return fields.flaws;
    if (positive === undefined && text === undefined) {
      const error = "Empty feedback received.";
      return [{ type: "value_error", loc: ["body"], msg: `Value error, ${error}`, input: body, ctx: { error } }];
    }
    const found = world.sessions.message(id);
    if (found === undefined || found.session.account !== call.account)
      return refusedValue("Invalid Chat Message specified");
    if (found.message.role !== "assistant") return refusedValue("Can only provide feedback on LLM Outputs");
    if (positive !== undefined) found.message.feedback = positive ? "like" : "dislike";
    return json(null);
  });
}

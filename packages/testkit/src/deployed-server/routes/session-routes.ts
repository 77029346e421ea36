import { inFullReply, offsetTime } from "../world/search-document.ts";
import { type StoredMessage, storedPackets, type StoredSession } from "../world/sessions.ts";
import type { Call, World } from "../world/world.ts";
import { type Flaw, nullable, required, text, truth, uuid, whole, word } from "./reading.ts";
import { detail, json, refusedValue, type DoubleReply } from "./replies.ts";
import { reading, route, type Route } from "./routing.ts";

const readers = { scopes: ["read:chat", "write:chat"] };
const writers = { scopes: ["write:chat"] };
const backend = (line: number, name: string) => ({ in: { file: "query_and_chat/chat_backend.py", line, name } });

const newSession = { persona_id: whole, description: nullable(text), project_id: nullable(whole) };
const renaming = { chat_session_id: required(nullable(uuid)), name: nullable(text) };
const judgement = {
  chat_message_id: required(whole),
  is_positive: nullable(truth),
  feedback_text: nullable(text),
  predefined_feedback: nullable(text),
};

/** Conversations: made, listed, read, named, shared, deleted, judged. */
export function sessionRoutes(world: World): Route[] {
  const { sessions, personas } = world;
  return [
    route(
      "POST /chat/create-chat-session",
      { ...writers, ...backend(420, "create_new_chat_session") },
      reading(newSession, ({ persona_id: personaId = 0, description: name, project_id: projectId }, { account }) => {
        if (projectId !== undefined || !personas.some(({ id }) => id === personaId))
          return detail(403, "User does not have access to this persona or project");
        return json({ chat_session_id: sessions.create(account, { name, personaId }).id, incognito: false });
      }),
    ),
    route("GET /chat/get-user-chat-sessions", readers, (call) => list(world, call)),
    route(
      "GET /chat/get-chat-session/{session_id}",
      { ...readers, ...backend(349, "get_chat_session") },
      ({ param: id, account }) => {
        const flaws: Flaw[] = [];
        uuid({ input: id, loc: ["path", "session_id"], flaws });
        if (flaws.length > 0) return flaws;
        const session = sessions.find(id, account);
        if (session === "foreign") return detail(403, "Access denied");
        if (session === "deleted") return detail(404, "Chat session has been deleted");
        return session === "unknown" ? detail(404, "Chat session not found") : json(sessionDetail(world, session));
      },
    ),
    route(
      "PUT /chat/rename-chat-session",
      { ...writers, ...backend(480, "rename_chat_session") },
      reading(renaming, ({ chat_session_id: id, name = "" }, { account }) => {
        const session = sessions.find(id, account);
        if (typeof session === "string") return refusedValue("Invalid Chat Session ID provided");
        session.name = name === "" ? titleOf(session) : name;
        return json({ new_name: session.name });
      }),
    ),
    route("DELETE /chat/delete-chat-session/{session_id}", writers, ({ param: id, account, query }) => {
      const session = sessions.find(id, account);
      if (session === "deleted") return detail(400, "Cannot delete an already deleted chat session");
      if (typeof session === "string") return detail(400, "Invalid Chat Session ID provided");
      session.deleted = true;
      if (query.get("hard_delete") === "true") sessions.byId.delete(session.id);
      return json(null);
    }),
    route(
      "PATCH /chat/chat-session/{session_id}",
      { ...writers, ...backend(510, "patch_chat_session") },
      reading(
        { sharing_status: word<"public" | "private">(["public", "private"]) },
        ({ sharing_status: shared = "private" }, call) => {
          const session = sessions.find(call.param, call.account);
          if (typeof session === "string") return refusedValue("Invalid Chat Session ID provided");
          session.shared = shared;
          return json(null);
        },
      ),
    ),
    route("GET /chat/search", readers, ({ account, query }) => {
      const words = (query.get("query") ?? "").toLowerCase();
      const chats = own(world, account).filter(({ name }) => name.toLowerCase().includes(words));
      const groups = chats.length === 0 ? [] : [{ title: "Today", chats: chats.map(sessionEntry) }];
      return json({ groups, has_more: false, next_page: null });
    }),
    route(
      "POST /chat/create-chat-message-feedback",
      { ...writers, ...backend(860, "create_chat_feedback") },
      reading(judgement, (given, { account }, input) => {
        const { chat_message_id: id, is_positive: positive } = given;
        if (positive === undefined && (given.feedback_text ?? given.predefined_feedback) === undefined) {
          const error = "Empty feedback received.";
          return [{ type: "value_error", loc: ["body"], msg: `Value error, ${error}`, input, ctx: { error } }];
        }
        const found = sessions.message(id);
        if (found?.session.account !== account) return refusedValue("Invalid Chat Message specified");
        if (found.message.role !== "assistant") return refusedValue("Can only provide feedback on LLM Outputs");
        if (positive !== undefined) found.message.feedback = positive ? "like" : "dislike";
        return json(null);
      }),
    ),
    route("DELETE /chat/remove-chat-message-feedback", writers, ({ query }) => {
      const found = sessions.message(Number(query.get("chat_message_id")));
      if (found === undefined) return refusedValue("Invalid Chat Message specified");
      found.message.feedback = null;
      return json(null);
    }),
  ];
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

const overrides = {
  current_alternate_model: null,
  current_temperature_override: null,
  current_reasoning_effort_override: null,
};

function sessionEntry(session: StoredSession): Record<string, unknown> {
  return {
    id: session.id,
    name: session.name,
    persona_id: session.personaId,
    time_created: offsetTime(session.createdAt),
    time_updated: offsetTime(session.updatedAt),
    shared_status: session.shared,
    ...overrides,
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
    ...overrides,
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

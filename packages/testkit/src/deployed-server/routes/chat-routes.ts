import { lines, wireJson } from "../../fixtures/wire-json.ts";
import { beginAnswer } from "../answer/asking.ts";
import { setupFailure } from "../answer/model-errors.ts";
import type { Question } from "../answer/question.ts";
import type { SearchLimits } from "../world/documents.ts";
import { inFullReply } from "../world/search-document.ts";
import { mainline, placeholder, type StoredMessage, type StoredSession } from "../world/sessions.ts";
import { memoryTool, type Tool } from "../world/tools.ts";
import { chatFileTypes, documentSources, messageOrigins } from "../world/vocabulary.ts";
import { pairsOf, type Call, type World } from "../world/world.ts";
import * as read from "./reading.ts";
import { coded, finishedStream, json, refusedValue, type DoubleReply } from "./replies.ts";
import { reading, route, type Route, type Streaming } from "./routing.ts";

const floatWanted = "Input should be a valid number, unable to parse string as a number";

/** The body of a question. */
const question = {
  message: read.required(read.text),
  llm_overrides: read.nullable(read.list(read.anything)),
  allowed_tool_ids: read.nullable(read.list(({ input }) => Number(input))),
  forced_tool_id: read.nullable(read.whole),
  file_descriptors: read.list(
    read.ifRecord({
      id: read.required(read.text),
      type: read.required(read.word(chatFileTypes)),
      user_file_id: read.anything,
    }),
  ),
  internal_search_filters: read.ifRecord({
    source_type: read.nullable(read.list(read.word(documentSources))),
    document_set: read.nullable(read.list(read.anything)),
    time_cutoff: read.nullable(read.text),
    updated_at_range: read.ifRecord({ start: read.anything, end: read.anything }),
  }),
  deep_research: read.truth,
  origin: read.word(messageOrigins),
  llm_override: read.ifRecord({
    temperature(place) {
      const unreadable = typeof place.input === "string" && !Number.isFinite(Number(place.input));
      return unreadable && read.flaw(place, "float_parsing", floatWanted);
    },
  }),
  chat_session_id: read.nullable(read.uuid),
  parent_message_id: (place: read.Given) => (place.input === null ? "root" : read.whole(place)),
  stream: read.truth,
  include_citations: read.truth,
  additional_context: read.nullable(read.text),
  /** Of the session to be made. */
  chat_session_info: read.ifRecord({
    persona_id: read.whole,
    description: read.nullable(read.text),
    project_id: read.nullable(read.whole),
  }),
};
type ChatRequest = read.Fields<typeof question>;

const sending = {
  scopes: ["write:chat"],
  limited: true,
  in: { file: "query_and_chat/chat_backend.py", line: 771, name: "handle_send_chat_message" },
};

/** Asking, and taking up an answer again. */
export function chatRoutes(world: World): Route[] {
  return [
    route(
      "POST /chat/send-chat-message",
      sending,
      reading(question, (request, call, body) => send(world, call, request, body)),
    ),
    route("GET /chat/chat-session/{session_id}/resume-stream", { scopes: ["read:chat", "write:chat"] }, (call) =>
      resume(world, call),
    ),
    route("POST /chat/stop-chat-session/{session_id}", { scopes: ["write:chat"] }, ({ param, account }) => {
      const session = world.sessions.find(param, account);
      if (typeof session === "string") return noSession;
      session.run?.stop();
      return json({ message: "Chat session stopped" });
    }),
  ];
}

const noSession = coded(404, "SESSION_NOT_FOUND", "Chat session not found");

function resume(world: World, { param, account }: Call): DoubleReply | Streaming {
  const session = world.sessions.find(param, account);
  if (typeof session === "string") return noSession;
  const { run } = session;
  const over = run?.endedAt !== undefined && performance.now() - run.endedAt > world.settings.bufferMs;
  if (run === undefined || run.state === "died" || over)
    return coded(404, "NOT_FOUND", "No resumable run for this chat session");
  const asked = world.questions.findLast(({ sessionId }) => sessionId === session.id);
  return { stream: run, kind: "resumed", ...(asked ? { question: asked } : {}) };
}

/** Said outside of what catches failures: alone, and without a newline. */
const mockRefused = "mock_llm_response can only be used when INTEGRATION_TESTS_MODE=true";

function send(
  world: World,
  call: Call,
  request: ChatRequest,
  body: Readonly<Record<string, unknown>>,
): DoubleReply | Streaming | read.Flaw[] | Promise<DoubleReply | Streaming> {
  const { chat_session_id: sessionId, chat_session_info: info, llm_overrides: overrides = [], stream = true } = request;
  if (info !== undefined && sessionId !== undefined) {
    const error = "Only one of chat_session_id or chat_session_info should be provided, not both.";
    return [{ type: "value_error", loc: ["body"], msg: `Value error, ${error}`, input: body, ctx: { error } }];
  }
  if (overrides.length > 1 && !stream)
    return coded(400, "INVALID_INPUT", "Multi-model mode (llm_overrides with >1 entry) requires stream=True.");
  if (typeof body["mock_llm_response"] === "string") return finishedStream(wireJson({ error: mockRefused }));
  /** A question that could not be begun: told in the stream; without one, the reason is lost. */
  const refuse = (error: string, before: readonly unknown[] = [], code = "VALIDATION_ERROR") =>
    stream ? finishedStream(lines([...before, setupFailure(error, code)])) : refusedValue("Message ID is required");

  const known = sessionFor(world, call, request);
  if (typeof known === "string") return refuse(known);
  const names = (request.internal_search_filters?.document_set ?? []).filter((name) => typeof name === "string");
  const unknown = names.filter((name) => !world.documentSets.some((set) => set.name === name));
  if (unknown.length > 0) {
    const quoted = unknown.map((name) => `'${name}'`).join(", ");
    return refuse(`User does not have access to document sets: [${quoted}]`, [], "INSUFFICIENT_PERMISSIONS");
  }
  const { persona_id: personaId, description: name } = info ?? {};
  const session = known ?? world.sessions.create(call.account, { name, personaId });
  const newSession = known === undefined ? session.id : undefined;
  const first = newSession === undefined ? [] : [{ chat_session_id: newSession, incognito: false }];
  const files = (request.file_descriptors ?? []).filter((file) => file !== undefined);
  if (files.some((file) => typeof file.user_file_id !== "string"))
    return refuse("Project files provided but no project_id is associated with this chat session", first);
  const place = placeIn(world, session, request);
  if (place === undefined) return refuse("The new message sent is not on the latest mainline of messages", first);

  const { user, history } = place;
  user.files = [body["file_descriptors"] ?? []].flat().filter(read.isRecord);
  const stored = world.sessions.add(session, "assistant", placeholder, user);
  const { key, account } = call;
  const { use_memories, memories } = account.personalization;
  const asked: Question = {
    number: world.questions.length,
    sessionId: session.id,
    message: user.text,
    key,
    account: account.name,
    body,
    userMessageId: user.id,
    assistantMessageId: stored.id,
    toolsOffered: toolsFor(world, account, session, request.allowed_tool_ids).map((tool) => tool.name),
    toolsRun: [],
    memoriesShown: use_memories ? memories.map(({ content }) => content) : [],
    memoryWritten: undefined,
    contextShown: request.additional_context,
    historyShown: history,
    startedAt: performance.now(),
    endedAt: undefined,
    outcome: "running",
    cut: false,
    whileRunning: [...world.running.values()].some(
      (other) => other.message === user.text && other.key === key && other.account === account.name,
    ),
  };
  world.questions.push(asked);
  const answering = beginAnswer(world, {
    question: asked,
    cites: request.include_citations ?? true,
    forcedToolId: request.forced_tool_id,
    account,
    stored,
    newSession,
    limits: { ...limitsOf(request), pairs: names.length > 0 ? pairsOf(world, names) : undefined },
  });
  session.run = answering.run;
  if (stream) return { stream: answering.run, kind: "answer", question: asked };
  return inOnePiece(answering, asked);
}

/** The session the question names. Undefined: one is to be made; a text: why there is none. */
function sessionFor(
  { sessions, personas }: World,
  { account }: Call,
  { chat_session_id: id, chat_session_info: info }: ChatRequest,
): StoredSession | string | undefined {
  if (id !== undefined) {
    const known = sessions.find(id, account);
    if (known === "deleted") return "Chat session has been deleted";
    return typeof known === "string" ? "Invalid Chat Session ID provided" : known;
  }
  if (!personas.some((persona) => persona.id === (info?.persona_id ?? 0)))
    return "User does not have access to persona";
  return info?.project_id === undefined ? undefined : "User does not have access to project";
}

/** Where the question goes in the conversation, and what came before it. Undefined: nowhere. */
function placeIn(
  world: World,
  session: StoredSession,
  { parent_message_id: parent = -1, message }: ChatRequest,
): { user: StoredMessage; history: Question["historyShown"] } | undefined {
  const branch = mainline(session);
  const root = branch[0] ?? world.sessions.add(session, "system", "", undefined);
  let above = parent === "root" ? root : (branch.at(-1) ?? root);
  if (typeof parent === "number" && parent !== -1) {
    const named = branch.find(({ id }) => id === parent);
    if (named === undefined) return undefined;
    if (named.role === "user") return { user: named, history: historyOf(branch.slice(0, branch.indexOf(named))) };
    above = named;
  }
  const history = historyOf(branch.slice(0, branch.indexOf(above) + 1));
  return { user: world.sessions.add(session, "user", message, above), history };
}

function historyOf(branch: readonly StoredMessage[]): Question["historyShown"] {
  return branch.flatMap(({ role, text }) => (role === "system" ? [] : [{ role, text }]));
}

/** The memory tool is there whenever the account has it on, whatever tools the question allows. */
function toolsFor(
  { personas, tools }: World,
  { personalization }: Call["account"],
  { personaId }: StoredSession,
  allowed: readonly number[] | undefined,
): Tool[] {
  const persona = personas.find(({ id }) => id === personaId);
  return tools.filter(({ id, name }) => {
    if (name === memoryTool) return personalization.enable_memory_tool;
    return (persona?.tools?.includes(id) ?? true) && (allowed?.includes(id) ?? true);
  });
}

function limitsOf({ internal_search_filters: filters }: ChatRequest): SearchLimits {
  const { start, end } = filters?.updated_at_range ?? {};
  const sources = filters?.source_type?.map(String);
  return { sources, since: timeOf(filters?.time_cutoff) ?? timeOf(start), until: timeOf(end) };
}

/** A time as sent; one without an offset is UTC. */
function timeOf(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const time = new Date(/T.*([zZ]|[+-]\d\d:?\d\d)$|^[^T]*$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The answer in one piece, once it has ended. */
async function inOnePiece(
  { run, writer, failure }: ReturnType<typeof beginAnswer>,
  asked: Question,
): Promise<DoubleReply | Streaming> {
  while (run.state === "running") await run.changed;
  if (run.state === "died") return { stream: run, kind: "answer", question: asked };
  const calls = writer.calls.map((call) => ({ ...call, search_docs: call.search_docs?.map(inFullReply) ?? null }));
  const reply = json({
    answer: writer.answer,
    answer_citationless: writer.answerWithoutCitations,
    pre_answer_reasoning: writer.reasoning,
    tool_calls: calls,
    top_documents: writer.documents.map(inFullReply),
    citation_info: writer.citationInfo,
    message_id: asked.assistantMessageId,
    chat_session_id: asked.sessionId,
    incognito: false,
    error_msg: failure(),
  });
  return { ...reply, question: asked };
}

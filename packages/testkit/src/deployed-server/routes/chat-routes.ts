import { lines, wireJson } from "../../fixtures/wire-json.ts";
import { beginAnswer, type Answering } from "../answer/asking.ts";
import { readChatRequest, type ChatRequest } from "./chat-request.ts";
import { setupFailure } from "../answer/model-errors.ts";
import type { Question } from "../answer/question.ts";
import { coded, finishedStream, json, refusedValue, type DoubleReply } from "./replies.ts";
import { route, withBody, type Route, type Streaming } from "./routing.ts";
import { inFullReply } from "../world/search-document.ts";
import { mainline, placeholder, type StoredMessage, type StoredSession } from "../world/sessions.ts";
import { memoryTool, type Tool } from "../world/tools.ts";
import type { Call, World } from "../world/world.ts";

const handler = {
  file: "query_and_chat/chat_backend.py",
  line: 771,
  name: "handle_send_chat_message",
  route: "POST /chat/send-chat-message",
};

/** Asking, and taking up an answer again. */
export function chatRoutes(world: World): Route[] {
  return [
    route("POST", "/chat/send-chat-message", { scopes: ["write:chat"], limited: true }, (call) =>
      withBody(call, handler, (body) => {
        const request = readChatRequest(body);
        return Array.isArray(request) ? request : send(world, call, request, body);
      }),
    ),
    route("GET", "/chat/chat-session/{}/resume-stream", { scopes: ["read:chat", "write:chat"] }, (call) =>
      resume(world, call),
    ),
    route("POST", "/chat/stop-chat-session/{}", { scopes: ["write:chat"] }, (call) => {
      const session = world.sessions.find(call.params[0] ?? "", call.account);
      if (typeof session === "string") return coded(404, "SESSION_NOT_FOUND", "Chat session not found");
      session.run?.stop();
      return json({ message: "Chat session stopped" });
    }),
  ];
}

function resume(world: World, call: Call): DoubleReply | Streaming {
  const session = world.sessions.find(call.params[0] ?? "", call.account);
  if (typeof session === "string") return coded(404, "SESSION_NOT_FOUND", "Chat session not found");
  const { run } = session;
  const over = run?.endedAt !== undefined && performance.now() - run.endedAt > world.settings.bufferMs;
  if (run === undefined || run.state === "died" || over)
    return coded(404, "NOT_FOUND", "No resumable run for this chat session");
  const question = world.questions.findLast(({ sessionId }) => sessionId === session.id);
  return { stream: run, kind: "resumed", ...(question ? { question } : {}) };
}

/** Said outside of what catches failures: alone, and without a newline. */
const mockRefused = "mock_llm_response can only be used when INTEGRATION_TESTS_MODE=true";

/** A question that could not be begun: told in the stream; without one, the reason is lost. */
function refuse(request: ChatRequest, before: readonly unknown[], error: string, code: string): DoubleReply {
  if (!request.stream) return refusedValue("Message ID is required");
  return finishedStream(lines([...before, setupFailure(error, code)]));
}

async function send(
  world: World,
  call: Call,
  request: ChatRequest,
  body: Readonly<Record<string, unknown>>,
): Promise<DoubleReply | Streaming> {
  if (request.models > 1 && !request.stream)
    return coded(400, "INVALID_INPUT", "Multi-model mode (llm_overrides with >1 entry) requires stream=True.");
  if (typeof body["mock_llm_response"] === "string") return finishedStream(wireJson({ error: mockRefused }));
  const invalid = (error: string, before: readonly unknown[] = []) =>
    refuse(request, before, error, "VALIDATION_ERROR");
  const persona = world.personas.find(({ id }) => id === request.sessionInfo.personaId);
  let session: StoredSession;
  if (request.sessionId === undefined) {
    if (persona === undefined) return invalid("User does not have access to persona");
    if (request.sessionInfo.projectId !== undefined) return invalid("User does not have access to project");
    if (unknownSets(world, request).length > 0) return refuseSets(world, request);
    session = world.sessions.create(call.account, { name: request.sessionInfo.name, personaId: persona.id });
  } else {
    const known = world.sessions.find(request.sessionId, call.account);
    if (known === "deleted") return invalid("Chat session has been deleted");
    if (typeof known === "string") return invalid("Invalid Chat Session ID provided");
    session = known;
    if (unknownSets(world, request).length > 0) return refuseSets(world, request);
  }
  const newSession = request.sessionId === undefined ? session.id : undefined;
  const first = newSession === undefined ? [] : [{ chat_session_id: newSession, incognito: false }];
  if (request.files.some((file) => typeof file["user_file_id"] !== "string"))
    return invalid("Project files provided but no project_id is associated with this chat session", first);
  const place = placeIn(world, session, request);
  if (place === undefined) return invalid("The new message sent is not on the latest mainline of messages", first);

  const { user, history } = place;
  user.files = [...request.files];
  const stored = world.sessions.add(session, "assistant", placeholder, user);
  const tools = toolsFor(world, call, session, request);
  const { personalization } = call.account;
  const question: Question = {
    number: world.questions.length,
    sessionId: session.id,
    message: user.text,
    key: call.key,
    account: call.account.name,
    body,
    userMessageId: user.id,
    assistantMessageId: stored.id,
    toolsOffered: tools.map(({ name }) => name),
    toolsRun: [],
    memoriesShown: personalization.use_memories ? personalization.memories.map(({ content }) => content) : [],
    memoryWritten: undefined,
    contextShown: request.additionalContext,
    historyShown: history,
    startedAt: performance.now(),
    endedAt: undefined,
    outcome: "running",
    cut: false,
    whileRunning: [...world.running.values()].some(
      (other) => other.message === user.text && other.key === call.key && other.account === call.account.name,
    ),
  };
  world.questions.push(question);
  const limits = { ...request.limits, ...limitsOf(world, request) };
  const answering = beginAnswer(world, { question, request, call, stored, newSession, limits });
  session.run = answering.run;
  if (request.stream) return { stream: answering.run, kind: "answer", question };
  return whole(answering, session);
}

/** Where the question goes in the conversation, and what came before it. Undefined: nowhere. */
function placeIn(
  world: World,
  session: StoredSession,
  { parent, message }: ChatRequest,
): { user: StoredMessage; history: Question["historyShown"] } | undefined {
  const branch = mainline(session);
  const root = branch[0] ?? world.sessions.add(session, "system", "", undefined);
  let above = branch.at(-1) ?? root;
  if (parent === "root") above = root;
  else if (typeof parent === "number") {
    const named = branch.find(({ id }) => id === parent);
    if (named === undefined) return undefined;
    if (named.role === "user") return { user: named, history: historyOf(branch, named) };
    above = named;
  }
  const history = above === root ? [] : historyOf(branch, above, true);
  return { user: world.sessions.add(session, "user", message, above), history };
}

function historyOf(branch: readonly StoredMessage[], end: StoredMessage, included = false): Question["historyShown"] {
  return branch
    .slice(0, branch.indexOf(end) + (included ? 1 : 0))
    .flatMap(({ role, text }) => (role === "system" ? [] : [{ role, text }]));
}

/** The memory tool is there whenever the account has it on, whatever tools the question allows. */
function toolsFor(world: World, { account }: Call, session: StoredSession, request: ChatRequest): Tool[] {
  const persona = world.personas.find(({ id }) => id === session.personaId);
  return world.tools.filter(({ id, name }) => {
    if (name === memoryTool) return account.personalization.enable_memory_tool;
    if (persona?.tools !== undefined && !persona.tools.includes(id)) return false;
    return request.allowedToolIds === undefined || request.allowedToolIds.includes(id);
  });
}

function unknownSets(world: World, request: ChatRequest): string[] {
  return request.documentSets.filter((name) => !world.documentSets.some((set) => set.name === name));
}

function refuseSets(world: World, request: ChatRequest): DoubleReply {
  const names = unknownSets(world, request)
    .map((name) => `'${name}'`)
    .join(", ");
  return refuse(request, [], `User does not have access to document sets: [${names}]`, "INSUFFICIENT_PERMISSIONS");
}

function limitsOf(world: World, { documentSets }: ChatRequest) {
  if (documentSets.length === 0) return {};
  const sets = world.documentSets.filter(({ name }) => documentSets.includes(name));
  return { pairs: new Set(sets.flatMap(({ pairs }) => pairs)) };
}

/** The answer in one piece, once it has ended. */
async function whole(
  { run, writer, question, failure }: Answering,
  session: StoredSession,
): Promise<DoubleReply | Streaming> {
  while (run.state === "running") await run.changed().happened;
  if (run.state === "died") return { stream: run, kind: "answer", question };
  const calls = writer.calls.map((call) => ({ ...call, search_docs: call.search_docs?.map(inFullReply) ?? null }));
  const reply = json({
    answer: writer.answer,
    answer_citationless: writer.answerWithoutCitations,
    pre_answer_reasoning: writer.reasoning,
    tool_calls: calls,
    top_documents: writer.documents.map(inFullReply),
    citation_info: writer.citationInfo,
    message_id: question.assistantMessageId,
    chat_session_id: session.id,
    incognito: false,
    error_msg: failure(),
  });
  return { ...reply, question };
}

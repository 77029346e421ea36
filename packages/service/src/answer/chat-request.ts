/** A chat request -> what is to be done, or every reason why not. All checks happen here, before anything is stored. */
import { wordingOf } from "./wording/wording-for.ts";
import { randomUUID } from "node:crypto";
import type { BaseFilters, SendMessageRequest } from "@threadlore/client/models";
import type { Caller, ServiceContext } from "../context.ts";
import { type JsonPath, Problems, refusal } from "../http/problem.ts";
import { findPersona, type Persona } from "../store/personas.ts";
import { findMessage, findSession, type NewSession, type Session } from "../store/sessions.ts";
import { SEARCH_TOOL, usableTools } from "../store/tools.ts";
import { visibleSets } from "../store/visibility.ts";
import { ATTACHMENT_TYPES, attachedFileId, MAX_FILES } from "./attachments.ts";
import type { Order, Parent } from "./run.ts";
import { type Steps, together } from "../store/steps.ts";

/** Whose sessions a caller's are. Callers without a key have none in common with any key. */
export function ownerOf(caller: Caller): string {
  return caller.role === "anonymous" ? "" : caller.user;
}

/** The caller's session; a 404 when there is none, or it is somebody else's: which of the two is not told. */
export function* ownSession(caller: Caller, id: string): Steps<Session> {
  const session = yield* findSession(id);
  if (session !== undefined && session.user === ownerOf(caller)) return session;
  throw refusal(
    404,
    "SESSION_NOT_FOUND",
    "There is no such chat session. Leave out chat_session_id to begin a new one.",
  );
}

/** Throws a 404 for an unknown session and a 422 that lists everything else that is wrong. */
export function* orderOf(context: ServiceContext, caller: Caller, request: SendMessageRequest): Steps<Order> {
  const problems = new Problems();
  const asking: Asking = { context, caller, request, problems };
  const session = request.chat_session_id == null ? undefined : yield* ownSession(caller, request.chat_session_id);
  const [persona, parent, tools] = yield* together(
    personaOf(asking, session),
    parentOf(asking, session),
    toolsOf(asking),
  );
  const filters = yield* checkedFilters(asking, request.internal_search_filters, persona, (name) => [
    "body",
    "internal_search_filters",
    name,
  ]);
  yield* checkFiles(asking);
  checkOverride(asking);
  checkAbilities(asking);
  checkMessage(asking);
  problems.check();
  const question = "again" in parent ? yield* findMessage(parent.again) : undefined;
  const files =
    question !== undefined && request.file_descriptors.length === 0 ? question.files : request.file_descriptors;
  const passingText = request.additional_context?.trim() ? request.additional_context : null;
  const asked = question?.text ?? request.message;
  const wording = wordingOf(asked);
  const sessionId = session?.id ?? randomUUID();
  return {
    sessionId,
    newSession: session === undefined ? newSession(context, caller, request, { id: sessionId, persona }) : undefined,
    parent,
    origin: request.origin,
    files,
    passingText,
    turn: {
      question: asked,
      wording,
      caller,
      persona,
      filters,
      ...tools,
      includeCitations: request.include_citations,
      deepResearch: request.deep_research,
      override: request.llm_override ?? null,
    },
  };
}

/** A request that is being checked, and what was found to be wrong with it. */
interface Asking {
  readonly context: ServiceContext;
  readonly caller: Caller;
  readonly request: SendMessageRequest;
  readonly problems: Problems;
}

/** The session that is stored with the question. */
function newSession(
  { now }: ServiceContext,
  caller: Caller,
  { chat_session_info: info }: SendMessageRequest,
  { id, persona }: { id: string; persona: Persona },
): NewSession {
  const { description = null, project_id: projectId = null } = info ?? {};
  return { id, user: ownerOf(caller), personaId: persona.id, description, projectId, createdAt: now() };
}

const ANY_PERSONA: Persona = { id: 0, name: "", description: "", instructions: "", documentSets: [] };

function* personaOf({ caller, request, problems }: Asking, session: Session | undefined): Steps<Persona> {
  const id = session?.personaId ?? request.chat_session_info?.persona_id ?? 0;
  const persona = yield* findPersona(caller, id);
  // A session may outlive its persona, and the right to see it.
  if (session !== undefined) return persona ?? ANY_PERSONA;
  if (persona === undefined) problems.add(["body", "chat_session_info", "persona_id"], `There is no persona ${id}`);
  return persona ?? ANY_PERSONA;
}

/** What parent_message_id means (docs/wire.md, section 2). */
function* parentOf({ request, problems }: Asking, session: Session | undefined): Steps<Parent> {
  const { parent_message_id: id } = request;
  if (id === -1) return { after: "newest" };
  if (id === null) return { after: null };
  const message = session === undefined || id < 1 ? undefined : yield* findMessage(id);
  if (message === undefined || message.sessionId !== session?.id) {
    const hint = "Use -1 to follow the newest message, null to begin again at the root";
    problems.add(["body", "parent_message_id"], `There is no message ${id} in this session. ${hint}`);
    return { after: null };
  }
  return message.role === "user" ? { again: id, parentId: message.parentId } : { after: id };
}

function* toolsOf({ context: { model }, caller, request, problems }: Asking) {
  const { allowed_tool_ids: allowed, forced_tool_id: forcedId } = request;
  const tools = yield* usableTools(caller);
  for (const [index, id] of (allowed ?? []).entries()) {
    if (!tools.some((tool) => tool.id === id)) {
      problems.add(["body", "allowed_tool_ids", index], `There is no tool ${id}. GET /tool lists them`);
    }
  }
  const usable = tools.filter((tool) => allowed == null || allowed.includes(tool.id));
  const forced = usable.find((tool) => tool.id === forcedId);
  const loc = ["body", "forced_tool_id"];
  if (forcedId != null && forced === undefined) {
    const exists = tools.some((tool) => tool.id === forcedId);
    const why = exists
      ? `Tool ${forcedId} is not among allowed_tool_ids`
      : `There is no tool ${forcedId}. GET /tool lists them`;
    problems.add(loc, why);
  }
  const isCustom = forced !== undefined && forced.id !== SEARCH_TOOL;
  if (isCustom && model === undefined) {
    problems.add(loc, `Tool ${forced.id} can only be called by a model, and none is set up here`);
  }
  return {
    search: usable.some((tool) => tool.id === SEARCH_TOOL),
    customTools: usable.filter((tool) => tool.id !== SEARCH_TOOL),
    forced: isCustom ? forced : undefined,
  };
}

/** Where a request holds each of its filters. */
type FilterPlace = (name: "source_type" | "document_set" | "tags") => JsonPath;

/** What a request narrows its search to, once it is known to name only what the caller and the persona may search. */
export function* checkedFilters(
  { caller, problems }: Pick<Asking, "caller" | "problems">,
  filters: BaseFilters | null | undefined,
  persona: Persona,
  placeOf: FilterPlace,
): Steps<BaseFilters | null> {
  for (const name of ["source_type", "document_set", "tags"] as const) {
    const count = filters?.[name]?.length ?? 0;
    if (count <= MAX_FILTERS) continue;
    problems.add(placeOf(name), `Filter by at most ${MAX_FILTERS} entries, not ${count}`, "too_long");
    return null;
  }
  const asked = filters?.document_set ?? [];
  const visible = asked.length === 0 ? new Set<string>() : yield* visibleSets(caller);
  for (const [index, name] of asked.entries()) {
    const loc = [...placeOf("document_set"), index];
    if (!visible.has(name)) problems.add(loc, `There is no document set "${name}" that this key may see`);
    else if (persona.documentSets.length > 0 && !persona.documentSets.includes(name)) {
      problems.add(loc, `The persona ${persona.name} does not search the document set "${name}"`);
    }
  }
  if (asked.length > 0 || persona.documentSets.length === 0) return filters ?? null;
  return { ...filters, document_set: [...persona.documentSets] };
}

function* checkFiles({ caller, request: { file_descriptors: descriptors }, problems }: Asking): Steps<void> {
  if (descriptors.length > MAX_FILES) {
    problems.add(["body", "file_descriptors"], `Attach at most ${MAX_FILES} files to one question`);
    return;
  }
  for (const [index, descriptor] of descriptors.entries()) {
    const at = (field: string) => ["body", "file_descriptors", index, field];
    if (!ATTACHMENT_TYPES.has(descriptor.type)) {
      problems.add(at("type"), "Input should be image, document, plain_text or csv", "enum");
    }
    if ((yield* attachedFileId(caller, descriptor)) === undefined) {
      problems.add(at("id"), `There is no file ${descriptor.id} of yours. Upload it first`);
    }
  }
}

/** Bytes of a message: about fifty pages. Longer texts are material, and have places of their own. */
const MAX_MESSAGE_LENGTH = 100_000;
/** Entries of one filter. */
const MAX_FILTERS = 1_000;

function checkMessage({ request: { message }, problems }: Asking): void {
  // A character has at most three bytes for each unit of its length: short ones need no counting.
  if (message.length * 3 <= MAX_MESSAGE_LENGTH || Buffer.byteLength(message) <= MAX_MESSAGE_LENGTH) return;
  const msg =
    `A message may have at most ${MAX_MESSAGE_LENGTH} bytes (100 kB), not ${Buffer.byteLength(message)}. ` +
    "Send a longer text as additional_context, or as a file";
  problems.add(["body", "message"], msg, "string_too_long");
}

/** What deployed servers can and this one cannot: left aside, a search would be wider and a session would be kept. */
function checkAbilities({ request, problems }: Asking): void {
  const { internal_search_filters: filters, chat_session_info: info, llm_overrides: models } = request;
  const { start, end } = filters?.created_at_range ?? {};
  if (start != null || end != null) {
    const loc = ["body", "internal_search_filters", "created_at_range"];
    problems.add(loc, "This service knows when a document changed, not when it was made");
  }
  if (info?.incognito === true) {
    problems.add(["body", "chat_session_info", "incognito"], "This service keeps every session");
  }
  if (models != null && models.length > 0) {
    problems.add(["body", "llm_overrides"], "One model answers here; use llm_override");
  }
}

function checkOverride({ request, problems }: Asking): void {
  const temperature = request.llm_override?.temperature;
  if (temperature == null || (temperature >= 0 && temperature <= 2)) return;
  problems.add(["body", "llm_override", "temperature"], "Input should be between 0 and 2");
}

import { FieldReader, isRecord } from "./field-reader.ts";
import type { SearchLimits } from "../world/documents.ts";
import type { Flaw } from "../python-repr.ts";
import { chatFileTypes, documentSources, messageOrigins } from "../world/vocabulary.ts";

/** A question as the service reads it. */
export interface ChatRequest {
  message: string;
  sessionId: string | undefined;
  /** Of the session to be made. */
  sessionInfo: { personaId: number; name: string; projectId: number | undefined };
  /** `newest`: below what came last; `root`: a conversation that begins anew; or a message's id. */
  parent: "newest" | "root" | number;
  stream: boolean;
  includeCitations: boolean;
  allowedToolIds: readonly number[] | undefined;
  forcedToolId: number | undefined;
  additionalContext: string | undefined;
  limits: SearchLimits;
  documentSets: readonly string[];
  files: readonly Record<string, unknown>[];
  /** How many models are to answer. */
  models: number;
}

/** Reads the body of a question, or tells what is wrong with it. */
export function readChatRequest(body: Record<string, unknown>): ChatRequest | Flaw[] {
  const fields = new FieldReader(body);
  const { flaws } = fields;
  fields.require("message");
  const message = fields.text("message", { nullable: false }) ?? "";
  fields.list("llm_overrides");
  const allowed = fields.list("allowed_tool_ids");
  const forcedToolId = fields.whole("forced_tool_id");
  const files = fields.list("file_descriptors", { nullable: false }) ?? [];
  const descriptors = files.filter(isRecord);
  for (const [index, file] of descriptors.entries()) {
    const reader = new FieldReader(file, ["body", "file_descriptors", index], flaws);
    if (reader.require("id")) reader.text("id", { nullable: false });
    if (reader.require("type")) reader.word("type", chatFileTypes);
  }
  const { limits, documentSets } = readFilters(body["internal_search_filters"], flaws);
  fields.truth("deep_research");
  fields.word("origin", messageOrigins);
  const override = body["llm_override"];
  if (isRecord(override)) {
    const temperature = override["temperature"];
    if (typeof temperature === "string" && !Number.isFinite(Number(temperature)))
      new FieldReader(override, ["body", "llm_override"], flaws).flaw(
        "temperature",
        "float_parsing",
        "Input should be a valid number, unable to parse string as a number",
      );
  }
  const sessionId = fields.uuid("chat_session_id");
  const parent = fields.whole("parent_message_id");
  const stream = fields.truth("stream") ?? true;
  const includeCitations = fields.truth("include_citations") ?? true;
  const additionalContext = fields.text("additional_context");
  const info = body["chat_session_info"];
  const infoFields = new FieldReader(isRecord(info) ? info : {}, ["body", "chat_session_info"], flaws);
  const personaId = infoFields.whole("persona_id", { nullable: false }) ?? 0;
  const name = infoFields.text("description") ?? "";
  const projectId = infoFields.whole("project_id");
  if (flaws.length === 0 && isRecord(info) && sessionId !== undefined) flaws.push(bothSessions(body));
  if (flaws.length > 0) return flaws;
  return {
    message,
    sessionId,
    sessionInfo: { personaId, name, projectId },
    parent: !fields.has("parent_message_id") || parent === -1 ? "newest" : (parent ?? "root"),
    stream,
    includeCitations,
    allowedToolIds: allowed?.map(Number),
    forcedToolId,
    additionalContext,
    limits,
    documentSets,
    files: descriptors,
    models: Array.isArray(body["llm_overrides"]) ? body["llm_overrides"].length : 1,
  };
}

function bothSessions(input: unknown): Flaw {
  const error = "Only one of chat_session_id or chat_session_info should be provided, not both.";
  return { type: "value_error", loc: ["body"], msg: `Value error, ${error}`, input, ctx: { error } };
}

function readFilters(filters: unknown, flaws: Flaw[]): { limits: SearchLimits; documentSets: string[] } {
  if (!isRecord(filters)) return { limits: {}, documentSets: [] };
  const loc = ["body", "internal_search_filters"];
  const fields = new FieldReader(filters, loc, flaws);
  const sources = fields.wordList("source_type", documentSources);
  const documentSets = (fields.list("document_set") ?? []).filter((name) => typeof name === "string");
  const range = isRecord(filters["updated_at_range"]) ? filters["updated_at_range"] : {};
  const since = timeOf(fields.text("time_cutoff")) ?? timeOf(range["start"]);
  const until = timeOf(range["end"]);
  const limits = { sources, ...(since ? { since } : {}), ...(until ? { until } : {}) };
  return { limits, documentSets };
}

/** A time as sent; one without an offset is UTC. */
function timeOf(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const time = new Date(/T.*([zZ]|[+-]\d\d:?\d\d)$|^[^T]*$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

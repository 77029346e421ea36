import type { PlacedPacket } from "../models.ts";

/**
 * Whether a value is one of the packets that make up nearly all of a stream, in the shape its schema demands.
 *
 * A true is worth as much as the schema's own, at a fraction of its cost (a test holds both against each other); a false
 * says nothing: ask the schema.
 */
export function isHotPacket(value: { placement?: unknown; obj?: unknown }): value is PlacedPacket {
  return isPlacement(value.placement) && isHotObject(value.obj);
}

interface HotFields {
  type?: unknown;
  content?: unknown;
  reasoning?: unknown;
  citation_number?: unknown;
  document_id?: unknown;
  stop_reason?: unknown;
  final_documents?: unknown;
  documents?: unknown;
  queries?: unknown;
}

function isHotObject(obj: unknown): boolean {
  if (typeof obj !== "object" || obj === null) return false;
  const fields: HotFields = obj;
  switch (fields.type) {
    case "message_delta":
      return typeof fields.content === "string";
    case "reasoning_delta":
      return typeof fields.reasoning === "string";
    case "citation_info":
      return Number.isSafeInteger(fields.citation_number) && typeof fields.document_id === "string";
    case "chat_heartbeat":
    case "section_end":
    case "reasoning_start":
    case "reasoning_done":
      return true;
    case "stop":
      return isAbsent(fields.stop_reason) || typeof fields.stop_reason === "string";
    case "message_start":
      return isAbsent(fields.final_documents) || isListOf(fields.final_documents, isSearchDoc);
    case "search_tool_documents_delta":
      return isListOf(fields.documents, isSearchDoc);
    case "search_tool_queries_delta":
      return isListOf(fields.queries, isText);
    default:
      return false;
  }
}

interface PlacementFields {
  turn_index?: unknown;
  tab_index?: unknown;
  sub_turn_index?: unknown;
  model_index?: unknown;
}

function isPlacement(placement: unknown): boolean {
  if (typeof placement !== "object" || placement === null) return false;
  const fields: PlacementFields = placement;
  return (
    Number.isSafeInteger(fields.turn_index) &&
    Number.isSafeInteger(fields.tab_index) &&
    isIntegerOrAbsent(fields.sub_turn_index) &&
    isIntegerOrAbsent(fields.model_index)
  );
}

interface DocumentFields {
  document_id?: unknown;
  chunk_ind?: unknown;
  semantic_identifier?: unknown;
  link?: unknown;
  blurb?: unknown;
  source_type?: unknown;
  metadata?: unknown;
  score?: unknown;
  match_highlights?: unknown;
  updated_at?: unknown;
  primary_owners?: unknown;
  secondary_owners?: unknown;
  is_internet?: unknown;
  file_id?: unknown;
}

function isSearchDoc(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields: DocumentFields = value;
  return (
    isText(fields.document_id) &&
    isText(fields.semantic_identifier) &&
    isText(fields.source_type) &&
    (fields.chunk_ind === undefined || Number.isSafeInteger(fields.chunk_ind)) &&
    (fields.blurb === undefined || isText(fields.blurb)) &&
    (fields.metadata === undefined || isPlainRecord(fields.metadata)) &&
    (fields.match_highlights === undefined || isListOf(fields.match_highlights, isText)) &&
    (fields.is_internet === undefined || typeof fields.is_internet === "boolean") &&
    (isAbsent(fields.score) || Number.isFinite(fields.score)) &&
    isTextOrAbsent(fields.link) &&
    isTextOrAbsent(fields.updated_at) &&
    isTextOrAbsent(fields.file_id) &&
    isTextsOrAbsent(fields.primary_owners) &&
    isTextsOrAbsent(fields.secondary_owners)
  );
}

const isText = (value: unknown): boolean => typeof value === "string";
const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isTextOrAbsent = (value: unknown): boolean => isAbsent(value) || isText(value);
const isTextsOrAbsent = (value: unknown): boolean => isAbsent(value) || isListOf(value, isText);
const isIntegerOrAbsent = (value: unknown): boolean => isAbsent(value) || Number.isSafeInteger(value);

function isListOf(value: unknown, is: (entry: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

/** An object as JSON makes them. The schema leaves `__proto__` out of a record, so a record with one is the schema's. */
function isPlainRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !Object.hasOwn(value, "__proto__");
}

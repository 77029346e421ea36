/**
 * Every resource of the interface (specification section 2) as a schema and a type, in the wire's own field names.
 *
 * Schemas describe what a server accepts: parsing a request fills in the specification's defaults. Types named
 * `…Input` are what a caller may write, with every defaulted field optional. Requests and responses are open: unknown
 * keys are kept, and enumerations of responses are read as strings, because deployed servers add both between releases.
 */
import * as z from "zod/mini";
import { parseMoment } from "./models/moment.ts";

export { parseMoment } from "./models/moment.ts";

/** A value typed as the known names, while any other string of the same kind is accepted too. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

const identifier = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9_]*$/, "Input should be a lower-case identifier such as 'web' or 'ingestion_api'"));

/** An ISO 8601 date or date-time, as a string. `2026-01-31`, `2026-01-31T10:00:00Z`, `2026-01-31T10:00:00+02:00`. */
const dateTime = z
  .string()
  .check(
    z.refine(
      (text) => parseMoment(text) !== undefined,
      "Input should be an ISO 8601 date-time such as '2026-01-31T10:00:00Z'",
    ),
  );

const uuid = z
  .string()
  .check(
    z.regex(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
      "Input should be a UUID such as '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'",
    ),
  );

const integer = z.number().check(z.int("Input should be a whole number"));
const optionalNullable = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

/** A JSON object, kept as it is. */
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * The schema of a part of a request. Keys it does not know pass as they are: a server may know them, and a filter that
 * got lost on the way would widen what is searched. Its type names the known keys alone, so that a misspelt one is
 * still an error where it is written.
 */
function requestObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const schema = z.looseObject(shape);
  return schema as unknown as ReturnType<typeof z.object<Shape>>;
}

// ── Enumerations ────────────────────────────────────────────────────────────────────────────────────────────────

/** Names of the document sources the specification prints. Servers know many more (facts: 55 to 59 values). */
export const DOCUMENT_SOURCES = [
  "ingestion_api",
  "web",
  "file",
  "user_file",
  "not_applicable",
  "mock_connector",
  "imap",
] as const;

/** Origin system of a document: a printed value, or any lower-case identifier (specification section 2). */
export const DocumentSource = identifier;
export type DocumentSource = Open<(typeof DOCUMENT_SOURCES)[number]>;

/** The five printed origins, then the two the specification leaves unnamed: the chat-platform bot and the extension. */
export const MESSAGE_ORIGINS = ["webapp", "api", "widget", "unknown", "unset", "slackbot", "chrome_extension"] as const;

/** Where a message came from, for telemetry. Unset when absent. */
export const MessageOrigin = identifier;
export type MessageOrigin = Open<(typeof MESSAGE_ORIGINS)[number]>;

/** Kinds of attached files the specification prints. Later servers say `tabular` where it says `csv`. */
export const CHAT_FILE_TYPES = ["image", "document", "plain_text", "csv"] as const;

/** Kind of an attached file. Send back the `chat_file_type` an upload answered with. */
export const ChatFileType = identifier;
export type ChatFileType = Open<(typeof CHAT_FILE_TYPES)[number]>;

// ── Chat ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Per-request model selection. Every field optional; null means the server's default. */
export const LLMOverride = requestObject({
  model_provider: optionalNullable(z.string()),
  model_version: optionalNullable(z.string()),
  temperature: optionalNullable(z.number()),
  /** A model as the server's own list numbers it. Not specified; deployed servers have it. */
  model_configuration_id: optionalNullable(integer),
  /** What the model is called in the answer. Not specified; deployed servers have it. */
  display_name: optionalNullable(z.string()),
});
export type LLMOverride = z.infer<typeof LLMOverride>;

/** A file attached to a message. `user_file_id` is demanded by deployed servers for uploaded files. */
export const FileDescriptor = requestObject({
  id: z.string(),
  type: ChatFileType,
  name: optionalNullable(z.string()),
  user_file_id: optionalNullable(z.string()),
});
export type FileDescriptor = Omit<z.infer<typeof FileDescriptor>, "type"> & { type: ChatFileType };

/** One key with one value; metadata of documents is searched by tags. */
export const Tag = requestObject({ tag_key: z.string(), tag_value: z.string() });
export type Tag = z.infer<typeof Tag>;

/** Moments something lies between, both included; an end that is absent is open. A time without an offset is UTC. */
export const TimeRange = requestObject({ start: optionalNullable(dateTime), end: optionalNullable(dateTime) });
export type TimeRange = z.infer<typeof TimeRange>;

/** Restricts internal search. All fields optional and nullable; absent means no restriction. */
export const BaseFilters = requestObject({
  source_type: optionalNullable(z.array(DocumentSource)),
  document_set: optionalNullable(z.array(z.string())),
  /** Only documents updated at or after this moment. A time without an offset is read as UTC. */
  time_cutoff: optionalNullable(dateTime),
  tags: optionalNullable(z.array(Tag)),
  /** By the time of the last change, as `time_cutoff`, with an end. Not specified; deployed servers since v4.4. */
  updated_at_range: optionalNullable(TimeRange),
  /** By the time of creation, for documents that have one. Not specified; deployed servers since v4.4. */
  created_at_range: optionalNullable(TimeRange),
});
export type BaseFilters = z.infer<typeof BaseFilters>;

/** Settings of a session created together with its first message. */
export const ChatSessionCreationRequest = requestObject({
  persona_id: z._default(integer, 0),
  description: optionalNullable(z.string()),
  project_id: optionalNullable(integer),
  /** The session is kept nowhere. Not specified; deployed servers since v4.6, which refuse it where they cannot. */
  incognito: z.optional(z.boolean()),
  /** The id its files were uploaded under, so that they belong to it. Only with `incognito`. */
  incognito_session_id: optionalNullable(uuid),
});
export type ChatSessionCreationRequest = z.infer<typeof ChatSessionCreationRequest>;

/** The request body of chat, with the specification's defaults. */
export const SendMessageRequest = requestObject({
  message: z.string(),
  llm_override: optionalNullable(LLMOverride),
  /** Two or three models that answer side by side, in a stream only. Not specified; deployed servers have it. */
  llm_overrides: optionalNullable(z.array(LLMOverride)),
  allowed_tool_ids: optionalNullable(z.array(integer)),
  forced_tool_id: optionalNullable(integer),
  file_descriptors: z._default(z.array(FileDescriptor), []),
  internal_search_filters: optionalNullable(BaseFilters),
  deep_research: z._default(z.boolean(), false),
  origin: z._default(MessageOrigin, "unset"),
  /** -1: after the newest message; null: from the root; positive: after that message. */
  parent_message_id: z._default(z.nullable(integer), -1),
  chat_session_id: optionalNullable(uuid),
  chat_session_info: optionalNullable(ChatSessionCreationRequest),
  stream: z._default(z.boolean(), true),
  include_citations: z._default(z.boolean(), true),
  /** Extra text for the model in this request only; neither stored nor part of the history. */
  additional_context: optionalNullable(z.string()),
  /**
   * Headers the server passes on to the tool servers it calls, by name; often secrets, so they are in no error. Not
   * specified; deployed servers have it.
   */
  mcp_headers: optionalNullable(z.record(z.string(), z.string())),
}).check(
  z.refine((request) => request.chat_session_id == null || request.chat_session_info == null, {
    message: "Give chat_session_id to continue a session or chat_session_info to create one, not both",
    path: ["chat_session_id"],
  }),
);
/** A chat request after parsing: every default filled in. */
export type SendMessageRequest = z.output<typeof SendMessageRequest>;
/** A chat request as a caller writes it: only `message` is required. */
export type SendMessageInput = Omit<z.input<typeof SendMessageRequest>, "origin" | "file_descriptors"> & {
  origin?: MessageOrigin;
  file_descriptors?: FileDescriptor[];
};

/** A document as search results carry it. Deployed servers send more keys than these; they are kept. */
export const SearchDoc = z.looseObject({
  document_id: z.string(),
  chunk_ind: z.optional(integer),
  semantic_identifier: z.string(),
  link: optionalNullable(z.string()),
  blurb: z.optional(z.string()),
  source_type: z.string(),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  score: optionalNullable(z.number()),
  match_highlights: z.optional(z.array(z.string())),
  updated_at: optionalNullable(z.string()),
  primary_owners: optionalNullable(z.array(z.string())),
  secondary_owners: optionalNullable(z.array(z.string())),
  is_internet: z.optional(z.boolean()),
  file_id: optionalNullable(z.string()),
});
export type SearchDoc = z.infer<typeof SearchDoc>;

/** Ties a citation number of the answer text to a document. */
export const CitationInfo = z.looseObject({
  type: z.optional(z.string()),
  citation_number: integer,
  document_id: z.string(),
});
export type CitationInfo = z.infer<typeof CitationInfo>;

/** A tool the model used while answering. */
export const ToolCall = z.looseObject({
  tool_name: z.string(),
  tool_arguments: z.optional(z.record(z.string(), z.unknown())),
  tool_result: z.optional(z.unknown()),
  search_docs: optionalNullable(z.array(SearchDoc)),
});
export type ToolCall = z.infer<typeof ToolCall>;

/**
 * The complete response of chat with `stream: false`. The specification does not show its fields; these are the ones
 * deployed servers send (facts: wire section 1.7). `error_msg` set means the answer failed, whatever the status.
 */
export const ChatFullResponse = z.looseObject({
  answer: z.string(),
  answer_citationless: z._default(z.string(), ""),
  pre_answer_reasoning: optionalNullable(z.string()),
  tool_calls: z._default(z.array(ToolCall), []),
  top_documents: z._default(z.array(SearchDoc), []),
  citation_info: z._default(z.array(CitationInfo), []),
  message_id: optionalNullable(integer),
  chat_session_id: optionalNullable(z.string()),
  error_msg: optionalNullable(z.string()),
});
export type ChatFullResponse = z.infer<typeof ChatFullResponse>;

// ── Ingestion ───────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A part of a document: a text, an uploaded image or an uploaded table. The specification demands `text` of each;
 * deployed servers take a section for an image only where it has none, or where `type` says so (facts: wire section 3).
 */
export const Section = requestObject({
  /** Absent only where `image_file_id`, `csv_file_id` or `type: "image"` says what stands there instead. */
  text: optionalNullable(z.string()),
  link: optionalNullable(z.string()),
  image_file_id: optionalNullable(z.string()),
  /** "text", "image" or "tabular". Not specified; deployed servers tell the kinds apart without it. */
  type: optionalNullable(z.string()),
  /** What stands above the text. Not specified; deployed servers have it. */
  heading: optionalNullable(z.string()),
  /** An uploaded table, which needs a `link` too. Not specified; deployed servers have it. */
  csv_file_id: optionalNullable(z.string()),
}).check(({ value, issues }) => {
  if (value.text != null || value.image_file_id || value.csv_file_id || value.type === "image") return;
  issues.push({ code: "invalid_type", expected: "string", input: undefined, path: ["text"] });
});
export type Section = z.infer<typeof Section>;

/** A person answerable for a document. All strings; `middle_initial` may be null. */
export const Owner = requestObject({
  display_name: optionalNullable(z.string()),
  first_name: optionalNullable(z.string()),
  middle_initial: optionalNullable(z.string()),
  last_name: optionalNullable(z.string()),
  email: optionalNullable(z.string()),
});
export type Owner = z.infer<typeof Owner>;

/** Free attributes of a document: string keys, values a string or an array of strings. */
export const Metadata = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string())], "Input should be a string or an array of strings"),
);
export type Metadata = z.infer<typeof Metadata>;

/** A document to be indexed. */
export const IngestionDocument = requestObject({
  /** Stable identifier. Absent or empty: the server derives one. */
  id: optionalNullable(z.string()),
  /** Title shown to people. */
  semantic_identifier: z.string(),
  /** Title used for search; absent: `semantic_identifier`. */
  title: optionalNullable(z.string()),
  sections: z.array(Section),
  source: z._default(DocumentSource, "ingestion_api"),
  metadata: z._default(Metadata, {}),
  /** Always send an offset: deployed servers cannot update a document that once had none (facts: wire section 3). */
  doc_updated_at: optionalNullable(dateTime),
  chunk_count: optionalNullable(integer),
  primary_owners: optionalNullable(z.array(Owner)),
  secondary_owners: optionalNullable(z.array(Owner)),
  from_ingestion_api: z.optional(z.nullable(z.boolean())),
  // What follows is not specified; deployed servers have it.
  /** For `created_at_range`; since v4.4. Always send an offset. */
  doc_created_at: optionalNullable(dateTime),
  /** The uploaded file the document was made of. */
  file_id: optionalNullable(z.string()),
  /** Accepted and not kept, as are the three below (facts: wire section 3). */
  doc_metadata: optionalNullable(JsonObject),
  external_access: optionalNullable(JsonObject),
  parent_hierarchy_raw_node_id: optionalNullable(z.string()),
  parent_hierarchy_node_id: optionalNullable(integer),
});
/** A document after parsing: source and metadata filled in. */
export type IngestionDocument = z.output<typeof IngestionDocument>;
/** A document as a caller writes it: title and sections are required. */
export type IngestionDocumentInput = Omit<z.input<typeof IngestionDocument>, "source"> & { source?: DocumentSource };

/** The request body of ingestion. Without `cc_pair_id` deployed servers use their public default pair. */
export const IngestionRequest = requestObject({ document: IngestionDocument, cc_pair_id: optionalNullable(integer) });
export type IngestionRequest = z.output<typeof IngestionRequest>;
/** An ingestion request as a caller writes it. */
export type IngestionRequestInput = { document: IngestionDocumentInput; cc_pair_id?: number | null };

/**
 * What ingestion answers. `document_id` is the identity the server keeps, which can differ from the id sent; the
 * specification shows only `already_existed`.
 */
export const IngestionResponse = z.looseObject({
  already_existed: z.boolean(),
  document_id: z.optional(z.string()),
});
export type IngestionResponse = z.infer<typeof IngestionResponse>;

// ── Administration ──────────────────────────────────────────────────────────────────────────────────────────────

/** Kinds of access a connector/credential pair can have on deployed servers. */
export const AccessType = z.enum(["public", "private", "sync"]);
export type AccessType = z.infer<typeof AccessType>;

/** The two specified fields, and the one deployed servers demand since 2025 (facts: wire section 4.1). */
export const CredentialSwapRequest = requestObject({
  new_credential_id: integer,
  connector_id: integer,
  access_type: z.optional(AccessType),
});
export type CredentialSwapRequest = z.infer<typeof CredentialSwapRequest>;

/** `data` is null in the specification and the pair's id on deployed servers. */
export const CredentialSwapResponse = z.looseObject({
  success: z.boolean(),
  message: z.string(),
  data: z.optional(z.unknown()),
});
export type CredentialSwapResponse = z.infer<typeof CredentialSwapResponse>;

/** A custom tool's definition, to be checked. Nothing inside it is judged before it is sent. */
export const ToolValidationRequest = z.object({ definition: JsonObject });
export type ToolValidationRequest = z.infer<typeof ToolValidationRequest>;

/** One callable method derived from a tool definition. `spec` is the operation object, verbatim. */
export const ToolMethod = z.looseObject({
  name: z.string(),
  summary: z.string(),
  path: z.string(),
  method: z.string(),
  spec: JsonObject,
});
export type ToolMethod = z.infer<typeof ToolMethod>;

/** The methods a valid definition gives, in the order of the document. */
export const ToolValidationResponse = z.looseObject({ methods: z.array(ToolMethod) });
export type ToolValidationResponse = z.infer<typeof ToolValidationResponse>;

// ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a value was wrong (`["body", "message"]`), what was wrong, and a machine-readable kind. */
export const ValidationError = z.looseObject({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});
export type ValidationError = z.infer<typeof ValidationError>;

/** The documented body of status 422. */
export const HTTPValidationError = z.looseObject({ detail: z.array(ValidationError) });
export type HTTPValidationError = z.infer<typeof HTTPValidationError>;

// ── Stream packets ──────────────────────────────────────────────────────────────────────────────────────────────
// The specification promises server-sent events and shows no shape; these are the shapes deployed servers send
// (facts: wire sections 1.1 to 1.4). A packet is told by its keys: nothing is added to what came over the wire.

/** Where in a run a packet belongs. `sub_turn_index` set: inside a nested agent. `model_index` null: server-made. */
export const Placement = z.looseObject({
  turn_index: integer,
  tab_index: z._default(integer, 0),
  sub_turn_index: optionalNullable(integer),
  model_index: optionalNullable(integer),
});
export type Placement = z.infer<typeof Placement>;

const packetObject = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.looseObject({ type: z.literal(type), ...shape });
const documents = z.array(SearchDoc);

/** The known values of `obj` in a placed packet. A packet with any other is an `UnknownPacket`. */
export const PacketObject = z.discriminatedUnion("type", [
  packetObject("message_start", { final_documents: optionalNullable(documents) }),
  packetObject("message_delta", { content: z.string() }),
  packetObject("citation_info", { citation_number: integer, document_id: z.string() }),
  packetObject("stop", { stop_reason: optionalNullable(z.string()) }),
  packetObject("section_end", {}),
  /** A tool failed; the run goes on. It carries no message. */
  packetObject("error", {}),
  packetObject("chat_heartbeat", {}),
  packetObject("top_level_branching", { num_parallel_branches: integer }),
  packetObject("reasoning_start", {}),
  packetObject("reasoning_delta", { reasoning: z.string() }),
  packetObject("reasoning_done", {}),
  packetObject("search_tool_start", { is_internet_search: z.optional(z.boolean()) }),
  packetObject("search_tool_filter_delta", {
    sources: z.optional(z.array(z.string())),
    time_filter_start: optionalNullable(z.string()),
    time_filter_end: optionalNullable(z.string()),
  }),
  /** The whole list each time, not an addition. */
  packetObject("search_tool_queries_delta", { queries: z.array(z.string()) }),
  packetObject("search_tool_documents_delta", { documents }),
  packetObject("open_url_start", {}),
  packetObject("open_url_urls", { urls: z.array(z.string()) }),
  packetObject("open_url_documents", { documents }),
  packetObject("image_generation_start", {}),
  packetObject("image_generation_heartbeat", {}),
  packetObject("image_generation_final", { images: z.array(z.looseObject({ file_id: z.string() })) }),
  packetObject("python_tool_start", { code: z.string() }),
  packetObject("python_tool_delta", { stdout: z.optional(z.string()), stderr: z.optional(z.string()) }),
  packetObject("custom_tool_start", { tool_name: z.string() }),
  packetObject("custom_tool_args", { tool_name: z.string(), tool_args: z.optional(JsonObject) }),
  packetObject("custom_tool_delta", {
    tool_name: z.string(),
    data: z.optional(z.unknown()),
    error: optionalNullable(z.looseObject({ message: z.optional(z.nullable(z.string())) })),
  }),
  packetObject("tool_call_argument_delta", { tool_type: z.optional(z.string()) }),
  packetObject("tool_call_debug", { tool_name: z.optional(z.string()) }),
  packetObject("file_reader_start", {}),
  packetObject("file_reader_result", { file_name: z.string() }),
  packetObject("memory_tool_start", {}),
  packetObject("memory_tool_delta", { memory_text: z.optional(z.string()) }),
  packetObject("memory_tool_no_access", {}),
  packetObject("deep_research_plan_start", {}),
  packetObject("deep_research_plan_delta", { content: z.string() }),
  packetObject("research_agent_start", { research_task: z.string() }),
  packetObject("intermediate_report_start", {}),
  packetObject("intermediate_report_delta", { content: z.string() }),
  packetObject("intermediate_report_cited_docs", { cited_docs: optionalNullable(documents) }),
  packetObject("coding_agent_start", {}),
  packetObject("coding_agent_thinking_delta", { content: z.optional(z.string()) }),
  packetObject("coding_agent_final", { answer: z.optional(z.string()) }),
  packetObject("bash_tool_start", { cmd: z.string() }),
  packetObject("bash_tool_delta", { stdout: z.optional(z.string()), stderr: z.optional(z.string()) }),
]);
export type PacketObject = z.infer<typeof PacketObject>;

/**
 * A shape by its known keys alone. Its schema keeps unknown keys, and says so with an index signature, under which
 * every key could be in every packet: without it, `"obj" in packet` tells TypeScript which packet this is.
 */
type KnownKeys<Shape> = { [Key in keyof Shape as string extends Key ? never : Key]: Shape[Key] };

/** First line of a stream whose session the server created. Absent when `chat_session_id` was sent. */
export const SessionPacket = z.looseObject({ chat_session_id: z.string(), incognito: z.optional(z.unknown()) });
export type SessionPacket = KnownKeys<z.infer<typeof SessionPacket>>;

/** Ids of the stored messages; `responses` instead of the assistant id when several models answer. */
export const MessageIdsPacket = z.looseObject({
  user_message_id: z.nullable(integer),
  reserved_assistant_message_id: z.optional(integer),
  responses: z.optional(z.array(z.looseObject({ message_id: integer, model_name: z.optional(z.string()) }))),
});
export type MessageIdsPacket = KnownKeys<z.infer<typeof MessageIdsPacket>>;

/** A step of the run. */
export const PlacedPacket = z.looseObject({ placement: Placement, obj: PacketObject });
export type PlacedPacket = KnownKeys<z.infer<typeof PlacedPacket>>;

/** Why a run failed, in an otherwise successful stream. `stack_trace` is never to be shown. */
export const ErrorPacket = z.looseObject({
  error: z.string(),
  error_code: optionalNullable(z.string()),
  is_retryable: z.optional(z.boolean()),
  details: optionalNullable(JsonObject),
  stack_trace: z.optional(z.unknown()),
});
export type ErrorPacket = KnownKeys<z.infer<typeof ErrorPacket>>;

/** A packet of a kind or shape this version does not know, as it came. */
export type UnknownPacket = { readonly unknown: JsonObject };

/**
 * One packet of an answer's stream; told apart by key, which narrows its type: `"error" in packet` first, for an error
 * stays one whatever else is beside it, then `"obj" in packet`, …
 */
export type Packet = SessionPacket | MessageIdsPacket | PlacedPacket | ErrorPacket | UnknownPacket;

import * as z from "zod/mini";
import { Finding, NotInSource } from "./finding.ts";
import {
  ChatFileType,
  DocumentSource,
  MessageOrigin,
  dateTime,
  integer,
  optionalNullable,
  requestObject,
  uuid,
} from "./values.ts";

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
  /** Nobody said when it was changed: `updated_at` is when it arrived. Only the embedded service says so. */
  date_is_arrival: z.optional(z.boolean()),
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
 * deployed servers send (docs/wire.md, section 1.7). `error_msg` set means the answer failed, whatever the status.
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
  /** Of the embedded service alone. */
  finding: optionalNullable(Finding),
  /** Sentence by sentence; of the embedded service alone. */
  not_in_source: optionalNullable(z.array(NotInSource)),
});
export type ChatFullResponse = z.infer<typeof ChatFullResponse>;

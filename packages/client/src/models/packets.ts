import * as z from "zod/mini";
import { JsonObject, integer, optionalNullable } from "./values.ts";
import { SearchDoc } from "./chat.ts";
import { Finding, NotInSource } from "./finding.ts";

// The specification promises server-sent events and shows no shape; these are the shapes deployed servers send
// (docs/wire.md, sections 1.1 to 1.4). A packet is told by its keys: nothing is added to what came over the wire.

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
  /** `finding`: of the embedded service alone. */
  packetObject("message_start", { final_documents: optionalNullable(documents), finding: optionalNullable(Finding) }),
  /** `not_in_source`: of the embedded service alone, with the words that say it. */
  packetObject("message_delta", { content: z.string(), not_in_source: optionalNullable(NotInSource) }),
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

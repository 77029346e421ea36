import type {
  ChatFullResponse,
  CitationInfo,
  Finding,
  NotInSource,
  SearchDoc,
  ToolCall,
} from "@threadlore/client/models";
import { withoutMarks } from "./citations.ts";
import { type Emission, isPlaced, type PlacedWirePacket } from "./packets.ts";

/** What a run has said so far, folded from its packets. */
export class Fold {
  sessionId: string | null = null;
  messageId: number | null = null;
  error: string | null = null;
  /** What was stored of the turn is taken back, so nothing of it is to be told. */
  unkept = false;
  documents: SearchDoc[] = [];
  /** How the answer stands to the question, where the run has told it. */
  finding: Finding | null = null;
  citations: CitationInfo[] = [];
  /** What of the answer is not in the sources it cites. */
  notInSource: NotInSource[] = [];
  readonly toolCalls: ToolCall[] = [];
  #text: string[] = [];
  #stored: string[] = [];

  /** The answer as it was sent: the last message group. */
  get text(): string {
    return this.#text.join("");
  }

  /** The answer as it may be kept. */
  get stored(): string {
    return this.#stored.join("");
  }

  /** Citation number -> document id. */
  get citationMap(): Record<string, string> {
    return Object.fromEntries(this.citations.map((citation) => [citation.citation_number, citation.document_id]));
  }

  add({ packet, stored }: Emission): void {
    if (isPlaced(packet)) this.#addPlaced(packet, stored);
    else if ("error" in packet) this.error = packet.error;
    else if ("chat_session_id" in packet) this.sessionId = packet.chat_session_id;
    else this.messageId = packet.reserved_assistant_message_id ?? null;
  }

  #addPlaced({ placement, obj }: PlacedWirePacket, stored: string | undefined): void {
    switch (obj.type) {
      case "message_start":
        if (placement.sub_turn_index != null) break;
        this.documents = obj.final_documents ?? [];
        this.finding = obj.finding ?? null;
        this.citations = [];
        this.notInSource = [];
        this.#text = [];
        this.#stored = [];
        break;
      case "message_delta":
        this.#text.push(obj.content);
        this.#stored.push(stored ?? obj.content);
        if (obj.not_in_source != null) this.notInSource.push(obj.not_in_source);
        break;
      case "citation_info":
        this.citations.push({ ...obj });
        break;
      case "search_tool_start":
        this.toolCalls.push({ tool_name: "internal_search", tool_arguments: {}, tool_result: "", search_docs: [] });
        break;
      case "search_tool_queries_delta":
        this.#tell({ tool_arguments: { queries: obj.queries } });
        break;
      case "search_tool_documents_delta":
        this.#tell({
          search_docs: obj.documents,
          tool_result: JSON.stringify({ results: obj.documents.map(resultOf) }),
        });
        break;
      case "custom_tool_start":
        this.toolCalls.push({ tool_name: obj.tool_name, tool_arguments: {}, tool_result: "", search_docs: null });
        break;
      case "custom_tool_args":
        this.#tell({ tool_arguments: obj.tool_args ?? {} });
        break;
      case "custom_tool_delta":
        this.#tell({ tool_result: JSON.stringify(obj.data ?? obj.error ?? null) });
        break;
      default:
    }
  }

  /** Tells more of the tool that was called last. */
  #tell(more: Partial<ToolCall>): void {
    Object.assign(this.toolCalls.at(-1) ?? {}, more);
  }

  /** The one complete response of chat with `stream: false` (docs/wire.md, section 1.7). */
  response(): ChatFullResponse {
    return {
      answer: this.text,
      answer_citationless: withoutMarks(this.text),
      pre_answer_reasoning: null,
      tool_calls: this.toolCalls,
      top_documents: this.documents,
      citation_info: this.citations,
      message_id: this.unkept ? null : this.messageId,
      chat_session_id: this.sessionId,
      incognito: false,
      error_msg: this.error,
      finding: this.finding,
      not_in_source: this.notInSource,
    };
  }
}

function resultOf({ semantic_identifier, source_type, blurb }: SearchDoc, index: number) {
  return { document: index + 1, title: semantic_identifier, source_type, content: blurb ?? "" };
}

import { packet, type Packet } from "../../fixtures/wire-json.ts";
import type { StoredMessage } from "./sessions.ts";

/** A stored answer told again as packets: what its tools sent, its text in one piece, its citations, the end. */
export function storedPackets(message: StoredMessage): Packet[] {
  const turn = Math.max(0, ...message.toolPackets.map(({ placement }) => placement.turn_index)) + 1;
  const cited = Object.entries(message.citations).map(([number, document_id]) => ({
    type: "citation_info",
    citation_number: Number(number),
    document_id,
  }));
  const later = cited.length > 0 ? [...cited, { type: "section_end" }] : [];
  const final_documents = message.documents.length === 0 ? null : message.documents;
  const answer = [
    { type: "message_start", final_documents, pre_answer_processing_seconds: null },
    { type: "message_delta", content: message.text },
    { type: "section_end" },
  ];
  const stop = packet(
    { type: "stop", stop_reason: message.stopReason },
    { turn: cited.length > 0 ? turn + 1 : turn, model: null },
  );
  return [
    ...message.toolPackets,
    ...answer.map((obj) => packet(obj, { turn, model: null })),
    ...later.map((obj) => packet(obj, { turn: turn + 1, model: null })),
    stop,
  ];
}

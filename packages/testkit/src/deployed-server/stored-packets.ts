import type { Packet, StoredMessage } from "./sessions.ts";

/** A stored answer told again as packets: what its tools sent, then its text in one piece, then the end. */
export function storedPackets(message: StoredMessage): Packet[] {
  const turn = Math.max(0, ...message.toolPackets.map(({ placement }) => placement.turn_index)) + 1;
  const packet = (obj: Packet["obj"]): Packet => ({
    placement: { turn_index: turn, tab_index: 0, sub_turn_index: null, model_index: null },
    obj,
  });
  const cited = Object.entries(message.citations).map(([number, document_id]) =>
    packet({ type: "citation_info", citation_number: Number(number), document_id }),
  );
  const final_documents = message.documents.length === 0 ? null : message.documents;
  return [
    ...message.toolPackets,
    ...cited,
    packet({ type: "message_start", final_documents, pre_answer_processing_seconds: null }),
    packet({ type: "message_delta", content: message.text }),
    packet({ type: "section_end" }),
    packet({ type: "stop", stop_reason: message.stopReason }),
  ];
}

import type { Packet, StoredMessage } from "./sessions.ts";

/** A stored answer told again as packets: what its tools sent, its text in one piece, its citations, the end. */
export function storedPackets(message: StoredMessage): Packet[] {
  const turn = Math.max(0, ...message.toolPackets.map(({ placement }) => placement.turn_index)) + 1;
  const packet = (obj: Packet["obj"], turn_index = turn): Packet => ({
    placement: { turn_index, tab_index: 0, sub_turn_index: null, model_index: null },
    obj,
  });
  const cited = Object.entries(message.citations).map(([number, document_id]) =>
    packet({ type: "citation_info", citation_number: Number(number), document_id }, turn + 1),
  );
  if (cited.length > 0) cited.push(packet({ type: "section_end" }, turn + 1));
  const final_documents = message.documents.length === 0 ? null : message.documents;
  return [
    ...message.toolPackets,
    packet({ type: "message_start", final_documents, pre_answer_processing_seconds: null }),
    packet({ type: "message_delta", content: message.text }),
    packet({ type: "section_end" }),
    ...cited,
    packet({ type: "stop", stop_reason: message.stopReason }, cited.length > 0 ? turn + 1 : turn),
  ];
}

import type { Reply } from "@threadlore/testkit";

const place = { turn_index: 0, tab_index: 0, sub_turn_index: null, model_index: 0 };
export const SESSION = "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f";

/** A stream of server-sent events, as the interface promises. */
export function events(packets: readonly unknown[]): Reply {
  const body = packets.map((packet) => `data: ${JSON.stringify(packet)}\n\n`).join("");
  return { headers: { "content-type": "text/event-stream" }, body, framing: "chunked" };
}

export const placed = (obj: Record<string, unknown>): unknown => ({ placement: place, obj });

/** How a stream begins: its session, its message ids, the documents found. */
export const OPENING: readonly unknown[] = [
  { chat_session_id: SESSION },
  { user_message_id: 1, reserved_assistant_message_id: 2 },
  placed({
    type: "message_start",
    final_documents: [
      {
        document_id: "doc-1",
        semantic_identifier: "Leave and holidays",
        link: "https://handbook.example.com/leave",
        source_type: "web",
        updated_at: "2026-01-31T10:00:00Z",
      },
    ],
  }),
];

/** A whole answer that cites one document. */
export function answerStream(text: string): Reply {
  return events([
    ...OPENING,
    placed({ type: "citation_info", citation_number: 1, document_id: "doc-1" }),
    placed({ type: "message_delta", content: `${text} [[1]](https://handbook.example.com/leave)` }),
    placed({ type: "stop", stop_reason: null }),
  ]);
}

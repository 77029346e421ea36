import { seededRandom, wireJson } from "@threadlore/testkit";

/** A generated answer stream, and what a correct decoder makes of it. */
export interface PacketStream {
  /** Every packet as deployed servers print it: Python spacing, ASCII only, no newline. */
  readonly lines: readonly string[];
  /** Characters of all `content` fields together: proves that a decoder lost nothing. */
  readonly contentLength: number;
}

const WORDS = [
  "leave ", "is ", "accrued ", "monthly", ", ", "and ", "Überstunden ", "may ", "be ", "carried ", "over ", "until ",
  "31 March", ".\n\n", "The ", "handbook ", "says ", "“twenty-seven” ", "days", " 🙂 ", "**per** ", "calendar ", "year",
]; // prettier-ignore

/**
 * `count` packets of ten types, in the proportions of a long answer: nine deltas of text in ten packets, two citations
 * in a hundred, a few searches with their documents. The same for the same count, everywhere.
 */
export function generatePackets(count: number): PacketStream {
  const random = seededRandom(2026);
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? "";
  const lines: string[] = [];
  let contentLength = 0;
  const place = (obj: object, turn = 2) => {
    const placement = { turn_index: turn, tab_index: 0, sub_turn_index: null, model_index: 0 };
    lines.push(wireJson({ placement, obj }));
  };
  const text = (type: string, field: string) => {
    const content = word() + (random() < 0.3 ? word() : "");
    contentLength += field === "content" ? content.length : 0;
    place({ type, [field]: content });
  };

  place({ type: "reasoning_start" }, 0);
  while (lines.length < count - 1) {
    const kind = random();
    if (kind < 0.88) text("message_delta", "content");
    else if (kind < 0.95) text("reasoning_delta", "reasoning");
    else if (kind < 0.97)
      place({
        type: "citation_info",
        citation_number: 1 + Math.floor(random() * 9),
        document_id: `doc-${Math.floor(random() * 99)}`,
      });
    else if (kind < 0.98) place({ type: "chat_heartbeat" });
    else if (kind < 0.985) place({ type: "search_tool_queries_delta", queries: [word(), word()] }, 1);
    else if (kind < 0.99)
      place({ type: "search_tool_documents_delta", documents: [document(random), document(random)] }, 1);
    else if (kind < 0.995) place({ type: "section_end" });
    else place({ type: "message_start", final_documents: null, pre_answer_processing_seconds: random() });
  }
  place({ type: "stop", stop_reason: null });
  return { lines, contentLength };
}

/** One packet whose text is `bytes` long: a tool's answer, or a document that was quoted whole. */
export function generateLargePacket(bytes: number): PacketStream {
  const content = "All work and no play makes a long line. ".repeat(Math.ceil(bytes / 40)).slice(0, bytes);
  const placement = { turn_index: 0, tab_index: 0, sub_turn_index: null, model_index: 0 };
  return {
    lines: [
      wireJson({ placement, obj: { type: "message_delta", content } }),
      wireJson({ placement, obj: { type: "stop", stop_reason: null } }),
    ],
    contentLength: content.length,
  };
}

function document(random: () => number): object {
  const number = Math.floor(random() * 99);
  return {
    document_id: `doc-${number}`,
    chunk_ind: 0,
    semantic_identifier: `Handbook, chapter ${number}`,
    link: `https://wiki.example.com/handbook/${number}`,
    blurb: "Employees accrue leave monthly. Überstunden may be carried over until 31 March.",
    source_type: "web",
    boost: 0,
    hidden: false,
    metadata: { space: "HR", labels: ["policy", "leave"] },
    score: random(),
    match_highlights: ["Employees accrue <hi>leave</hi> monthly."],
    updated_at: "2026-08-01T00:00:00+00:00",
  };
}

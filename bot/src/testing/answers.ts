/** Answers for tests of what is shown of them. */
import type { Answer } from "@threadlore/ask";
import { emptyAnswer, reduce } from "@threadlore/ask";
import type { Packet } from "@threadlore/client/models";

/** Addresses the documents of these answers have; the first is cited as [1]. */
export const CITED = "https://docs.ok.test/a";
/** Cited as [2]; needs encoding inside markup. */
export const AWKWARD = "https://docs.ok.test/b_(c)?x=1&y=2";

const place = { turn_index: 0, tab_index: 0 };
const document = (id: string, link: string | undefined, title: string) => ({
  document_id: id,
  semantic_identifier: title,
  link,
  blurb: title,
  source_type: "web",
  updated_at: "2026-03-12T10:00:00Z",
});

/** What may differ from an ordinary answer. */
export interface AnswerPlan {
  readonly text: string;
  /** Characters per packet; default all in one. */
  readonly size?: number;
  readonly title?: string;
  readonly link?: string;
  /** What else the server tells of the first document. */
  readonly source?: object;
  /** How it stands to its question, as the embedded service says it. */
  readonly finding?: object;
  /** Packets before the text. */
  readonly before?: readonly unknown[];
  /** Default true. */
  readonly stop?: boolean;
}

/** The packets of an answer whose model says exactly `text`. */
function packetsOf(plan: AnswerPlan): Packet[] {
  const { text, size, title = "Handbook", link = CITED, source, finding, before = [], stop = true } = plan;
  const documents = [{ ...document("d1", link, title), ...source }, document("d2", AWKWARD, "Awkward")];
  const packets: unknown[] = [
    ...before,
    { placement: place, obj: { type: "message_start", final_documents: documents, finding } },
    { placement: place, obj: { type: "citation_info", citation_number: 1, document_id: "d1" } },
    { placement: place, obj: { type: "citation_info", citation_number: 2, document_id: "d2" } },
  ];
  const step = size ?? Math.max(1, text.length);
  for (let at = 0; at < text.length; at += step) {
    packets.push({ placement: place, obj: { type: "message_delta", content: text.slice(at, at + step) } });
  }
  if (stop) packets.push({ placement: place, obj: { type: "stop" } });
  return packets as Packet[];
}

/** The answer as it is in the end. */
export function answerOf(plan: AnswerPlan): Answer {
  return packetsOf(plan).reduce(reduce, emptyAnswer());
}

/** Every snapshot on the way, the last one final. */
export function snapshotsOf(plan: AnswerPlan): Answer[] {
  const snapshots: Answer[] = [];
  let answer = emptyAnswer();
  for (const packet of packetsOf(plan)) {
    answer = reduce(answer, packet);
    snapshots.push(answer);
  }
  return snapshots;
}

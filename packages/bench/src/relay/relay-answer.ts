import { seededRandom } from "@threadlore/testkit";

/** How a server answers. */
export interface Manner {
  /** From the question to the first text, milliseconds. */
  readonly firstTextMs: number;
  /** Characters of text in a packet. */
  readonly characters: number;
  /** From one packet of text to the next, milliseconds. */
  readonly everyMs: number;
  /** Characters of the whole answer, about. */
  readonly length: number;
}

/** A packet of an answer, as bytes of line JSON. */
export interface TimedPacket {
  /** Milliseconds after the question. */
  readonly at: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** It holds text of the answer. */
  readonly isText: boolean;
}

const WORDS =
  "the ferry leaves berth two at low tide and every harbour master knows that permits are granted in writing until the end of each quarter".split(
    " ",
  );
const SOURCES = 3;

/**
 * A whole answer to question `number`, packet by packet: a search, what it found, text in paragraphs and lists with
 * citations, the end. The same for the same number, everywhere.
 */
export function scriptAnswer(number: number, manner: Manner) {
  const text = textOf(number, manner.length);
  const packets: TimedPacket[] = [];
  const say = (at: number, packet: object): void => {
    packets.push({ at, bytes: lineOf(packet), isText: false });
  };
  const place = (at: number, turn: number, obj: object): void => say(at, { placement: placementOf(turn), obj });
  // The search takes half of the time to the first text.
  const found = manner.firstTextMs / 2;
  say(found * 0.1, { user_message_id: number * 2 + 1, reserved_assistant_message_id: number * 2 + 2 });
  place(found * 0.2, 0, { type: "search_tool_start", is_internet_search: false });
  place(found * 0.3, 0, { type: "search_tool_queries_delta", queries: ["ferry berth tide"] });
  place(found, 0, { type: "search_tool_documents_delta", documents: Array.from({ length: SOURCES }, documentOf) });
  place(found, 0, { type: "section_end" });
  place(manner.firstTextMs, 1, { type: "message_start", final_documents: null });
  let at = manner.firstTextMs;
  const cited = new Set<string>();
  for (const part of partsOf(text, manner.characters)) {
    // Servers explain a citation before its first mark, and give each mark whole.
    const source = MARK.exec(part)?.[1];
    if (source !== undefined && !cited.has(source)) {
      cited.add(source);
      place(at, 1, { type: "citation_info", citation_number: Number(source), document_id: `doc-${source}` });
    }
    packets.push({ at, bytes: textPacket(part), isText: true });
    at += manner.everyMs;
  }
  place(at, 1, { type: "section_end" });
  place(at, 2, { type: "stop", stop_reason: null });
  return { text, packets };
}

/** A citation's mark as deployed servers write it. */
const MARK = /\[\[(\d+)\]\]\(\)/;

/** The text in parts of so many characters at most; each mark is a part of its own. */
function partsOf(text: string, characters: number): string[] {
  return text.split(/(\[\[\d+\]\]\(\))/).flatMap((part) => {
    if (MARK.test(part)) return [part];
    const count = Math.ceil(part.length / characters);
    return Array.from({ length: count }, (_, index) => part.slice(index * characters, (index + 1) * characters));
  });
}

/** One packet of text. */
export function textPacket(content: string): Uint8Array<ArrayBuffer> {
  return lineOf({ placement: placementOf(1), obj: { type: "message_delta", content } });
}

/** The last packet. */
export const stopPacket = (): Uint8Array<ArrayBuffer> =>
  lineOf({ placement: placementOf(1), obj: { type: "stop", stop_reason: null } });

/** Paragraphs and lists of about `length` characters, each ending in a citation. */
export function textOf(seed: number, length: number): string {
  const random = seededRandom(seed + 1);
  const sentence = (): string => {
    const words = Array.from({ length: 8 + Math.floor(random() * 12) }, () => wordFrom(random()));
    return `${(words[0] ?? "").charAt(0).toUpperCase()}${words.join(" ").slice(1)}`;
  };
  let text = "";
  while (text.length < length) {
    const mark = ` [[${1 + Math.floor(random() * SOURCES)}]]().`;
    if (random() < 0.2)
      text += `${[sentence(), sentence(), sentence()].map((line) => `- ${line}${mark}`).join("\n")}\n\n`;
    else text += `${Array.from({ length: 1 + Math.floor(random() * 4) }, sentence).join(". ")}${mark}\n\n`;
  }
  return text.trimEnd();
}

const wordFrom = (chance: number): string => WORDS[Math.floor(chance * WORDS.length)] ?? "";
const placementOf = (turn: number) => ({ turn_index: turn, tab_index: 0, sub_turn_index: null, model_index: 0 });
const encoder = new TextEncoder();
const lineOf = (packet: object): Uint8Array<ArrayBuffer> => encoder.encode(`${JSON.stringify(packet)}\n`);

function documentOf(_: unknown, index: number): object {
  const number = index + 1;
  return {
    document_id: `doc-${number}`,
    chunk_ind: 0,
    semantic_identifier: `Harbour rules, part ${number}`,
    link: `https://wiki.example.com/harbour/${number}`,
    blurb: "Ferries leave at low tide. Permits are granted in writing.",
    source_type: "web",
    boost: 0,
    hidden: false,
    metadata: {},
    score: 1 / number,
    match_highlights: [],
    updated_at: "2026-08-01T00:00:00+00:00",
  };
}

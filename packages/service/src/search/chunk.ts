/** A piece of a section that is found and quoted as a whole. */
export interface Chunk {
  /** Headings above the text, outermost first, joined by " > "; "" when there is none. */
  readonly heading: string;
  /** As it stands in the section, outer white space cut. */
  readonly text: string;
}

/** Characters a passage aims at: about what a person reads at a glance, and what the index was measured with. */
const AIM = 1_000;

/** Characters of a heading. It is kept with every passage below it, so a longer line is text whatever it begins with. */
const MAX_HEADING_LENGTH = 200;

/**
 * Cuts one section's text into passages of about `aim` characters, at blank lines first, then at the ends of
 * sentences and between the entries of a list or the rows of a table, then at white space; a longer unbroken run is cut
 * hard. Line breaks stay where they are. Lines that begin with `#` to `######` are headings: they end a passage and are
 * carried as the heading of what follows. The head of a table that is cut stands above each part. Linear in the length
 * of the text, and a passage at a time: a long section is nobody's wait.
 */
export function* chunkSection(text: string, aim: number = AIM): Generator<Chunk, void> {
  for (const part of splitAtHeadings(text)) {
    let isEmpty = true;
    for (const one of pack(paragraphsOf(part.text), aim, (paragraph) => cutParagraph(paragraph, aim))) {
      isEmpty = false;
      yield { heading: part.heading, text: one };
    }
    // A heading that nothing follows still says something.
    if (isEmpty && part.heading !== "" && part.leaf) yield { heading: part.heading, text: part.last };
  }
}

interface Part {
  readonly heading: string;
  /** The innermost heading alone. */
  readonly last: string;
  readonly text: string;
  /** No deeper heading follows directly. */
  readonly leaf: boolean;
}

/** A line that begins or ends code, or is a heading. */
const FENCE_OR_HEADING = /(?:^|\n)(?:([^\S\n]{0,3}(?:```|~~~))|(#{1,6})[ \t]+(\S[^\n\u2028\u2029]*)(?=\n|$))/g;

function* splitAtHeadings(written: string): Generator<Part, void> {
  const text = written.includes("\r") ? written.replaceAll(/\r\n?/g, "\n") : written;
  const path: { level: number; name: string }[] = [];
  let [heading, last, start, fenced] = ["", "", 0, false];
  for (const match of text.matchAll(FENCE_OR_HEADING)) {
    const [whole, fence, hashes = "", title = ""] = match;
    if (fence !== undefined) fenced = !fenced;
    if (fence !== undefined || fenced || title.length > MAX_HEADING_LENGTH) continue;
    while ((path.at(-1)?.level ?? 0) >= hashes.length) path.pop();
    const isAbove = path.length > 0 && heading === joined(path);
    const end = match.index + (whole.startsWith("\n") ? 0 : -1);
    yield { heading, last, text: text.slice(start, Math.max(start, end)), leaf: !isAbove };
    last = title.trimEnd().replace(/[ \t]#+$/, "");
    path.push({ level: hashes.length, name: last });
    heading = joined(path);
    start = match.index + whole.length + 1;
  }
  yield { heading, last, text: text.slice(start), leaf: true };
}

function joined(path: readonly { name: string }[]): string {
  return path.map(({ name }) => name).join(" > ");
}

/** A piece of text, and what stands between it and the piece before. */
interface Piece {
  readonly glue: string;
  readonly text: string;
}

function* paragraphsOf(text: string): Generator<Piece, void> {
  let from = 0;
  for (const { 0: gap, index } of text.matchAll(/\n[^\S\n]*\n\s*/g)) {
    yield { glue: "\n\n", text: text.slice(from, index) };
    from = index + gap.length;
  }
  yield { glue: "\n\n", text: text.slice(from) };
}

/** Fills passages with pieces up to `aim` characters; a piece that is longer by itself is split by `divide`. */
function* pack(pieces: Iterable<Piece>, aim: number, divide: (piece: string) => Iterable<string>) {
  let current = "";
  for (const { glue, text } of pieces) {
    const piece = text.trim();
    if (piece === "") continue;
    if (current !== "" && current.length + glue.length + piece.length > aim) {
      yield current;
      current = "";
    }
    // A little over is better than a short remainder.
    if (piece.length <= aim * 1.2) {
      current = current === "" ? piece : current + glue + piece;
      continue;
    }
    if (current !== "") yield current;
    current = "";
    yield* divide(piece);
  }
  if (current !== "") yield current;
}

/** The two lines that begin a table: names of columns, and the rule below them. */
const TABLE_HEAD = /^[^\S\n]*\|[^\n]*\n[^\S\n]*\|[ \t:|-]*\n/;

function* cutParagraph(paragraph: string, aim: number): Generator<string, void> {
  const head = TABLE_HEAD.exec(paragraph)?.[0] ?? "";
  if (head === "" || head.length > aim / 2) yield* cutText(paragraph, aim);
  else for (const rows of cutText(paragraph.slice(head.length), aim - head.length)) yield head + rows;
}

/** White space after a sentence, and a line's end before an entry of a list or a row of a table. */
const SENTENCE_END = /(?<=[.!?…]["'”’)\]]{0,2})\s+|(?<=[。！？])|\n[^\S\n]*(?=[-*+•–|]|\d{1,3}[.)])/gu;

function cutText(text: string, aim: number): Generator<string, void> {
  return pack(cutAt(text, SENTENCE_END), aim, (sentence) => pack(runsOf(sentence, aim), aim, (run) => [run]));
}

/** Words, the long ones cut hard. */
function* runsOf(sentence: string, aim: number): Generator<Piece, void> {
  for (const word of cutAt(sentence, /\s+/g)) yield* hardCut(word, aim);
}

/** The pieces between the matches of a pattern; of the white space a line's end is kept, or else one space. */
function* cutAt(text: string, pattern: RegExp): Generator<Piece, void> {
  let from = 0;
  let glue = "";
  for (const match of text.matchAll(pattern)) {
    yield { glue, text: text.slice(from, match.index) };
    glue = match[0].includes("\n") ? "\n" : " ";
    from = match.index + match[0].length;
  }
  yield { glue, text: text.slice(from) };
}

function* hardCut({ glue, text }: Piece, aim: number): Generator<Piece, void> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + aim, text.length);
    // Never between the two halves of one character.
    if (end < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(end))) end--;
    yield { glue: at === 0 ? glue : " ", text: text.slice(at, end) };
    at = end;
  }
}

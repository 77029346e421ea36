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
const LONGEST_HEADING = 200;

/**
 * Cuts one section's text into passages of about `aim` characters, at blank lines first, then at the ends of
 * sentences and between the entries of a list or the rows of a table, then at white space; a longer unbroken run is cut
 * hard. Line breaks stay where they are. Lines that begin with `#` to `######` are headings: they end a passage and are
 * carried as the heading of what follows. The head of a table that is cut stands above each part. Linear in the length
 * of the text.
 */
export function chunkSection(text: string, aim: number = AIM): Chunk[] {
  const chunks: Chunk[] = [];
  for (const part of splitAtHeadings(text)) {
    const paragraphs = part.text.split(/\n[^\S\n]*\n\s*/).map((paragraph) => ({ glue: "\n\n", text: paragraph }));
    const texts = pack(paragraphs, aim, (paragraph) => cutParagraph(paragraph, aim));
    // A heading that nothing follows still says something.
    if (texts.length === 0 && part.heading !== "" && part.leaf) chunks.push({ heading: part.heading, text: part.last });
    for (const one of texts) chunks.push({ heading: part.heading, text: one });
  }
  return chunks;
}

interface Part {
  heading: string;
  /** The innermost heading alone. */
  last: string;
  text: string;
  /** No deeper heading follows directly. */
  leaf: boolean;
}

function splitAtHeadings(text: string): Part[] {
  const parts: Part[] = [{ heading: "", last: "", text: "", leaf: true }];
  const path: { level: number; name: string }[] = [];
  let fenced = false;
  let lines: string[] = [];
  const close = (part: Part | undefined): void => {
    if (part !== undefined) part.text = lines.join("\n");
    lines = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? null : /^(#{1,6})[ \t]+(\S.*)$/.exec(line);
    if (heading === null || (heading[2] ?? "").length > LONGEST_HEADING) {
      lines.push(line);
      continue;
    }
    close(parts.at(-1));
    const level = heading[1]?.length ?? 1;
    const name = (heading[2] ?? "").trimEnd().replace(/[ \t]#+$/, "");
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    const above = parts.at(-1);
    if (above !== undefined && path.length > 0 && above.heading === joined(path)) above.leaf = false;
    path.push({ level, name });
    parts.push({ heading: joined(path), last: name, text: "", leaf: true });
  }
  close(parts.at(-1));
  return parts;
}

function joined(path: readonly { name: string }[]): string {
  return path.map(({ name }) => name).join(" > ");
}

/** A piece of text, and what stands between it and the piece before. */
interface Piece {
  readonly glue: string;
  readonly text: string;
}

/** Fills passages with pieces up to `aim` characters; a piece that is longer by itself is split by `divide`. */
function pack(pieces: readonly Piece[], aim: number, divide: (piece: string) => string[]): string[] {
  const filled: string[] = [];
  let current = "";
  const flush = (): void => {
    if (current !== "") filled.push(current);
    current = "";
  };
  for (const { glue, text } of pieces) {
    const piece = text.trim();
    if (piece === "") continue;
    if (current !== "" && current.length + glue.length + piece.length > aim) flush();
    // A little over is better than a short remainder.
    if (piece.length <= aim * 1.2) {
      current = current === "" ? piece : current + glue + piece;
      continue;
    }
    flush();
    filled.push(...divide(piece));
  }
  flush();
  return filled;
}

/** The two lines that begin a table: names of columns, and the rule below them. */
const TABLE_HEAD = /^[^\S\n]*\|[^\n]*\n[^\S\n]*\|[ \t:|-]*\n/;

function cutParagraph(paragraph: string, aim: number): string[] {
  const head = TABLE_HEAD.exec(paragraph)?.[0] ?? "";
  if (head === "" || head.length > aim / 2) return cutText(paragraph, aim);
  return cutText(paragraph.slice(head.length), aim - head.length).map((rows) => head + rows);
}

/** White space after a sentence, and a line's end before an entry of a list or a row of a table. */
const SENTENCE_END = /(?<=[.!?…]["'”’)\]]{0,2})\s+|(?<=[。！？])|\n[^\S\n]*(?=[-*+•–|]|\d{1,3}[.)])/gu;

function cutText(text: string, aim: number): string[] {
  return pack(cutAt(text, SENTENCE_END), aim, (sentence) =>
    pack(
      cutAt(sentence, /\s+/g).flatMap((word) => hardCut(word, aim)),
      aim,
      (run) => [run],
    ),
  );
}

/** The pieces between the matches of a pattern; of the white space a line's end is kept, or else one space. */
function cutAt(text: string, pattern: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let glue = "";
  for (const match of text.matchAll(pattern)) {
    pieces.push({ glue, text: text.slice(from, match.index) });
    glue = match[0].includes("\n") ? "\n" : " ";
    from = match.index + match[0].length;
  }
  pieces.push({ glue, text: text.slice(from) });
  return pieces;
}

function hardCut({ glue, text }: Piece, aim: number): Piece[] {
  const runs: Piece[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + aim, text.length);
    // Never between the two halves of one character.
    if (end < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(end))) end--;
    runs.push({ glue: at === 0 ? glue : " ", text: text.slice(at, end) });
    at = end;
  }
  return runs;
}

/** Cuts a passage into what can be quoted on its own: sentences, list entries, table rows, blocks of code. */

/** One quotable piece of a passage. */
export interface Unit {
  readonly text: string;
  readonly kind: "sentence" | "entry" | "code";
  /** It stands like a title above what follows, though it is not marked as one. */
  readonly isTitle: boolean;
  /** The nearest heading above it within the passage; "" without one. */
  readonly heading: string;
  /** Of a table's row: the values alone, and the names of their columns, which are the same for every row. */
  readonly row?: { readonly values: string; readonly columns: string };
  /** Position among the units of its passage. */
  readonly index: number;
}

const MAX_UNIT_LENGTH = 600;
const FENCE = /^\s*(```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/s;
const ENTRY = /^\s*(?:[-*+•–]|\d{1,3}[.)])\s+(.*)$/s;
const RUN_IN_ENTRY = /(?<=[.:;!?)\]*]) (?:[-*•–]|\d{1,2}[.)]) (?=\S)/;
const TABLE_RULE = /^[\s:|]*-[\s:|-]*$/;

/** The units of a text in order. Linear in its length. */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let heading = "";
  let paragraph: string[] = [];
  let columns: string[] = [];
  const add = (unit: string, kind: Unit["kind"], more: Partial<Pick<Unit, "isTitle" | "row">> = {}) => {
    const cut =
      unit.length > MAX_UNIT_LENGTH && kind !== "code"
        ? `${unit.slice(0, MAX_UNIT_LENGTH).replace(/\s+\S*$/, "")} …`
        : unit;
    if (!/[\p{L}\p{N}]/u.test(cut)) return;
    units.push({ text: cut, kind, isTitle: false, heading, index: units.length, ...more });
  };
  const addRow = (cells: readonly string[]) =>
    add(rowOf(cells, columns), "entry", { row: { values: cells.join(" "), columns: columns.join(" ") } });
  const endParagraph = () => {
    if (paragraph.length === 0) return;
    const joined = paragraph.join(" ").replace(/\s+/g, " ").trim();
    paragraph = [];
    // Lists that were run together into one line come apart again.
    for (const [index, part] of joined.split(RUN_IN_ENTRY).entries()) {
      for (const sentence of sentencesOf(part)) add(sentence, index === 0 ? "sentence" : "entry");
    }
  };

  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (FENCE.test(line)) {
      endParagraph();
      const code: string[] = [];
      while (++at < lines.length && !FENCE.test(lines[at] ?? "")) code.push(lines[at] ?? "");
      add(code.join("\n"), "code");
      continue;
    }
    const titled = HEADING.exec(line)?.[1]?.trim().replace(/ #+$/, "");
    const entry = ENTRY.exec(line)?.[1];
    if (titled !== undefined || isTitleLine(line, lines[at - 1], lines[at + 1])) {
      endParagraph();
      // It may as well be a short paragraph, so it can be quoted, if nothing better is there.
      if (titled === undefined) add(line.trim(), "sentence", { isTitle: true });
      heading = titled ?? line.trim();
    } else if (line.trim() === "") {
      endParagraph();
    } else if (entry !== undefined) {
      endParagraph();
      add(entry.trim(), "entry");
    } else if (line.trim().startsWith("|") && line.trim().endsWith("|")) {
      endParagraph();
      if (TABLE_RULE.test(line)) continue;
      if (TABLE_RULE.test(lines[at + 1] ?? "x")) columns = cellsOf(line);
      else addRow(cellsOf(line));
    } else {
      paragraph.push(line);
    }
  }
  endParagraph();
  return units;
}

/** A short line alone that does not end like a sentence, with text after it: a title in plain text. */
function isTitleLine(line: string, before: string | undefined, after: string | undefined): boolean {
  const text = line.trim();
  if (text === "" || text.length > 70 || /[.!?:;,)…]$/.test(text) || ENTRY.test(line) || text.includes("|"))
    return false;
  return (before === undefined || before.trim() === "") && after !== undefined && after.trim() === "";
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** A table row that can stand alone: each value behind the name of its column. */
export function rowOf(cells: readonly string[], columns: readonly string[]): string {
  return cells
    .map((cell, column) =>
      columns[column] === undefined || columns[column] === "" ? cell : `${columns[column]}: ${cell}`,
    )
    .filter((cell, column) => cells[column] !== "" && cell !== "")
    .join(", ");
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
const ABBREVIATED = /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx|nr|dr|mr|mrs|ms|prof|st|fig|ca|bzw|z\.b|[a-z])\.$/i;

function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (const { segment } of segmenter.segment(paragraph)) {
    open += segment;
    // The segmenter ends a sentence at "e.g. " and at "Dr. Ames"; what goes on is joined again.
    if (open.length < MAX_UNIT_LENGTH && ABBREVIATED.test(open.trimEnd().slice(-8))) continue;
    if (open.trim() !== "") sentences.push(open.trim());
    open = "";
  }
  if (open.trim() !== "") sentences.push(open.trim());
  return sentences;
}

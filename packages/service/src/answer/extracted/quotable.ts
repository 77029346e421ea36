/** Cuts a passage into what can be quoted on its own: sentences, list entries, table rows, blocks of code. */

import { beginningOf, sentencesOf } from "@threadlore/language";

/** One quotable piece of a passage. */
export interface Unit {
  readonly text: string;
  readonly kind: "sentence" | "entry" | "code";
  /** It stands like a title above what follows, though it is not marked as one. */
  readonly isTitle: boolean;
  /** The nearest heading above it within the passage; "" without one. */
  readonly heading: string;
  /** Of a table's row: the values alone, and the names of their columns, which are the same for every row. */
  readonly row?: { readonly values: string; readonly columns: readonly string[] };
  /** Position among the units of its passage. */
  readonly index: number;
}

const MAX_UNIT_LENGTH = 600;
const FENCE = /^\s*(```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/s;

/** Marks of list entries that a blank follows. */
const SPACED_MARK = String.raw`(?:[-*+•–‣◦▪]|\p{Nd}{1,3}[.)])\s+`;
/** Marks of Chinese and Japanese, which none needs to follow; but not "○○さん", "二、三日" and "３．５". */
const UNSPACED_MARK = [
  "[・･●○◎■□◆◇▶►☆★①-⑳⑴-⒇](?![・●○◎■□☆★])",
  String.raw`（(?:\p{Nd}{1,2}|[一二三四五六七八九十]{1,3}|[ア-ン])）`,
  "(?:[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3})(?:）|、(?![0-9０-９一二三四五六七八九十]))",
  "[０-９]{1,3}[．.)](?![0-9０-９])",
].join("|");
const ENTRY = new RegExp(String.raw`^\s*(?:${SPACED_MARK}|(?:${UNSPACED_MARK}|\(\d{1,2}\))\s*)(.*)$`, "su");
const RUN_IN_ENTRY = new RegExp(
  String.raw`(?<=[.:;!?)\]*。：；！？）」]) (?:[-*•–]|\d{1,2}[.)]) (?=\S)|` +
    // Behind "。（1）" a sentence may begin that speaks of what the number stands for: a particle follows there.
    String.raw`(?<=[.:;!?。：；！？」]) ?(?:${UNSPACED_MARK})\s*(?![\s、。とのはがをにもでや])(?=\S)`,
  "u",
);
/** Squares and triangles mark headings as often as entries. */
const TITLE_MARK = /^[■□◆◇▼▽▶►]/u;
const CHARACTER = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}]/u;
/** Between characters a line that ends stands for no blank. */
const WRAPPED =
  /(?<=[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}、。，])[^\S\n]*\n\s*(?=[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}「『（])/gu;
const TABLE_RULE = /^[\s:|]*-[\s:|-]*$/;
const BAR = /(?<!\\)\|/;
const BARE_RULE = /^\s*:?-{3,}:?(?:\s*\|\s*:?-{3,}:?)+\s*$/;

const INDENTED = /^(?:\s{2,}|\t)\S/;

/** The units of a text in order. Linear in its length. `language` says whose abbreviations end no sentence. */
export function unitsOf(text: string, language?: string): Unit[] {
  const units: Unit[] = [];
  let heading = "";
  let paragraph: string[] = [];
  // An entry and the indented lines it goes on with.
  let entryLines: string[] = [];
  let columns: string[] = [];
  const add = (unit: string, kind: Unit["kind"], more: Partial<Pick<Unit, "isTitle" | "row">> = {}) => {
    const cut =
      unit.length > MAX_UNIT_LENGTH && kind !== "code"
        ? `${beginningOf(unit, MAX_UNIT_LENGTH).replace(/\s+\S*$/, "")} …`
        : unit;
    if (!/[\p{L}\p{N}]/u.test(cut)) return;
    units.push({ text: cut, kind, isTitle: false, heading, index: units.length, ...more });
  };
  const addRow = (cells: readonly string[]) =>
    add(rowOf(cells, columns), "entry", { row: { values: cells.join(" "), columns } });
  const joinedLines = (some: readonly string[]) => some.join("\n").replace(WRAPPED, "").replace(/\s+/g, " ").trim();
  const endParagraph = () => {
    if (entryLines.length > 0) add(joinedLines(entryLines), "entry");
    entryLines = [];
    if (paragraph.length === 0) return;
    const joined = joinedLines(paragraph);
    paragraph = [];
    // Lists that were run together into one line come apart again.
    for (const [index, part] of joined.split(RUN_IN_ENTRY).entries()) {
      for (const sentence of sentencesOf(part, language)) add(sentence.text, index === 0 ? "sentence" : "entry");
    }
  };

  const lines = text.split("\n");
  // Of a table whose lines neither begin nor end with a bar, only its rule tells that it is one.
  let isInBareTable = false;
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
    // Readers of pages may leave a line free below the rule.
    const isFree = line.trim() === "" && BARE_RULE.test(lines[at - 1] ?? "");
    isInBareTable = isInBareTable ? isFree || BAR.test(line) : BAR.test(line) && BARE_RULE.test(lines[at + 1] ?? "");
    if (titled !== undefined || isTitleLine(line, lines[at - 1], lines[at + 1])) {
      endParagraph();
      // It may as well be a short paragraph, so it can be quoted, if nothing better is there.
      if (titled === undefined) add(line.trim(), "sentence", { isTitle: true });
      heading = titled ?? line.trim();
    } else if (line.trim() === "") {
      endParagraph();
    } else if (isInBareTable || (entry === undefined && line.trim().startsWith("|") && line.trim().endsWith("|"))) {
      endParagraph();
      if (TABLE_RULE.test(line)) continue;
      if (TABLE_RULE.test(lines[at + 1] ?? "x")) columns = cellsOf(line);
      else addRow(cellsOf(line));
    } else if (entry !== undefined) {
      endParagraph();
      entryLines.push(entry);
    } else if (entryLines.length > 0 && INDENTED.test(line)) {
      entryLines.push(line);
    } else {
      if (entryLines.length > 0) endParagraph();
      paragraph.push(line);
    }
  }
  endParagraph();
  return units;
}

/** So long may a line be that looks like a title; a character of Chinese or Japanese counts as two letters. */
const MAX_TITLE_LENGTH = 70;

/** A short line alone that does not end like a sentence, with text after it: a title in plain text. */
function isTitleLine(line: string, before: string | undefined, after: string | undefined): boolean {
  const text = line.trim();
  if (text === "" || text.length > (CHARACTER.test(text) ? MAX_TITLE_LENGTH / 2 : MAX_TITLE_LENGTH)) return false;
  if (/[.!?:;,)…。！？：；、，）।؟۔؛،։።]$/.test(text) || text.includes("|")) return false;
  if (ENTRY.test(line) && !TITLE_MARK.test(text)) return false;
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

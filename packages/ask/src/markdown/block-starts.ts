/** How the blocks of markdown begin: one recogniser each, over what is left of a line behind its indentation. */
import type { Alignment } from "./tree.ts";

export interface Fence {
  readonly character: string;
  readonly length: number;
  readonly info: string;
}

/** An opening code fence. The info string of a backtick fence holds no backticks. */
export function openingFence(rest: string): Fence | undefined {
  const match = /^(`{3,}|~{3,})(.*)$/s.exec(rest);
  const [run, info] = [match?.[1], match?.[2]];
  if (run === undefined || info === undefined) return undefined;
  if (run.startsWith("`") && info.includes("`")) return undefined;
  return { character: run.charAt(0), length: run.length, info: info.trim() };
}

/** A line that closes a fence: as many of its characters or more, and nothing else. */
export function closesFence(rest: string, fence: Fence): boolean {
  const match = /^(`+|~+)[ \t]*$/.exec(rest)?.[1];
  return match !== undefined && match.startsWith(fence.character) && match.length >= fence.length;
}

/** The level of an ATX heading and how many characters its mark takes. */
export function headingMark(rest: string): { level: number; length: number } | undefined {
  const match = /^(#{1,6})(?:[ \t]+|$)/.exec(rest);
  const marks = match?.[1];
  return match === null || marks === undefined ? undefined : { level: marks.length, length: match[0].length };
}

/** `***`, `- - -`, `___`: three or more of one, with blanks between. */
export function isDivider(rest: string): boolean {
  return /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(rest);
}

/** Level of the heading a line under a paragraph makes of it. */
export function underline(rest: string): 1 | 2 | undefined {
  if (/^=+[ \t]*$/.test(rest)) return 1;
  return /^-+[ \t]*$/.test(rest) ? 2 : undefined;
}

export interface ListMark {
  readonly ordered: boolean;
  readonly start: number;
  /** The bullet, or what stands behind the number: items of one list share it. */
  readonly delimiter: string;
  readonly length: number;
}

/** A bullet or number that begins a list item. */
export function listMark(rest: string): ListMark | undefined {
  const bullet = /^[-+*](?=[ \t]|$)/.exec(rest)?.[0];
  if (bullet !== undefined) return { ordered: false, start: 1, delimiter: bullet, length: 1 };
  const match = /^(\d{1,9})([.)])(?=[ \t]|$)/.exec(rest);
  const [digits, delimiter] = [match?.[1], match?.[2]];
  if (digits === undefined || delimiter === undefined) return undefined;
  return { ordered: true, start: Number(digits), delimiter, length: digits.length + 1 };
}

/** A header with more columns is a paragraph: every row would be as wide. */
const MAX_COLUMNS = 200;

/** The alignments a table's delimiter row sets; undefined when the line is none. A pipe is needed. */
export function delimiterRow(rest: string): Alignment[] | undefined {
  if (!rest.includes("|") || !/^[-:| \t]+$/.test(rest)) return undefined;
  const cells = splitRow(rest);
  if (cells.length > MAX_COLUMNS) return undefined;
  const align = cells.map((cell) => alignmentOf(cell));
  return align.includes(undefined) ? undefined : align.filter((one) => one !== undefined);
}

function alignmentOf(cell: string): Alignment | undefined {
  const match = /^(:?)-+(:?)$/.exec(cell);
  if (match === null) return undefined;
  if (match[1] === ":") return match[2] === ":" ? "center" : "left";
  return match[2] === ":" ? "right" : null;
}

/** The cells of a table row, trimmed. `\|` is a pipe in a cell; a pipe inside a code span divides all the same. */
export function splitRow(row: string): string[] {
  const cells: string[] = [];
  let cell = "";
  const inner = row.trim().replace(/^\|/, "");
  for (let at = 0; at < inner.length; at += 1) {
    const character = inner[at] ?? "";
    if (character === "\\" && inner[at + 1] === "|") {
      cell += "|";
      at += 1;
    } else if (character === "\\") {
      cell += character + (inner[at + 1] ?? "");
      at += 1;
    } else if (character === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += character;
  }
  if (cell.trim() !== "" || cells.length === 0) cells.push(cell.trim());
  return cells;
}

/**
 * Whether the block structure of a line is decided although it is not all there: behind this beginning, only plain text
 * of a paragraph, a heading or an indented code block can follow. Undecided lines wait for more, and are not shown.
 */
export function isDecided(beginning: string): boolean {
  let rest = beginning;
  for (;;) {
    const mark = /^[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])/.exec(rest)?.[0];
    if (mark === undefined) break;
    rest = rest.slice(mark.length);
  }
  rest = rest.trimStart();
  const first = rest[0];
  if (first === undefined) return false;
  if (/\d/.test(first)) return /^(?:\d{1,9}[^\d.)]|\d{1,9}[.)][^ \t]|\d{10})/.test(rest);
  if ("*_-+=".includes(first)) return /^[-*_+= \t]*[^-*_+= \t|:]/.test(rest);
  if ("|:".includes(first)) return /^[-:| \t]*[^-:| \t]/.test(rest);
  if (first === "#") return /^(?:#{1,6}[ \t]+[^#\s]|#+[^#\s]|#{7})/.test(rest);
  if (first === "`" || first === "~") return /^(?:`{1,2}[^`]|~{1,2}[^~])/.test(rest);
  // A label with a colon behind it may be a definition; an empty box needs the text it stands before.
  if (first === "[") return /^\[(?:[^\\[\]]|\\.)*(?:\[|\](?:[^:\s]|[ \t]+[^\s]))/s.test(rest);
  return true;
}

/** Blocks of code in a text that is still arriving, written so that every reader of Markdown sees the same blocks. */

/** A block of code that is open. */
export interface Fence {
  /** What opened it and closes it: three or more of one character. */
  readonly run: string;
  /** What stands before each of its lines: at most three spaces, else it is no block of code everywhere. */
  readonly indent: string;
  /** Columns that are taken off each line. */
  readonly taken: number;
}

/** What is decided about the beginning of a text: what to write for it, and how much of it that was. */
export interface Written {
  readonly text: string;
  readonly length: number;
}

const MAX_INDENT = 3;
/** A longer line behind the run names no language. */
const MAX_INFO_LENGTH = 200;

/** Languages that some viewers draw: a drawing can hold links and pictures. */
const DRAWN = /^(?:mermaid|plantuml|puml|graphviz|dot|vega|vega-lite|d2|kroki|svg|html)\b/i;

/** The line a text begins with, if it opens a block of code; undefined: it does not. */
export function asFenceStart(text: string, final: boolean): (Written & { fence: Fence }) | "wait" | undefined {
  const blank = /^[ \t]*/.exec(text)?.[0] ?? "";
  const run = /^(?:`+|~+)/.exec(text.slice(blank.length))?.[0] ?? "";
  if (blank.length + run.length === text.length) {
    if (!final) return "wait";
  }
  if (run.length < 3) return undefined;
  const end = text.indexOf("\n");
  const info = text.slice(blank.length + run.length, end === -1 ? undefined : end);
  if (end === -1 && !final && info.length <= MAX_INFO_LENGTH) return "wait";
  if ((run.startsWith("`") && info.includes("`")) || info.length > MAX_INFO_LENGTH) return undefined;
  const width = columnsOf(blank);
  const indent = " ".repeat(Math.min(width, MAX_INDENT));
  const language = DRAWN.test(info.trim()) || !/^[\w+#.-]*$/.test(info.trim()) ? "" : info.trim();
  return {
    text: `${indent}${run}${language}${end === -1 ? "" : "\n"}`,
    length: end === -1 ? text.length : end + 1,
    fence: { run, indent, taken: width - indent.length },
  };
}

/** The line a text begins with, if it closes the block; undefined: it does not. */
export function asFenceEnd(text: string, { run, indent }: Fence, final: boolean): Written | "wait" | undefined {
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end);
  const found = /^[ \t]*(`*|~*)[ \t]*$/.exec(line);
  if (found === null) return undefined;
  if (end === -1 && !final) return "wait";
  const closes = (found[1] ?? "").startsWith(run);
  return closes
    ? { text: `${indent}${found[1]}${end === -1 ? "" : "\n"}`, length: line.length + (end === -1 ? 0 : 1) }
    : undefined;
}

/** The first line of a text as a line of the block, as far as it is there; undefined while that cannot be told. */
export function codeLine(text: string, { indent, taken }: Fence, final: boolean): Written | undefined {
  const blank = /^[ \t]*/.exec(text)?.[0] ?? "";
  if (blank.length === text.length && !final) return undefined;
  const end = text.indexOf("\n");
  const length = end === -1 ? text.length : end + 1;
  if (text[blank.length] === "\n") return { text: "\n", length };
  if (blank.length === text.length) return { text: "", length };
  const left = Math.max(indent.length, columnsOf(blank) - taken);
  // Tabs stay where nothing has to be added or taken.
  const before = taken === 0 && columnsOf(blank) >= indent.length ? blank : " ".repeat(left);
  return { text: before + text.slice(blank.length, length), length };
}

/** How far white space reaches; a tab goes to the next column that four divides. */
function columnsOf(blank: string): number {
  let columns = 0;
  for (const character of blank) columns += character === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}

/**
 * The small grammars of links: label, destination, title, what stands between the parentheses, and link reference
 * definitions (CommonMark 0.31 sections 4.7 and 6.3). Each reads from a position and says where it ended.
 */
import { unescapeText } from "./inline/entities.ts";

/** Where a reference leads. */
export interface Reference {
  readonly url: string;
  readonly title?: string;
}

export interface Reading {
  readonly value: string;
  readonly end: number;
}

/** The text ended before it was decided; more of it can still change the outcome. */
export const UNFINISHED = Symbol("unfinished");
type Maybe<Value> = Value | typeof UNFINISHED | undefined;

const MAX_LABEL = 999;
const MAX_PARENTHESES = 32;

/** Labels match without regard to case and to how their white space is written. */
export function normalLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();
}

/** `[label]` at `at`: its raw content, and the position behind the bracket. */
export function readLabel(text: string, at: number): Maybe<Reading> {
  const limit = Math.min(text.length, at + MAX_LABEL + 2);
  for (let index = at + 1; index < limit; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === "[") return undefined;
    else if (character === "]") {
      const value = text.slice(at + 1, index);
      return value.trim() === "" ? undefined : { value, end: index + 1 };
    }
  }
  return limit === text.length ? UNFINISHED : undefined;
}

/** A destination: `<in angles>`, or without spaces and with balanced parentheses. */
function readDestination(text: string, at: number): Maybe<Reading> {
  if (at >= text.length) return UNFINISHED;
  return text[at] === "<" ? readAngled(text, at) : readBare(text, at);
}

function readAngled(text: string, at: number): Maybe<Reading> {
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === "\n" || character === "<") return undefined;
    else if (character === ">") return { value: unescapeText(text.slice(at + 1, index)), end: index + 1 };
  }
  return UNFINISHED;
}

function readBare(text: string, at: number): Maybe<Reading> {
  let depth = 0;
  let index = at;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === 0x7f) break;
    if (code === 0x5c && isEscapable(text[index + 1])) index += 1;
    else if (code === 0x28) depth += 1;
    else if (code === 0x29) {
      if (depth === 0) break;
      depth -= 1;
    }
    if (depth > MAX_PARENTHESES) return undefined;
  }
  if (index >= text.length) return UNFINISHED;
  return depth > 0 ? undefined : { value: unescapeText(text.slice(at, index)), end: index };
}

const TITLE_CLOSERS: Record<string, string> = { '"': '"', "'": "'", "(": ")" };

/** A title in quotes or parentheses. */
function readTitle(text: string, at: number): Maybe<Reading> {
  const opener = text[at];
  if (opener === undefined) return UNFINISHED;
  const closer = TITLE_CLOSERS[opener];
  if (closer === undefined) return undefined;
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === closer) return { value: unescapeText(text.slice(at + 1, index)), end: index + 1 };
    else if (character === "(" && opener === "(") return undefined;
    // A blank line ends the paragraph, and with it every title begun in it.
    else if (character === "\n" && /^\n[ \t]*\n/.test(text.slice(index, index + 3))) return undefined;
  }
  return UNFINISHED;
}

/** `(destination "title")` behind a link's text; `at` is the opening parenthesis. */
export function readInlineTail(text: string, at: number): Maybe<Reference & { end: number }> {
  let index = skipSpace(text, at + 1);
  if (text[index] === ")") return { url: "", end: index + 1 };
  const destination = readDestination(text, index);
  if (destination === undefined || destination === UNFINISHED) return destination;
  index = skipSpace(text, destination.end);
  if (text[index] === ")") return { url: destination.value, end: index + 1 };
  if (index === text.length) return UNFINISHED;
  if (index === destination.end) return undefined;
  const title = readTitle(text, index);
  if (title === undefined || title === UNFINISHED) return title;
  index = skipSpace(text, title.end);
  if (index === text.length) return UNFINISHED;
  return text[index] === ")" ? { url: destination.value, title: title.value, end: index + 1 } : undefined;
}

/**
 * A link reference definition at the start of `text`; unfinished while a further line could belong to it, which cannot
 * be when the text is `complete`: a title that never closed is none then.
 */
export function readDefinition(text: string, complete: boolean): Maybe<Reference & { label: string; end: number }> {
  const undecided = complete ? undefined : UNFINISHED;
  const label = readLabel(text, 0);
  if (label === UNFINISHED) return undecided;
  // A footnote is none.
  if (label === undefined || text[label.end] !== ":" || label.value.startsWith("^")) return undefined;
  const start = skipSpace(text, label.end + 1);
  if (start === text.length) return undecided;
  // A line break behind the destination ends it, so the text is read as if one followed.
  const destination = readDestination(`${text}\n`, start);
  if (destination === undefined || destination === UNFINISHED) return undefined;
  const definition = { label: normalLabel(label.value), url: destination.value };
  const lineEnd = endOfLine(text, destination.end);
  const titleAt = skipSpace(text, destination.end);
  const title = titleAt > destination.end ? readTitle(text, titleAt) : undefined;
  if (!complete && (titleAt === text.length || title === UNFINISHED)) return UNFINISHED;
  if (title !== undefined && title !== UNFINISHED) {
    const end = endOfLine(text, title.end);
    if (end !== undefined) return { ...definition, title: title.value, end };
  }
  return lineEnd === undefined ? undefined : { ...definition, end: lineEnd };
}

/** Position behind the line, where only blanks are left on it. */
function endOfLine(text: string, at: number): number | undefined {
  let index = at;
  while (text[index] === " " || text[index] === "\t") index += 1;
  if (index >= text.length) return text.length;
  return text[index] === "\n" ? index + 1 : undefined;
}

/** Blanks and at most one line feed. */
function skipSpace(text: string, at: number): number {
  let index = at;
  let feeds = 0;
  for (; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\n") feeds += 1;
    else if (character !== " " && character !== "\t") break;
    if (feeds > 1) break;
  }
  return index;
}

/** ASCII punctuation: what a backslash takes its meaning from. */
export function isEscapable(character: string | undefined): boolean {
  return character !== undefined && /^[!-/:-@[-`{-~]$/.test(character);
}

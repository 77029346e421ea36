/**
 * Formulas as models write them: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. What stands in one is TeX, so no mark of markdown in
 * it means anything. Amounts of money, variables of a shell and escaped brackets are none.
 */
import type { CodeSpan } from "../tree.ts";

/** A formula found in a text, and where it ends. */
export interface FoundFormula {
  readonly node: CodeSpan;
  readonly end: number;
}

/** Longer ones are none, whether they came at once or in pieces. */
const MAX_INLINE = 300;
const MAX_DISPLAY = 2_000;

const WORDLIKE = /[A-Za-z0-9$]/;
/** `$5 and`, `$1,200.50 for`: a number, and then a word. */
const AMOUNT = /^\d[\d.,]*[kKmM]?[ \n][^\\+\-=<>*/^_{}$]/;
/** A command, or what is raised, lowered, equal, compared or grouped. */
const TEX = /\\[A-Za-z]|[\^_=<>{}]/;
/** Marks that markdown escapes, and TeX does not. */
const ESCAPED = /\\[*#`[\]()]/;

/**
 * The formula that begins at `at`; `"unfinished"` when the text ends before that is decided, which cannot be while
 * `complete` says that nothing follows; undefined when none begins here.
 */
export function formulaAt(text: string, at: number, complete: boolean): FoundFormula | "unfinished" | undefined {
  if (text[at] === "\\") {
    const closer = CLOSERS[text[at + 1] ?? ""];
    return closer === undefined ? undefined : closedBy(text, at + 2, closer, complete);
  }
  if (text[at + 1] === "$") return closedBy(text, at + 2, "$$", complete);
  if (at > 0 && WORDLIKE.test(text.charAt(at - 1))) return undefined;
  return closedBy(text, at + 1, "$", complete);
}

const CLOSERS: Record<string, string> = { "(": "\\)", "[": "\\]" };

function closedBy(
  text: string,
  start: number,
  closer: string,
  complete: boolean,
): FoundFormula | "unfinished" | undefined {
  const isDollar = closer === "$";
  if (isDollar && (/\s/.test(text.charAt(start)) || AMOUNT.test(text.slice(start, start + 24)))) return undefined;
  const isInline = isDollar || closer === "\\)";
  const limit = start + (isInline ? MAX_INLINE : MAX_DISPLAY);
  const end = endOf(text, start, closer, limit);
  const behind = text[end + closer.length];
  const isOpen =
    behind === undefined && (isDollar || !text.startsWith(closer, end)) && closer.startsWith(text.slice(end));
  if (isOpen && !complete && end < limit) return "unfinished";
  if (!text.startsWith(closer, end)) return undefined;
  const source = text.slice(start, end);
  if (isDollar && (/\s$/.test(source) || (behind !== undefined && WORDLIKE.test(behind)))) return undefined;
  if (!isTex(source, isInline)) return undefined;
  const formula = isInline ? "inline" : "display";
  return { node: { type: "codespan", text: source.trim(), formula }, end: end + closer.length };
}

/** Where the formula ends: at its closer, at what can stand in none, or where the text or the room for it ends. */
function endOf(text: string, start: number, closer: string, limit: number): number {
  const last = Math.min(text.length, limit);
  for (let at = start; at < last; at += 1) {
    if (text.startsWith(closer, at)) return at;
    const character = text[at];
    if (character === "$") return at;
    if (character !== "\\") continue;
    // Another one begins: this one never ended.
    if (!closer.startsWith("$") && "([".includes(text[at + 1] ?? " ")) return at;
    at += 1;
  }
  return last;
}

function isTex(source: string, isInline: boolean): boolean {
  if (source.trim() === "" || ESCAPED.test(source)) return false;
  return TEX.test(source) || (isInline && /^[^\s]*[A-Za-z][^\s]*$/.test(source));
}

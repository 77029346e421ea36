/**
 * Marks, in every form servers and models are seen to write (docs/wire.md, section 1.6): `[1]`, `[1, 2]`, `[[1]]`,
 * `[[1]]()`, `[[1]](address)` with balanced parentheses inside the address, `【1】` and `［1］`. Inside code they are text.
 */
import type { CitationMark, Mark } from "./tree.ts";

/** A mark found in a text, and where it ends. */
export interface FoundMark {
  readonly node: CitationMark;
  readonly end: number;
}

/** Characters a mark begins with. */
export const MARK_OPENERS = "[【［";

/** What closes each of them. */
const CLOSERS = "]】］";
const NUMBERS = /\d{1,6}(?:[ \t]*[,，][ \t]*\d{1,6})*/y;
const UNFINISHED_NUMBERS = /(?:\d{1,6}(?:[ \t]*[,，][ \t]*\d{1,6})*(?:[ \t]*[,，][ \t]*)?)?/y;
/** A longer address is none: servers write the document's link, and browsers give up near here. */
const MAX_ADDRESS = 4096;
/** Half an address behind its parenthesis: of its scheme something, or all and more, without blanks and in any script. */
const HALF_ADDRESS = /^.\w*(:\S*)?$/;

/**
 * The mark that begins at `at`; `"unfinished"` when the text ends before that is decided, which cannot be while
 * `complete` says that nothing follows; undefined when no mark begins here.
 */
export function markAt(text: string, at: number, complete: boolean): FoundMark | "unfinished" | undefined {
  const doubled = text.startsWith("[[", at);
  const opener = text[at] ?? "";
  const inner = at + (doubled ? 2 : 1);
  NUMBERS.lastIndex = inner;
  const numbers = NUMBERS.exec(text)?.[0] ?? "";
  const after = inner + numbers.length;
  const closer = doubled ? "]]" : CLOSERS.charAt(MARK_OPENERS.indexOf(opener));
  if (numbers === "" || !text.startsWith(closer, after)) {
    return !complete && endsInside(text, inner, closer) ? "unfinished" : undefined;
  }
  const end = after + closer.length;
  const next = text[end];
  if (next === undefined && !complete && opener === "[") return "unfinished";
  // `[1](address)` is a link whose text happens to be a number.
  if (next === "(" && opener === "[") return doubled ? addressedMark(text, end, numbers, complete) : undefined;
  return { node: citation(numbers), end };
}

/** Whether the text ends while the numbers, or the brackets that close them, are still being written. */
function endsInside(text: string, inner: number, closer: string): boolean {
  if (text.length === inner) return true;
  UNFINISHED_NUMBERS.lastIndex = inner;
  const numbers = UNFINISHED_NUMBERS.exec(text)?.[0] ?? "";
  const rest = text.slice(inner + numbers.length, inner + numbers.length + 2).trimEnd();
  return (
    inner + numbers.length + rest.length >= text.length && (rest === "" || (numbers !== "" && closer.startsWith(rest)))
  );
}

/** `[[1]](address)`: the address ends at the parenthesis that closes the first one, or where the text is cut. */
function addressedMark(
  text: string,
  open: number,
  numbers: string,
  complete: boolean,
): FoundMark | "unfinished" | undefined {
  // The line goes no further, and another mark is none of it: each character is looked at for one mark alone.
  const [part = ""] = text.slice(open, open + MAX_ADDRESS).split(/\n|\[\[/, 1);
  let depth = 0;
  for (let at = 0; at < part.length; at += 1) {
    if (part[at] === "(") depth += 1;
    if (part[at] === ")") depth -= 1;
    if (depth === 0) return { node: citation(numbers, part.slice(1, at)), end: open + at + 1 };
  }
  // It never ends: the brackets alone are the mark. What follows is text, but for half an address that the text was cut in.
  const end = open + part.length;
  if (end < text.length) return { node: citation(numbers), end: open };
  if (!complete) return "unfinished";
  return { node: citation(numbers), end: HALF_ADDRESS.test(part) ? end : open };
}

function citation(numbers: string, address = ""): CitationMark {
  const marks = numbers.split(/[,，]/).map((number): Mark => {
    const parsed = Number.parseInt(number.trim(), 10);
    return address === "" ? { number: parsed } : { number: parsed, link: address };
  });
  return { type: "citation", marks, text: `[${numbers}]` };
}

/**
 * Footnotes, as text that every surface can show: `[^1]` is a raised number where it stands, and `[^1]: text`, at the
 * beginning of a line, that number in front of the text. A name in place of a number keeps its brackets.
 */

/** What stands for a footnote's mark, and where the mark ends. */
export interface FoundNote {
  readonly text: string;
  readonly end: number;
  /** It begins the note itself. */
  readonly isNote: boolean;
}

/** A longer name is none. */
const MAX_NAME = 40;
const MARK = new RegExp(`\\[\\^([^\\s[\\]^]{1,${MAX_NAME}})\\]`, "y");
const UNFINISHED = new RegExp(`\\[\\^[^\\s[\\]^]{0,${MAX_NAME}}\\]?(?::[ \\t]*)?$`, "y");
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** The mark that begins at `at`; as `markAt` says what is unfinished and what is none. */
export function footnoteAt(text: string, at: number, complete: boolean): FoundNote | "unfinished" | undefined {
  if (text[at + 1] !== "^") return undefined;
  UNFINISHED.lastIndex = at;
  if (!complete && UNFINISHED.test(text)) return "unfinished";
  MARK.lastIndex = at;
  const name = MARK.exec(text)?.[1];
  if (name === undefined) return undefined;
  const behind = at + name.length + 3;
  // A link whose text happens to begin like one.
  if (text[behind] === "(") return undefined;
  const isNote = text[behind] === ":" && (at === 0 || text[at - 1] === "\n");
  const shown = /^\d+$/.test(name) ? name.replace(/\d/g, (digit) => RAISED.charAt(Number(digit))) : `[${name}]`;
  if (!isNote) return { text: shown, end: behind, isNote };
  const blanks = /^:[ \t]*/.exec(text.slice(behind, behind + MAX_NAME))?.[0].length ?? 1;
  return { text: `${shown} `, end: behind + blanks, isNote };
}

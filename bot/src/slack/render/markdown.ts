/** Answers in the markdown of `markdown` blocks and `markdown_text`. */
import { escapeControl } from "@threadlore/documents/slack";
import { JOINER } from "./escape.ts";
import type { Dialect } from "./dialect.ts";

const isWordCharacter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** A backslash before what would be read as markup here, and before nothing else. */
function escapeMarkdown(word: string, before: string, after: string): string {
  const written = word.replace(/[\\_*~[\]]/g, (character, at: number) => {
    const [left, right] = [word[at - 1] ?? before, word[at + 1] ?? after];
    const escaped = isMarkup(character, left, right) ? `\\${character}` : character;
    // A bracket's address can only stand right behind it.
    return character === "]" && /[([:]/.test(right) ? escaped + JOINER : escaped;
  });
  return escapeControl(written);
}

/** Whether a backslash, a mark of emphasis or a bracket would be read as markup beside these characters. */
function isMarkup(character: string, left: string, right: string): boolean {
  switch (character) {
    case "\\":
      return right === "" || /[!-/:-@[-`{-~]/.test(right);
    case "_":
      return !(isWordCharacter(left) && isWordCharacter(right)) && !(left === " " && right === " ");
    case "*":
    case "~":
      return !(left === " " && right === " ");
    default:
      return true;
  }
}

/** Standard markdown, as `markdown` blocks and streamed messages take it. */
export const MARKDOWN: Dialect = {
  word: escapeMarkdown,
  lineStart: (escaped) =>
    escaped
      .replace(/^(?=&gt;)/, JOINER)
      .replace(/^(?=(?:#{1,6}|\+|-+|=+)$)/, "\\")
      .replace(/^(\d{1,9})(?=[.)]$)/, `$1${"\\"}`),
  strong: "**",
  emphasis: "*",
  strike: "~~",
  codespan: (text) => {
    const runs = new Set([...text.matchAll(/`+/g)].map(([run]) => run.length));
    // Three would be read as a block's fence by some.
    const ticks = [1, 2].find((length) => !runs.has(length));
    if (ticks === undefined) return undefined;
    const room = /^`|`$|^ .* $/.test(text) ? " " : "";
    return `${"`".repeat(ticks)}${room}${escapeControl(text)}${room}${"`".repeat(ticks)}`;
  },
  link: (label, address) => `[${label}](${address})`,
  code: fencedCode,
  longestCode: 4_000,
  heading: { before: (level) => `${"#".repeat(level)} `, strong: false },
  bullet: (alternate) => (alternate ? "* " : "- "),
  lineBreak: "  ",
  divider: "---",
};

/** A block of code with its fences; no line feed at its end. */
export function fencedCode(code: string, language: string): string {
  // No run of backticks is so long that its fence would fill a message.
  const text = code.replace(/`{9}(?=`)/g, `$&${JOINER}`);
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${escapeControl(text)}${text.endsWith("\n") ? "" : "\n"}${ticks}`;
}

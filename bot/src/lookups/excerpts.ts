import { literalText, shortened } from "../slack/render/escape.ts";

/** Lines that begin a part, a list's point, a quotation. */
const LINE_MARKS = /^[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,3}[.)][ \t]+|>[ \t]?)+/;
const HEADING = /^[ \t]*#{1,6}[ \t]+/;

/**
 * What passages of a document say, in plain words on one line: without the marks of their markup, and without the title,
 * which stands beside it already. Ends after a word. Empty where they say nothing.
 * @param longest in characters
 */
export function excerptOf(passages: readonly string[], title: string, longest: number): string {
  const words = passages
    // What is far behind the end takes time, and is not shown.
    .map((passage) => literalText(plainOf(passage.slice(0, 4 * longest), title)))
    .filter((passage) => passage !== "")
    .join(" … ");
  const cut = shortened(words, longest);
  if (cut === words) return words;
  const end = cut.lastIndexOf(" ");
  // A script without spaces, or one long word.
  return end < longest / 2 ? cut : `${cut.slice(0, end)}…`;
}

function plainOf(text: string, title: string): string {
  return text
    .split("\n")
    .filter((line) => !HEADING.test(line) || line.replace(HEADING, "").trim() !== title.trim())
    .map((line) => {
      const isHeading = HEADING.test(line);
      // Bounded, so that a line of marks alone takes no time that grows with its square.
      const words = line
        .replace(LINE_MARKS, "")
        .replaceAll(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}\)/g, "$1")
        .replaceAll(/(\*\*|__|`{1,3})(?=\S)([^*_`]{1,1000})\1/g, "$2")
        .trim();
      // A part's name runs into what it says otherwise.
      return isHeading && words !== "" && !/\p{P}$/u.test(words) ? `${words}:` : words;
    })
    .filter((line) => line !== "" && !/^[|:\s-]+$/.test(line))
    .join(" ");
}

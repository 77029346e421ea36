/** What a notification, a preview or a screen reader is given of a message. */
import { type Block, plainText } from "@threadlore/ask";
import { mrkdwnText, shortened } from "./escape.ts";
import { BUDGETS } from "../transport/limits.ts";

/**
 * The first sentences of the blocks in plain words, escaped for a message's `text`. Headings alone say nothing and are
 * passed over where there is anything else; without any words it says what there is, and with nothing at all `otherwise`.
 */
export function notificationText(blocks: readonly Block[], otherwise: string): string {
  const words = sentences(wordsOf(blocks.filter((block) => block.type !== "heading")));
  const said = words === "" ? sentences(wordsOf(blocks)) : words;
  return mrkdwnText(said === "" ? otherwise : said);
}

/** Whole sentences, as many as fit; at least the first, cut where it is too long. */
function sentences(text: string): string {
  // A citation left out leaves a blank before the full stop.
  const line = text
    .replace(/\s+/g, " ")
    .replace(/ (?=[.,;:!?](?: |$))/g, "")
    .trim();
  if (line.length <= BUDGETS.notification) return line;
  const head = line.slice(0, BUDGETS.notification);
  const end = [...head.matchAll(/[.!?。！？](?=\s|$)|[。！？]/g)].at(-1);
  if (end !== undefined && end.index > BUDGETS.notification / 4) return head.slice(0, end.index + 1);
  const blank = head.lastIndexOf(" ");
  return shortened(line, blank > BUDGETS.notification / 2 ? blank + 1 : BUDGETS.notification);
}

/** The words of blocks, as many as a notification may need. */
function wordsOf(blocks: readonly Block[]): string {
  let words = "";
  for (const block of blocks) {
    if (words.length > BUDGETS.notification) break;
    words += ` ${blockWords(block)}`;
  }
  return words;
}

function blockWords(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return plainText(block.children);
    case "heading":
      return `${plainText(block.children)}.`;
    case "code":
      return block.text.trim() === "" ? "" : `Code: ${block.text.slice(0, BUDGETS.notification)}`;
    case "quote":
      return wordsOf(block.children);
    case "list":
      return block.children
        .slice(0, BUDGETS.notification)
        .map((item) => wordsOf(item.children).trim())
        .filter((words) => words !== "")
        .join("; ");
    case "table":
      return `A table of ${block.header
        .map((cell) => plainText(cell))
        .filter((cell) => cell !== "")
        .join(", ")}.`;
    case "aside":
      // How the question was read is not what the answer says.
      return block.role === "corrected" ? "" : wordsOf(block.children);
    case "divider":
      return "";
  }
}

/** The beginning of a text on one line, never empty, for where its blocks are not at hand. */
export function notificationLine(text: string): string {
  return shortened(text.replaceAll(/\s+/g, " ").trim(), BUDGETS.notification) || "…";
}

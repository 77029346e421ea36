/** A whole answer as messages to post, each within the platform's limits and our budgets. */
import type { AnyBlock, KnownBlock } from "@slack/types";
import type { Answer, Links } from "@threadlore/ask";
import { createMarkdown } from "@threadlore/ask";
import { closingBlocks, closingLines, type ClosingOptions, statusLine } from "../render/blocks.ts";
import { mrkdwnText, shortened } from "../render/escape.ts";
import { mrkdwnPieces } from "../render/mrkdwn.ts";
import { notificationText } from "../render/notification.ts";
import type { Piece } from "../render/pieces.ts";
import { piecesOf } from "../render/pieces.ts";
import { planBlocks, planTitle, taskCards } from "../render/task-cards.ts";
import { verbatim } from "../render/text-blocks.ts";
import type { PostedMessage } from "../transport/calls.ts";
import { BUDGETS, STREAM } from "../transport/limits.ts";
import { messagesLeft, START } from "./cut-into-messages.ts";
import { limitsOf } from "./message-budget.ts";

/**
 * The answer as messages with blocks, at least one. Cut at blank lines where it can be, else at line ends, else between
 * words; code only where it alone is longer than a message, and then at a line. At most one table a message. What was
 * done for it stands folded above the first, `below` at the end of the last.
 */
export function answerMessages(
  answer: Answer,
  links: Links,
  below: readonly KnownBlock[] = [],
  options: ClosingOptions = {},
): PostedMessage[] {
  const laidOut = messagesLeft(START, piecesOf(answer.blocks, links), STREAM);
  const closing = closingBlocks(answer, links, below, options);
  const steps = planBlocks(planTitle(answer, ""), taskCards(answer));
  if (laidOut.length === 0) {
    const status = statusLine(answer);
    const text = mrkdwnText(status ?? "The answer is empty.");
    return [{ text, blocks: [...steps, verbatim(text), ...closing.slice(status === undefined ? 0 : 1)] }];
  }
  return laidOut.map((message, index) => {
    const text = index === 0 ? notificationText(answer.blocks, "An answer.") : continuedText(message.text);
    const above = index === 0 ? steps : [];
    const end = index === laidOut.length - 1 ? closing : [];
    return { text, blocks: [...above, ...message.blocks, ...end] };
  });
}

/** The answer as messages of mrkdwn text alone, for where no blocks are taken; sources and disclaimer as lines. */
export function plainMessages(answer: Answer, links: Links, options: ClosingOptions = {}): PostedMessage[] {
  const body = mrkdwnPieces(answer.blocks, links);
  const lines = closingLines(answer, links, options).map((line, index): Piece => {
    const before = index === 0 ? (body.length === 0 ? "" : "\n\n") : "\n";
    return { kind: "text", text: before + line, after: "line" };
  });
  const messages = messagesLeft(START, [...body, ...lines], limitsOf(BUDGETS.plainText));
  return messages.length === 0
    ? [{ text: "The answer is empty." }]
    : messages.map(({ text }) => ({ text: text.trim() }));
}

function continuedText(text: string): string {
  // Read again as what it is, so that no markup is in the notification.
  const markdown = createMarkdown({ citations: false });
  markdown.push(shortened(text, 2_000));
  return notificationText(markdown.end(), "The answer goes on.");
}

/** A refused message as simpler ones: blocks become text, text is halved. */
export function simpler({ text, blocks, plain }: PostedMessage): PostedMessage[] {
  const words = blocks === undefined ? text : (plain ?? (wordsOf(blocks) || text));
  const bytes = blocks === undefined ? Math.ceil(Buffer.byteLength(text) / 2) : BUDGETS.plainText;
  const messages = messagesLeft(START, [{ kind: "text", text: words, after: "block" }], limitsOf(bytes));
  return messages.length === 0 ? [{ text: "…" }] : messages.map((message) => ({ text: message.text.trim() }));
}

/** What blocks say, as far as text can. */
function wordsOf(blocks: readonly AnyBlock[]): string {
  const words = blocks.map((block) => {
    if (!("text" in block)) return "";
    const { text } = block;
    return typeof text === "string" ? text : text === undefined ? "" : text.text;
  });
  return words.filter((each) => each !== "").join("\n\n");
}

/** A whole answer as messages to post, each within the platform's limits and our budgets. */
import type { KnownBlock, MarkdownBlock, TableBlock } from "@slack/types";
import type { Answer, Links } from "@threadlore/ask";
import { createMarkdown } from "@threadlore/ask";
import type { ClosingOptions } from "../render/blocks.ts";
import { closingBlocks, closingLines, statusLine } from "../render/blocks.ts";
import { byteLength, escapeControl, mrkdwnText, shortened } from "../render/escape.ts";
import { BUDGETS } from "../transport/limits.ts";
import { fencedCode } from "../render/markdown.ts";
import { mrkdwnPieces } from "../render/mrkdwn.ts";
import { notificationText } from "../render/notification.ts";
import type { Piece } from "../render/pieces.ts";
import { piecesOf, pieceText } from "../render/pieces.ts";

/** What is posted: `text` is for notifications, and for where blocks are not shown. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks?: readonly KnownBlock[];
}

/** Settings of `answerMessages`. */
export interface AnswerMessageOptions extends ClosingOptions {
  /** Sources, disclaimer and buttons below the last message. Default true. */
  readonly closing?: boolean;
  /** UTF-8 bytes of text per message; default 9,000. */
  readonly bytes?: number;
}

/**
 * The answer as messages with blocks, at least one. Cut at blank lines where it can be, else at line ends, else between
 * words; code only where it alone is longer than a message, and then at a line. At most one table a message.
 */
export function answerMessages(answer: Answer, links: Links, options: AnswerMessageOptions = {}): SlackMessage[] {
  const drafts = packed(piecesOf(answer.blocks, links), options.bytes ?? BUDGETS.messageBytes);
  const closing = options.closing === false ? [] : closingBlocks(answer, links, options);
  if (drafts.length === 0) {
    const said = statusLine(answer) ?? "The answer is empty.";
    const own: KnownBlock[] = [{ type: "section", text: { type: "mrkdwn", text: mrkdwnText(said), verbatim: true } }];
    return [{ text: mrkdwnText(said), blocks: [...own, ...closing.slice(statusLine(answer) === undefined ? 0 : 1)] }];
  }
  return drafts.map((draft, index) => {
    const blocks = blocksOf(draft);
    const text = index === 0 ? notificationText(answer.blocks, "An answer.") : continuedText(draft);
    return { text, blocks: index === drafts.length - 1 ? [...blocks, ...closing] : blocks };
  });
}

/** The answer as messages of mrkdwn text alone, for where no blocks are taken; sources and disclaimer as lines. */
export function plainMessages(answer: Answer, links: Links, options: AnswerMessageOptions = {}): SlackMessage[] {
  const body = mrkdwnPieces(answer.blocks, links);
  const closing = options.closing === false ? [] : closingLines(answer, links, options);
  const lines = closing.map((line, index): Piece => {
    const before = index === 0 ? (body.length === 0 ? "" : "\n\n") : "\n";
    return { kind: "text", text: before + line, after: "line" };
  });
  const drafts = packed([...body, ...lines], BUDGETS.plainText);
  const texts = drafts.map((draft) => draft.map(pieceText).join("").trim()).filter((text) => text !== "");
  return texts.length === 0 ? [{ text: "The answer is empty." }] : texts.map((text) => ({ text }));
}

function continuedText(draft: readonly Piece[]): string {
  // Read again as what it is, so that no markup is in the notification.
  const markdown = createMarkdown({ citations: false });
  markdown.push(shortened(draft.map(pieceText).join(""), 2_000));
  return notificationText(markdown.end(), "The answer goes on.");
}

type Draft = Piece[];

/** Pieces in groups that each fit into one message. */
function packed(pieces: readonly Piece[], bytes: number): readonly Draft[] {
  const drafts: Draft[] = [];
  let draft: Draft = [];
  const close = (rest: Draft = []): void => {
    if (draft.some((piece) => piece.kind !== "text" || piece.text.trim() !== "")) drafts.push(draft);
    draft = rest;
  };
  for (const piece of pieces.flatMap((one) => fitting(one, bytes))) {
    if (piece.kind === "table" && draft.some((one) => one.kind === "table")) close();
    if (sizeOf(draft) + sizeOf([piece]) > bytes) {
      const at = bestCut(draft);
      const rest = draft.slice(at);
      draft = draft.slice(0, at);
      close(rest);
      // What was kept together with the piece may leave no room for it either.
      if (sizeOf(draft) + sizeOf([piece]) > bytes) close();
    }
    draft.push(piece);
  }
  close();
  return drafts;
}

/** How many pieces stay in a message that is full: up to the best end in its second half. */
function bestCut(draft: Draft): number {
  const total = sizeOf(draft);
  for (const wanted of ["block", "line"] as const) {
    let size = total;
    for (let at = draft.length; at > 0 && size > total / 2; at -= 1) {
      const piece = draft[at - 1];
      if (piece === undefined || piece.kind !== "text" || piece.after === wanted) return at;
      size -= sizeOf([piece]);
    }
  }
  return draft.length;
}

/** A table is not counted: it has a limit of its own. */
function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece.kind === "table" ? 0 : byteLength(pieceText(piece))), 0);
}

/** A piece in parts that each fit into a message. */
function fitting(piece: Piece, bytes: number): readonly Piece[] {
  if (sizeOf([piece]) <= bytes) return [piece];
  switch (piece.kind) {
    case "table":
      return [piece];
    case "code":
      return codeParts(piece.code, piece.info, bytes);
    case "text":
      return textParts(piece.text, bytes).map((text): Piece => ({ kind: "text", text, after: piece.after }));
  }
}

/** Code in parts, each fenced anew; a line only where it alone is too long. */
export function codeParts(code: string, info: string, bytes: number): readonly Piece[] {
  const room = bytes - byteLength(fencedCode("", info)) - 100;
  const lines = code.split(/(?<=\n)/).flatMap((line) => codeLineParts(line, room));
  return parts(lines, room, (line) => byteLength(escapeControl(line))).map((text) => ({
    kind: "code",
    info,
    code: text,
  }));
}

/** Markup in parts of so many bytes; neither a character nor an escape is cut. */
function textParts(text: string, bytes: number): string[] {
  return parts(text.match(/\\[^]|&[a-z]+;|[^]/gu) ?? [], bytes, byteLength);
}

/** A line of code in parts of so many bytes, once escaped. */
function codeLineParts(line: string, bytes: number): string[] {
  return parts(line.match(/[^]/gu) ?? [], bytes, (character) => byteLength(escapeControl(character)));
}

function parts(units: readonly string[], bytes: number, sizeOfUnit: (unit: string) => number): string[] {
  const found: string[] = [];
  let part = "";
  let size = 0;
  for (const unit of units) {
    const length = sizeOfUnit(unit);
    if (size + length > bytes && part !== "") {
      found.push(part);
      [part, size] = ["", 0];
    }
    part += unit;
    size += length;
  }
  return part === "" ? found : [...found, part];
}

function blocksOf(draft: readonly Piece[]): KnownBlock[] {
  const blocks: (MarkdownBlock | TableBlock)[] = [];
  let text = "";
  const flush = (): void => {
    const trimmed = text.trim();
    if (trimmed !== "") blocks.push({ type: "markdown", text: trimmed });
    text = "";
  };
  for (const piece of draft) {
    if (piece.kind !== "table") {
      text += pieceText(piece);
      continue;
    }
    flush();
    blocks.push(piece.block);
  }
  flush();
  return blocks;
}

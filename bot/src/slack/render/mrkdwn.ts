/** Answers in classic mrkdwn: notification texts, context blocks, and messages where nothing else is taken. */
import { type Block, type Links, visibleText } from "@threadlore/ask";
import { alternating, type Dialect, MarkupWriter } from "./dialect.ts";
import { escapeControl, JOINER, parted } from "./escape.ts";
import { type Piece, textPieces } from "./pieces.ts";
import { plainTable } from "./tables.ts";

/** Backticks cannot be escaped here: an invisible character parts those that would begin or end code. */
const withoutFences = (text: string): string => text.replace(/`(?=`)/g, `\`${JOINER}`);

/**
 * Classic mrkdwn. It has no escapes but the three character references: a star or an underscore of the text may format
 * it, and can do no more. Addresses inside code are parted too, since here the platform looks for them there as well.
 */
const MRKDWN: Dialect = {
  word: (word) => escapeControl(word),
  lineStart: (escaped) => escaped.replace(/^(?=&gt;)/, JOINER),
  strong: "*",
  emphasis: "_",
  strike: "~",
  codespan: (text) => (text.includes("`") ? undefined : `\`${escapeControl(parted(text))}\``),
  link: (label, address) => `<${address}|${label}>`,
  code: (text) => `\`\`\`\n${escapeControl(parted(withoutFences(text))).replace(/\n$/, "")}\n\`\`\``,
  longestCode: 1_500,
  heading: { before: () => "", strong: true },
  bullet: (alternate) => (alternate ? "◦ " : "• "),
  lineBreak: "",
  divider: "———",
};

/** Blocks as classic mrkdwn, in pieces that say where it may be cut; links only where `links` allows them, tables as aligned text. */
export function mrkdwnPieces(blocks: readonly Block[], links: Links): readonly Piece[] {
  return alternating(blocks).flatMap(({ block, alternate }): readonly Piece[] => {
    if (block.type === "code") return [codePiece(visibleText(block.text))];
    const aligned = block.type === "table" ? plainTable(block, links) : undefined;
    if (aligned !== undefined) return [codePiece(aligned)];
    return textPieces(new MarkupWriter(links, MRKDWN).block(block, alternate).finish("\n\n", "block"));
  });
}

const codePiece = (code: string): Piece => ({ kind: "code", info: "", code: parted(withoutFences(code)) });

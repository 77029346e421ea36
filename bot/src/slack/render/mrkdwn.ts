/** Answers in classic mrkdwn: notification texts, context blocks, and messages where nothing else is taken. */
import { type Block, type Links, visibleText } from "@threadlore/ask";
import { alternating, MarkupWriter } from "./dialect.ts";
import { parted } from "./escape.ts";
import { MRKDWN, withoutFences } from "./mrkdwn-dialect.ts";
import { type Piece, textPieces } from "./pieces.ts";
import { plainTable } from "./tables.ts";

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

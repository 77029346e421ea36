/** A growing answer as pieces that are never taken back. */
import { type Answer, type Block, createMarkdown, hasAsides, type Links, withAsides } from "@threadlore/ask";
import type { Piece, Unit } from "./pieces.ts";
import { OPEN_END, pieceText, piecesOf, settledBlock, textPieces, unitPieces, unitSpans, unitsOf } from "./pieces.ts";
import type { Span } from "./spans.ts";

/** A block still being written is looked at again once the text has grown by this part of what was given of it. */
const GROWTH = 0.02;

/** Turns snapshots of one answer into pieces, each given once. */
export class PieceFlow {
  /** Message groups before this one that were given whole. */
  private groups = 0;
  /** Units of this group that were given whole. */
  private done = 0;
  /** What was given of the unit behind them. */
  private begun = "";
  /** Everything given of this group. */
  private given = "";
  /** Length of the answer's text when the open block was last looked at. */
  private looked = 0;
  /** What this group finds, by which blocks of it are asides. */
  private finding: Answer["finding"];

  /**
   * The pieces that became certain since the last call. Of a block still being written only its settled words come;
   * code and tables come whole. Text before a message group that follows (a preamble) stays, and is completed.
   */
  push(answer: Answer, links: Links): readonly Piece[] {
    const before = this.preambles(answer, links);
    // Looking at a long paragraph for every word of it would take a time that grows with its square.
    const look = answer.text.length >= this.looked + this.begun.length * GROWTH;
    if (look) this.looked = answer.text.length;
    // What is still being written may turn out to be an aside, which cannot go on behind its own beginning.
    const how = look && !hasAsides(answer.finding) ? { sources: answer.sources.length > 0 } : "closed";
    const pieces = this.advance(answer.blocks, links, how);
    return [...before, ...pieces];
  }

  /**
   * What is left, once nothing more will come. `rewritten`: something given before reads otherwise in the final answer
   * (a line below made a heading of a paragraph, a definition far below made a link, another model's answer took over).
   * Then the pieces hold every block whole that changed, so that nothing is lost, and `answerMessages` has the answer
   * as it should be shown instead.
   */
  end(answer: Answer, links: Links): { readonly pieces: readonly Piece[]; readonly rewritten: boolean } {
    const pieces = [...this.preambles(answer, links), ...this.advance(answer.blocks, links, "all")];
    const whole = piecesOf(answer.blocks, links).map(pieceText).join("");
    return { pieces, rewritten: this.given.trimEnd() !== whole.trimEnd() };
  }

  /** Completes the group given so far where the answer has gone on to another one. */
  private preambles(answer: Answer, links: Links): readonly Piece[] {
    const pieces: Piece[] = [];
    while (this.groups < answer.preambles.length) {
      const markdown = createMarkdown();
      markdown.push(answer.preambles[this.groups] ?? "");
      pieces.push(...this.advance(withAsides(markdown.end(), this.finding), links, "all"));
      if (this.given !== "") pieces.push({ kind: "text", text: "\n\n", after: "block" });
      this.groups += 1;
      [this.done, this.begun, this.given, this.looked] = [0, "", "", 0];
    }
    this.finding = answer.finding;
    return pieces;
  }

  /** `how`: everything, what is closed, or also what is settled of the last one while sources are known or not. */
  private advance(
    blocks: readonly Block[],
    links: Links,
    how: "all" | "closed" | { sources: boolean },
  ): readonly Piece[] {
    const units = unitsOf(blocks);
    const closed = how === "all" ? units.length : units.length - 1;
    const pieces: Piece[] = [];
    for (const unit of units.slice(this.done, Math.max(this.done, closed))) {
      pieces.push(...this.complete(unit, links));
      this.done += 1;
      this.begun = "";
    }
    const open = units[this.done];
    if (open !== undefined && typeof how !== "string") {
      const block = settledBlock(open.block, links, how.sources);
      if (block !== undefined) pieces.push(...this.continue({ ...open, block, end: OPEN_END }, links));
    }
    this.given += pieces.map(pieceText).join("");
    return pieces;
  }

  private complete(unit: Unit, links: Links): readonly Piece[] {
    if (this.begun === "") return unitPieces(unit, links);
    const isText = unit.block.type !== "code" && unit.block.type !== "table";
    const left = isText ? behind(unitSpans(unit, links), this.begun) : undefined;
    if (left !== undefined) return textPieces(left);
    // It began as something else: said again, whole.
    return [{ kind: "text", text: "\n\n", after: "block" }, ...unitPieces(unit, links)];
  }

  private continue(unit: Unit, links: Links): readonly Piece[] {
    const spans = unitSpans(unit, links);
    const left = behind(spans, this.begun);
    if (left === undefined) return [];
    this.begun += left.map((span) => span.text).join("");
    const pieces = textPieces(left);
    return pieces.map((piece, at) => (at === pieces.length - 1 ? { ...piece, after: "run" } : piece));
  }
}

/** The spans behind a text they begin with; undefined where they do not. */
function behind(spans: readonly Span[], begun: string): readonly Span[] | undefined {
  const whole = spans.map((span) => span.text).join("");
  if (!whole.startsWith(begun)) return undefined;
  let skip = begun.length;
  return spans.flatMap((span): Span[] => {
    const taken = Math.min(skip, span.text.length);
    skip -= taken;
    return taken === span.text.length && taken > 0 ? [] : [{ ...span, text: span.text.slice(taken) }];
  });
}

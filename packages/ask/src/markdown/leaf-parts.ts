/** Headings, code, tables and dividers in the making. */
import { type Fence, splitRow } from "./block-starts.ts";
import { unescapeText } from "./inline/entities.ts";
import { GrowingCode, inOnePiece, Tape } from "./growth.ts";
import { InlineFlow } from "./inline/inline-flow.ts";
import { BasePart, FlowPart, type PartContext, type TextPart, trimEnd } from "./part.ts";
import type { Alignment, Block, Inline } from "./tree.ts";

export class HeadingPart extends FlowPart<Block> {
  readonly kind = "heading";
  private readonly level: number;

  constructor(line: number, level: number, context: PartContext) {
    super(line, context);
    this.level = level;
  }

  /** Blanks, and the number signs that close a heading. */
  protected override trim(text: string): string {
    return trimEnd(trimEnd(text).replace(/(^|[ \t])#+$/, ""));
  }

  protected make(): Block {
    return { type: "heading", level: this.level, children: this.flow.nodes() };
  }
}

/** A fenced code block, or an indented one when there is no fence. */
export class CodePart extends BasePart<Block> {
  readonly kind = "code";
  readonly fence: Fence | undefined;
  /** Columns of indentation the opening fence had: as many are taken off its lines. */
  readonly indent: number;
  private tape = new Tape();
  private readonly language: string;
  private isClosed = false;
  /** Blank lines that belong to an indented block only when another line of code follows. */
  private blanks = "";
  private lineOpen = false;

  constructor(line: number, fence?: Fence, indent = 0) {
    super(line);
    this.fence = fence;
    this.indent = indent;
    this.language = unescapeText(fence?.info ?? "").split(/\s/, 1)[0] ?? "";
  }

  addLine(text: string): void {
    this.finishLine();
    if (this.fence === undefined && text.trim() === "") {
      this.blanks += `${text}\n`;
      return;
    }
    this.tape.add(this.blanks);
    this.tape.add(text);
    this.blanks = "";
    this.lineOpen = true;
    this.touch();
  }

  addText(text: string): void {
    this.tape.add(text);
    this.touch();
  }

  finishLine(): void {
    if (!this.lineOpen) return;
    this.tape.add("\n");
    this.lineOpen = false;
    this.touch();
  }

  close(): void {
    this.finishLine();
    this.isClosed = true;
    this.touch();
  }

  protected make(): Block {
    const { tape, language } = this;
    if (!this.isClosed) return new GrowingCode(tape, language);
    const text = inOnePiece(tape.text);
    // The node is made once more and not again: what it was made of need not stay.
    this.tape = new Tape();
    return language === "" ? { type: "code", text } : { type: "code", text, language };
  }
}

/** How many cells the tables of one text may still be given that their rows did not write. Shared by its tables. */
export interface Autofill {
  left: number;
}

const EMPTY_CELL: readonly Inline[] = [];

export class TablePart extends BasePart<Block> implements TextPart {
  readonly kind = "table";
  private readonly align: readonly Alignment[];
  private readonly cells: InlineFlow[][] = [];
  private readonly rows: (readonly (readonly Inline[])[])[] = [];
  private readonly context: PartContext;
  private readonly autofill: Autofill;

  constructor(
    line: number,
    align: readonly Alignment[],
    header: readonly string[],
    context: PartContext,
    autofill: Autofill,
  ) {
    super(line);
    this.align = align;
    this.context = context;
    this.autofill = autofill;
    this.addCells(header);
  }

  get missing(): ReadonlySet<string> {
    return new Set(this.cells.flat().flatMap((cell) => [...cell.missing]));
  }

  /** Whether a line may be a row: while cells may be filled in, any; afterwards only one that needs none. */
  takes(row: string): boolean {
    return this.autofill.left > 0 || splitRow(row).length >= this.align.length;
  }

  addRow(row: string): void {
    this.addCells(splitRow(row));
  }

  private addCells(texts: readonly string[]): void {
    const cells = texts.slice(0, this.align.length).map((text) => {
      const flow = new InlineFlow(this.context);
      flow.append(text);
      flow.end(trimEnd);
      return flow;
    });
    this.autofill.left -= this.align.length - cells.length;
    this.cells.push(cells);
    this.rows.push(this.rowOf(cells));
    this.touch();
  }

  private rowOf(cells: readonly InlineFlow[]): (readonly Inline[])[] {
    return this.align.map((_, column) => cells[column]?.nodes() ?? EMPTY_CELL);
  }

  close(): void {
    if (this.missing.size > 0) this.context.awaitLabels(this);
  }

  parseAgain(): void {
    for (const [row, cells] of this.cells.entries()) {
      for (const cell of cells) if (cell.missing.size > 0) cell.again(trimEnd);
      this.rows[row] = this.rowOf(cells);
    }
    this.touch();
  }

  protected make(): Block {
    const [header = [], ...rows] = this.rows;
    return { type: "table", align: this.align, header, rows };
  }
}

export class DividerPart extends BasePart<Block> {
  readonly kind = "divider";
  protected make(): Block {
    return { type: "divider" };
  }
}

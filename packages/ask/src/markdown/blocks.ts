/**
 * Lines -> blocks (CommonMark 0.31 section 4 and 5 and its appendix on parsing, raw HTML left out; tables and task lists
 * added). Each line first continues or closes the open containers, then may begin new ones, and what is left of it goes
 * to the innermost part.
 */
import {
  closesFence,
  delimiterRow,
  headingMark,
  isDivider,
  listMark,
  openingFence,
  underline,
} from "./block-starts.ts";
import { ItemPart, ListPart, type Part, QuotePart } from "./block-parts.ts";
import { type Autofill, CodePart, DividerPart, HeadingPart, TablePart } from "./leaf-parts.ts";
import { Line } from "./line.ts";
import { OpenPath } from "./open-path.ts";
import { ParagraphPart } from "./paragraph-part.ts";
import type { PartContext } from "./part.ts";
import type { Block } from "./tree.ts";

/** How deep quotes and lists may nest; deeper marks are text. A bomb of `>` must not fill the stack. */
const MAX_DEPTH = 64;
/** Cells filled in for short rows, in all tables of a text: a few letters of rows must not become millions of cells. */
const MAX_AUTOFILLED = 20_000;

export class Blocks {
  private readonly open = new OpenPath();
  private lineNumber = 0;
  private readonly autofill: Autofill = { left: MAX_AUTOFILLED };
  private readonly context: PartContext;

  constructor(context: PartContext) {
    this.context = context;
  }

  /** The blocks so far. */
  get nodes(): readonly Block[] {
    return this.open.root.node() ?? [];
  }

  /** The innermost part has to see the whole of its next line before any of it may be read. */
  get waitsForWholeLines(): boolean {
    const { tip } = this.open;
    return tip.kind === "table" || (tip.kind === "paragraph" && tip.mayDefine);
  }

  /** A line inside a code fence that stands in nothing else is code unless it begins like a closing fence. */
  isPlainCode(beginning: string): boolean {
    const { tip, depth } = this.open;
    if (tip.kind !== "code" || tip.fence === undefined || depth !== 1) return false;
    const first = beginning.trimStart()[0];
    return first !== undefined && first !== tip.fence.character;
  }

  /** Reads a line, or the beginning of one whose structure is decided. `partial`: the rest comes through `addText`. */
  addLine(text: string, partial: boolean): void {
    this.lineNumber += 1;
    const line = new Line(text);
    const matched = this.continueOpen(line);
    if (matched === undefined) return;
    const before = this.open.tip;
    const container = this.begin(line, matched);
    if (container === undefined) return;
    // A line that continues nothing and begins nothing still continues a paragraph: its containers' marks were left out.
    const lazy = container === matched && before !== matched && before.kind === "paragraph" && !line.blank;
    this.addRest(line, lazy ? before : container, partial);
    if (!partial) this.finishLine();
  }

  /** More of the line begun last. */
  addText(text: string): void {
    const { tip } = this.open;
    if (tip.kind === "paragraph" || tip.kind === "heading" || tip.kind === "code") tip.addText(text);
  }

  /** The line begun last is complete. */
  finishLine(): void {
    const { tip } = this.open;
    if (tip.kind === "heading") this.open.close();
    else if (tip.kind === "code" || tip.kind === "paragraph") tip.finishLine();
  }

  end(): void {
    this.open.closeTo(this.open.root);
  }

  // ── Continuing ────────────────────────────────────────────────────────────────────────────────────────────────

  /** The innermost open part the line continues; undefined when the line closed a fence and is used up. */
  private continueOpen(line: Line): Part | undefined {
    let matched: Part = this.open.root;
    for (const part of this.open.parts()) {
      const continues = this.continues(part, line);
      if (continues === "closes") {
        this.open.stamp(part, this.lineNumber);
        this.open.closeTo(matched);
        return undefined;
      }
      if (!continues) break;
      matched = part;
    }
    return matched;
  }

  private continues(part: Part, line: Line): boolean | "closes" {
    switch (part.kind) {
      case "list":
        return true;
      case "quote":
        return takeQuoteMark(line);
      case "item":
        return continuesItem(part, line);
      case "code":
        return continuesCode(part, line);
      case "paragraph":
        return !line.blank;
      case "table":
        return !line.blank && part.takes(line.rest);
      default:
        return false;
    }
  }

  // ── Beginning ─────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Begins what the line begins, inside the part it continues. The innermost part afterwards; undefined when nothing is
   * left of the line.
   */
  private begin(line: Line, matched: Part): Part | undefined {
    let container = matched;
    let { depth } = this.open;
    while (container.kind !== "code" && container.kind !== "heading" && container.kind !== "divider") {
      const indent = line.indent;
      if (indent >= 4) {
        const lazy = this.open.tip.kind === "paragraph" || container.kind === "paragraph" || container.kind === "table";
        if (lazy || line.blank) break;
        line.skipColumns(4);
        return this.open.add(container, new CodePart(this.lineNumber));
      }
      const begun: Part | "whole line" | undefined =
        this.beginLeaf(line, container) ?? (depth < MAX_DEPTH ? this.beginContainer(line, container) : undefined);
      if (begun === undefined) break;
      if (begun === "whole line") return undefined;
      container = begun;
      depth += 1;
    }
    return container;
  }

  private beginContainer(line: Line, container: Part): Part | undefined {
    if (line.rest.startsWith(">")) {
      takeQuoteMark(line);
      return this.open.add(container, new QuotePart(this.lineNumber));
    }
    return this.beginItem(line, container);
  }

  /** Blocks that hold no others. */
  private beginLeaf(line: Line, container: Part): Part | "whole line" | undefined {
    const { rest } = line;
    const heading = headingMark(rest);
    if (heading !== undefined) {
      line.skipBlanks();
      line.skip(heading.length);
      return this.open.add(container, new HeadingPart(this.lineNumber, heading.level, this.context));
    }
    const fence = openingFence(rest);
    if (fence !== undefined) {
      this.open.add(container, new CodePart(this.lineNumber, fence, line.indent));
      return "whole line";
    }
    if (container.kind === "paragraph" && this.becomesOther(rest, container)) return "whole line";
    if (isDivider(rest)) {
      this.open.add(container, new DividerPart(this.lineNumber));
      this.open.close();
      return "whole line";
    }
    return undefined;
  }

  /** A line under a paragraph that makes a heading or the header of a table of it. */
  private becomesOther(rest: string, paragraph: ParagraphPart): boolean {
    const level = underline(rest);
    if (level !== undefined) {
      paragraph.settle();
      if (paragraph.hasText) {
        paragraph.becomeHeading(level);
        this.open.stamp(paragraph, this.lineNumber);
        this.open.close();
        return true;
      }
    }
    const align = delimiterRow(rest);
    const header = align === undefined ? undefined : paragraph.takeHeader(align.length);
    if (align === undefined || header === undefined) return false;
    this.open.close();
    const table = new TablePart(this.lineNumber - 1, align, header, this.context, this.autofill);
    this.open.add(this.open.tip, table);
    this.open.stamp(table, this.lineNumber);
    return true;
  }

  private beginItem(line: Line, container: Part): Part | undefined {
    const mark = listMark(line.rest);
    if (mark === undefined) return undefined;
    const empty = line.rest.slice(mark.length).trim() === "";
    // Only an item that says something, and a list that begins at 1, may break into a paragraph.
    const breaksIn = container.kind === "paragraph" || container.kind === "table";
    if (breaksIn && (empty || (mark.ordered && mark.start !== 1))) return undefined;
    const before = line.indent;
    line.skipBlanks();
    line.skip(mark.length);
    const behind = line.indent;
    const blanks = empty || behind > 4 || behind < 1 ? 1 : behind;
    line.skipColumns(empty ? behind : blanks);
    let list: Part = container;
    if (list.kind !== "list" || list.ordered !== mark.ordered || list.delimiter !== mark.delimiter) {
      list = this.open.add(container, new ListPart(this.lineNumber, mark.ordered, mark.start, mark.delimiter));
    }
    return this.open.add(list, new ItemPart(this.lineNumber, before + mark.length + blanks));
  }

  // ── What is left of a line ────────────────────────────────────────────────────────────────────────────────────

  private addRest(line: Line, part: Part, partial: boolean): void {
    this.open.closeTo(part);
    const { blank } = line;
    if (part.kind === "paragraph") part.addLine(line.rest, partial);
    else if (part.kind === "code") part.addLine(line.remainder);
    else if (part.kind === "heading") part.addText(line.rest);
    else if (part.kind === "table") part.addRow(line.rest);
    else if (!blank) return this.beginParagraph(line, part, partial);
    const reached = !blank || (part.kind === "code" && part.fence !== undefined);
    // The mark of a quote keeps its line from being blank for whatever the quote stands in.
    const around = reached ? part : this.open.quoteAround(part);
    if (around !== undefined) this.open.stamp(around, this.lineNumber);
  }

  private beginParagraph(line: Line, container: Part, partial: boolean): void {
    let text = line.rest;
    let isText = partial;
    if (container.kind === "item" && container.children.length === 0) {
      const task = /^\[([ xX])\][ \t]+(?=\S)/.exec(text);
      if (task !== null) {
        container.checked = task[1] !== " ";
        text = text.slice(task[0].length);
        isText = true;
      }
    }
    this.open.add(container, new ParagraphPart(this.lineNumber, this.context)).addLine(text, isText);
  }
}

function takeQuoteMark(line: Line): boolean {
  if (line.indent > 3 || !line.rest.startsWith(">")) return false;
  line.skipBlanks();
  line.skip(1);
  line.skipColumns(1);
  return true;
}

function continuesItem(item: ItemPart, line: Line): boolean {
  if (line.blank) {
    // An item that began with a blank line ends at the second one.
    if (item.children.length === 0) return false;
    line.skipBlanks();
    return true;
  }
  if (line.indent < item.indent) return false;
  line.skipColumns(item.indent);
  return true;
}

function continuesCode(code: CodePart, line: Line): boolean | "closes" {
  if (code.fence !== undefined) {
    if (line.indent < 4 && closesFence(line.rest, code.fence)) return "closes";
    line.skipColumns(code.indent);
    return true;
  }
  if (line.indent < 4 && !line.blank) return false;
  line.skipColumns(4);
  return true;
}

/**
 * Markdown that arrives in pieces -> a tree of blocks, without ever reading it twice.
 *
 * CommonMark 0.31 without raw HTML (which is text), with tables, task lists and strikethrough, and with citation marks.
 * What the text is cut into makes no difference to the final blocks. The cost is linear in the length of the stream:
 * complete lines are taken once, a line whose structure is decided is taken piece by piece, and of an open paragraph
 * only the unsettled end is parsed again.
 */
import { isDecided } from "./block-starts.ts";
import { Blocks } from "./blocks.ts";
import type { PartContext, TextPart } from "./part.ts";
import type { Reference } from "./references.ts";
import type { Block } from "./tree.ts";

/** Settings of `createMarkdown`. */
export interface MarkdownOptions {
  /** Look for citation marks such as `[1]` and `[[1]](address)`. Default true. */
  citations?: boolean;
}

/** Longer beginnings of a line are not looked at again until the line is complete. */
const MAX_BEGINNING = 256;
/** How often a part is parsed again because a label was defined behind it, before the end of the text. */
const MAX_REPEATS = 4;

/** Begins an empty markdown text. */
export function createMarkdown(options: MarkdownOptions = {}): Markdown {
  return new Markdown(options.citations ?? true);
}

/** A markdown text in the making. */
export class Markdown {
  /** How many characters were looked at so far, a line's beginning and an inline text counted each time. */
  visited = 0;
  private readonly references = new Map<string, Reference>();
  /** Label -> the parts that would use it. */
  private readonly awaiting = new Map<string, Set<TextPart>>();
  private readonly repeats = new Map<TextPart, number>();
  private readonly outdated = new Set<TextPart>();
  private readonly blocks: Blocks;
  /** The beginning of a line that is not decided yet. */
  private beginning = "";
  /** The current line is decided and taken piece by piece. */
  private inLine = false;
  /** The last piece ended with a carriage return: a line feed may belong to it. */
  private heldReturn = false;
  private ended = false;

  constructor(citations: boolean) {
    const context: PartContext = {
      citations,
      resolve: (label) => this.references.get(label),
      define: (label, reference) => this.define(label, reference),
      awaitLabels: (part) => this.awaitLabels(part),
      onVisit: (characters) => {
        this.visited += characters;
      },
    };
    this.blocks = new Blocks(context);
  }

  /**
   * Takes the next piece and returns the blocks so far. Blocks that did not change are the same objects as before. The
   * end of the text is shown as far as it is decided: half a citation mark, or a line that may yet become a rule or a
   * fence, is held back until more comes.
   */
  push(delta: string): readonly Block[] {
    if (!this.ended && delta !== "") this.take(delta);
    return this.blocks.nodes;
  }

  /** Nothing more will come: takes what was held back and returns the final blocks. Later pushes are ignored. */
  end(): readonly Block[] {
    if (!this.ended) {
      if (this.heldReturn) this.feedLine("");
      if (this.inLine) this.blocks.finishLine();
      else if (this.beginning !== "") this.blocks.addLine(this.beginning, false);
      this.blocks.end();
      for (const part of this.outdated) part.parseAgain();
      this.ended = true;
    }
    return this.blocks.nodes;
  }

  private take(delta: string): void {
    if (!this.heldReturn && !/[\0\r\n]/.test(delta)) return this.feedPart(delta);
    const text = (this.heldReturn ? "\r" : "") + delta;
    this.heldReturn = text.endsWith("\r");
    const known = this.heldReturn ? text.slice(0, -1) : text;
    const lines = known.replaceAll("\0", "\ufffd").split(/\r\n|\n|\r/);
    const last = lines.pop() ?? "";
    for (const line of lines) this.feedLine(line);
    if (last !== "") this.feedPart(last);
  }

  /** The rest of the current line, which ends with it. */
  private feedLine(text: string): void {
    if (this.inLine) {
      if (text !== "") this.blocks.addText(text);
      this.blocks.finishLine();
    } else {
      this.visited += this.beginning.length + text.length;
      this.blocks.addLine(this.beginning + text, false);
    }
    this.inLine = false;
    this.beginning = "";
  }

  /** More of the current line, which goes on behind it. */
  private feedPart(text: string): void {
    if (this.inLine) {
      this.visited += text.length;
      this.blocks.addText(text);
      return;
    }
    const looked = this.beginning.length <= MAX_BEGINNING;
    this.beginning += text;
    if (!looked || this.blocks.waitsForWholeLines) return;
    this.visited += this.beginning.length;
    if (!this.blocks.isPlainCode(this.beginning) && !isDecided(this.beginning)) return;
    this.blocks.addLine(this.beginning, true);
    this.beginning = "";
    this.inLine = true;
  }

  private define(label: string, reference: Reference): void {
    // The first definition of a label counts.
    if (this.references.has(label)) return;
    this.references.set(label, reference);
    for (const part of this.awaiting.get(label) ?? []) this.repeat(part);
    this.awaiting.delete(label);
  }

  private repeat(part: TextPart): void {
    const times = (this.repeats.get(part) ?? 0) + 1;
    this.repeats.set(part, times);
    if (times > MAX_REPEATS) this.outdated.add(part);
    else part.parseAgain();
  }

  private awaitLabels(part: TextPart): void {
    for (const label of part.missing) {
      const parts = this.awaiting.get(label) ?? new Set();
      this.awaiting.set(label, parts.add(part));
    }
  }
}

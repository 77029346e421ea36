import { splitRow } from "./block-starts.ts";
import type { FlowMark } from "./inline/inline-flow.ts";
import { FlowPart } from "./part.ts";
import { readDefinition, UNFINISHED } from "./references.ts";
import type { Block } from "./tree.ts";

/** How long link reference definitions may keep a paragraph undecided, in characters. */
const MAX_DEFINITION = 4096;

/** A paragraph, which may turn out to be definitions, a heading, or to end in a table's header. */
export class ParagraphPart extends FlowPart<Block> {
  readonly kind = "paragraph";
  /** The beginning, while it may be link reference definitions; undefined once it is text. */
  private undecided: string | undefined = "";
  private lastLine: { text: string; before: FlowMark } | undefined;
  /** Level of the heading the line below made of it. */
  private level: 1 | 2 | undefined;

  /** The next line may still be part of a definition, so no line may be read before it is complete. */
  get mayDefine(): boolean {
    return this.undecided !== undefined && this.undecided !== "";
  }

  /** There is text in it, not only definitions. */
  get hasText(): boolean {
    return this.undecided === undefined && !this.flow.isBlank;
  }

  /** Begins another line. `isText`: it is known to begin no definition. */
  addLine(text: string, isText: boolean): void {
    if (this.mayDefine || (this.undecided === "" && !isText && text.startsWith("["))) {
      this.undecided += this.undecided === "" ? text : `\n${text}`;
      return;
    }
    this.undecided = undefined;
    this.lastLine = { text, before: this.flow.mark() };
    this.flow.append(this.flow.isBlank ? text : `\n${text}`);
    this.touch();
  }

  override addText(text: string): void {
    if (this.lastLine !== undefined) this.lastLine.text += text;
    super.addText(text);
  }

  /** The line is complete: definitions it completes are taken. */
  finishLine(): void {
    if (this.mayDefine) this.takeDefinitions((this.undecided ?? "").length > MAX_DEFINITION);
  }

  /** Everything that can be a definition is; the rest is text. */
  settle(): void {
    if (this.mayDefine) this.takeDefinitions(true);
  }

  private takeDefinitions(final: boolean): void {
    let text = this.undecided ?? "";
    while (text.startsWith("[")) {
      const definition = readDefinition(text, final);
      if (definition === UNFINISHED) {
        this.undecided = text;
        return;
      }
      if (definition === undefined) break;
      const { label, url, title } = definition;
      this.context.define(label, title === undefined ? { url } : { url, title });
      text = text.slice(definition.end).replace(/^[ \t]+/, "");
    }
    this.undecided = text === "" ? "" : undefined;
    if (text === "") return;
    const line = text.slice(text.lastIndexOf("\n") + 1);
    const before = text.slice(0, Math.max(0, text.length - line.length - 1));
    if (before !== "") this.flow.append(before);
    this.lastLine = { text: line, before: this.flow.mark() };
    this.flow.append(before === "" ? line : `\n${line}`);
    this.touch();
  }

  /** Takes the last line away, where a delimiter row makes it the header of a table with that many columns. */
  takeHeader(columns: number): string[] | undefined {
    if (this.lastLine === undefined || this.undecided !== undefined) return undefined;
    const { text, before } = this.lastLine;
    if (!text.includes("|")) return undefined;
    const cells = splitRow(text);
    if (cells.length !== columns) return undefined;
    this.flow.rewind(before);
    this.touch();
    return cells;
  }

  becomeHeading(level: 1 | 2): void {
    this.level = level;
    this.touch();
  }

  override close(): void {
    this.settle();
    this.lastLine = undefined;
    super.close();
  }

  protected make(): Block | undefined {
    if (!this.hasText) return undefined;
    const children = this.flow.nodes();
    return this.level === undefined
      ? { type: "paragraph", children }
      : { type: "heading", level: this.level, children };
  }
}

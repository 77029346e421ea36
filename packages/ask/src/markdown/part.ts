/**
 * What all parts of a markdown text have in common while it is being read: they are mutable, and each can show itself as
 * an immutable node. A node is made anew only after its part changed, so what is complete keeps its identity.
 */
import { type FlowContext, InlineFlow } from "./inline/inline-flow.ts";
import type { Reference } from "./references.ts";

/** What parts need of the document around them. */
export interface PartContext extends FlowContext {
  define(label: string, reference: Reference): void;
  /** Asks to be parsed again when one of its missing labels is defined. */
  awaitLabels(part: TextPart): void;
}

/** Parts that hold inline text, and can be parsed again. */
export interface TextPart {
  readonly missing: ReadonlySet<string>;
  parseAgain(): void;
}

/** A part of the text. `Node` is what it becomes in the tree. */
export abstract class BasePart<Node> {
  /** What is told of every change; set when the part is added somewhere. */
  parent: { childChanged(child: unknown): void } | undefined;
  /** Number of the line it begins on, and of the last one that is not blank. A gap tells of a blank line. */
  readonly startLine: number;
  endLine: number;
  private made: Node | undefined;

  constructor(line: number) {
    this.startLine = line;
    this.endLine = line;
  }

  /** The node as it stands; undefined for a part that shows nothing. */
  node(): Node | undefined {
    this.made ??= this.make();
    return this.made;
  }

  /** Makes the node, and those around it, be made anew when next asked for. */
  touch(): void {
    this.made = undefined;
    this.parent?.childChanged(this);
  }

  protected abstract make(): Node | undefined;
}

/** A part that is one growing inline text: a paragraph or a heading. */
export abstract class FlowPart<Node> extends BasePart<Node> implements TextPart {
  protected readonly flow: InlineFlow;
  protected readonly context: PartContext;

  constructor(line: number, context: PartContext) {
    super(line);
    this.context = context;
    this.flow = new InlineFlow(context);
  }

  get missing(): ReadonlySet<string> {
    return this.flow.missing;
  }

  /** More of the line begun last. */
  addText(text: string): void {
    this.flow.append(text);
    this.touch();
  }

  close(): void {
    this.flow.end(this.trim);
    if (this.missing.size > 0) this.context.awaitLabels(this);
    this.touch();
  }

  parseAgain(): void {
    this.flow.again(this.trim);
    this.touch();
  }

  /** Takes off what does not belong to the text, at its end. */
  protected trim(text: string): string {
    return trimEnd(text);
  }
}

/** A text without the white space at its end, which belongs to no block. */
export function trimEnd(text: string): string {
  // A regular expression would begin anew at every blank of a long run, in a time that grows with its square.
  let end = text.length;
  while (end > 0 && " \t\n".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

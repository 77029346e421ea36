/**
 * Inline nodes of a text that is still growing.
 *
 * What is settled is parsed once and kept; only the tail behind it (usually part of a word, at most the construct being
 * written) is parsed again when somebody looks. A tail that cannot settle, because a bracket or a star in it was never
 * closed, is parsed again only when it has grown by a fifth, and what came since is shown as plain text. So every
 * character is looked at a bounded number of times, whatever the text and however it is cut.
 */
import { addNode } from "./emphasis.ts";
import type { InlineContext } from "./inline.ts";
import { parseInline } from "./inline.ts";
import type { Inline } from "./tree.ts";

/** An inline context that also counts: the measure of work that tests hold against the length of the text. */
export interface FlowContext extends InlineContext {
  /** Told how many characters were parsed, each time some were. */
  onVisit(characters: number): void;
}

/** A tail longer than this is parsed again only after it has grown by `GROWTH`. */
const PATIENT_FROM = 160;
const GROWTH = 1.2;

/** A point to come back to. */
export interface FlowMark {
  readonly closed: number;
  readonly openText: string;
  readonly tail: string;
  readonly raw: string;
  readonly hasContent: boolean;
}

/** The text of one paragraph, heading or table cell, and its inline nodes. */
export class InlineFlow {
  /** Every label in brackets that had no definition when it was parsed. */
  readonly missing = new Set<string>();
  private closed: Inline[] = [];
  /** Settled plain text that the next piece may still lengthen. */
  private openText = "";
  private tail = "";
  private raw = "";
  private hasContent = false;
  private ended = false;
  private view: readonly Inline[] | undefined;
  private tailView: { length: number; nodes: readonly Inline[] } = { length: 0, nodes: [] };
  private readonly context: FlowContext;

  constructor(context: FlowContext) {
    this.context = context;
  }

  append(text: string): void {
    if (text === "") return;
    this.raw += text;
    this.tail += text;
    this.hasContent ||= /\S/.test(text);
    this.view = undefined;
  }

  get isBlank(): boolean {
    return !this.hasContent;
  }

  mark(): FlowMark {
    return {
      closed: this.closed.length,
      openText: this.openText,
      tail: this.tail,
      raw: this.raw,
      hasContent: this.hasContent,
    };
  }

  /** Forgets what was appended since the mark. */
  rewind(mark: FlowMark): void {
    this.closed = this.closed.slice(0, mark.closed);
    this.openText = mark.openText;
    this.tail = mark.tail;
    this.raw = mark.raw;
    this.hasContent = mark.hasContent;
    this.view = undefined;
    this.tailView = { length: 0, nodes: [] };
  }

  /** Nothing more will come. `trim` takes off what does not belong to the text, at its end. */
  end(trim: (text: string) => string): void {
    if (this.ended) return;
    this.tail = trim(this.tail);
    this.ended = true;
    const { nodes } = this.parse(this.tail, true);
    this.absorb(nodes);
    this.view = undefined;
    this.tail = "";
  }

  /** Parses the whole text again, because a label it uses has been defined since. */
  again(trim: (text: string) => string): void {
    this.closed = [];
    this.openText = "";
    this.missing.clear();
    this.tail = this.raw;
    this.tailView = { length: 0, nodes: [] };
    if (this.ended) {
      this.ended = false;
      this.end(trim);
    }
    this.view = undefined;
  }

  nodes(): readonly Inline[] {
    this.view ??= this.look();
    return this.view;
  }

  private look(): readonly Inline[] {
    const nodes = this.ended ? [] : this.tailNodes();
    if (nodes.length === 0 && this.openText === "") return this.closed.slice();
    const view = this.closed.slice();
    if (this.openText !== "") view.push({ type: "text", text: this.openText });
    for (const node of nodes) addNode(view, node);
    return view;
  }

  private tailNodes(): readonly Inline[] {
    const { length, nodes } = this.tailView;
    if (length > PATIENT_FROM && this.tail.length < length * GROWTH) {
      return [...nodes, { type: "text", text: this.tail.slice(length) }];
    }
    const result = this.parse(this.tail, false);
    if (result.settled > 0) {
      this.absorb(this.parse(this.tail.slice(0, result.settled), true).nodes);
      this.tail = this.tail.slice(result.settled);
      this.tailView = { length: 0, nodes: [] };
      return this.tail === "" ? [] : this.parse(this.tail, false).nodes;
    }
    this.tailView = { length: this.tail.length, nodes: result.nodes };
    return result.nodes;
  }

  private parse(text: string, complete: boolean): ReturnType<typeof parseInline> {
    this.context.onVisit(text.length);
    const result = parseInline(text, this.context, complete);
    for (const label of result.missing) this.missing.add(label);
    return result;
  }

  private absorb(nodes: readonly Inline[]): void {
    for (const node of nodes) {
      if (node.type === "text") {
        this.openText += node.text;
        continue;
      }
      if (this.openText !== "") this.closed.push({ type: "text", text: this.openText });
      this.openText = "";
      this.closed.push(node);
    }
  }
}

/**
 * Inline nodes of a text that is still growing.
 *
 * What is settled is parsed once and kept; only the tail behind it (usually part of a word, at most the construct being
 * written) is parsed again when somebody looks. A tail that cannot settle, because a bracket or a star in it was never
 * closed, is parsed again only when it has grown by a fifth, and of what came since only the plain text is shown. So every
 * character is looked at a bounded number of times, whatever the text and however it is cut.
 */
import { addNode } from "./emphasis.ts";
import { type InlineContext, parseInline } from "./inline.ts";
import { isPlainText, lastPlainCharacter, plainStart } from "../plain-text.ts";
import { growingText, inOnePiece, Tape } from "../growth.ts";
import type { Inline } from "../tree.ts";

/** An inline context that also counts: the measure of work that tests hold against the length of the text. */
export interface FlowContext extends InlineContext {
  /** Told how many characters were parsed, each time some were. */
  onVisit(characters: number): void;
}

/** A tail longer than this is parsed again only after it has grown by `GROWTH`. */
const PATIENT_FROM = 160;
const GROWTH = 1.2;

const NONE: ReadonlySet<string> = new Set();
const NO_VIEW = { length: 0, held: false, nodes: [] } as const;

/** A point to come back to. */
export interface FlowMark {
  readonly closed: number;
  readonly open: string;
  readonly tail: string;
  readonly raw: string;
  readonly hasContent: boolean;
}

/** The text of one paragraph, heading or table cell, and its inline nodes. */
export class InlineFlow {
  private labels: Set<string> | undefined;
  private closed: Inline[] = [];
  /** Settled plain text that the next piece may still lengthen. */
  private open = new Tape();
  private tail = "";
  private raw = "";
  private hasContent = false;
  private ended = false;
  private view: readonly Inline[] | undefined;
  private tailView: { readonly length: number; readonly held: boolean; readonly nodes: readonly Inline[] } = NO_VIEW;
  private readonly context: FlowContext;

  constructor(context: FlowContext) {
    this.context = context;
  }

  /** Every label in brackets that had no definition when it was parsed. */
  get missing(): ReadonlySet<string> {
    return this.labels ?? NONE;
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
      open: this.open.text,
      tail: this.tail,
      raw: this.raw,
      hasContent: this.hasContent,
    };
  }

  /** Forgets what was appended since the mark. */
  rewind(mark: FlowMark): void {
    this.closed = this.closed.slice(0, mark.closed);
    this.open = new Tape();
    this.open.add(mark.open);
    this.tail = mark.tail;
    this.raw = mark.raw;
    this.hasContent = mark.hasContent;
    this.view = undefined;
    this.tailView = NO_VIEW;
  }

  /** Nothing more will come. `trim` takes off what does not belong to the text, at its end. */
  end(trim: (text: string) => string): void {
    if (this.ended) return;
    this.tail = trim(this.tail);
    this.ended = true;
    const { nodes } = this.parse(this.tail, true);
    this.absorb(nodes);
    this.closeText();
    this.view = this.closed;
    this.tail = "";
    this.tailView = NO_VIEW;
    // Only a text that may have to be parsed again is worth keeping twice.
    this.raw = this.missing.size === 0 ? "" : inOnePiece(this.raw);
  }

  /** Parses the whole text again, because a label it uses has been defined since. */
  again(trim: (text: string) => string): void {
    this.closed = [];
    this.open = new Tape();
    this.labels = undefined;
    this.tail = this.raw;
    this.tailView = NO_VIEW;
    this.view = undefined;
    if (!this.ended) return;
    this.ended = false;
    const { raw } = this;
    this.end(trim);
    // It still waits for every label that was missing at first, so this was not necessarily the last time.
    this.raw = raw;
  }

  nodes(): readonly Inline[] {
    this.view ??= this.look();
    return this.view;
  }

  private look(): readonly Inline[] {
    const nodes = this.tailNodes();
    const { closed } = this;
    const settled = closed.length;
    const [first] = nodes;
    const rest = first?.type === "text" ? first.text : "";
    if (rest !== "" || this.open.text !== "") closed.push(growingText(this.open, rest));
    for (let at = rest === "" ? 0 : 1; at < nodes.length; at += 1) {
      const node = nodes[at];
      if (node !== undefined) addNode(closed, node);
    }
    // Put behind what is settled for the one copy of a look, and taken off again.
    const view = closed.slice();
    closed.length = settled;
    return view;
  }

  private tailNodes(): readonly Inline[] {
    const { length, held, nodes } = this.tailView;
    if (length > PATIENT_FROM && this.tail.length < length * GROWTH) {
      return held ? nodes : [...nodes, { type: "text", text: plainStart(this.tail.slice(length)) }];
    }
    if (isPlainText(this.tail)) return this.plainTail();
    const result = this.parse(this.tail, false);
    if (result.settled > 0) {
      this.absorb(this.parse(this.tail.slice(0, result.settled), true).nodes);
      this.tail = this.tail.slice(result.settled);
      this.tailView = NO_VIEW;
      return this.tail === "" ? [] : this.parse(this.tail, false).nodes;
    }
    this.tailView = { length: this.tail.length, held: result.held, nodes: result.nodes };
    return result.nodes;
  }

  /** Words, most of the time: all but the last of them are settled as they are. */
  private plainTail(): readonly Inline[] {
    this.context.onVisit(this.tail.length);
    const settled = lastPlainCharacter(this.tail);
    if (settled > 0) {
      this.open.add(this.tail.slice(0, settled));
      this.tail = this.tail.slice(settled);
    }
    this.tailView = NO_VIEW;
    return this.tail === "" ? [] : [{ type: "text", text: this.tail }];
  }

  private parse(text: string, complete: boolean): ReturnType<typeof parseInline> {
    this.context.onVisit(text.length);
    const result = parseInline(text, this.context, complete);
    if (result.missing.length === 0) return result;
    this.labels ??= new Set();
    for (const label of result.missing) this.labels.add(label);
    return result;
  }

  private absorb(nodes: readonly Inline[]): void {
    for (const node of nodes) {
      if (node.type === "text") {
        this.open.add(node.text);
        continue;
      }
      this.closeText();
      this.closed.push(node);
    }
  }

  private closeText(): void {
    const { text } = this.open;
    if (text === "") return;
    this.closed.push({ type: "text", text: inOnePiece(text) });
    this.open = new Tape();
  }
}

/** Lines of markup in the making, and where they may be cut. */

const CUTS = ["none", "run", "line", "block"] as const;
/** How good a place for a cut is: none, between words, at a line's end, at a blank line. */
export type Cut = (typeof CUTS)[number];

/** Text, and how good a place its end is for a message to end. */
export interface Span {
  readonly text: string;
  readonly after: Cut;
}

interface Frame {
  /** Before the first line; used up once written. */
  first: string | undefined;
  /** Before every other line. */
  readonly rest: string;
}

/**
 * Writes lines inside quotes and list entries. Line feeds, and what stands before a line, are written only when text
 * follows: so a text that is not complete ends where its last settled word does.
 */
export class SpanWriter {
  private readonly frames: Frame[] = [];
  private readonly spans: { text: string; after: Cut }[] = [];
  private lineFeeds = 0;
  /** Inside markup that must not be cut. */
  private depth = 0;
  private tail = "";

  /** Whether nothing stands on the line yet but what belongs before it. */
  get atLineStart(): boolean {
    return this.spans.length === 0 || this.lineFeeds > 0;
  }

  /** The last character written, empty at the beginning. */
  get last(): string {
    return this.lineFeeds > 0 ? "\n" : this.tail;
  }

  /** Everything inside `write` gets these before its lines. */
  inside(first: string, rest: string, write: () => void): void {
    this.frames.push({ first, rest });
    write();
    this.frames.pop();
  }

  /** What `write` writes is not cut. */
  whole(write: () => void): void {
    this.depth += 1;
    write();
    this.depth -= 1;
  }

  /** Writes text that has no line feed; `force` writes what stands before the line even for none. */
  text(text: string, force = false): void {
    if (text === "" && !force) return;
    const written = this.lead() + text;
    if (written === "") return;
    const span = this.spans.at(-1);
    if (span === undefined || span.after !== "none") this.spans.push({ text: written, after: "none" });
    else span.text += written;
    this.tail = written.at(-1) ?? "";
  }

  /** The line ends here; two in a row leave a blank line. More make no difference, none do at the very beginning. */
  lineFeed(count: 1 | 2 = 1): void {
    if (this.spans.length === 0) return;
    this.lineFeeds = Math.max(this.lineFeeds, count);
    this.mark(count === 2 ? "block" : "line");
  }

  /** The text may be cut here. */
  mark(after: Cut): void {
    const span = this.spans.at(-1);
    if (span === undefined || this.depth > 0) return;
    if (CUTS.indexOf(after) > CUTS.indexOf(span.after)) span.after = after;
  }

  /** What was written; `end` is put behind it, and is as good a place to cut as `after` says. */
  finish(end: string, after: Cut): readonly Span[] {
    const span = this.spans.at(-1);
    if (span === undefined) return [];
    span.text += end;
    span.after = after;
    return this.spans;
  }

  /** Line feeds that are due, and what stands before the line. */
  private lead(): string {
    if (!this.atLineStart) return "";
    const blank = this.lineFeeds === 2 ? `\n${this.prefix(false).trimEnd()}` : "";
    const feed = this.lineFeeds > 0 ? "\n" : "";
    this.lineFeeds = 0;
    return `${blank}${feed}${this.prefix(true)}`;
  }

  private prefix(use: boolean): string {
    let prefix = "";
    for (const frame of this.frames) {
      // Not begun: a blank line above it lies outside.
      if (!use && frame.first !== undefined) break;
      prefix += frame.first ?? frame.rest;
      if (use) frame.first = undefined;
    }
    return prefix;
  }
}

import type { Answer } from "../answer/answer.ts";
import { withAsides } from "../answer/asides.ts";
import { type LinkOptions, type Links, linksOf } from "../answer/citations.ts";
import { createMarkdown } from "../markdown/markdown.ts";
import { isFinal } from "../answer/status.ts";
import type { StyledLine } from "./styled.ts";
import { BLANK, type Layout, layoutOf, linesOf, type TerminalOptions } from "./terminal-lines.ts";
import { rowsTaken } from "./text-width.ts";
import type { Block } from "../markdown/tree.ts";

/** Settings of `createTerminalWriter`. */
export interface TerminalWriterOptions extends TerminalOptions {
  /** Receives what is to be written, in order. */
  write(text: string): void;
  /**
   * The block being written is painted as it grows, moving the cursor up to change it. Default false (a pipe, a file):
   * only complete blocks are written, and no cursor movement ever.
   */
  repaint?: boolean;
  /** Rows of the terminal; lines that have scrolled out of it are never repainted. Default 24. */
  height?: number;
  /** Which addresses may be links, beside those of the sources. */
  links?: LinkOptions;
}

const ESC = "\u001b";
/**
 * Erases from the cursor's line on. Not with one "erase to the end of the screen" from the first column: in the top row
 * tmux takes that for clearing the screen, and keeps every stage of the answer in its history.
 */
const ERASE = `${ESC}[K${ESC}[C${ESC}[J\r`;

/** A writer for one answer. */
export function createTerminalWriter(options: TerminalWriterOptions): TerminalWriter {
  return new TerminalWriter(options);
}

/** Writes a growing answer to a terminal. */
export class TerminalWriter {
  /** Complete groups of the answer that are written. */
  #groups = 0;
  /** Complete blocks of the current group that are written. */
  #written = 0;
  /** Something stands above, so that a blank line belongs between. */
  #begun = false;
  /** Lines of the open block that are on the screen. */
  #painted: readonly StyledLine[] = [];
  readonly #options: TerminalWriterOptions;
  #layout: Layout;
  #shown: Answer | undefined;
  #current: Links = { href: () => undefined, cited: () => [] };

  constructor(options: TerminalWriterOptions) {
    this.#options = options;
    // One layout for the whole answer, so that complete blocks are laid out once; its links are those of the newest
    // snapshot. Marks keep their numbers as an answer grows, so lines already made stay right.
    const links: Links = { href: (url) => this.#current.href(url), cited: (mark) => this.#current.cited(mark) };
    this.#layout = layoutOf(links, options);
  }

  /**
   * Shows the newest snapshot: every complete block is written once, in its final form; only the last, open one is
   * painted again, and of it only the lines that changed. Earlier message groups stay above as they were. A snapshot
   * with a final status writes everything that is left.
   */
  update(answer: Answer): void {
    this.#current = linksOf(answer, this.#options.links);
    while (this.#groups < answer.preambles.length) {
      const markdown = createMarkdown();
      markdown.push(answer.preambles[this.#groups] ?? "");
      this.#show(withAsides(markdown.end(), this.#shown?.finding), true);
      this.#groups += 1;
      this.#written = 0;
    }
    this.#show(answer.blocks, isFinal(answer.status));
    this.#shown = answer;
  }

  #show(blocks: readonly Block[], complete: boolean): void {
    const closed = complete ? blocks.length : Math.max(this.#written, blocks.length - 1);
    const done = this.#below(this.#begun, blocks.slice(this.#written, closed));
    const showsOpen = this.#options.repaint === true;
    const open = this.#below(this.#begun || done.length > 0, showsOpen ? blocks.slice(closed) : []);
    this.#paint(done, open);
    this.#begun ||= done.length > 0;
    this.#written = closed;
  }

  /** The lines of blocks, a blank line before each but the very first. */
  #below(begun: boolean, blocks: readonly Block[]): StyledLine[] {
    const lines = linesOf(blocks, this.#layout);
    return begun && blocks.length > 0 ? [BLANK, ...lines] : lines;
  }

  #paint(done: readonly StyledLine[], open: readonly StyledLine[]): void {
    const next = [...done, ...open];
    let same = 0;
    while (same < this.#painted.length && this.#painted[same]?.text === next[same]?.text) same += 1;
    same = Math.max(same, this.#firstReachable());
    const up = this.#rows(this.#painted.slice(same));
    const text = next.slice(same).map((one) => `${one.text}\n`);
    const erase = up === 0 ? "" : `${ESC}[${up}A\r${ERASE}`;
    if (erase !== "" || text.length > 0) this.#options.write(erase + text.join(""));
    this.#painted = open;
  }

  /** The first painted line that is still on the screen. */
  #firstReachable(): number {
    let first = this.#painted.length;
    let rows = 0;
    while (first > 0) {
      rows += this.#rows(this.#painted.slice(first - 1, first));
      if (rows >= (this.#options.height ?? 24)) break;
      first -= 1;
    }
    return first;
  }

  #rows(lines: readonly StyledLine[]): number {
    const columns = this.#layout.width;
    const taken = (one: StyledLine) => (columns > 0 && one.width > columns ? rowsTaken(one.visible, columns) : 1);
    return lines.reduce((rows, one) => rows + taken(one), 0);
  }
}

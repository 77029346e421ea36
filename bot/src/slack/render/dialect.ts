/**
 * Blocks as lines of one of the platform's two markups. What both have in common is written once, here; a `Dialect` says
 * how each writes text, emphasis and links (`markdown.ts`, `mrkdwn.ts`).
 */
import { escapeControl } from "@threadlore/documents/slack";
import { addressNote, plainText, visibleLine, visibleText } from "@threadlore/ask";
import type { Block, Inline, Links, ListItem, Table } from "@threadlore/ask";
import { asideAsText } from "./aside-text.ts";
import { packed } from "./text-blocks.ts";
import { JOINER, linkedAddress, markupAddress, misleads, parted, partition } from "./escape.ts";
import { SpanWriter } from "./spans.ts";
import { plainTable } from "./tables.ts";

/** How a markup writes what is in a line. */
export interface Dialect {
  /** A word of prose, or part of one. `before`, `after`: the characters beside it, empty where a node or line ends. */
  word(word: string, before: string, after: string): string;
  /** Text that begins a line and would be read as a heading, an entry or a quote. */
  lineStart(escaped: string): string;
  readonly strong: string;
  readonly emphasis: string;
  readonly strike: string;
  /** Code in a line; undefined where this markup cannot tell it as code. */
  codespan(text: string): string | undefined;
  link(label: string, address: string): string;
  /** A whole block of code, its fences included, no line feed at its end. */
  code(text: string, language: string): string;
  /** Characters of code inside a list that are kept in one piece; longer code is fenced in several. */
  readonly longestCode: number;
  /** Before a heading's text; the markup around it where there is no heading. */
  readonly heading: { readonly before: (level: number) => string; readonly strong: boolean };
  bullet(alternate: boolean): string;
  /** Ends a line the author meant to end. */
  readonly lineBreak: string;
  readonly divider: string;
}

/** Longer formatted texts and labels lose their formatting: they could not be cut where a message ends. */
const MAX_WHOLE = 1_500;
/** Words longer than this may be cut inside. */
const MAX_WORD = 400;
const INDENT = "    ";

/** The language of a fence, where it is a plain word. */
export function languageOf(language: string | undefined): string {
  return /^[A-Za-z0-9+#_-]{1,30}$/.test(language ?? "") ? (language ?? "") : "";
}

/** Blocks, and of each whether it is to stand apart from a list of its kind right before it: they would be read as one. */
export function alternating(blocks: readonly Block[]): { readonly block: Block; readonly alternate: boolean }[] {
  let alternate = false;
  return blocks.map((block, at) => {
    const before = blocks[at - 1];
    const isNext = block.type === "list" && before?.type === "list" && block.ordered === before.ordered;
    alternate = isNext && !alternate;
    return { block, alternate };
  });
}

/** Writes blocks in one of the markups, with only the links that `links` allows. */
export class MarkupWriter extends SpanWriter {
  readonly #links: Links;
  readonly #dialect: Dialect;
  /** Inside a quote, where no fence is understood. */
  #isQuoted = false;
  /** Inside the label of a link. */
  #isLabel: boolean;
  /** Formatting around what is written now, which must not begin again inside. */
  #within: readonly string[] = [];

  constructor(links: Links, dialect: Dialect, isLabel = false) {
    super();
    this.#links = links;
    this.#dialect = dialect;
    this.#isLabel = isLabel;
  }

  /** Writes a block. `alternate`: see {@link alternating}. */
  block(block: Block, alternate: boolean): this {
    switch (block.type) {
      case "paragraph":
        this.#nodes(block.children);
        break;
      case "heading":
        this.#heading(block.level, block.children);
        break;
      case "code":
        this.#code(visibleText(block.text), languageOf(block.language));
        break;
      case "quote":
        this.inside("> ", "> ", () => {
          const before = this.#isQuoted;
          this.#isQuoted = true;
          this.#blocks(block.children);
          this.#isQuoted = before;
        });
        break;
      case "list":
        for (const [index, item] of block.children.entries()) {
          if (index > 0) this.lineFeed();
          const number = `${block.start + index}${alternate ? ")" : "."} `;
          this.#item(item, block.ordered ? number : this.#dialect.bullet(alternate));
        }
        break;
      case "table": {
        const aligned = plainTable(block, this.#links);
        // Where no table can stand: its columns under each other, or, where that is too wide, a line per cell.
        if (aligned === undefined) this.#blocks(tableAsList(block));
        else this.#code(aligned, "");
        break;
      }
      case "aside":
        this.#blocks(asideAsText(block));
        break;
      case "divider":
        this.text(this.#dialect.divider);
    }
    return this;
  }

  #blocks(blocks: readonly Block[], inEntry = false): void {
    for (const [index, { block, alternate }] of alternating(blocks).entries()) {
      if (index > 0) this.lineFeed(inEntry && block.type === "list" ? 1 : 2);
      this.block(block, alternate);
    }
  }

  /** Loose lists are written as tight ones: the platform shows no difference. */
  #item(item: ListItem, marker: string): void {
    const rest = marker.length > INDENT.length ? " ".repeat(marker.length) : INDENT;
    const [first] = item.children;
    // What is no paragraph has to stand in the column its later lines do.
    const lead = first === undefined || first.type === "paragraph" ? marker : marker.padEnd(rest.length);
    this.inside(lead, rest, () => {
      if (item.checked !== undefined) this.text(item.checked ? "☑ " : "☐ ");
      else if (first === undefined) this.text("", true);
      this.#blocks(item.children, true);
    });
  }

  #heading(level: number, nodes: readonly Inline[]): void {
    const { before, strong } = this.#dialect.heading;
    this.whole(() => {
      this.text(before(level));
      const line = nodes.map((node): Inline => (node.type === "break" ? { type: "text", text: " " } : node));
      this.#nodes(strong && !line.some(isFormatted) ? [{ type: "strong", children: line }] : line);
    });
  }

  /** A block of code with its fences; in a quote a line of code after the other. */
  #code(text: string, language: string): void {
    if (this.#isQuoted) {
      for (const [index, line] of text.replace(/\n$/, "").split("\n").entries()) {
        if (index > 0) this.#break();
        this.#codespan(line);
      }
      return;
    }
    const longest = this.#dialect.longestCode;
    // Cut behind lines, and inside them only where one alone is longer.
    const lines = new RegExp(`[^\\n]{0,${longest - 1}}(?:\\n|$|(?![\\udc00-\\udfff]))`, "g");
    const parts = text.length <= longest ? [text] : packed(text.match(lines) ?? [], longest, "");
    for (const [index, part] of parts.entries()) {
      if (index > 0) this.lineFeed();
      this.whole(() => {
        for (const [at, line] of this.#dialect.code(part, language).split("\n").entries()) {
          if (at > 0) this.lineFeed();
          this.text(line, true);
        }
      });
    }
  }

  /** A line feed the author meant. */
  #break(): void {
    this.text(this.#dialect.lineBreak);
    this.lineFeed();
  }

  /** Writes what stands in a line. */
  #nodes(nodes: readonly Inline[]): void {
    const merged = joined(nodes);
    for (const [index, node] of merged.entries()) {
      const before = merged[index - 1];
      // Two spans of stars side by side would be read as one, and a mark behind a backslash as none.
      const isClose = (before !== undefined && isFormatted(before)) || this.last === "\\";
      if (isFormatted(node) && isClose) this.text(JOINER);
      this.#node(node);
    }
  }

  #node(node: Inline): void {
    switch (node.type) {
      case "text":
        return this.#prose(node.text);
      case "strong":
      case "emphasis":
      case "strike":
        return this.#formatted(node.children, this.#dialect[node.type]);
      case "codespan":
        return this.#codespan(visibleLine(node.text));
      case "break":
        if (this.atLineStart) return;
        return this.#isLabel ? this.text(" ") : this.#break();
      case "image":
        return this.#note(`[image: ${visibleLine(node.alt)}${addressNote(node.url, node.alt)}]`);
      case "link":
        return this.#link(node.url, node.children);
      case "citation": {
        const cited = this.#links.cited(node);
        // A citation that leads nowhere. What follows must not make a link of its brackets; see `partition`.
        if (cited.length === 0) this.#atom(escapeControl(node.text));
        for (const { number, href } of cited) {
          const mark = `[${number}]`;
          this.#atom(href === undefined || this.#isLabel ? mark : this.#dialect.link(mark, markupAddress(href)));
        }
      }
    }
  }

  #atom(text: string): void {
    this.whole(() => this.text(text));
  }

  #formatted(children: readonly Inline[], marker: string): void {
    const text = plainText(children);
    const plain = text.length > MAX_WHOLE || (text.trim() === "" && !children.some((child) => child.type !== "text"));
    const within = this.#within;
    if (plain || within.includes(marker) || children.some((child) => child.type === "break")) {
      this.#nodes(children);
      return;
    }
    this.whole(() => {
      this.text(marker);
      this.#within = [...within, marker];
      this.#nodes(children);
      this.#within = within;
      if (this.last === "\\") this.text(JOINER);
      this.text(marker);
    });
  }

  #codespan(text: string): void {
    if (text === "") return;
    const span = text.length > MAX_WHOLE || text.trim() === "" ? undefined : this.#dialect.codespan(text);
    if (span === undefined) this.#prose(text);
    else this.#atom(span);
  }

  #link(url: string, children: readonly Inline[]): void {
    const href = this.#isLabel ? undefined : this.#links.href(url);
    const label = plainText(children);
    const long = label.length > MAX_WHOLE || children.some((child) => child.type === "citation");
    if (href === undefined || long || visibleText(label).trim() === "") {
      this.#nodes(children);
      if (href !== undefined) {
        // The address behind a text that could not be its label.
        const host = this.#dialect.word(URL.parse(href)?.host ?? "", "", "");
        this.#atom(` ${this.#dialect.link(host, markupAddress(href))}`);
      } else if (!this.#isLabel) this.#note(addressNote(url, label));
      return;
    }
    const inside = new MarkupWriter(this.#links, this.#dialect, true);
    inside.#within = this.#within;
    inside.whole(() => inside.#nodes(children));
    const text = inside.finish("", "none").map((span) => span.text);
    this.#atom(this.#dialect.link(text.join(""), markupAddress(href)));
    this.#note(misleads(label, href));
  }

  /** Words of ours, in which no address becomes a link. */
  #note(text: string): void {
    const before = this.#isLabel;
    this.#isLabel = true;
    this.#prose(text);
    this.#isLabel = before;
  }

  #prose(text: string): void {
    // Line feeds inside a paragraph are where its author's editor wrapped it.
    // A backtick in prose could pair with those of code: a look-alike takes its place.
    const line = visibleText(text).replaceAll("\n", " ").replaceAll("`", "ˋ");
    for (const match of line.matchAll(/ +|[^ ]+/g)) {
      const [token] = match;
      const end = match.index + token.length;
      if (token.startsWith(" ")) {
        if (this.atLineStart) continue;
        this.text(" ");
        if (/\p{L}/u.test(line.slice(end, end + 2))) this.mark("run");
        continue;
      }
      this.#word(token, line[match.index - 1] ?? "", line[end] ?? "");
    }
  }

  #word(word: string, before: string, after: string): void {
    const address = this.#isLabel ? undefined : linkedAddress(word, this.#links);
    if (address === undefined) return this.#plain(word, before, after);
    const [lead, rest] = [word.slice(0, address.index), word.slice(address.index + address.text.length)];
    if (lead !== "") this.#plain(lead, before, address.text[0] ?? "");
    const label = this.#dialect.word(address.text, "", "");
    this.#atom(this.#dialect.link(parted(label), markupAddress(address.href)));
    if (rest !== "") this.#plain(rest, address.text.at(-1) ?? "", after);
  }

  #plain(word: string, before: string, after: string): void {
    const escaped = parted(this.#dialect.word(word, before, after));
    const written = this.atLineStart ? this.#dialect.lineStart(escaped) : escaped;
    this.text(partition(this.last, word));
    const parts = slices(written);
    for (const part of parts) {
      this.text(part);
      if (parts.length > 1) this.mark("run");
    }
  }
}

const isFormatted = (node: Inline): boolean =>
  node.type === "strong" || node.type === "emphasis" || node.type === "strike" || node.type === "codespan";

/** A table as a list: an entry per row, in it a line per cell behind its column's header. Nothing is left out. */
export function tableAsList({ header, rows }: Table): readonly Block[] {
  const lineOf = (nodes: readonly Inline[], column: number): readonly Inline[] => {
    const name = header[column] ?? [];
    const label: readonly Inline[] = name.length === 0 ? [] : [...name, { type: "text", text: ": " }];
    return nodes.length === 0 ? [] : [...(column === 0 ? [] : [{ type: "break" } as const]), ...label, ...nodes];
  };
  const entries = rows.length === 0 ? [header.flat()] : rows.map((row) => row.flatMap(lineOf));
  const children = entries.map((entry): ListItem => ({
    type: "item",
    children: [{ type: "paragraph", children: entry }],
  }));
  return [{ type: "list", ordered: false, start: 1, tight: true, children }];
}

/** Parts of a word, one unless it is long; cut neither in an escape nor in a character. */
function slices(word: string): string[] {
  if (word.length <= MAX_WORD) return [word];
  return word.match(new RegExp(`(?:\\\\[^]|&[a-z]+;|[^]){1,${MAX_WORD}}`, "gu")) ?? [word];
}

/** Text nodes side by side as one. */
function joined(nodes: readonly Inline[]): readonly Inline[] {
  const merged: Inline[] = [];
  for (const node of nodes) {
    const before = merged.at(-1);
    if (node.type === "text" && before?.type === "text")
      merged[merged.length - 1] = { type: "text", text: before.text + node.text };
    else merged.push(node);
  }
  return merged;
}

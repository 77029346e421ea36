/**
 * Blocks as lines of one of the platform's two markups. What both have in common is written once, here; a `Dialect` says
 * how each writes text, emphasis and links (`markdown.ts`, `mrkdwn.ts`).
 */
import { addressNote, plainText, visibleLine, visibleText } from "@threadlore/ask";
import type { Block, Inline, Links, List, ListItem, Table } from "@threadlore/ask";
import { linkedAddress, misleads } from "./addresses.ts";
import { escapeControl, JOINER, markupAddress, parted, partition } from "./escape.ts";
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

/** What rendering needs beside the blocks. */
export interface Writing {
  readonly links: Links;
  readonly dialect: Dialect;
  /** Inside a quote, where no fence is understood. */
  readonly quoted?: boolean;
  /** Formatting around what is written now, which must not begin again inside. */
  readonly within?: readonly string[];
}

/** Longer formatted texts and labels lose their formatting: they could not be cut where a message ends. */
const MAX_WHOLE = 1_500;
/** Words longer than this may be cut inside. */
const MAX_WORD = 400;
const INDENT = "    ";

/** Writes a block. `alternate`: the block before is a list of the same kind, and this one is to stand apart from it. */
export function writeBlock(writer: SpanWriter, block: Block, writing: Writing, alternate = false): void {
  switch (block.type) {
    case "paragraph":
      writeNodes(writer, block.children, writing);
      return;
    case "heading":
      writeHeading(writer, block.level, block.children, writing);
      return;
    case "code":
      writeCode(writer, visibleText(block.text), languageOf(block.language), writing);
      return;
    case "quote":
      writer.inside("> ", "> ", () => writeBlocks(writer, block.children, { ...writing, quoted: true }));
      return;
    case "list":
      for (const [index, item] of block.children.entries()) {
        if (index > 0) writer.lineFeed();
        writeItem(writer, item, { list: block, index, alternate }, writing);
      }
      return;
    case "table":
      writeTable(writer, block, writing);
      return;
    case "divider":
      writer.text(writing.dialect.divider);
  }
}

/** The language of a fence, where it is a plain word. */
export function languageOf(language: string | undefined): string {
  return /^[A-Za-z0-9+#_-]{1,30}$/.test(language ?? "") ? (language ?? "") : "";
}

/** Whether a block is a list right behind another of its kind, so that both would be read as one. */
export function isAlternate(blocks: readonly Block[], index: number): boolean {
  let alternate = false;
  for (let at = index; at > 0; at -= 1) {
    const [block, before] = [blocks[at], blocks[at - 1]];
    if (block?.type !== "list" || before?.type !== "list" || block.ordered !== before.ordered) break;
    alternate = !alternate;
  }
  return alternate;
}

function writeBlocks(writer: SpanWriter, blocks: readonly Block[], writing: Writing): void {
  for (const [index, block] of blocks.entries()) {
    if (index > 0) writer.lineFeed(2);
    writeBlock(writer, block, writing, isAlternate(blocks, index));
  }
}

/** Where a list entry stands. */
export interface ItemPlace {
  readonly list: List;
  readonly index: number;
  readonly alternate: boolean;
}

/** Writes one entry of a list. Loose lists are written as tight ones: the platform shows no difference. */
export function writeItem(writer: SpanWriter, item: ListItem, place: ItemPlace, writing: Writing): void {
  const { list, index, alternate } = place;
  const marker = list.ordered ? `${list.start + index}${alternate ? ")" : "."} ` : writing.dialect.bullet(alternate);
  const rest = marker.length > INDENT.length ? " ".repeat(marker.length) : INDENT;
  const [first] = item.children;
  // What is no paragraph has to stand in the column its later lines do.
  const lead = first === undefined || first.type === "paragraph" ? marker : marker.padEnd(rest.length);
  writer.inside(lead, rest, () => {
    if (item.checked !== undefined) writer.text(item.checked ? "☑ " : "☐ ");
    else if (first === undefined) writer.text("", true);
    for (const [at, child] of item.children.entries()) {
      if (at > 0) writer.lineFeed(child.type === "list" ? 1 : 2);
      writeBlock(writer, child, writing, isAlternate(item.children, at));
    }
  });
}

function writeHeading(writer: SpanWriter, level: number, nodes: readonly Inline[], writing: Writing): void {
  const { before, strong } = writing.dialect.heading;
  writer.whole(() => {
    writer.text(before(level));
    const line = nodes.map((node): Inline => (node.type === "break" ? { type: "text", text: " " } : node));
    if (strong && !line.some(isFormatted)) writeNodes(writer, [{ type: "strong", children: line }], writing);
    else writeNodes(writer, line, writing);
  });
}

const isFormatted = (node: Inline): boolean =>
  node.type === "strong" || node.type === "emphasis" || node.type === "strike" || node.type === "codespan";

/** A table where none can stand: its columns under each other, or, where that is too wide, a line per cell. */
function writeTable(writer: SpanWriter, table: Table, writing: Writing): void {
  const aligned = plainTable(table, writing.links);
  if (aligned !== undefined) {
    writeCode(writer, aligned, "", writing);
    return;
  }
  writeBlocks(writer, tableAsList(table), writing);
}

/** A table as a list: an entry per row, in it a line per cell behind its column's header. Nothing is left out. */
export function tableAsList(table: Table): readonly Block[] {
  const cell = (nodes: readonly Inline[], column: number): Inline[] => {
    const header = table.header[column] ?? [];
    return header.length === 0 ? [...nodes] : [...header, { type: "text", text: ": " }, ...nodes];
  };
  const lines = (row: readonly (readonly Inline[])[]): Inline[] =>
    row.flatMap((nodes, column) => {
      const line = nodes.length === 0 ? [] : cell(nodes, column);
      return column === 0 || line.length === 0 ? line : [{ type: "break" } as const, ...line];
    });
  const rows = table.rows.length === 0 ? [table.header] : table.rows;
  const children = rows.map((row): ListItem => {
    const written = table.rows.length === 0 ? row.flat() : lines(row);
    return { type: "item", children: [{ type: "paragraph", children: written }] };
  });
  return [{ type: "list", ordered: false, start: 1, tight: true, children }];
}

/** A block of code with its fences; in a quote a line of code after the other. */
function writeCode(writer: SpanWriter, text: string, language: string, writing: Writing): void {
  if (writing.quoted !== true) {
    for (const [index, part] of lineParts(text, writing.dialect.longestCode).entries()) {
      if (index > 0) writer.lineFeed();
      writeLines(writer, writing.dialect.code(part, language));
    }
    return;
  }
  for (const [index, line] of text.replace(/\n$/, "").split("\n").entries()) {
    if (index > 0) {
      writer.text(writing.dialect.lineBreak);
      writer.lineFeed();
    }
    writeCodespan(writer, line, writing, false);
  }
}

/** Text in parts of about so many characters, cut behind lines, and inside them only where one alone is longer. */
function lineParts(text: string, longest: number): readonly string[] {
  if (text.length <= longest) return [text];
  const parts: string[] = [];
  let part = "";
  for (const line of text.match(new RegExp(`[^\\n]{0,${longest - 1}}(?:\\n|$|(?![\\udc00-\\udfff]))`, "g")) ?? []) {
    if (part.length + line.length > longest && part !== "") {
      parts.push(part);
      part = "";
    }
    part += line;
  }
  return part === "" ? parts : [...parts, part];
}

function writeLines(writer: SpanWriter, text: string): void {
  writer.whole(() => {
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) writer.lineFeed();
      writer.text(line, true);
    }
  });
}

/** Writes what stands in a line. */
function writeNodes(writer: SpanWriter, nodes: readonly Inline[], writing: Writing, inLabel = false): void {
  const merged = joined(nodes);
  for (const [index, node] of merged.entries()) {
    const before = merged[index - 1];
    // Two spans of stars side by side would be read as one, and a mark behind a backslash as none.
    const isClose = (before !== undefined && isFormatted(before)) || writer.last === "\\";
    if (isFormatted(node) && isClose) writer.text(JOINER);
    writeNode(writer, node, writing, inLabel);
  }
}

function writeNode(writer: SpanWriter, node: Inline, writing: Writing, inLabel: boolean): void {
  switch (node.type) {
    case "text":
      writeText(writer, node.text, writing, inLabel);
      return;
    case "strong":
    case "emphasis":
    case "strike":
      writeFormatted(writer, node.children, writing.dialect[node.type], writing, inLabel);
      return;
    case "codespan":
      writeCodespan(writer, visibleLine(node.text), writing, inLabel);
      return;
    case "break":
      if (writer.atLineStart) return;
      if (inLabel) {
        writer.text(" ");
        return;
      }
      writer.text(writing.dialect.lineBreak);
      writer.lineFeed();
      return;
    case "image":
      writeText(writer, `[image: ${visibleLine(node.alt)}${addressNote(node.url, node.alt)}]`, writing, true);
      return;
    case "link":
      writeLink(writer, node.url, node.children, writing, inLabel);
      return;
    case "citation": {
      const cited = writing.links.cited(node);
      if (cited.length === 0) plainMark(writer, node.text);
      for (const { number, href } of cited) {
        if (href === undefined || inLabel) plainMark(writer, `[${number}]`);
        else atom(writer, writing.dialect.link(`[${number}]`, markupAddress(href)));
      }
    }
  }
}

/** A citation that leads nowhere. What follows must not make a link of its brackets; see `partition`. */
function plainMark(writer: SpanWriter, text: string): void {
  atom(writer, escapeControl(text));
}

function atom(writer: SpanWriter, text: string): void {
  writer.whole(() => writer.text(text));
}

function writeFormatted(
  writer: SpanWriter,
  children: readonly Inline[],
  marker: string,
  writing: Writing,
  inLabel: boolean,
): void {
  const text = plainText(children);
  const plain = text.length > MAX_WHOLE || (text.trim() === "" && !children.some((child) => child.type !== "text"));
  const within = writing.within ?? [];
  if (plain || within.includes(marker) || children.some((child) => child.type === "break")) {
    writeNodes(writer, children, writing, inLabel);
    return;
  }
  writer.whole(() => {
    writer.text(marker);
    writeNodes(writer, children, { ...writing, within: [...within, marker] }, inLabel);
    if (writer.last === "\\") writer.text(JOINER);
    writer.text(marker);
  });
}

function writeCodespan(writer: SpanWriter, text: string, writing: Writing, inLabel: boolean): void {
  if (text === "") return;
  const span = text.length > MAX_WHOLE || text.trim() === "" ? undefined : writing.dialect.codespan(text);
  if (span === undefined) writeText(writer, text, writing, inLabel);
  else atom(writer, span);
}

function writeLink(
  writer: SpanWriter,
  url: string,
  children: readonly Inline[],
  writing: Writing,
  inLabel: boolean,
): void {
  const href = inLabel ? undefined : writing.links.href(url);
  const label = plainText(children);
  const long = label.length > MAX_WHOLE || children.some((child) => child.type === "citation");
  if (href === undefined || long || visibleText(label).trim() === "") {
    writeNodes(writer, children, writing, inLabel);
    if (href !== undefined) writeLinkedNote(writer, href, writing);
    else if (!inLabel) writeText(writer, addressNote(url, label), writing, true);
    return;
  }
  const inside = new SpanWriter();
  inside.whole(() => writeNodes(inside, children, writing, true));
  const text = inside.finish("", "none").map((span) => span.text);
  atom(writer, writing.dialect.link(text.join(""), markupAddress(href)));
  const note = misleads(label, href);
  if (note !== undefined) writeText(writer, note, writing, true);
}

/** The address behind a text that could not be its label. */
function writeLinkedNote(writer: SpanWriter, href: string, writing: Writing): void {
  const host = URL.parse(href)?.host ?? "";
  atom(writer, ` ${writing.dialect.link(writing.dialect.word(host, "", ""), markupAddress(href))}`);
}

function writeText(writer: SpanWriter, text: string, writing: Writing, inLabel: boolean): void {
  // Line feeds inside a paragraph are where its author's editor wrapped it.
  // A backtick in prose could pair with those of code: a look-alike takes its place.
  const line = visibleText(text).replaceAll("\n", " ").replaceAll("`", "ˋ");
  for (const match of line.matchAll(/ +|[^ ]+/g)) {
    const [token] = match;
    const end = match.index + token.length;
    if (token.startsWith(" ")) {
      if (writer.atLineStart) continue;
      writer.text(" ");
      if (/\p{L}/u.test(line.slice(end, end + 2))) writer.mark("run");
      continue;
    }
    writeWord(writer, token, line[match.index - 1] ?? "", line[end] ?? "", writing, inLabel);
  }
}

function writeWord(
  writer: SpanWriter,
  word: string,
  before: string,
  after: string,
  writing: Writing,
  inLabel: boolean,
): void {
  const address = inLabel ? undefined : linkedAddress(word, writing.links);
  if (address === undefined) {
    writePlain(writer, word, before, after, writing);
    return;
  }
  const [lead, rest] = [word.slice(0, address.index), word.slice(address.index + address.text.length)];
  if (lead !== "") writePlain(writer, lead, before, address.text[0] ?? "", writing);
  const label = writing.dialect.word(address.text, "", "");
  atom(writer, writing.dialect.link(parted(label), markupAddress(address.href)));
  if (rest !== "") writePlain(writer, rest, address.text.at(-1) ?? "", after, writing);
}

function writePlain(writer: SpanWriter, word: string, before: string, after: string, writing: Writing): void {
  const escaped = parted(writing.dialect.word(word, before, after));
  const written = writer.atLineStart ? writing.dialect.lineStart(escaped) : escaped;
  writer.text(partition(writer.last, word));
  const parts = written.length > MAX_WORD ? slices(written) : [written];
  for (const part of parts) {
    writer.text(part);
    if (parts.length > 1) writer.mark("run");
  }
}

/** Parts of a long word, cut neither in an escape nor in a character. */
function slices(word: string): string[] {
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

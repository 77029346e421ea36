/** Blocks -> lines for a terminal. Every text goes through `visibleText`: no byte of the content is ever obeyed. */
import { addressNote, type Links } from "../answer/citations.ts";
import { line, plainLine, runsWidth, type Style, type StyledLine, type StyledRun, wrap } from "./styled.ts";
import {
  type Aside,
  type Block,
  type CitationMark,
  type Inline,
  type Link,
  type List,
  type ListItem,
  plainText,
  type Table,
} from "../markdown/tree.ts";
import { visibleLine, visibleText } from "../visible.ts";

/** What a terminal can show. */
export interface TerminalOptions {
  /** Use colours and bold (SGR codes). Default false: no escape sequence at all is written for styles. */
  color?: boolean;
  /** Columns to break lines at; 0 breaks only where the text does. Default 80. Code and addresses may be wider. */
  width?: number;
  /** Write OSC 8 hyperlinks, for allowed addresses only. Default false: addresses stand behind their text. */
  hyperlinks?: boolean;
}

export interface Layout extends Readonly<Required<TerminalOptions>> {
  readonly links: Links;
  /** Lines already made, by node: what did not change is not laid out again. */
  readonly known: WeakMap<object, readonly StyledLine[]>;
}

/** Narrower than this, text is not broken any further. */
const MIN_WIDTH = 16;

export function layoutOf(links: Links, options: TerminalOptions): Layout {
  const { color = false, width = 80, hyperlinks = false } = options;
  return { color, width, hyperlinks, links, known: new WeakMap() };
}

/** The lines of blocks below each other, a blank line between them unless `tight`. */
export function linesOf(blocks: readonly Block[], layout: Layout, tight = false): StyledLine[] {
  return blocks.flatMap((block, index) => {
    const lines = blockLines(block, layout);
    return index === 0 || tight ? lines : [BLANK, ...lines];
  });
}

export const BLANK: StyledLine = { text: "", visible: "", width: 0 };

function blockLines(block: Block, layout: Layout): readonly StyledLine[] {
  // Lines of one width: a narrower layout, inside a quote or list, brings its own memory.
  return layout.known.get(block) ?? remember(block, layout, layOut(block, layout));
}

function remember(node: object, { known }: Layout, lines: readonly StyledLine[]): readonly StyledLine[] {
  known.set(node, lines);
  return lines;
}

function layOut(block: Block, layout: Layout): StyledLine[] {
  switch (block.type) {
    case "paragraph":
      return wrapped(runsOf(block.children, layout, {}), layout);
    case "heading": {
      const mark: StyledRun[] = layout.color ? [] : [{ text: `${"#".repeat(block.level)} `, style: {} }];
      return wrapped(
        [...mark, ...runsOf(block.children, layout, { bold: true, underline: block.level === 1 })],
        layout,
      );
    }
    case "code":
      return codeLines(block.text, layout);
    case "quote":
      return prefixed(linesOf(block.children, narrowed(layout, 2, "quote")), "│ ", "│ ", layout);
    case "list":
      return listLines(block, layout);
    case "table":
      return tableLines(block, layout);
    case "aside":
      return asideLines(block, layout);
    case "divider":
      return [plainLine("─".repeat(Math.min(layout.width || 40, 40)), { dim: true }, layout.color)];
  }
}

function wrapped(runs: readonly StyledRun[], layout: Layout): StyledLine[] {
  return wrap(runs, layout.width).map((one) => line(one, layout.color));
}

function codeLines(text: string, layout: Layout): StyledLine[] {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((one) =>
    plainLine(`    ${visibleText(one.replaceAll("\t", "    "))}`, { code: true }, layout.color),
  );
}

function prefixed(lines: readonly StyledLine[], first: string, rest: string, layout: Layout): StyledLine[] {
  const shown = lines.length === 0 ? [BLANK] : lines;
  return shown.map((one, index) => {
    const prefix = index === 0 ? first : rest;
    const mark = plainLine(prefix, { dim: prefix.trim() !== "" }, layout.color);
    if (one.width === 0) return { ...mark, text: mark.text.trimEnd() };
    return { text: mark.text + one.text, visible: prefix + one.visible, width: mark.width + one.width };
  });
}

const narrowLayouts = new WeakMap<Layout, Map<string, Layout>>();

/** A layout for what stands indented; the same one each time for one kind of place, for the lines it knows. */
function narrowed(layout: Layout, columns: number, place: string): Layout {
  const layouts = narrowLayouts.get(layout) ?? new Map<string, Layout>();
  narrowLayouts.set(layout, layouts);
  const width = layout.width === 0 ? 0 : Math.max(MIN_WIDTH, layout.width - columns);
  const key = `${columns} ${place}`;
  const narrow = layouts.get(key) ?? { ...layout, width, known: new WeakMap() };
  layouts.set(key, narrow);
  return narrow;
}

function listLines(list: List, layout: Layout): StyledLine[] {
  const last = list.start + list.children.length - 1;
  // Numbers are as wide as the longest one can get before the list is much longer, so that items keep their lines.
  const digits = Math.max(2, String(last).length);
  return list.children.flatMap((item, index) => {
    const lines = itemLines(item, list, index, digits, layout);
    return index === 0 || list.tight ? lines : [BLANK, ...lines];
  });
}

function itemLines(item: ListItem, list: List, index: number, digits: number, layout: Layout): readonly StyledLine[] {
  const number = list.ordered ? `${String(list.start + index).padStart(digits)}. ` : "• ";
  const task = item.checked === undefined ? "" : item.checked ? "[x] " : "[ ] ";
  const mark = number + task;
  const inner = narrowed(layout, mark.length, list.tight ? "tight" : "loose");
  const lay = () => prefixed(linesOf(item.children, inner, list.tight), mark, " ".repeat(mark.length), layout);
  return inner.known.get(item) ?? remember(item, inner, lay());
}

// ── Asides ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** What stands beside the answer: what was read otherwise is quiet, what differs has a bar. */
function asideLines({ role, children }: Aside, layout: Layout): StyledLine[] {
  const inner = role === "conflict" ? narrowed(layout, 2, "aside") : layout;
  const lines = children.flatMap((block): readonly StyledLine[] => {
    if (block.type === "list") return entryLines(block, inner);
    if (block.type !== "paragraph" || role !== "corrected") return blockLines(block, inner);
    return wrapped(runsOf(block.children, layout, { dim: true }), layout);
  });
  return role === "conflict" ? prefixed(lines, "│ ", "│ ", layout) : lines;
}

/** Documents with what they say; where no link can be written an address stands below, out of the sentence's way. */
function entryLines(list: List, layout: Layout): StyledLine[] {
  if (layout.hyperlinks) return listLines(list, layout);
  return list.children.flatMap((item, index) => {
    const { entry, href } = addressApart(item, layout.links);
    const lines = itemLines(entry, list, index, 2, layout);
    const below = href === undefined ? [] : [plainLine(`  ${visibleLine(href)}`, { dim: true }, layout.color)];
    return [...lines, ...below];
  });
}

function addressApart(item: ListItem, links: Links): { entry: ListItem; href?: string } {
  const [first, ...rest] = item.children;
  if (first?.type !== "paragraph") return { entry: item };
  const [title, ...others] = first.children;
  const href = title?.type === "link" ? links.href(title.url) : undefined;
  if (title?.type !== "link" || href === undefined) return { entry: item };
  const named: Inline = { type: "strong", children: title.children };
  return { entry: { ...item, children: [{ ...first, children: [named, ...others] }, ...rest] }, href };
}

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────

function tableLines(table: Table, layout: Layout): StyledLine[] {
  const rows = [table.header, ...table.rows].map((row, index) =>
    row.map((cell) => runsOf(cell, layout, index === 0 ? { bold: true } : {})),
  );
  const widths = columnWidths(rows, layout.width);
  const [header = [], ...body] = rows.map((row) => rowLines(row, widths, table, layout));
  const rule = plainLine(widths.map((width) => "─".repeat(width)).join("─┼─"), { dim: true }, layout.color);
  return [...header, rule, ...body.flat()];
}

const SEPARATOR = " │ ";
/** A table wider than the terminal is narrowed, widest columns first, but never below this. */
const MIN_COLUMN = 6;

function columnWidths(rows: readonly (readonly StyledRun[][])[], limit: number): number[] {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => cellWidth(row[column] ?? []))),
  );
  if (limit === 0) return widths;
  const room = limit - SEPARATOR.length * (columns - 1);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  for (; excess > 0; excess -= 1) {
    const widest = Math.max(...widths);
    if (widest <= MIN_COLUMN) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function cellWidth(runs: readonly StyledRun[]): number {
  return Math.max(0, ...wrap(runs, 0).map(runsWidth));
}

function rowLines(row: readonly StyledRun[][], widths: readonly number[], table: Table, layout: Layout): StyledLine[] {
  const cells = row.map((runs, column) => wrap(runs, widths[column] ?? 1, true));
  const height = Math.max(1, ...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, index) => {
    const runs = cells.flatMap((cell, column) => {
      const padded = padCell(cell[index] ?? [], widths[column] ?? 1, table.align[column] ?? null);
      return column === 0 ? padded : [{ text: SEPARATOR, style: { dim: true } }, ...padded];
    });
    return line(runs, layout.color);
  }).map((one) => ({ ...one, text: one.text.trimEnd() }));
}

function padCell(runs: readonly StyledRun[], width: number, align: Table["align"][number]): StyledRun[] {
  const space = Math.max(0, width - runsWidth(runs));
  const before = align === "right" ? space : align === "center" ? Math.floor(space / 2) : 0;
  const blank = (length: number): StyledRun[] => (length === 0 ? [] : [{ text: " ".repeat(length), style: {} }]);
  return [...blank(before), ...runs, ...blank(space - before)];
}

// ── Inline text ─────────────────────────────────────────────────────────────────────────────────────────────────

function runsOf(nodes: readonly Inline[], layout: Layout, style: Style): StyledRun[] {
  return nodes.flatMap((node) => runsOfNode(node, layout, style));
}

function runsOfNode(node: Inline, layout: Layout, style: Style): StyledRun[] {
  switch (node.type) {
    case "text":
      return [{ text: visibleText(node.text.replaceAll("\n", " ")), style }];
    case "emphasis":
      return runsOf(node.children, layout, { ...style, italic: true });
    case "strong":
      return runsOf(node.children, layout, { ...style, bold: true });
    case "strike":
      return runsOf(node.children, layout, { ...style, strike: true });
    case "codespan": {
      const text = visibleLine(node.text);
      return [{ text: layout.color ? text : `\`${text}\``, style: { ...style, code: true } }];
    }
    case "break":
      return [{ text: "\n", style }];
    case "image":
      return [{ text: `[image: ${visibleLine(node.alt)}${visibleLine(addressNote(node.url, node.alt))}]`, style }];
    case "link":
      return linkRuns(node, layout, style);
    case "citation":
      return citationRuns(node, layout, style);
  }
}

function linkRuns(link: Link, layout: Layout, style: Style): StyledRun[] {
  const href = layout.links.href(link.url);
  if (href === undefined) {
    const note = visibleLine(addressNote(link.url, plainText(link.children)));
    return [...runsOf(link.children, layout, style), { text: note, style }];
  }
  if (layout.hyperlinks) return runsOf(link.children, layout, { ...style, underline: true, href });
  const label = runsOf(link.children, layout, { ...style, underline: true });
  const same = plainText(link.children) === link.url;
  return same ? label : [...label, { text: ` (${visibleLine(href)})`, style }];
}

function citationRuns(mark: CitationMark, layout: Layout, style: Style): StyledRun[] {
  const cited = layout.links.cited(mark);
  if (cited.length === 0) return [{ text: visibleLine(mark.text), style }];
  return cited.map(({ number, href }) => {
    const look: Style = { ...style, dim: true };
    return { text: `[${number}]`, style: layout.hyperlinks && href !== undefined ? { ...look, href } : look };
  });
}

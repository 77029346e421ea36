/** Blocks -> lines for a terminal. Every text goes through `visibleText`: no byte of the content is ever obeyed. */
import type { Links } from "../answer/citations.ts";
import { addressNote } from "../answer/citations.ts";
import type { Run, Style, StyledLine } from "./styled.ts";
import { line, runsWidth, wrap } from "./styled.ts";
import type { Block, CitationMark, Inline, Link, List, ListItem, Table } from "../markdown/tree.ts";
import { plainText } from "../markdown/tree.ts";
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

export interface View {
  readonly color: boolean;
  readonly width: number;
  readonly hyperlinks: boolean;
  readonly links: Links;
  /** Lines already made, by node: what did not change is not laid out again. */
  readonly known: WeakMap<object, readonly StyledLine[]>;
}

/** Narrower than this, text is not broken any further. */
const NARROWEST = 16;

export function viewOf(links: Links, options: TerminalOptions): View {
  const { color = false, width = 80, hyperlinks = false } = options;
  return { color, width, hyperlinks, links, known: new WeakMap() };
}

/** The lines of blocks below each other, a blank line between them unless `tight`. */
export function linesOf(blocks: readonly Block[], view: View, tight = false): StyledLine[] {
  return blocks.flatMap((block, index) => {
    const lines = blockLines(block, view);
    return index === 0 || tight ? lines : [BLANK, ...lines];
  });
}

export const BLANK: StyledLine = { text: "", visible: "", width: 0 };

export function blockLines(block: Block, view: View): readonly StyledLine[] {
  // Lines of one width: a narrower view, inside a quote or list, brings its own memory.
  let lines = view.known.get(block);
  if (lines === undefined) {
    lines = layOut(block, view);
    view.known.set(block, lines);
  }
  return lines;
}

function layOut(block: Block, view: View): StyledLine[] {
  switch (block.type) {
    case "paragraph":
      return wrapped(runsOf(block.children, view, {}), view);
    case "heading": {
      const mark: Run[] = view.color ? [] : [{ text: `${"#".repeat(block.level)} `, style: {} }];
      return wrapped([...mark, ...runsOf(block.children, view, { bold: true, underline: block.level === 1 })], view);
    }
    case "code":
      return codeLines(block.text, view);
    case "quote":
      return prefixed(linesOf(block.children, narrowed(view, 2, "quote")), "│ ", "│ ", view);
    case "list":
      return listLines(block, view);
    case "table":
      return tableLines(block, view);
    case "divider":
      return [
        line([{ text: "─".repeat(view.width > 0 ? Math.min(view.width, 40) : 40), style: { dim: true } }], view.color),
      ];
  }
}

function wrapped(runs: readonly Run[], view: View): StyledLine[] {
  return wrap(runs, view.width).map((one) => line(one, view.color));
}

function codeLines(text: string, view: View): StyledLine[] {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((one) =>
    line([{ text: `    ${visibleText(one.replaceAll("\t", "    "))}`, style: { code: true } }], view.color),
  );
}

function prefixed(lines: readonly StyledLine[], first: string, rest: string, view: View): StyledLine[] {
  const shown = lines.length === 0 ? [BLANK] : lines;
  return shown.map((one, index) => {
    const prefix = index === 0 ? first : rest;
    const mark = line([{ text: prefix, style: { dim: prefix.trim() !== "" } }], view.color);
    if (one.width === 0) return { ...mark, text: mark.text.trimEnd() };
    return { text: mark.text + one.text, visible: prefix + one.visible, width: mark.width + one.width };
  });
}

const narrowViews = new WeakMap<View, Map<string, View>>();

/** A view for what stands indented; the same one each time for one kind of place, for the lines it knows. */
function narrowed(view: View, columns: number, place: string): View {
  const views = narrowViews.get(view) ?? new Map<string, View>();
  narrowViews.set(view, views);
  const width = view.width === 0 ? 0 : Math.max(NARROWEST, view.width - columns);
  const key = `${columns} ${place}`;
  const narrow = views.get(key) ?? { ...view, width, known: new WeakMap() };
  views.set(key, narrow);
  return narrow;
}

function listLines(list: List, view: View): StyledLine[] {
  const last = list.start + list.children.length - 1;
  // Numbers are as wide as the longest one can get before the list is much longer, so that items keep their lines.
  const digits = Math.max(2, String(last).length);
  return list.children.flatMap((item, index) => {
    const lines = itemLines(item, list, index, digits, view);
    return index === 0 || list.tight ? lines : [BLANK, ...lines];
  });
}

function itemLines(item: ListItem, list: List, index: number, digits: number, view: View): readonly StyledLine[] {
  const number = list.ordered ? `${String(list.start + index).padStart(digits)}. ` : "• ";
  const task = item.checked === undefined ? "" : item.checked ? "[x] " : "[ ] ";
  const mark = number + task;
  const inner = narrowed(view, mark.length, list.tight ? "tight" : "loose");
  const known = inner.known.get(item);
  if (known !== undefined) return known;
  const lines = prefixed(linesOf(item.children, inner, list.tight), mark, " ".repeat(mark.length), view);
  inner.known.set(item, lines);
  return lines;
}

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────

function tableLines(table: Table, view: View): StyledLine[] {
  const rows = [table.header, ...table.rows].map((row, index) =>
    row.map((cell) => runsOf(cell, view, index === 0 ? { bold: true } : {})),
  );
  const widths = columnWidths(rows, view.width);
  const [header = [], ...body] = rows.map((row) => rowLines(row, widths, table, view));
  const rule = line([{ text: widths.map((width) => "─".repeat(width)).join("─┼─"), style: { dim: true } }], view.color);
  return [...header, rule, ...body.flat()];
}

const SEPARATOR = " │ ";
/** A table wider than the terminal is narrowed, widest columns first, but never below this. */
const NARROWEST_COLUMN = 6;

function columnWidths(rows: readonly (readonly Run[][])[], limit: number): number[] {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => cellWidth(row[column] ?? []))),
  );
  if (limit === 0) return widths;
  const room = limit - SEPARATOR.length * (columns - 1);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  for (; excess > 0; excess -= 1) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST_COLUMN) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function cellWidth(runs: readonly Run[]): number {
  return Math.max(0, ...wrap(runs, 0).map(runsWidth));
}

function rowLines(row: readonly Run[][], widths: readonly number[], table: Table, view: View): StyledLine[] {
  const cells = row.map((runs, column) => wrap(runs, widths[column] ?? 1, true));
  const height = Math.max(1, ...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, index) => {
    const runs = cells.flatMap((cell, column) => {
      const padded = padCell(cell[index] ?? [], widths[column] ?? 1, table.align[column] ?? null);
      return column === 0 ? padded : [{ text: SEPARATOR, style: { dim: true } }, ...padded];
    });
    return line(runs, view.color);
  }).map((one) => ({ ...one, text: one.text.trimEnd() }));
}

function padCell(runs: readonly Run[], width: number, align: Table["align"][number]): Run[] {
  const space = Math.max(0, width - runsWidth(runs));
  const before = align === "right" ? space : align === "center" ? Math.floor(space / 2) : 0;
  const blank = (length: number): Run[] => (length === 0 ? [] : [{ text: " ".repeat(length), style: {} }]);
  return [...blank(before), ...runs, ...blank(space - before)];
}

// ── Inline text ─────────────────────────────────────────────────────────────────────────────────────────────────

function runsOf(nodes: readonly Inline[], view: View, style: Style): Run[] {
  return nodes.flatMap((node) => runsOfNode(node, view, style));
}

function runsOfNode(node: Inline, view: View, style: Style): Run[] {
  switch (node.type) {
    case "text":
      return [{ text: visibleText(node.text.replaceAll("\n", " ")), style }];
    case "emphasis":
      return runsOf(node.children, view, { ...style, italic: true });
    case "strong":
      return runsOf(node.children, view, { ...style, bold: true });
    case "strike":
      return runsOf(node.children, view, { ...style, strike: true });
    case "codespan": {
      const text = visibleLine(node.text);
      return [{ text: view.color ? text : `\`${text}\``, style: { ...style, code: true } }];
    }
    case "break":
      return [{ text: "\n", style }];
    case "image":
      return [{ text: `[image: ${visibleLine(node.alt)}${visibleLine(addressNote(node.url, node.alt))}]`, style }];
    case "link":
      return linkRuns(node, view, style);
    case "citation":
      return citationRuns(node, view, style);
  }
}

function linkRuns(link: Link, view: View, style: Style): Run[] {
  const href = view.links.href(link.url);
  if (href === undefined) {
    const note = visibleLine(addressNote(link.url, plainText(link.children)));
    return [...runsOf(link.children, view, style), { text: note, style }];
  }
  if (view.hyperlinks) return runsOf(link.children, view, { ...style, underline: true, href });
  const label = runsOf(link.children, view, { ...style, underline: true });
  const same = plainText(link.children) === link.url;
  return same ? label : [...label, { text: ` (${visibleLine(href)})`, style }];
}

function citationRuns(mark: CitationMark, view: View, style: Style): Run[] {
  const cited = view.links.cited(mark);
  if (cited.length === 0) return [{ text: visibleLine(mark.text), style }];
  return cited.map(({ number, href }) => {
    const look: Style = { ...style, dim: true };
    return { text: `[${number}]`, style: view.hyperlinks && href !== undefined ? { ...look, href } : look };
  });
}

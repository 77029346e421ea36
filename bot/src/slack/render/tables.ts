/** Tables: the platform's own block, and text for where that is not taken. */
import type { RichTextElement, TableBlock } from "@slack/types";
import { addressNote, type Inline, type Links, plainText, type Table } from "@threadlore/ask";
import { textWidth } from "@threadlore/ask/terminal";
import { literalText } from "./escape.ts";
import { BUDGETS, LIMITS } from "../transport/limits.ts";

type Cells = readonly (readonly Inline[])[];
type TableCell = TableBlock["rows"][number][number];

/** Wider tables are not aligned: their lines would break, and no column would stand under its header. */
const MAX_PLAIN_WIDTH = 100;

/**
 * A table as blocks, each with the table it shows: more than one where it has more rows, columns or text than one may have; each repeats the header,
 * and, of columns, the first one. Undefined when a single row is more than a block holds.
 */
export function tableParts(table: Table, links: Links) {
  const parts = narrow(table).map(short);
  if (!parts.every((part) => part !== undefined)) return undefined;
  return parts.flat().map((part) => ({ block: blockOf(part, links), table: part }));
}

/** A table in parts of no more columns than a block may have. */
function narrow(table: Table): Table[] {
  const columns = table.header.length;
  if (columns <= LIMITS.tableColumns) return [table];
  const parts: Table[] = [];
  const step = LIMITS.tableColumns - 1;
  for (let from = 1; from < columns; from += step) {
    const pick = <Cell>(cells: readonly Cell[]): Cell[] => [...cells.slice(0, 1), ...cells.slice(from, from + step)];
    parts.push({ type: "table", align: pick(table.align), header: pick(table.header), rows: table.rows.map(pick) });
  }
  return parts;
}

/** A table in parts of no more rows and characters than a block may have; undefined where a row is too long. */
function short(table: Table): Table[] | undefined {
  const room = BUDGETS.tableCharacters - lengthOf(table.header);
  if (room < 0) return undefined;
  let rows: Cells[] = [];
  let left = room;
  const parts = [rows];
  for (const row of table.rows) {
    const characters = lengthOf(row);
    if (characters > room) return undefined;
    if (characters > left || rows.length >= LIMITS.tableRows - 1) {
      rows = [];
      parts.push(rows);
      left = room;
    }
    rows.push(row);
    left -= characters;
  }
  return parts.map((part) => ({ ...table, rows: part }));
}

/** At least as many characters as a row's cells have in the block. */
function lengthOf(row: Cells): number {
  return row.reduce((sum, cell) => sum + Math.max(1, JSON.stringify(cell).length), 0);
}

function blockOf(table: Table, links: Links): TableBlock {
  const rows = [table.header, ...table.rows].map((row) => row.map((cell) => cellOf(cell, links)));
  const settings = table.align.map((align) => ({ align: align ?? ("left" as const), is_wrapped: true }));
  return { type: "table", rows, column_settings: settings };
}

function cellOf(nodes: readonly Inline[], links: Links): TableCell {
  const elements = elementsOf(nodes, links);
  const plain = elements.every((element) => element.type === "text" && element.style === undefined);
  if (!plain) return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
  const text = textOf(elements);
  // An empty cell is refused.
  return { type: "raw_text", text: text.trim() === "" ? " " : text };
}

const STYLES = { strong: "bold", emphasis: "italic", strike: "strike" } as const;
type Style = { readonly [Name in (typeof STYLES)[keyof typeof STYLES] | "code"]?: boolean };

/** What stands in a line as elements of rich text, where texts are shown as they are and links say their address. */
function elementsOf(nodes: readonly Inline[], links: Links, style?: Style): RichTextElement[] {
  return nodes.flatMap((node): RichTextElement[] => {
    switch (node.type) {
      case "text":
        return textElement(node.text, style);
      case "codespan":
        return textElement(node.text, { ...style, code: true });
      case "strong":
      case "emphasis":
      case "strike":
        return elementsOf(node.children, links, { ...style, [STYLES[node.type]]: true });
      case "break":
        return textElement(" ", style);
      case "image":
        return textElement(`[image: ${node.alt}${addressNote(node.url, node.alt)}]`, style);
      case "link": {
        const [href, label] = [links.href(node.url), plainText(node.children)];
        const text = spaced(label);
        if (href !== undefined && text.trim() !== "") return [linkElement(href, text, style)];
        return [
          ...elementsOf(node.children, links, style),
          ...(href === undefined ? textElement(addressNote(node.url, label), style) : [linkElement(href, href, style)]),
        ];
      }
      case "citation": {
        const cited = links.cited(node);
        if (cited.length === 0) return textElement(node.text, style);
        return cited.flatMap(({ number, href }) =>
          href === undefined ? textElement(`[${number}]`, style) : [linkElement(href, `[${number}]`, style)],
        );
      }
    }
  });
}

/** As `literalText`; the blanks at the ends, which part a text from the next element, stay. */
const spaced = (text: string): string => literalText(text.replaceAll("\n", " "));

function textElement(text: string, style: Style | undefined): RichTextElement[] {
  const written = spaced(text);
  return written === "" ? [] : [{ type: "text", text: written, style }];
}

function linkElement(url: string, text: string, style: Style | undefined): RichTextElement {
  return { type: "link", url, text, style };
}

/** A table as aligned lines, its header underlined; undefined when it is too wide for that. */
export function plainTable(table: Table, links: Links): string | undefined {
  const rows = [table.header, ...table.rows].map((row) => row.map((cell) => plainCell(cell, links).trim()));
  const widths = table.header.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ""))));
  if (widths.reduce((sum, width) => sum + width + 3, 0) > MAX_PLAIN_WIDTH) return undefined;
  const pad = (text: string, column: number): string => {
    const room = Math.max(0, (widths[column] ?? 0) - textWidth(text));
    const left = { left: 0, center: Math.floor(room / 2), right: room }[table.align[column] ?? "left"];
    return " ".repeat(left) + text + " ".repeat(room - left);
  };
  const lines = rows.map((row) => row.map(pad).join(" | ").trimEnd());
  const rule = widths.map((width) => "-".repeat(Math.max(1, width))).join("-|-");
  return [lines[0] ?? "", rule, ...lines.slice(1)].join("\n");
}

/** A cell without formatting: citations as their numbers, addresses as their hosts. */
function plainCell(nodes: readonly Inline[], links: Links): string {
  return textOf(elementsOf(nodes, links));
}

const textOf = (elements: readonly RichTextElement[]): string =>
  elements.map((element) => ("text" in element ? element.text : "")).join("");

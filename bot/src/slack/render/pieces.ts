import type { ContextBlock, SectionBlock, TableBlock } from "@slack/types";
import { plainText, visibleText } from "@threadlore/ask";
import type { Aside, Block, Inline, Links, ListItem, Table } from "@threadlore/ask";
import { asideAsText } from "./aside-text.ts";
import { asideBlock } from "./asides.ts";
import { alternating, languageOf, MarkupWriter, tableAsList } from "./dialect.ts";
import { fencedCode, MARKDOWN } from "./markdown.ts";
import type { Cut, Span } from "./spans.ts";
import { plainTable, tableParts } from "./tables.ts";

/**
 * A part of an answer that will not change any more, in reading order. Text is Slack's markdown, escaped and with only
 * the links the answer may have; it goes into `markdown_text` and `markdown` blocks as it is. A message that begins with
 * a piece leaves out the white space it begins with.
 */
export type Piece =
  /** Text. `after` says how good a place its end is for a message to end: within a line, a line's end, a blank line. */
  | { readonly kind: "text"; readonly text: string; readonly after: "run" | "line" | "block" }
  /** A whole fenced code block; only one that is longer than a message may be cut, and then at a line, fence re-opened. */
  | { readonly kind: "code"; readonly info: string; readonly code: string }
  /** A table as Slack's own block, and as text for where blocks are refused. */
  | { readonly kind: "table"; readonly block: TableBlock; readonly text: string }
  /** What is said beside the answer, likewise. */
  | { readonly kind: "aside"; readonly block: ContextBlock | SectionBlock; readonly text: string };

/** One line of what is being done for the answer: a task card. */
export interface TaskCard {
  readonly id: string;
  readonly title: string;
  readonly status: "in_progress" | "complete" | "error";
  /** Replaces nothing: the platform appends it, so it is given once. */
  readonly output?: string;
}

/** Pieces of text are about this long at most, in characters, where the text can be cut at all. */
const PIECE_LENGTH = 800;

/** A piece that is a block of the platform's own. */
export type BlockPiece = Extract<Piece, { readonly block: unknown }>;

/** The text of a piece as markdown; all but text itself ends with a blank line. */
export function pieceText(piece: Piece): string {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "code":
      return `${fencedCode(piece.code, piece.info)}\n\n`;
    case "table":
    case "aside":
      return `${piece.text}\n\n`;
  }
}

/** Blocks as Slack's markdown: escaped, with only the links that `links` allows, tables as aligned text. */
export function toSlackMarkdown(blocks: readonly Block[], links: Links): string {
  return piecesOf(blocks, links).map(pieceText).join("").trimEnd();
}

/** Whole, final blocks as pieces. */
export function piecesOf(blocks: readonly Block[], links: Links): readonly Piece[] {
  return unitsOf(blocks).flatMap((unit) => unitPieces(unit, links));
}

// ── Units: what is written in one go ────────────────────────────────────────────────────────────────────────────

/** A block, or a list of one entry: an entry of a list that is no part of another block. */
export interface Unit {
  readonly block: Block;
  readonly alternate: boolean;
  /** What parts it from the next unit, and how good a place for a cut that is. */
  readonly end: readonly [text: string, after: Cut];
}

/** What stands behind a unit that is not complete. */
export const OPEN_END: Unit["end"] = ["", "block"];

/** Blocks as units, in order. */
export function unitsOf(blocks: readonly Block[]): readonly Unit[] {
  return alternating(blocks).flatMap(({ block, alternate }, at): Unit[] => {
    // A heading belongs to what follows.
    const end: Unit["end"] = [at < blocks.length - 1 ? "\n\n" : "", block.type === "heading" ? "line" : "block"];
    if (block.type !== "list") return [{ block, alternate, end }];
    return block.children.map((item, index) => ({
      block: { ...block, start: block.start + index, children: [item] },
      alternate,
      end: index < block.children.length - 1 ? ["\n", "line"] : end,
    }));
  });
}

/** The pieces of a unit that is complete. */
export function unitPieces(unit: Unit, links: Links): readonly Piece[] {
  const { block } = unit;
  if (block.type === "code") {
    return [{ kind: "code", info: languageOf(block.language), code: visibleText(block.text) }];
  }
  if (block.type === "table") return tablePieces(block, links);
  if (block.type === "aside") return asidePieces(block, links);
  return textPieces(unitSpans(unit, links));
}

function tablePieces(table: Table, links: Links): readonly Piece[] {
  const parts = tableParts(table, links);
  // A row that fits into no block: as a list, which can be cut anywhere.
  if (parts === undefined)
    return [...piecesOf(tableAsList(table), links), { kind: "text", text: "\n\n", after: "block" }];
  return parts.map(({ block, table: part }) => {
    const aligned = plainTable(part, links);
    const text = aligned === undefined ? toSlackMarkdown(tableAsList(part), links) : fencedCode(aligned, "");
    return { kind: "table", block, text };
  });
}

function asidePieces(aside: Aside, links: Links): readonly Piece[] {
  const block = asideBlock(aside, links);
  const blocks = asideAsText(aside);
  if (block !== undefined) return [{ kind: "aside", block, text: toSlackMarkdown(blocks, links) }];
  return [...piecesOf(blocks, links), { kind: "text", text: "\n\n", after: "block" }];
}

/** A unit's text with the places it may be cut at. */
export function unitSpans({ block, alternate, end }: Unit, links: Links): readonly Span[] {
  return new MarkupWriter(links, MARKDOWN).block(block, alternate).finish(...end);
}

/** Spans as pieces of about the same length, each ending where its last span does. */
export function textPieces(spans: readonly Span[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let text = "";
  for (const [index, span] of spans.entries()) {
    text += span.text;
    const next = spans[index + 1];
    const full = next === undefined || text.length + next.text.length > PIECE_LENGTH || span.after === "block";
    if (!full || text === "") continue;
    pieces.push({ kind: "text", text, after: span.after === "none" ? "run" : span.after });
    text = "";
  }
  return pieces;
}

// ── What of a block that is still being written will not change ─────────────────────────────────────────────────

/** A shorter paragraph may yet become a heading by the line below it. */
const MIN_OPEN = 80;
/** How much text may stand behind a mark whose document is not known before it is taken for one nobody will explain. */
const PATIENCE = 400;

/** All nodes but the last, and of that one what is settled. */
function settledOf<Node>(nodes: readonly Node[], settle: (last: Node) => Node | undefined): readonly Node[] {
  return nodes.flatMap((node, at) => (at < nodes.length - 1 ? node : (settle(node) ?? [])));
}

/** A node, where there is anything in it. */
function filled<Node extends { readonly children: readonly unknown[] }>(node: Node): Node | undefined {
  return node.children.length === 0 ? undefined : node;
}

/** A block cut to what is settled; undefined while nothing of it is. */
export function settledBlock(block: Block, links: Links, sources: boolean): Block | undefined {
  const inside = (last: Block): Block | undefined => settledBlock(last, links, sources);
  switch (block.type) {
    case "paragraph":
      if (plainText(block.children).length < MIN_OPEN) return undefined;
      return filled({ ...block, children: settledInlines(block.children, links, sources) });
    case "quote":
      return filled({ ...block, children: settledOf(block.children, inside) });
    case "list": {
      const settledItem = (item: ListItem) => filled({ ...item, children: settledOf(item.children, inside) });
      return filled({ ...block, children: settledOf(block.children, settledItem) });
    }
    default:
      return undefined;
  }
}

function settledInlines(nodes: readonly Inline[], links: Links, sources: boolean): readonly Inline[] {
  const settled: Inline[] = [];
  for (const [index, node] of withoutTableHeader(nodes).entries()) {
    const next = nodes[index + 1];
    if (node.type !== "text") {
      // What follows could still lengthen its closing marks.
      if (next === undefined || (next.type === "text" && /^[*_~`([]/.test(next.text))) break;
      if (node.type === "citation" && sources && links.cited(node).length === 0) {
        if (plainText(nodes.slice(index + 1)).length < PATIENCE) break;
      }
      settled.push(node);
      continue;
    }
    const opener = firstOpener(node.text, next !== undefined);
    if (opener === undefined && next !== undefined) {
      settled.push(node);
      continue;
    }
    const text = node.text.slice(0, lastSafe(node.text.slice(0, opener ?? node.text.length)));
    if (text !== "") settled.push({ type: "text", text });
    break;
  }
  return settled;
}

/** A last line with bars in it may turn out to be a table's header. */
function withoutTableHeader(nodes: readonly Inline[]): readonly Inline[] {
  const at = nodes.findLastIndex((node) => node.type === "text" && node.text.includes("\n"));
  const node = nodes[at];
  const line = node?.type === "text" ? node.text.lastIndexOf("\n") : -1;
  const rest = node?.type === "text" ? node.text.slice(line + 1) + plainText(nodes.slice(at + 1)) : plainText(nodes);
  if (!rest.includes("|")) return nodes;
  if (node?.type !== "text") return [];
  return [...nodes.slice(0, at), { type: "text", text: node.text.slice(0, line) }];
}

const OPENER = /[*~]+(?=\S)|(?<![\p{L}\p{N}])_+(?=\S)|[*_~]+$|`|\\$|!$|&[#\w]{0,31}$|<[^\s<>]*$|[【［]|\[/gu;

/** Where the first mark stands that may still begin something. */
function firstOpener(text: string, followed: boolean): number | undefined {
  for (const match of text.matchAll(OPENER)) {
    if (!match[0].startsWith("[")) {
      if (followed && /^[\\!&<]/.test(match[0])) continue;
      return match.index;
    }
    const close = closing(text, match.index);
    const after = text[close + 1];
    if (close < 0 || after === undefined || "([:".includes(after)) return match.index;
  }
  return undefined;
}

/** Where the bracket that begins at `open` is closed; negative where it is not. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === "[") depth += 1;
    else if (character === "]") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** The last place of a text where what follows makes no difference to how it is written: before a blank, after CJK. */
function lastSafe(text: string): number {
  const blank = text.search(/\s\S*$/);
  const word = text.slice(blank + 1);
  if (/:\/|www|@|\\/i.test(word)) return Math.max(0, blank);
  const wide = /^.*[\u3001-\u303e\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff60](?=.)/su.exec(word);
  return wide === null ? Math.max(0, blank) : blank + 1 + wide[0].length;
}

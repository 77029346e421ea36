import type { AnyBlock, AnyChunk, TaskUpdateChunk } from "@slack/types";

import { codeParts } from "../render/answer-messages.ts";
import type { STREAM } from "../transport/limits.ts";
import type { Piece, TaskCard } from "../render/pieces.ts";
import { pieceText } from "../render/pieces.ts";

/** Budgets of one streamed message; units as in `STREAM`. */
export type MessageLimits = { readonly [Name in keyof typeof STREAM]: number };

/** A card as it is shown in a message. */
interface Row {
  readonly title: string;
  readonly status: TaskCard["status"];
  readonly detailed: boolean;
  readonly output: boolean;
  readonly sourced: boolean;
}

/** What stands in one streamed message, as far as its limits go. Immutable: a refused append leaves the old one. */
export interface MessageBudget {
  /** Bytes of everything in it. */
  readonly bytes: number;
  readonly cardBytes: number;
  readonly rows: ReadonlyMap<string, Row>;
  /** Cards counted in the last row. */
  readonly folded: ReadonlySet<string>;
  /** Title of that row as shown; empty: there is none. */
  readonly foldTitle: string;
  /** Cards that ended in an earlier message. */
  readonly past: ReadonlySet<string>;
  readonly hasTable: boolean;
  /** There is text or a table in it. */
  readonly isBegun: boolean;
  /** What the text ends with. */
  readonly edge: "run" | "line" | "block";
}

/** How much of the pieces is in messages already: whole pieces, and characters of the next. */
export interface Cursor {
  readonly piece: number;
  readonly offset: number;
}

/** What to send next. */
export interface Batch {
  readonly chunks: readonly AnyChunk[];
  /** The message after it. */
  readonly budget: MessageBudget;
  readonly cursor: Cursor;
  /** The message takes no more: what is left belongs in another. */
  readonly full: boolean;
  /** Something is left. */
  readonly more: boolean;
}

/** How to lay out. */
export interface LayOutOptions {
  readonly limits: MessageLimits;
  /** Tables as text: their blocks were refused. */
  readonly plainTables?: boolean;
  /** Nothing follows: no message ends early for a better cut. */
  readonly last?: boolean;
}

/** Id of the row in which the cards beyond the limits are counted. */
const FOLD_ID = "more-steps";

/** A message with nothing in it. */
export const freshBudget: MessageBudget = {
  bytes: 0,
  cardBytes: 0,
  rows: new Map(),
  folded: new Set(),
  foldTitle: "",
  past: new Set(),
  hasTable: false,
  isBegun: false,
  edge: "block",
};

/** The message after this one: empty, but it knows which cards need not be shown again. */
export function budgetAfter(budget: MessageBudget): MessageBudget {
  const past = new Set([...budget.past, ...budget.folded]);
  for (const [id, row] of budget.rows) if (row.status === "complete" || row.status === "error") past.add(id);
  return { ...freshBudget, past };
}

/** The message when nobody knows whether the last batch arrived: cards are sent again, what would double is not. */
export function budgetInDoubt(budget: MessageBudget): MessageBudget {
  return {
    ...budget,
    foldTitle: "",
    rows: new Map([...budget.rows].map(([id, row]) => [id, { ...row, title: "" }])),
  };
}

const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");

/** What of cards and pieces goes into the message next, within its limits, cut where a reader would cut. */
export function layOut(
  budget: MessageBudget,
  cursor: Cursor,
  view: { readonly cards: readonly TaskCard[]; readonly pieces: readonly Piece[] },
  options: LayOutOptions,
): Batch {
  const cards = layOutCards(budget, view.cards, options.limits);
  const text = layOutText(cards.budget, cursor, view.pieces, options);
  return { ...text, chunks: [...cards.chunks, ...text.chunks] };
}

/** How cards end that are still at work when their message is closed. */
export type CardsEnd = "goes on" | "failed" | "stopped";

const CARDS_END = {
  "goes on": { status: "complete", words: " (goes on below)" },
  failed: { status: "error", words: "" },
  stopped: { status: "complete", words: " (stopped)" },
} as const;

/** Card updates that close a message, so that no card of it looks as though somebody were still at work. */
export function closeCards(budget: MessageBudget, limits: MessageLimits, end: CardsEnd = "goes on"): readonly AnyChunk[] {
  const { status, words } = CARDS_END[end];
  const chunks: AnyChunk[] = [];
  const isOver = (row: Row): boolean => row.status === "complete" || row.status === "error";
  for (const [id, row] of budget.rows) {
    if (isOver(row) || row.title === "") continue;
    chunks.push({ type: "task_update", id, title: clip(`${row.title}${words}`, limits.cardField), status });
  }
  if (budget.foldTitle.endsWith(" in_progress")) {
    chunks.push({ type: "task_update", id: FOLD_ID, title: budget.foldTitle.replace(/ in_progress$/, ""), status });
  }
  return chunks;
}

function layOutCards(
  budget: MessageBudget,
  cards: readonly TaskCard[],
  limits: MessageLimits,
): { chunks: AnyChunk[]; budget: MessageBudget } {
  const rows = new Map(budget.rows);
  const folded = new Set(budget.folded);
  const chunks: AnyChunk[] = [];
  let { bytes, cardBytes, foldTitle } = budget;
  let failed = 0;
  let running = false;
  for (const card of cards) {
    if (budget.past.has(card.id) || card.title.trim() === "") continue;
    const row = rows.get(card.id);
    const change = row === undefined ? newRow(card, limits) : changedRow(card, row, limits);
    if (change === undefined) continue;
    const room = cardBytes + change.bytes <= limits.cardBytes && bytes + change.bytes <= limits.bytes;
    if (row === undefined && (folded.has(card.id) || rows.size >= limits.rows - 1 || !room)) {
      folded.add(card.id);
      if (card.status === "error") failed += 1;
      if (card.status === "in_progress" || card.status === "pending") running = true;
      continue;
    }
    if (row !== undefined && !room) {
      // No room for words any more, but its state must still be told.
      const { title, detailed, output, sourced } = row;
      if (row.status === card.status) continue;
      rows.set(card.id, { title, status: card.status, detailed, output, sourced });
      chunks.push({ type: "task_update", id: card.id, title: clip(title, limits.cardField), status: card.status });
      continue;
    }
    bytes += change.bytes;
    cardBytes += change.bytes;
    rows.set(card.id, change.row);
    chunks.push(change.chunk);
  }
  if (folded.size > 0) {
    const title = `and ${folded.size} more steps${failed > 0 ? `, ${failed} failed` : ""}`;
    const status = running ? "in_progress" : failed > 0 ? "error" : "complete";
    const shown = `${title} ${status}`;
    if (shown !== foldTitle) {
      chunks.push({ type: "task_update", id: FOLD_ID, title, status });
      if (foldTitle === "") bytes += bytesOf(title);
      foldTitle = shown;
    }
  }
  return { chunks, budget: { ...budget, bytes, cardBytes, rows, folded, foldTitle } };
}

interface RowChange {
  readonly chunk: TaskUpdateChunk;
  readonly row: Row;
  /** What it adds to the message. */
  readonly bytes: number;
}

function newRow(card: TaskCard, limits: MessageLimits): RowChange {
  return rowChange(card, { title: "", status: card.status, detailed: false, output: false, sourced: false }, limits);
}

function changedRow(card: TaskCard, row: Row, limits: MessageLimits): RowChange | undefined {
  const same = row.title === clip(card.title, limits.cardField) && row.status === card.status;
  const added =
    (card.details !== undefined && !row.detailed) ||
    (card.output !== undefined && !row.output) ||
    ((card.sources?.length ?? 0) > 0 && !row.sourced);
  return same && !added ? undefined : rowChange(card, row, limits);
}

/** Title and status replace what is shown (and weigh each time); details, output and sources are given once, because they would add up. */
function rowChange(card: TaskCard, row: Row, limits: MessageLimits): RowChange {
  const title = clip(card.title, limits.cardField);
  const details = row.detailed || !card.details ? undefined : clip(card.details, limits.cardField);
  const output = row.output || !card.output ? undefined : clip(card.output, limits.cardField);
  const sources = row.sourced || !card.sources?.length ? undefined : card.sources;
  const chunk: TaskUpdateChunk = {
    type: "task_update",
    id: card.id,
    title,
    status: card.status,
    ...(details === undefined ? {} : { details }),
    ...(output === undefined ? {} : { output }),
    ...(sources === undefined
      ? {}
      : {
          sources: sources.map(({ url, text }) => ({ type: "url" as const, url, text: clip(text, limits.cardField) })),
        }),
  };
  const bytes =
    bytesOf(title) +
    2 * bytesOf(details ?? "") +
    bytesOf(output ?? "") +
    (sources ?? []).reduce((sum, source) => sum + bytesOf(source.url) + bytesOf(source.text), 0);
  return {
    chunk,
    bytes,
    row: {
      title,
      status: card.status,
      detailed: row.detailed || details !== undefined,
      output: row.output || output !== undefined,
      sourced: row.sourced || sources !== undefined,
    },
  };
}

/** At most `most` UTF-16 units, no character halved. */
function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = isHighHalf(text, most - 2) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

const isHighHalf = (text: string, index: number): boolean => (text.charCodeAt(index) & 0xfc00) === 0xd800;

/** The text of one message while it is being laid out. */
interface Draft {
  chunks: AnyChunk[];
  text: string;
  bytes: number;
  hasTable: boolean;
  isBegun: boolean;
  edge: MessageBudget["edge"];
  piece: number;
  offset: number;
  full: boolean;
}

function layOutText(budget: MessageBudget, cursor: Cursor, pieces: readonly Piece[], options: LayOutOptions): Batch {
  const { limits } = options;
  const draft: Draft = {
    chunks: [],
    text: "",
    bytes: budget.bytes,
    hasTable: budget.hasTable,
    isBegun: budget.isBegun,
    edge: budget.edge,
    piece: cursor.piece,
    offset: cursor.offset,
    full: false,
  };
  const cutEarly = options.last !== true || bytesLeft(cursor, pieces, limits.bytes) > limits.bytes - budget.bytes;
  for (let piece = pieces[draft.piece]; piece !== undefined && !draft.full; piece = pieces[draft.piece]) {
    if (piece.kind === "table" && options.plainTables !== true) addTable(draft, piece, limits);
    else if (piece.kind === "code") addCode(draft, piece, limits);
    else addText(draft, pieceText(piece), piece.kind === "table" ? "block" : piece.after, limits);
    if (cutEarly && !draft.full && endsWell(draft, limits)) draft.full = true;
  }
  closeText(draft);
  return {
    chunks: draft.chunks,
    budget: { ...budget, bytes: draft.bytes, hasTable: draft.hasTable, isBegun: draft.isBegun, edge: draft.edge },
    cursor: { piece: draft.piece, offset: draft.offset },
    full: draft.full,
    more: draft.piece < pieces.length,
  };
}

/** Bytes of what is left, counted no further than needed. */
function bytesLeft(cursor: Cursor, pieces: readonly Piece[], enough: number): number {
  let bytes = 0;
  for (let index = cursor.piece; index < pieces.length && bytes <= enough; index += 1) {
    const piece = pieces[index];
    if (piece === undefined) break;
    // Two tables never share a message.
    if (piece.kind === "table") return enough + 1;
    bytes += bytesOf(pieceText(piece));
  }
  return bytes;
}

/** The message is nearly full and this is a good place to end it. */
const endsWell = (draft: Draft, limits: MessageLimits): boolean =>
  (draft.edge === "block" && draft.bytes >= limits.blockCutBytes) ||
  (draft.edge !== "run" && draft.bytes >= limits.lineCutBytes);

function closeText(draft: Draft): void {
  if (draft.text !== "") draft.chunks.push({ type: "markdown_text", text: draft.text });
  draft.text = "";
}

function write(draft: Draft, text: string, edge: MessageBudget["edge"]): void {
  draft.text += text;
  draft.bytes += bytesOf(text);
  if (text === "") return;
  draft.edge = edge;
  draft.isBegun = true;
}

function next(draft: Draft): void {
  draft.piece += 1;
  draft.offset = 0;
}

function addTable(draft: Draft, piece: Extract<Piece, { kind: "table" }>, limits: MessageLimits): void {
  const size = bytesOf(piece.text);
  if (draft.hasTable || (draft.bytes > 0 && draft.bytes + size > limits.bytes)) {
    draft.full = true;
    return;
  }
  closeText(draft);
  draft.chunks.push({ type: "blocks", blocks: [piece.block] });
  draft.hasTable = true;
  draft.isBegun = true;
  draft.bytes += size;
  draft.edge = "block";
  next(draft);
}

function addText(draft: Draft, whole: string, after: MessageBudget["edge"], limits: MessageLimits): void {
  const behind = whole.slice(draft.offset);
  const rest = draft.isBegun ? behind : behind.trimStart();
  if (bytesOf(rest) <= limits.bytes - draft.bytes) {
    write(draft, rest, after);
    next(draft);
    return;
  }
  draft.full = true;
  // What fits into a message of its own is not cut.
  if (bytesOf(rest) <= limits.bytes && draft.bytes > 0) return;
  const cut = cutOf(rest, limits.bytes - draft.bytes, draft.bytes === 0);
  write(draft, rest.slice(0, cut.end), cut.edge);
  if (cut.end > 0) draft.offset += behind.length - rest.length + cut.end;
}

/** Where to end within a text longer than a message: blank line, line, word; only where it must, a character. */
function cutOf(text: string, room: number, must: boolean): { end: number; edge: MessageBudget["edge"] } {
  const most = unitsWithin(text, room);
  const head = text.slice(0, most);
  const blank = head.lastIndexOf("\n\n");
  if (blank > most / 2) return { end: blank + 2, edge: "block" };
  const line = head.lastIndexOf("\n");
  if (line > most / 2) return { end: line + 1, edge: "line" };
  for (let end = head.lastIndexOf(" "); end > 0; end = head.lastIndexOf(" ", end - 1)) {
    if (!isInsideLink(head.slice(0, end))) return { end: end + 1, edge: "run" };
  }
  if (!must) return { end: 0, edge: "run" };
  // Neither an escape nor an entity is cut.
  const escape = /(?:\\|&[a-z]{0,5})$/.exec(head);
  return { end: escape !== null && escape.index > 0 ? escape.index : most, edge: "run" };
}

/** A link `[words](address)` is open at the end of the text. */
function isInsideLink(head: string): boolean {
  const opened = head.lastIndexOf("[");
  if (opened < 0) return false;
  const tail = head.slice(opened);
  return !/\]\([^)]*\)/.test(tail) && !/\](?!\()./.test(tail) && !tail.includes("\n");
}

/** How many UTF-16 units of the text fit in so many UTF-8 bytes, no character halved. */
function unitsWithin(text: string, bytes: number): number {
  if (bytes <= 0) return 0;
  return new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read;
}

function addCode(draft: Draft, piece: Extract<Piece, { kind: "code" }>, limits: MessageLimits): void {
  const rest = piece.code.slice(draft.offset);
  const before = draft.isBegun && draft.edge === "run" ? "\n\n" : "";
  const whole = before + pieceText({ ...piece, code: rest });
  const room = limits.bytes - draft.bytes;
  if (bytesOf(whole) <= room) {
    write(draft, whole, "block");
    next(draft);
    return;
  }
  draft.full = true;
  if (draft.bytes > 0 && (bytesOf(whole) <= limits.bytes || room < limits.bytes / 4)) return;
  const [part] = codeParts(rest, piece.info, room - before.length);
  if (part?.kind !== "code") return next(draft);
  write(draft, before + pieceText(part), "block");
  draft.offset += part.code.length;
  if (draft.offset >= piece.code.length) next(draft);
}

/** The markdown of chunks, as the platform keeps it: what reading the message back gives. */
export function textOf(chunks: readonly AnyChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "markdown_text" && "text" in chunk ? String(chunk.text) : "")).join("");
}

/** The same content as blocks of a posted message; cards are left out. */
export function blocksOf(chunks: readonly AnyChunk[]): AnyBlock[] {
  const blocks: AnyBlock[] = [];
  let text = "";
  const flush = (): void => {
    if (text.trim() !== "") blocks.push({ type: "markdown", text });
    text = "";
  };
  for (const chunk of chunks) {
    if (chunk.type === "markdown_text" && "text" in chunk) text += String(chunk.text);
    if (chunk.type === "blocks" && "blocks" in chunk && Array.isArray(chunk.blocks)) {
      flush();
      blocks.push(...chunk.blocks);
    }
  }
  flush();
  return blocks;
}

/** The same content without blocks; tables as their text. */
export function plainOf(chunks: readonly AnyChunk[], pieces: readonly Piece[]): string {
  const tables = new Map<unknown, string>();
  for (const piece of pieces) if (piece.kind === "table") tables.set(piece.block, piece.text);
  const parts = chunks.map((chunk) => {
    if (chunk.type === "blocks" && "blocks" in chunk && Array.isArray(chunk.blocks)) {
      return chunk.blocks.map((block) => `${tables.get(block) ?? ""}\n\n`).join("");
    }
    return textOf([chunk]);
  });
  return parts.join("");
}

/** What is left of an answer, as messages to post: blocks, and the text for where they are refused. */
export function messagesLeft(
  cursor: Cursor,
  pieces: readonly Piece[],
  limits: MessageLimits,
): { readonly text: string; readonly blocks: readonly AnyBlock[] }[] {
  const messages: { text: string; blocks: AnyBlock[] }[] = [];
  for (let at = cursor; at.piece < pieces.length;) {
    const batch = layOut(freshBudget, at, { cards: [], pieces }, { limits, last: true });
    const blocks = blocksOf(batch.chunks);
    if (blocks.length > 0) messages.push({ text: plainOf(batch.chunks, pieces), blocks });
    at = batch.cursor;
  }
  return messages;
}

import type { AnyBlock, AnyChunk } from "@slack/types";

import { codeParts } from "./code-parts.ts";
import { byteLength } from "../render/escape.ts";
import type { Piece, TaskCard } from "../render/pieces.ts";
import { pieceText } from "../render/pieces.ts";
import { layOutCards } from "./card-rows.ts";
import { freshBudget, type MessageBudget, type MessageLimits } from "./message-budget.ts";

/** How much of the pieces is in messages already: whole pieces, and characters of the next. */
export interface Cursor {
  readonly piece: number;
  readonly offset: number;
}

/** Before the first piece. */
export const START: Cursor = { piece: 0, offset: 0 };

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
    bytes += byteLength(pieceText(piece));
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
  draft.bytes += byteLength(text);
  if (text === "") return;
  draft.edge = edge;
  draft.isBegun = true;
}

function next(draft: Draft): void {
  draft.piece += 1;
  draft.offset = 0;
}

function addTable(draft: Draft, piece: Extract<Piece, { kind: "table" }>, limits: MessageLimits): void {
  const size = byteLength(piece.text);
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
  if (byteLength(rest) <= limits.bytes - draft.bytes) {
    write(draft, rest, after);
    next(draft);
    return;
  }
  draft.full = true;
  // What fits into a message of its own is not cut.
  if (byteLength(rest) <= limits.bytes && draft.bytes > 0) return;
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
  if (byteLength(whole) <= room) {
    write(draft, whole, "block");
    next(draft);
    return;
  }
  draft.full = true;
  if (draft.bytes > 0 && (byteLength(whole) <= limits.bytes || room < limits.bytes / 4)) return;
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
    if (text.trim() !== "") blocks.push({ type: "markdown", text: text.trim() });
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

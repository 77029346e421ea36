import { escapeControl } from "@threadlore/documents/slack";
import type { AnyBlock, AnyChunk } from "@slack/types";

import { fencedCode } from "../render/markdown.ts";
import type { BlockPiece, Piece, TaskCard } from "../render/pieces.ts";
import { pieceText } from "../render/pieces.ts";
import { freshBudget, layOutCards, layOutPlan, type MessageBudget, type MessageLimits } from "./message-budget.ts";

/** How much of the pieces is in messages already: whole pieces, and characters of the next. */
export interface Cursor {
  readonly piece: number;
  readonly offset: number;
}

/** Before the first piece. */
export const START: Cursor = { piece: 0, offset: 0 };

/** Text, a table or an aside in a message: sent as a chunk, posted as a block, or shown as plain text. */
export type Part = { readonly kind: "text"; readonly text: string } | BlockPiece;

/** What to send next. */
export interface Batch {
  /** Card updates, and the parts as a stream takes them. */
  readonly chunks: readonly AnyChunk[];
  readonly parts: readonly Part[];
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
  /** Tables and asides as text: their blocks were refused. */
  readonly plainTables?: boolean;
  /** Nothing follows: no message ends early for a better cut. */
  readonly last?: boolean;
}

/** What of cards and pieces goes into the message next, within its limits, cut where a reader would cut. */
export function layOut(
  budget: MessageBudget,
  cursor: Cursor,
  view: { readonly cards: readonly TaskCard[]; readonly plan?: string | undefined; readonly pieces: readonly Piece[] },
  options: LayOutOptions,
): Batch {
  const { limits } = options;
  const { pieces } = view;
  const cards = layOutCards(budget, view.cards, limits);
  const plan = layOutPlan(cards.budget, view.plan, limits);
  const draft: Draft = { ...plan.budget, ...cursor, parts: [], full: false };
  const cutEarly = options.last !== true || bytesLeft(cursor, pieces, limits.bytes) > limits.bytes - draft.bytes;
  for (let piece = pieces[draft.piece]; piece !== undefined && !draft.full; piece = pieces[draft.piece]) {
    if (piece.kind === "code") addCode(draft, piece, limits);
    else if (piece.kind === "text") addText(draft, pieceText(piece), piece.after, limits);
    else if (options.plainTables === true) addText(draft, pieceText(piece), "block", limits);
    else addBlock(draft, piece, limits);
    if (cutEarly && !draft.full && endsWell(draft, limits)) draft.full = true;
  }
  const { parts, piece, offset, full, ...after } = draft;
  const chunks = [...plan.chunks, ...cards.chunks, ...parts.map(chunkOf)];
  return { chunks, parts, budget: after, cursor: { piece, offset }, full, more: piece < pieces.length };
}

const chunkOf = (part: Part): AnyChunk =>
  part.kind === "text" ? { type: "markdown_text", text: part.text } : { type: "blocks", blocks: [part.block] };

/** One message while it is being laid out. */
type Draft = { -readonly [Name in keyof MessageBudget]: MessageBudget[Name] } & {
  parts: Part[];
  piece: number;
  offset: number;
  full: boolean;
};

/** Bytes of what is left, counted no further than needed. */
function bytesLeft(cursor: Cursor, pieces: readonly Piece[], enough: number): number {
  let bytes = 0;
  for (const piece of pieces.slice(cursor.piece)) {
    // Two tables never share a message.
    if (piece.kind === "table") return enough + 1;
    bytes += Buffer.byteLength(pieceText(piece));
    if (bytes > enough) break;
  }
  return bytes;
}

/** The message is nearly full and this is a good place to end it. */
const endsWell = (draft: Draft, limits: MessageLimits): boolean =>
  (draft.edge === "block" && draft.bytes >= limits.blockCutBytes) ||
  (draft.edge !== "run" && draft.bytes >= limits.lineCutBytes);

/** Adds a part; text goes on where there is text. */
function add(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (last?.kind === "text" && part.kind === "text") parts[parts.length - 1] = { ...last, text: last.text + part.text };
  else parts.push(part);
}

function put(draft: Draft, part: Part, edge: MessageBudget["edge"]): void {
  add(draft.parts, part);
  draft.bytes += Buffer.byteLength(part.text);
  draft.edge = edge;
  draft.isBegun = true;
}

function write(draft: Draft, text: string, edge: MessageBudget["edge"]): void {
  if (text !== "") put(draft, { kind: "text", text }, edge);
}

function next(draft: Draft): void {
  draft.piece += 1;
  draft.offset = 0;
}

function addBlock(draft: Draft, piece: BlockPiece, limits: MessageLimits): void {
  const isTable = piece.kind === "table";
  const isSecond = isTable && draft.hasTable;
  if (isSecond || (draft.bytes > 0 && draft.bytes + Buffer.byteLength(piece.text) > limits.bytes)) {
    draft.full = true;
    return;
  }
  put(draft, piece, "block");
  draft.hasTable ||= isTable;
  next(draft);
}

function addText(draft: Draft, whole: string, after: MessageBudget["edge"], limits: MessageLimits): void {
  const behind = whole.slice(draft.offset);
  const rest = draft.isBegun ? behind : behind.trimStart();
  if (Buffer.byteLength(rest) <= limits.bytes - draft.bytes) {
    write(draft, rest, after);
    next(draft);
    return;
  }
  draft.full = true;
  // What fits into a message of its own is not cut.
  if (Buffer.byteLength(rest) <= limits.bytes && draft.bytes > 0) return;
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
  if (Buffer.byteLength(whole) <= room) {
    write(draft, whole, "block");
    next(draft);
    return;
  }
  draft.full = true;
  if (draft.bytes > 0 && (Buffer.byteLength(whole) <= limits.bytes || room < limits.bytes / 4)) return;
  const fences = Buffer.byteLength(fencedCode("", piece.info)) + 100;
  const part = codeWithin(rest, room - before.length - fences);
  write(draft, before + pieceText({ ...piece, code: part }), "block");
  draft.offset += part.length;
  if (draft.offset >= piece.code.length) next(draft);
}

/** How much of the code's beginning fits in so many bytes, once escaped: whole lines, else characters, at least one. */
function codeWithin(code: string, bytes: number): string {
  const lines = within(code.split(/(?<=\n)/), bytes);
  if (lines !== "") return lines;
  const characters = code.match(/[^]/gu) ?? [];
  return within(characters, bytes) || (characters[0] ?? "");
}

function within(units: readonly string[], bytes: number): string {
  let size = 0;
  const end = units.findIndex((unit) => (size += Buffer.byteLength(escapeControl(unit))) > bytes);
  return units.slice(0, end < 0 ? units.length : end).join("");
}

/** The markdown of parts, as the platform keeps it: what reading the message back gives. */
export const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : "")).join("");

/** Parts as blocks of a posted message. */
export function blocksOf(parts: readonly Part[]): AnyBlock[] {
  const joined: Part[] = [];
  for (const part of parts) add(joined, part);
  return joined.flatMap((part): AnyBlock[] => {
    if (part.kind !== "text") return [part.block];
    return part.text.trim() === "" ? [] : [{ type: "markdown", text: part.text.trim() }];
  });
}

/** Parts without blocks; tables as their text. */
export const plainOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : pieceText(part))).join("");

/** What is left of an answer, as messages to post: blocks, and the text for where they are refused. */
export function messagesLeft(
  cursor: Cursor,
  pieces: readonly Piece[],
  limits: MessageLimits,
): { readonly text: string; readonly blocks: readonly AnyBlock[] }[] {
  const messages: { text: string; blocks: AnyBlock[] }[] = [];
  for (let at = cursor; at.piece < pieces.length;) {
    const batch = layOut(freshBudget, at, { cards: [], pieces }, { limits, last: true });
    const blocks = blocksOf(batch.parts);
    if (blocks.length > 0) messages.push({ text: plainOf(batch.parts), blocks });
    at = batch.cursor;
  }
  return messages;
}

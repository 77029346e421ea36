import type { DatabaseSync } from "node:sqlite";
import { Bitmap } from "./bitmap.ts";
import { pairMark, sourceMark, tagMark } from "./marks.ts";
import { blockRoom, decodeBlock, type PostingsList } from "./postings.ts";
import type { TermReader } from "./term-reader.ts";

/** Which passages may be found. Of a list anything may hold; an empty list holds for nothing, one that is absent for all. */
export interface Filter {
  readonly pairs?: readonly number[] | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly tags?: readonly { readonly key: string; readonly value: string }[] | undefined;
  /** Bounds of the document's moment, milliseconds since 1970, both included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** The passages under one mark, as far as its postings were read. */
interface Marked {
  readonly passages: Bitmap;
  /** Runs that will not be read again. */
  runs: number;
  /** State of the index they were read in. */
  epoch: number;
}

/** Bytes of marks that are kept. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Ids whose deletion is noted in one row. */
export const DEAD_CHUNK = 32_768;

/**
 * The passages a filter leaves, as sets of ids. What was read of a mark is kept: its postings only ever grow, so that of a
 * later state of the index only what has come is read.
 */
export class Scopes {
  readonly #terms: TermReader;
  readonly #sqlite: DatabaseSync;
  readonly #marks = new Map<string, Marked>();
  #live = new Bitmap();
  #epoch = -1;

  constructor(sqlite: DatabaseSync, terms: TermReader) {
    this.#sqlite = sqlite;
    this.#terms = terms;
  }

  /** To be called before anything is asked of another state of the index. */
  refresh(epoch: number): void {
    if (epoch === this.#epoch) return;
    this.#live = readLive(this.#sqlite);
    this.#terms.forget();
    this.#epoch = epoch;
  }

  /** Passages that are there. */
  get live(): Bitmap {
    return this.#live;
  }

  of({ pairs, sources, tags, since, until }: Filter): Bitmap {
    let left = this.#live;
    if (pairs !== undefined) left = left.and(this.#anyOf(pairs.map(pairMark)));
    if (sources !== undefined) left = left.and(this.#anyOf(sources.map(sourceMark)));
    if (tags !== undefined) left = left.and(this.#anyOf(tags.map(({ key, value }) => tagMark(key, value))));
    if (since !== undefined || until !== undefined) left = left.and(readWithin(this.#sqlite, since, until));
    return left;
  }

  #anyOf(marks: readonly string[]): Bitmap {
    const any = new Bitmap();
    for (const mark of marks) any.addAll(this.marked(mark));
    return any;
  }

  /** The passages under a mark, also those that are there no more. */
  marked(mark: string): Bitmap {
    const marked = this.#marks.get(mark) ?? { passages: new Bitmap(), runs: 0, epoch: -1 };
    // The one that was asked for last is the last to go.
    this.#marks.delete(mark);
    this.#marks.set(mark, marked);
    if (marked.epoch !== this.#epoch) {
      const known = this.#terms.readFrom(mark, marked.runs);
      if (known !== undefined) addPostings(marked.passages, known.list);
      marked.runs = known?.runs ?? 0;
      marked.epoch = this.#epoch;
      this.#forget();
    }
    return marked.passages;
  }

  #forget(): void {
    let bytes = 0;
    for (const [mark, { passages }] of [...this.#marks].toReversed()) {
      bytes += passages.words.byteLength;
      if (bytes > MAX_BYTES) this.#marks.delete(mark);
    }
  }
}

/** How many postings of a list lie within a set. */
export function countWithin(list: PostingsList, within: Bitmap): number {
  const room = blockRoom();
  const { words } = within;
  let count = 0;
  for (const [block, at] of list.places.entries()) {
    if (!holdsAny(list, block, within)) continue;
    const length = decodeBlock(list.bytes, at, room);
    for (let index = 0; index < length; index++) {
      const id = room.ids[index] as number;
      count += ((words[id >>> 5] ?? 0) >>> (id & 31)) & 1;
    }
  }
  return count;
}

/** Whether a block may hold any of a set: what stands in it is not read. */
function holdsAny({ firsts, end }: PostingsList, block: number, within: Bitmap): boolean {
  return within.hasAny(firsts[block] as number, firsts[block + 1] ?? end);
}

/** The first postings of a list that lie within a set, at most so many. */
export function idsWithin(list: PostingsList, within: Bitmap, most: number): number[] {
  const room = blockRoom();
  const ids: number[] = [];
  for (const [block, at] of list.places.entries()) {
    if (!holdsAny(list, block, within)) continue;
    const length = decodeBlock(list.bytes, at, room);
    for (let index = 0; index < length; index++) {
      const id = room.ids[index] as number;
      if (within.has(id) && ids.push(id) === most) return ids;
    }
  }
  return ids;
}

/** Puts the passages of a list into a set. */
export function addPostings(passages: Bitmap, list: PostingsList): void {
  const room = blockRoom();
  for (const at of list.places) {
    const length = decodeBlock(list.bytes, at, room);
    for (let index = 0; index < length; index++) passages.add(room.ids[index] as number);
  }
}

function readLive(sqlite: DatabaseSync): Bitmap {
  const end = Number(sqlite.prepare("SELECT value FROM state WHERE name = 'next'").get()?.["value"] ?? 1);
  const live = Bitmap.upTo(end);
  for (const { chunk, ids } of sqlite.prepare("SELECT chunk, ids FROM dead ORDER BY chunk").all()) {
    live.deleteAll(ids as Uint8Array, Number(chunk) * DEAD_CHUNK);
  }
  return live;
}

function readWithin(sqlite: DatabaseSync, since: number | undefined, until: number | undefined): Bitmap {
  const within = new Bitmap();
  const [from, to] = [since ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY];
  for (const { first, moments } of sqlite.prepare("SELECT first, moments FROM moments ORDER BY first").iterate()) {
    const bytes = moments as Uint8Array;
    const view = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    for (let index = 0; index < view.length; index++) {
      const moment = view[index] as number;
      if (moment >= from && moment <= to) within.add(Number(first) + index);
    }
  }
  return within;
}

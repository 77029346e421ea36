import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Batch } from "./batch.ts";
import { BLOCK, blockBehind, blockRoom, decodeBlock, encodePostings, type Postings } from "./postings.ts";
import { RUNS, type TermRow } from "./schema.ts";

/** Postings of a full run: as many as are read and written in one piece. */
const RUN = 4 * BLOCK;

/** Writes what was gathered to the terms of an index. */
export class TermWriter {
  readonly #find: StatementSync;
  readonly #add: StatementSync;
  readonly #change: StatementSync;
  readonly #addRun: StatementSync;
  readonly #last: StatementSync;

  constructor(sqlite: DatabaseSync) {
    this.#find = sqlite.prepare("SELECT number, runs, passages, tail FROM terms WHERE term = ?");
    this.#add = sqlite.prepare("INSERT INTO terms (term, number, runs, passages, tail) VALUES (?, ?, ?, ?, ?)");
    this.#change = sqlite.prepare("UPDATE terms SET number = ?, runs = ?, passages = ?, tail = ? WHERE term = ?");
    this.#addRun = sqlite.prepare("INSERT INTO runs (id, blocks) VALUES (?, ?)");
    this.#last = sqlite.prepare("SELECT coalesce(max(id), 0) AS id FROM runs");
  }

  /** To be called within a transaction. */
  write(batch: Batch): void {
    let last = Math.floor(Number(this.#last.get()?.["id"]) / RUNS);
    for (const { term, postings, lost } of batch.changes()) {
      const row = this.#find.get(term) as TermRow | undefined;
      const { full, tail } = appended(row?.tail ?? NOTHING, postings);
      let { number, runs } = row ?? { number: null, runs: 0 };
      for (const blocks of full) this.#addRun.run((number ??= ++last) * RUNS + runs++, blocks);
      const passages = (row?.passages ?? 0) + postings.length - lost;
      if (row === undefined) this.#add.run(term, number, runs, passages, tail);
      else this.#change.run(number, runs, passages, tail, term);
    }
  }
}

const NOTHING = new Uint8Array();

const room = blockRoom();

/** Blocks with postings behind them: what is full as runs, and the rest. */
function appended(before: Uint8Array, postings: Postings): { full: Uint8Array[]; tail: Uint8Array } {
  const places = [0];
  for (let at = 0; at < before.length; places.push((at = blockBehind(before, at))));
  places.pop();
  const lastAt = places.at(-1);
  let blocks = before;
  let rest = postings;
  let count = places.length * BLOCK;
  if (lastAt !== undefined) {
    const length = decodeBlock(before, lastAt, room);
    count += length - BLOCK;
    if (length < BLOCK) {
      // The last block is not full: it is written anew with what comes behind.
      blocks = before.subarray(0, lastAt);
      rest = joined({ ...room, length }, postings);
      count -= length;
    }
  }
  const full: Uint8Array[] = [];
  let from = 0;
  while (count + rest.length - from >= RUN) {
    const upTo = from + RUN - count;
    full.push(concat(blocks, encodePostings({ ...rest, length: upTo }, from)));
    [from, count, blocks] = [upTo, 0, new Uint8Array()];
  }
  return { full, tail: concat(blocks, encodePostings(rest, from)) };
}

function joined(one: Postings, other: Postings): Postings {
  const length = one.length + other.length;
  const [ids, impacts] = [new Uint32Array(length), new Uint8Array(length)];
  ids.set(one.ids.subarray(0, one.length));
  ids.set(other.ids, one.length);
  impacts.set(one.impacts.subarray(0, one.length));
  impacts.set(other.impacts, one.length);
  return { ids, impacts, length };
}

/** Two pieces of bytes as one. */
function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

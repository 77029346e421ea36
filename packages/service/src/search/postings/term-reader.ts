import type { DatabaseSync, StatementSync } from "node:sqlite";
import { RUNS, type TermRow } from "./schema.ts";
import { PostingsList } from "./postings.ts";

/** A term of the index. */
export interface KnownTerm {
  readonly list: PostingsList;
  /** How many passages hold it. */
  readonly passages: number;
  /** Runs of postings that are full, and will not change. */
  readonly runs: number;
}

/** Reads terms with their postings. */
export class TermReader {
  readonly #term: StatementSync;
  readonly #runs: StatementSync;

  constructor(sqlite: DatabaseSync) {
    this.#term = sqlite.prepare("SELECT number, runs, passages, tail FROM terms WHERE term = ?");
    this.#runs = sqlite.prepare("SELECT blocks FROM runs WHERE id >= ? AND id < ? ORDER BY id");
  }

  /**
   * A term's postings; undefined: no passage ever held it.
   * @param from leaves out so many of its runs
   */
  read(term: string, from = 0): KnownTerm | undefined {
    const row = this.#term.get(term) as TermRow | undefined;
    if (row === undefined) return undefined;
    const { number, runs, passages, tail } = row;
    const parts: Uint8Array[] = [];
    if (number !== null && runs > from) {
      const first = number * RUNS;
      for (const { blocks } of this.#runs.all(first + from, first + runs)) parts.push(blocks as Uint8Array);
    }
    parts.push(tail);
    return { list: new PostingsList(joined(parts)), passages, runs };
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

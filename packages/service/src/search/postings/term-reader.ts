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

/** Bytes of postings that are kept from one question to the next. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Reads terms with their postings. What was read is kept while the index stays as it is: questions share their words. */
export class TermReader {
  readonly #term: StatementSync;
  readonly #runs: StatementSync;
  readonly #kept = new Map<string, KnownTerm | undefined>();
  #bytes = 0;

  constructor(sqlite: DatabaseSync) {
    this.#term = sqlite.prepare("SELECT number, runs, passages, tail FROM terms WHERE term = ?");
    this.#runs = sqlite.prepare("SELECT blocks FROM runs WHERE id >= ? AND id < ? ORDER BY id");
  }

  /** To be called before anything is asked of another state of the index. */
  forget(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** A term's postings; undefined: no passage ever held it. */
  read(term: string): KnownTerm | undefined {
    if (this.#kept.has(term)) return this.#kept.get(term);
    const known = this.readFrom(term, 0);
    this.#bytes += KEPT_BYTES + (known?.list.size ?? 0);
    // Those that are asked for often are soon back.
    if (this.#bytes > MAX_BYTES) this.forget();
    this.#kept.set(term, known);
    return known;
  }

  /** A term's postings but for its first so many runs; nothing of it is kept. */
  readFrom(term: string, from: number): KnownTerm | undefined {
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

/** What a term takes beside its postings. */
const KEPT_BYTES = 200;

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

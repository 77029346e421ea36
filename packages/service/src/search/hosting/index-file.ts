import type { DatabaseSync } from "node:sqlite";
import { openFile } from "../../store/sqlite/database.ts";
import { SearchIndex } from "../engine/index-query.ts";
import { IndexWriter, setState, stateOf } from "../postings/index-writer.ts";
import { createIndex } from "../postings/schema.ts";
import { SHAPES_CHUNK } from "../postings/word-writer.ts";
import { type DataState, originFor } from "../succession/condition.ts";

/** How long a connection of a thread of its own waits for another one's write, milliseconds. */
const LOCK_WAIT_MS = 10_000;

/** One connection to an index, with what works over it. */
export class IndexFile {
  readonly sqlite: DatabaseSync;
  #search: SearchIndex | undefined;
  #writer: IndexWriter | undefined;

  /**
   * @param path a file, created with its tables where absent, or ":memory:"
   * @param lockWaitMs how long it waits for another one's write, milliseconds
   */
  constructor(path: string, lockWaitMs: number = LOCK_WAIT_MS) {
    this.sqlite = openFile(path, lockWaitMs);
    try {
      createIndex(this.sqlite);
    } catch (error) {
      this.sqlite.close();
      throw error;
    }
  }

  get search(): SearchIndex {
    return (this.#search ??= new SearchIndex(this.sqlite));
  }

  get writer(): IndexWriter {
    return (this.#writer ??= new IndexWriter(this.sqlite));
  }

  /** Notes which data it is made of from now on, and why it is; from then on it is told from one that nobody began. */
  begin(data: DataState, why: string): void {
    setState(this.sqlite, "target", data.lastChange);
    setState(this.sqlite, "why", why);
    setState(this.sqlite, "origin", originFor(data));
  }

  /** Which data it was made of, and how; undefined: nothing yet. */
  get origin(): string | undefined {
    return stateOf(this.sqlite, "origin") as string | undefined;
  }

  /** Why it was begun. */
  get why(): string | undefined {
    return stateOf(this.sqlite, "why") as string | undefined;
  }

  /** All changes of the documents up to this one are in it. */
  get applied(): number {
    return Number(stateOf(this.sqlite, "applied") ?? 0);
  }

  /** The last change there was when it was begun: with all up to this one it has what a former index has. */
  get target(): number {
    return Number(stateOf(this.sqlite, "target") ?? 0);
  }

  /** How many passages it has. */
  get passages(): number {
    return Number(stateOf(this.sqlite, "passages") ?? 0);
  }

  /** How many words its texts are written with, to the nearest few thousand above. */
  get words(): number {
    const last = this.sqlite.prepare("SELECT max(first) AS first FROM shapes").get()?.["first"];
    return last === null ? 0 : Number(last) + SHAPES_CHUNK;
  }

  /** Bytes that are in use, also those that stand in its log alone. */
  get bytes(): number {
    const row = this.sqlite.prepare(IN_USE).get();
    return Number(row?.["bytes"]);
  }

  close(): void {
    this.sqlite.close();
  }
}

const IN_USE = `
  SELECT (page_count - freelist_count) * page_size AS bytes
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;

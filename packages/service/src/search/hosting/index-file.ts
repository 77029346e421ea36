import type { DatabaseSync } from "node:sqlite";
import { openFile } from "../../store/sqlite/database.ts";
import { SearchIndex } from "../engine/index-query.ts";
import { IndexWriter, setState, stateOf } from "../postings/index-writer.ts";
import { createIndex } from "../postings/schema.ts";

/** How long a connection waits for another one's write, milliseconds. */
const LOCK_WAIT_MS = 10_000;

/** One connection to an index, with what works over it. */
export class IndexFile {
  readonly sqlite: DatabaseSync;
  #search: SearchIndex | undefined;
  #writer: IndexWriter | undefined;

  /** @param path a file, created with its tables where absent, or ":memory:" */
  constructor(path: string) {
    this.sqlite = openFile(path, LOCK_WAIT_MS);
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

  /** Which data it was made of, and how; undefined: nothing yet. */
  get origin(): string | undefined {
    return stateOf(this.sqlite, "origin") as string | undefined;
  }

  set origin(origin: string) {
    setState(this.sqlite, "origin", origin);
  }

  /** All changes of the documents up to this one are in it. */
  get applied(): number {
    return Number(stateOf(this.sqlite, "applied") ?? 0);
  }

  /** How many passages it has. */
  get passages(): number {
    return Number(stateOf(this.sqlite, "passages") ?? 0);
  }

  close(): void {
    this.sqlite.close();
  }
}

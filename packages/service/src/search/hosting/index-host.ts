import { rmSync } from "node:fs";
import { lastChange, queueAgain } from "../../store/changes.ts";
import { instanceOf } from "../../store/instance.ts";
import type { Database } from "../../store/sqlite/database.ts";
import { isDamage } from "../../store/sqlite/database-error.ts";
import { ANALYSIS } from "../analysis.ts";
import type { IndexFound, IndexQuery, WordCounts } from "../engine/index-query.ts";
import type { Indexed, Indexing } from "./index-documents.ts";
import { IndexFile } from "./index-file.ts";
import { doWork, type IndexWork, type WorkDone } from "./index-work.ts";
import { ThreadPool } from "./thread-pool.ts";

/** Passages up to which a search takes no longer than to send it elsewhere. */
const HERE_UP_TO = 2_000;

/** Documents up to which a thread takes longer to begin than to write them takes here. */
const HERE_AT_ONCE = 250;

/** Threads that search: as many as questions are answered at a time. */
const READERS = 2;

/** An index of a database, wherever it is worked with: in this thread while it is small, in others beyond. */
export class IndexHost {
  readonly #here: IndexFile;
  readonly #readers: ThreadPool | undefined;
  readonly #writer: ThreadPool | undefined;

  constructor(here: IndexFile, path: string) {
    this.#here = here;
    if (path === ":memory:") return;
    this.#readers = new ThreadPool(path, READERS);
    this.#writer = new ThreadPool(path, 1);
  }

  /** The connection of this thread: what is small may be read over it. */
  get here(): IndexFile {
    return this.#here;
  }

  /**
   * Whether what is written keeps this thread: only little is, into a small index.
   * @param waiting documents that are still to be written
   */
  writesHere(waiting: number): boolean {
    if (this.#writer === undefined) return true;
    return !this.#writer.isStarted && this.#here.passages <= HERE_UP_TO && waiting <= HERE_AT_ONCE;
  }

  async search(query: IndexQuery): Promise<IndexFound> {
    return this.#isSmall ? this.#here.search.search(query) : (this.#readers as ThreadPool).search(query);
  }

  async count(words: readonly string[], visible: readonly number[] | undefined, budgetMs: number): Promise<WordCounts> {
    if (this.#isSmall) return this.#here.search.count(words, visible, budgetMs);
    return (this.#readers as ThreadPool).count(words, visible, budgetMs);
  }

  /** @param waiting documents that are still to be written, these included */
  async write(work: IndexWork, waiting = 0): Promise<WorkDone> {
    return this.writesHere(waiting) ? doWork(this.#here.writer, work) : (this.#writer as ThreadPool).write(work);
  }

  /** Reads, cuts and writes documents where this thread is not kept by it: see `writesHere`. */
  async index(indexing: Indexing): Promise<Indexed> {
    return (this.#writer as ThreadPool).index(indexing);
  }

  /** Whether searching is done in other threads. */
  get isElsewhere(): boolean {
    return !this.#isSmall;
  }

  /** Has the function `work` of a module do something with plain data, in a thread that searches: see `isElsewhere`. */
  async run<Given, Result>(module: URL, given: Given): Promise<Result> {
    return (this.#readers as ThreadPool).run(module, given);
  }

  /** Ends the threads; what they are at is done before. */
  async close(): Promise<void> {
    await Promise.all([this.#writer?.close(), this.#readers?.close()]);
  }

  get #isSmall(): boolean {
    return this.#readers === undefined || this.#here.passages <= HERE_UP_TO;
  }
}

const hosts = new WeakMap<Database, IndexHost>();

/** Where the index of a database stands. */
function indexPathOf(database: string): string {
  return database === ":memory:" ? database : `${database}.search.sqlite`;
}

/**
 * The index of a database, opened when it is asked for first, and closed with it. One that was made of other data, or by
 * other rules, is made anew: everything is queued again.
 */
export function indexOf(db: Database): IndexHost {
  let host = hosts.get(db);
  if (host === undefined) {
    const path = indexPathOf(db.path);
    const here = openFor(db, path);
    host = new IndexHost(here, path);
    const opened = host;
    db.onClose(() => {
      hosts.delete(db);
      void opened.close();
      here.close();
    });
    hosts.set(db, host);
  }
  return host;
}

function openFor(db: Database, path: string): IndexFile {
  const { id, epoch } = instanceOf(db);
  const origin = `${id} ${epoch} ${ANALYSIS}`;
  const found = openSound(path);
  if (found?.origin === origin && found.applied <= lastChange(db)) return found;
  queueAgain(db, 0);
  found?.close();
  if (path !== ":memory:") for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  const anew = new IndexFile(path);
  anew.origin = origin;
  return anew;
}

/** Ends the threads of a database's index, where there are any; what they are at is done before. */
export async function endThreads(db: Database): Promise<void> {
  await hosts.get(db)?.close();
}

/** Undefined: it is damaged. */
function openSound(path: string): IndexFile | undefined {
  try {
    return new IndexFile(path);
  } catch (error) {
    const reported = error instanceof Error ? (error.cause ?? error) : error;
    if (isDamage(reported) || isDamage(error)) return undefined;
    throw error;
  }
}

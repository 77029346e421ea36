import { statSync } from "node:fs";
import type { Database } from "../../store/sqlite/database.ts";
import type { CheckedFile } from "../../store/sqlite/page-check.ts";
import type { IndexFound, IndexQuery, WordCounts } from "../engine/index-query.ts";
import type { Answering } from "./answering.ts";
import { FormerFile } from "../succession/former-file.ts";
import { FormerTables } from "../succession/former-tables.ts";
import { tablesLeft } from "../succession/former-tables-removal.ts";
import type { Former } from "../succession/former.ts";
import type { Indexed, Indexing } from "./index-documents.ts";
import type { IndexFile } from "./index-file.ts";
import { isSpoilt, LostIndex, NoRoomForIndex, UnavailableIndex } from "./index-trouble.ts";
import { doWork, type IndexWork, type WorkDone } from "./index-work.ts";
import { beginAnew, bytesBeside, formerPathOf, indexPathOf, openFormer, openIndex, removeIndex } from "./opening.ts";
import { ThreadPool } from "./thread-pool.ts";

/** Passages up to which a search takes no longer than to send it elsewhere. */
const HERE_UP_TO = 2_000;

/** And words its texts are written with: an unknown one is looked for among all of them. */
const WORDS_HERE_UP_TO = 60_000;

/** Documents up to which a thread takes longer to begin than to write them takes here. */
const HERE_AT_ONCE = 250;

/** Threads that search: as many as questions are answered at a time. */
const READERS = 2;

/**
 * Memory in which a thread keeps what is new, MB. Of its own accord each takes a hundred and more, by which the service
 * grows by half; with less than this, writing takes a tenth longer.
 */
const YOUNG_MB = { reading: 24, writing: 40 };

/** What an index has to do with the rest of its database. */
interface Surroundings {
  /** Called where its file was found damaged, gone, or another one. */
  readonly lost: (host: IndexHost) => void;
  /** Whether more may be written to it. */
  readonly hasRoom: () => boolean;
  /** Called when something was. */
  readonly wrote: () => void;
}

/** An index of a database, wherever it is worked with: in this thread while it is small, in others beyond. */
export class IndexHost implements Answering {
  readonly #here: IndexFile;
  readonly #path: string;
  readonly #readers: ThreadPool | undefined;
  readonly #writer: ThreadPool | undefined;
  /** What tells the file from another one of its name. */
  readonly #file: number | undefined;
  readonly #surroundings: Surroundings;
  #isWhole = false;
  #isClosed = false;
  /** What the last write ended with; undefined: it is written. */
  #stuckBy: unknown;

  constructor(here: IndexFile, path: string, surroundings: Surroundings) {
    this.#here = here;
    this.#path = path;
    this.#surroundings = surroundings;
    if (path === ":memory:") return;
    this.#file = statSync(path).ino;
    this.#readers = new ThreadPool(path, READERS, YOUNG_MB.reading);
    this.#writer = new ThreadPool(path, 1, YOUNG_MB.writing);
  }

  /** The connection of this thread: what is small may be read over it. */
  get here(): IndexFile {
    return this.#here;
  }

  /** All changes of the documents up to this one are in it. */
  get applied(): number {
    return this.watched(() => this.#here.applied);
  }

  /** Whether it has all that was there when it was begun. Once it has, it always has. */
  get isWhole(): boolean {
    return (this.#isWhole ||= this.watched(() => this.#here.applied >= this.#here.target));
  }

  /** What the last write ended with; undefined: it is written. */
  get stuckBy(): unknown {
    return this.#stuckBy;
  }

  /**
   * Whether what is written keeps this thread: only little is, into a small index.
   * @param waiting documents that are still to be written
   */
  writesHere(waiting: number): boolean {
    if (this.#writer === undefined) return true;
    return !this.#writer.isStarted && this.watched(() => this.#here.passages) <= HERE_UP_TO && waiting <= HERE_AT_ONCE;
  }

  async search(query: IndexQuery): Promise<IndexFound> {
    return this.#asked(() =>
      this.#isSmall ? this.#here.search.search(query) : (this.#readers as ThreadPool).search(query),
    );
  }

  async count(words: readonly string[], visible: readonly number[] | undefined, budgetMs: number): Promise<WordCounts> {
    return this.#asked(() =>
      this.#isSmall
        ? this.#here.search.count(words, visible, budgetMs)
        : (this.#readers as ThreadPool).count(words, visible, budgetMs),
    );
  }

  /** @param waiting documents that are still to be written, these included */
  async write(work: IndexWork, waiting = 0): Promise<WorkDone> {
    return this.#written(work.puts.length > 0, () =>
      this.writesHere(waiting) ? doWork(this.#here.writer, work) : (this.#writer as ThreadPool).write(work),
    );
  }

  /** Reads, cuts and writes documents where this thread is not kept by it: see `writesHere`. */
  async index(indexing: Indexing): Promise<Indexed> {
    return this.#written(true, () => (this.#writer as ThreadPool).index(indexing));
  }

  async #written<Done>(isMore: boolean, work: () => Promise<Done> | Done): Promise<Done> {
    try {
      if (isMore && !this.#surroundings.hasRoom()) throw new NoRoomForIndex();
      const done = await this.#asked(work);
      this.#stuckBy = undefined;
      this.#surroundings.wrote();
      return done;
    } catch (error) {
      this.#stuckBy = error;
      throw error;
    }
  }

  /** Work with the file over this thread's connection. Throws LostIndex where it is not what it was. */
  watched<Result>(work: () => Result): Result {
    try {
      this.#makeSure();
      return work();
    } catch (error) {
      throw this.#told(error);
    }
  }

  /**
   * Whether searching is done in other threads.
   * @param isLimited for somebody who does not see everything: then it is the same however much is hidden
   */
  isElsewhere(isLimited: boolean): boolean {
    try {
      return this.watched(() => this.#readers !== undefined && (isLimited || !this.#isSmall));
    } catch {
      // It was lost just now, which is noted: there is nothing elsewhere.
      return false;
    }
  }

  /** Has the function `work` of a module do something with plain data, in a thread that searches: see `isElsewhere`. */
  async run<Given, Result>(module: URL, given: Given): Promise<Result> {
    try {
      return await (this.#readers as ThreadPool).run(module, given);
    } catch (error) {
      // Without the file there is no thread.
      throw this.#told(error);
    }
  }

  /** Ends the threads; what they are at is done before. The connection of this thread stays. */
  async endThreads(): Promise<void> {
    await Promise.all([this.#writer?.close(), this.#readers?.close()]);
  }

  /** Lets go of the file. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const ended = this.endThreads();
    this.#here.close();
    await ended;
  }

  /** What another thread did while the file was given up is done nowhere. */
  async #asked<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    try {
      this.#makeSure();
      const result = await work();
      if (this.#isClosed) throw new LostIndex(undefined);
      return result;
    } catch (error) {
      throw this.#told(error);
    }
  }

  #told(error: unknown): unknown {
    if (this.#isClosed) return new LostIndex(error);
    if (!isSpoilt(error) && this.#isThere) return error;
    this.#surroundings.lost(this);
    return new LostIndex(error);
  }

  #makeSure(): void {
    if (!this.#isThere) throw new LostIndex(undefined);
  }

  /** Whether the file that is open is the one whoever opens it next will find. */
  get #isThere(): boolean {
    if (this.#file === undefined) return true;
    try {
      return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#file;
    } catch {
      // Its folder cannot be looked into: nobody will find it.
      return false;
    }
  }

  get #isSmall(): boolean {
    if (this.#readers === undefined) return true;
    return this.#here.passages <= HERE_UP_TO && this.#here.words <= WORDS_HERE_UP_TO;
  }
}

/** What a database is searched by. */
interface Searched {
  /** What is written, and answers as soon as it has everything. */
  readonly index: IndexHost;
  /** What answers until then, the best one first, and what is left of what did. */
  readonly formers: readonly Former[];
}

const searched = new WeakMap<Database, Searched>();
/** Who is told when the index of a database is made anew. */
const watchers = new WeakMap<Database, () => void>();

/** Pause between two tries to open or make an index, milliseconds. */
const TRY_AGAIN_MS = 1_000;

/** What the last try ended with, where a database has no index; `until`, by `performance.now()`, that is told. */
const failures = new WeakMap<Database, { readonly told: UnavailableIndex; readonly until: number }>();
/** Databases whose index was open once. */
const everOpen = new WeakSet<Database>();

/**
 * The index of a database that is written, opened when it is asked for first, and closed with it. One that was made of
 * other data, or by other rules, is made anew: everything is queued again.
 *
 * Throws UnavailableIndex where it was lost and cannot be made anew yet; where it never was open, what the file says.
 */
export function indexOf(db: Database): IndexHost {
  return searchedOf(db).index;
}

/** What answers now: the index, or while it is made anew the one before it, where there is one. Throws as `indexOf`. */
export function answeringOf(db: Database): Answering {
  const { index, formers } = searchedOf(db);
  if (index.isWhole) return index;
  return formers.find(({ answering }) => answering !== undefined)?.answering ?? index;
}

/** The indexes that the one of today takes the place of, as far as they are there. */
export function formersOf(db: Database): readonly Former[] {
  return searchedOf(db).formers;
}

/** Notes that one of them is gone. */
export function forgetFormer(db: Database, former: Former): void {
  const { index, formers } = searchedOf(db);
  searched.set(db, { index, formers: formers.filter((one) => one !== former) });
}

/** @param made called whenever the index of a database had to be begun anew while it was open */
export function whenMadeAnew(db: Database, made: () => void): void {
  watchers.set(db, made);
}

/** Ends the threads of a database's index, where there are any; what they are at is done before. */
export async function endThreads(db: Database): Promise<void> {
  const found = searched.get(db);
  await Promise.all([found?.index.endThreads(), ...(found?.formers.map((former) => former.close()) ?? [])]);
}

function searchedOf(db: Database): Searched {
  const open = searched.get(db);
  if (open !== undefined) return open;
  const failed = failures.get(db);
  if (failed !== undefined && performance.now() < failed.until) throw failed.told;
  let found: Searched;
  try {
    found = openAll(db);
  } catch (error) {
    // Whoever starts a service is told what stands in the way.
    throw everOpen.has(db) ? noteUnavailable(db, error) : error;
  }
  failures.delete(db);
  searched.set(db, found);
  if (!everOpen.has(db)) db.onClose(() => letGo(db));
  everOpen.add(db);
  return found;
}

/** Closes what a database is searched by. */
function letGo(db: Database): void {
  const open = searched.get(db);
  searched.delete(db);
  // What cannot be closed in order is given up all the same.
  for (const one of [open?.index, ...(open?.formers ?? [])]) one?.close().catch(() => undefined);
}

/** Notes that a database has no index now. Answers what is to be told. */
function noteUnavailable(db: Database, error: unknown): unknown {
  // Of what it would be made: that is told as it is.
  if (db.isDamaged) return error;
  const told = new UnavailableIndex(error);
  failures.set(db, { told, until: performance.now() + TRY_AGAIN_MS });
  return told;
}

function openAll(db: Database): Searched {
  const formers: Former[] = [];
  const tables = tablesLeft(db).length === 0 ? undefined : new FormerTables(db);
  const index = hosted(db, openIndex(db, tables?.answering !== undefined));
  let file: ReturnType<typeof openFormer>;
  try {
    file = openFormer(db);
  } catch (error) {
    void index.close();
    throw error;
  }
  if (file !== undefined) {
    const path = formerPathOf(db.path);
    // What is damaged answers nothing more, and goes in its turn.
    const host: IndexHost = new IndexHost(file.index, path, {
      lost: () => forgetFormer(db, former),
      hasRoom: () => false,
      wrote: () => undefined,
    });
    const former = new FormerFile(host, path, file.mayAnswer);
    formers.push(former);
  }
  if (tables !== undefined) formers.push(tables);
  return { index, formers };
}

function hosted(db: Database, file: IndexFile): IndexHost {
  const wrote = (): void => db.noteBeside(bytesBeside(db, file));
  try {
    wrote();
    return new IndexHost(file, indexPathOf(db.path), {
      lost: (host) => makeAnew(db, host),
      hasRoom: () => db.hasRoomBeside,
      wrote,
    });
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The pages of a database's index, to be checked. Where damage is found, it is made anew. */
export function indexPagesOf(db: Database): CheckedFile {
  return {
    path: indexPathOf(db.path),
    begin: () => {
      const host = searched.get(db)?.index;
      // What is not open is opened by whoever asks, and told then.
      return () => host && makeAnew(db, host);
    },
  };
}

/**
 * What is lost is made again from the documents, while questions are answered from what there is of it. Where that cannot
 * be done now, as on a disk that is gone, there is no index until it can: see `searchedOf`.
 */
function makeAnew(db: Database, host: IndexHost): void {
  const found = searched.get(db);
  if (found?.index !== host) return;
  host.close().catch(() => undefined);
  try {
    removeIndex(indexPathOf(db.path));
    searched.set(db, { index: hosted(db, beginAnew(db, "damaged", false)), formers: found.formers });
  } catch (error) {
    // The former ones are opened anew with it: they stood beside it.
    letGo(db);
    noteUnavailable(db, error);
  }
  watchers.get(db)?.();
}

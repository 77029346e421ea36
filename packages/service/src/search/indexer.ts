import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { changeOf, goneDocuments, lastChange, queueAgain } from "../store/changes.ts";
import { finishDocument, isQueued, queuedDocuments } from "../store/documents.ts";
import { isOutOfSpace } from "../store/sqlite/database-error.ts";
import { type Background, type Pace, startBackground } from "./background.ts";
import {
  cutDocuments,
  finishIndexed,
  isDatabaseError,
  type LongDocument,
  longDocument,
  noteFailure,
  type IndexerContext,
  take,
  writeDocuments,
} from "./batches.ts";
import { putOf } from "./cutting.ts";
import type { Indexed } from "./hosting/index-documents.ts";
import { LostIndex, UnavailableIndex } from "./hosting/index-trouble.ts";
import { answeringOf, type IndexHost, indexOf } from "./hosting/index-host.ts";

/** How the indexer works. */
interface IndexerOptions {
  /** Longest time one batch keeps the service from answering, milliseconds. */
  readonly batchMs: number;
  /** Most passages written in one transaction; a longer document takes several, with pauses between. */
  readonly slice: number;
  /** Pause after the database could not be written, milliseconds. */
  readonly retryAfterMs: number;
  /** Awaited before each step: lets whatever else waits go first. */
  readonly quiet: () => Promise<void>;
  /** Called when the queue has become empty. */
  readonly whenEmpty: () => void;
}

const USUAL: IndexerOptions = {
  batchMs: 50,
  slice: 200,
  retryAfterMs: 1_000,
  quiet: turn,
  whenEmpty: () => undefined,
};

/**
 * Turns queued documents into what they are found by, in the background, also what an earlier run left behind, and takes
 * out what is gone. A document leaves the queue when all of it is on the disk in the index, so whatever a crash interrupts
 * is indexed anew from its beginning.
 */
export function startIndexer(store: IndexerContext, options: Partial<IndexerOptions> = {}): Background {
  const settings = { ...USUAL, ...options };
  // Up to where changes were looked through for what is gone.
  let looked = 0;
  let known: IndexHost | undefined;
  let isToldUnavailable = false;
  const work = async (pace: Pace): Promise<void> => {
    const index = indexOf(store.db);
    isToldUnavailable = false;
    if (index !== known) {
      looked = index.applied;
      // The index may be a copy that was put back: what came since is indexed again.
      const isFound = answeringOf(store.db) !== index;
      store.db.transaction(() => store.db.perform(queueAgain(looked, isFound)));
      known = index;
    }
    const batches = new Batches(store, index, settings);
    try {
      for (;;) {
        await settings.quiet();
        await gather(pace);
        if (pace.stopping.aborted) return;
        const last = store.db.perform(lastChange());
        if (last > looked && !(await removeGone(store, index, looked, last, settings, pace))) return;
        looked = last;
        const next = await batches.next(last);
        if (next === "empty") {
          await noteApplied(index, last);
          if (store.db.perform(lastChange()) === last) return settings.whenEmpty();
        } else if (next !== "more") await indexLong(store, index, next, settings, pace);
      }
    } finally {
      await batches.written();
    }
  };
  // Full disk or a lock held elsewhere: the queue is kept, and tried again until it works.
  const failed = (error: unknown): void => {
    if (error instanceof UnavailableIndex && !isToldUnavailable) {
      isToldUnavailable = true;
      store.log.warn("the search index can be neither opened nor made: tried again until it can", {
        cause: error.cause,
      });
    }
    // It is made anew, which is told already.
    if (error instanceof LostIndex) return;
    store.log.warn("indexing paused", { cause: isOutOfSpace(error) ? "the disk is full" : error });
  };
  return startBackground(work, failed, settings.retryAfterMs);
}

/** While documents keep arriving larger batches take less time in all: waits for them, at most for `GATHER_MS`. */
async function gather(pace: Pace): Promise<void> {
  const until = performance.now() + GATHER_MS;
  for (;;) {
    const now = performance.now();
    if (pace.isHurried || pace.stopping.aborted || now >= until || now >= pace.wokenAt + PAUSE_MS) return;
    await pause(PAUSE_MS);
  }
}

/** Longest time for which documents are gathered, milliseconds. */
const GATHER_MS = 300;

/** Passages of a document that leave in one transaction. */
const REMOVED_AT_ONCE = 1_000;

/** Documents that come further apart do not wait for each other, milliseconds. */
const PAUSE_MS = 10;

/** Takes out of the index what is gone, some passages at a time. Answers false when it was stopped. */
async function removeGone(
  { db }: IndexerContext,
  index: IndexHost,
  after: number,
  upTo: number,
  { quiet }: IndexerOptions,
  { stopping }: Pace,
): Promise<boolean> {
  let left = db.perform(goneDocuments(after, upTo));
  while (left.length > 0) {
    await quiet();
    if (stopping.aborted) return false;
    const some = left.slice(0, REMOVED_AT_ONCE);
    const removals = some.map((document) => ({ document, most: REMOVED_AT_ONCE / some.length }));
    const whole = removals.map(({ document, most }) => ({ document, most: Math.max(1, Math.ceil(most)) }));
    const { removed } = await index.write({ puts: [], removals: whole, vectors: [] });
    left = [...some.filter((_, at) => removed[at] === whole[at]?.most), ...left.slice(some.length)];
  }
  return true;
}

/** Documents looked at for one batch. */
const MAX_AT_ONCE = 4_000;
/**
 * Passages of one transaction where another thread writes it, and of a document that is written in one piece there: fewer
 * transactions take less time in all, and what is gathered for one takes some 10 kB of memory a passage.
 */
const MANY_PASSAGES = 8_000;
const LONG_ELSEWHERE = 2_000;
/** Passages of one transaction here, where each takes long. */
const LEAST_PASSAGES = 8;

/** What another thread reads, cuts and writes. */
interface Under {
  readonly numbers: ReadonlySet<number>;
  /** The last write among them. */
  readonly newest: number;
  readonly done: Promise<Indexed>;
}

/** Cuts documents and writes them, or has another thread do both while others are taken off the queue. */
class Batches {
  readonly #store: IndexerContext;
  readonly #index: IndexHost;
  readonly #settings: IndexerOptions;
  /** Passages of the next transaction here, by how long the last one took. */
  #here: number;
  #under: Under | undefined;

  constructor(store: IndexerContext, index: IndexHost, settings: IndexerOptions) {
    this.#store = store;
    this.#index = index;
    this.#settings = settings;
    this.#here = settings.slice;
  }

  /** The next documents. Answers when more of them can be looked at, or with a long one that is to be indexed by itself. */
  async next(looked: number): Promise<"empty" | "more" | LongDocument> {
    const { db } = this.#store;
    const under = this.#under;
    const queued = db.perform(queuedDocuments(MAX_AT_ONCE + (under?.numbers.size ?? 0)));
    // The index has documents in the order they were written. What was written again waits, with all that came after it,
    // until its former text is in.
    const again = queued.findIndex(({ number, sequence }) => under?.numbers.has(number) && sequence > under.newest);
    const next = (again === -1 ? queued : queued.slice(0, again)).filter(({ number }) => !under?.numbers.has(number));
    const numbers = next.map(({ number }) => number);
    if (numbers.length === 0) return under === undefined ? "empty" : ((await this.written()) ?? "more");
    // The oldest in the queue and what comes behind it are not in the index yet.
    const applied = Math.min(db.perform(changeOf(queued[0]?.number ?? 0)) - 1, looked);
    return this.#index.writesHere(numbers.length)
      ? this.#writeHere(numbers, applied)
      : this.#haveWritten(numbers, applied, next.at(-1)?.sequence ?? 0);
  }

  async #writeHere(numbers: readonly number[], applied: number): Promise<"more" | LongDocument> {
    const { slice, batchMs } = this.#settings;
    const { cut, passages, long } = cutDocuments(this.#store, numbers, { most: this.#here, slice, batchMs });
    const began = performance.now();
    await writeDocuments(this.#store, this.#index, cut, { applied, waiting: numbers.length });
    const times = Math.min(2, batchMs / Math.max(1, performance.now() - began));
    this.#here = Math.min(slice, Math.max(LEAST_PASSAGES, Math.floor(passages * times)));
    return long ?? "more";
  }

  /** One batch is written while the one before it is taken off the queue. */
  async #haveWritten(numbers: readonly number[], applied: number, newest: number): Promise<"more" | LongDocument> {
    const { path: database } = this.#store.db;
    const limits = { most: MANY_PASSAGES, slice: LONG_ELSEWHERE };
    const done = this.#index.index({ database, documents: numbers, newest, ...limits, applied });
    // It is looked at with the next batch.
    done.catch(() => undefined);
    const before = this.#under;
    this.#under = { numbers: new Set(numbers), newest, done };
    return (await this.#finish(before)) ?? "more";
  }

  /** Takes off the queue what is being written, when it is. Throws what that ended with. */
  async written(): Promise<LongDocument | undefined> {
    const under = this.#under;
    this.#under = undefined;
    return this.#finish(under);
  }

  async #finish(under: Under | undefined): Promise<LongDocument | undefined> {
    if (under === undefined) return undefined;
    const indexed = await under.done;
    await finishIndexed(this.#store, indexed, this.#settings.quiet);
    return indexed.alone === undefined ? undefined : longDocument(this.#store, indexed.alone, this.#settings.slice);
  }
}

/** Indexes a long document in slices. Ends early when the document was replaced, deleted, or the service stops. */
async function indexLong(
  store: IndexerContext,
  index: IndexHost,
  { document, first, rest }: LongDocument,
  { slice, quiet }: IndexerOptions,
  { stopping }: Pace,
): Promise<void> {
  const { db } = store;
  const { number } = document;
  const goesOn = async (): Promise<boolean> => {
    await quiet();
    return !stopping.aborted && db.perform(isQueued(document));
  };
  try {
    for (let left = true; left;) {
      if (!(await goesOn())) return;
      const { removed } = await index.write({ puts: [], removals: [{ document: number, most: slice }], vectors: [] });
      left = removed[0] === slice;
    }
    for (let from = 0, next = first; next.length > 0;) {
      const passages = next;
      next = take(rest, slice).taken;
      if (!(await goesOn())) return;
      await index.write({ puts: [putOf(document, passages, from, next.length === 0)], removals: [], vectors: [] });
      from += passages.length;
    }
    db.transaction(() => {
      if (db.perform(isQueued(document))) db.perform(finishDocument(number));
    });
  } catch (error) {
    // Another version may be queued by now: nothing was found out about that.
    if (db.perform(isQueued(document))) noteFailure(store, number, error);
    else if (isDatabaseError(error)) throw error;
  }
}

/** Everything that was queued before is in the index: a copy of it that is put back later is known to be one. */
async function noteApplied(index: IndexHost, change: number): Promise<void> {
  if (index.applied !== change) await index.write({ puts: [], removals: [], vectors: [], applied: change });
}

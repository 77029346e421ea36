import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import type { ServiceContext } from "../context.ts";
import { changeOf, goneDocuments, lastChange, queueAgain } from "../store/changes.ts";
import {
  countAttempt,
  documentNumbered,
  failDocument,
  finishDocument,
  isQueued,
  queuedDocuments,
  type StoredDocument,
} from "../store/documents.ts";
import { findFileName } from "../store/files.ts";
import { isOutOfSpace } from "../store/sqlite/database-error.ts";
import { type Background, type Pace, startBackground } from "./background.ts";
import { indexedDocument, passagesOf } from "./cutting.ts";
import { type IndexHost, indexOf } from "./hosting/index-host.ts";
import type { Put } from "./hosting/index-work.ts";
import type { IndexedPassage } from "./postings/index-writer.ts";

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

type Store = Pick<ServiceContext, "db" | "log">;

/**
 * Turns queued documents into what they are found by, in the background, also what an earlier run left behind, and takes
 * out what is gone. A document leaves the queue when all of it is on the disk in the index, so whatever a crash interrupts
 * is indexed anew from its beginning.
 */
export function startIndexer(store: Store, options: Partial<IndexerOptions> = {}): Background {
  const settings = { ...USUAL, ...options };
  // Up to where changes were looked through for what is gone.
  let looked: number | undefined;
  const batch: BatchSize = { passages: settings.slice };
  const work = async (pace: Pace): Promise<void> => {
    const index = indexOf(store.db);
    if (looked === undefined) {
      looked = index.here.applied;
      // The index may be a copy that was put back: what came since is indexed again.
      queueAgain(store.db, looked);
    }
    for (;;) {
      await settings.quiet();
      await gather(pace);
      if (pace.stopping.aborted) return;
      const last = lastChange(store.db);
      if (last > looked && !(await removeGone(store, index, looked, last, settings, pace))) return;
      looked = last;
      const next = await indexBatch(store, index, batch, last, settings);
      if (next === "empty") {
        await noteApplied(index, last);
        if (lastChange(store.db) === last) return settings.whenEmpty();
      } else if (next !== "more") await indexLong(store, index, next, settings, pace);
    }
  };
  // Full disk or a lock held elsewhere: the queue is kept, and tried again until it works.
  const failed = (error: unknown) =>
    store.log.warn("indexing paused", { cause: isOutOfSpace(error) ? "the disk is full" : error });
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

/** Failed attempts after which a document is given up. */
const MAX_ATTEMPTS = 3;

/** Longest time for which passages of one document are cut before they are written, milliseconds. */
const TAKING_MS = 30;

/** Documents looked at for one batch. */
const MAX_AT_ONCE = 1_000;

/** Passages of one transaction where another thread writes it: fewer transactions take less time in all. */
const MANY_PASSAGES = 1_000;

/** Passages of a document that leave in one transaction. */
const REMOVED_AT_ONCE = 1_000;

/** Documents that come further apart do not wait for each other, milliseconds. */
const PAUSE_MS = 10;

/** Takes out of the index what is gone, some passages at a time. Answers false when it was stopped. */
async function removeGone(
  { db }: Store,
  index: IndexHost,
  after: number,
  upTo: number,
  { quiet }: IndexerOptions,
  { stopping }: Pace,
): Promise<boolean> {
  let left = goneDocuments(db, after, upTo);
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

/** A document with more passages than one transaction takes. */
interface LongDocument {
  readonly document: StoredDocument;
  /** Its first passages, and those that are still to be cut. */
  readonly first: readonly IndexedPassage[];
  readonly rest: Iterator<IndexedPassage>;
}

/** A document that was cut. */
interface CutDocument {
  readonly document: StoredDocument;
  readonly passages: readonly IndexedPassage[];
}

/** How much is written in one transaction, by how long the last one took. */
interface BatchSize {
  passages: number;
}

const LEAST_PASSAGES = 8;

/** Indexes the next documents in one transaction, until the queue is empty or a long document is next. */
async function indexBatch(
  store: Store,
  index: IndexHost,
  batch: BatchSize,
  looked: number,
  { batchMs, slice }: IndexerOptions,
): Promise<"empty" | "more" | LongDocument> {
  const { db } = store;
  const start = performance.now();
  const numbers = queuedDocuments(db, MAX_AT_ONCE);
  if (numbers.length === 0) return "empty";
  const { writesHere } = index;
  const most = writesHere ? batch.passages : MANY_PASSAGES;
  // The oldest in the queue and what comes behind it are not in the index yet.
  const applied = Math.min(changeOf(db, numbers[0] ?? 0) - 1, looked);
  const cut: CutDocument[] = [];
  let long: LongDocument | undefined;
  let passages = 0;
  for (const number of numbers) {
    const document = documentNumbered(db, number);
    if (document === undefined) continue;
    try {
      const rest = passagesOf(document, (file) => findFileName(db, file));
      const first = take(rest, slice);
      if (!first.isAll) {
        long = { document, first: first.taken, rest };
        break;
      }
      passages += first.taken.length;
      cut.push({ document, passages: first.taken });
    } catch (error) {
      noteFailure(store, number, error);
    }
    if (passages >= most || performance.now() - start > batchMs) break;
  }
  const began = performance.now();
  await writeShort(store, index, cut, applied);
  if (writesHere) {
    const times = Math.min(2, batchMs / Math.max(1, performance.now() - began));
    batch.passages = Math.min(slice, Math.max(LEAST_PASSAGES, Math.floor(passages * times)));
  }
  return long ?? "more";
}

async function writeShort(store: Store, index: IndexHost, cut: readonly CutDocument[], applied: number): Promise<void> {
  const { db } = store;
  const full = cut.filter(({ passages }) => passages.length > 0);
  const written = await writeTogether(store, index, full, applied);
  if (cut.length === 0) return;
  db.transaction(() => {
    for (const document of written) if (isQueued(db, document)) finishDocument(db, document.number);
    for (const { document, passages } of cut) {
      if (passages.length > 0 || !isQueued(db, document)) continue;
      failDocument(db, document.number, "There is nothing to find it by: no text in any section, and no title.");
    }
  });
}

/** Writes documents in one transaction; where that fails for what is in one of them, each in its own. */
async function writeTogether(
  store: Store,
  index: IndexHost,
  cut: readonly CutDocument[],
  applied: number,
): Promise<StoredDocument[]> {
  if (cut.length === 0) return [];
  const puts = cut.map(({ document, passages }): Put => putOf(document, passages, 0, true));
  try {
    await index.write({ puts, removals: [], vectors: [], applied });
    return cut.map(({ document }) => document);
  } catch (error) {
    const [first] = cut;
    if (isDatabaseError(error)) throw error;
    if (cut.length === 1 && first !== undefined) {
      noteFailure(store, first.document.number, error);
      return [];
    }
  }
  const written: StoredDocument[] = [];
  for (const one of cut) written.push(...(await writeTogether(store, index, [one], applied)));
  return written;
}

function putOf(document: StoredDocument, passages: readonly IndexedPassage[], from: number, isWhole: boolean): Put {
  return { document: indexedDocument(document), passages, from, isWhole };
}

/** Throws again what is about the database and not about the document. */
function noteFailure({ db, log }: Store, number: number, error: unknown): void {
  if (isDatabaseError(error)) throw error;
  log.warn("a document could not be indexed", { cause: error });
  db.transaction(() => {
    if (countAttempt(db, number) < MAX_ATTEMPTS) return;
    const why = error instanceof Error ? error.message : "unknown";
    failDocument(db, number, `It could not be indexed: ${why}`);
  });
}

/** Indexes a long document in slices. Ends early when the document was replaced, deleted, or the service stops. */
async function indexLong(
  store: Store,
  index: IndexHost,
  { document, first, rest }: LongDocument,
  { slice, quiet }: IndexerOptions,
  { stopping }: Pace,
): Promise<void> {
  const { db } = store;
  const { number } = document;
  const goesOn = async (): Promise<boolean> => {
    await quiet();
    return !stopping.aborted && isQueued(db, document);
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
      if (isQueued(db, document)) finishDocument(db, number);
    });
  } catch (error) {
    // Another version may be queued by now: nothing was found out about that.
    if (isQueued(db, document)) noteFailure(store, number, error);
    else if (isDatabaseError(error)) throw error;
  }
}

/** Everything that was queued before is in the index: a copy of it that is put back later is known to be one. */
async function noteApplied(index: IndexHost, change: number): Promise<void> {
  if (index.here.applied !== change) await index.write({ puts: [], removals: [], vectors: [], applied: change });
}

/** The next items: so many, or what comes within `TAKING_MS`, but one at least where there is one. */
function take<Item>(from: Iterator<Item>, most: number): { taken: Item[]; isAll: boolean } {
  const taken: Item[] = [];
  const until = performance.now() + TAKING_MS;
  while (taken.length === 0 || (taken.length < most && performance.now() < until)) {
    const next = from.next();
    if (next.done === true) return { taken, isAll: true };
    taken.push(next.value);
  }
  return { taken, isAll: false };
}

function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && "errcode" in error;
}

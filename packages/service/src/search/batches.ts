import type { ServiceContext } from "../context.ts";
import {
  countAttempt,
  documentNumbered,
  failDocument,
  finishDocument,
  isQueued,
  type StoredDocument,
} from "../store/documents.ts";
import { findFileName } from "../store/files.ts";
import { passagesOf, putOf } from "./cutting.ts";
import type { Indexed } from "./hosting/index-documents.ts";
import type { IndexHost } from "./hosting/index-host.ts";
import type { Put } from "./hosting/index-work.ts";
import type { IndexedPassage } from "./postings/index-writer.ts";

/** What documents are indexed from, and where it is told what could not be. */
export type IndexerContext = Pick<ServiceContext, "db" | "log">;

/** Failed attempts after which a document is given up. */
const MAX_ATTEMPTS = 3;

/** Longest time for which passages of one document are cut before they are written, milliseconds. */
const TAKING_MS = 30;

/** A document with more passages than one transaction takes. */
export interface LongDocument {
  readonly document: StoredDocument;
  /** Its first passages, and those that are still to be cut. */
  readonly first: readonly IndexedPassage[];
  readonly rest: Iterator<IndexedPassage>;
}

/** A document that is to be indexed by itself; undefined: it is gone. */
export function longDocument({ db }: IndexerContext, number: number, slice: number): LongDocument | undefined {
  const document = db.perform(documentNumbered(number));
  if (document === undefined) return undefined;
  const rest = passagesOf(document, (file) => db.perform(findFileName(file)));
  return { document, first: take(rest, slice).taken, rest };
}

/** A document that was cut. */
interface CutDocument {
  readonly document: StoredDocument;
  readonly passages: readonly IndexedPassage[];
}

/** Documents that are written in one transaction. */
export interface CutBatch {
  readonly cut: readonly CutDocument[];
  /** Passages of all of them. */
  readonly passages: number;
  /** The document behind them, which is too long for that. */
  readonly long?: LongDocument;
}

/**
 * Cuts documents until there are so many passages, a long one is next, or the time is over.
 * @param slice most passages of a document that is not long
 */
export function cutDocuments(
  store: IndexerContext,
  numbers: readonly number[],
  { most, slice, batchMs }: { readonly most: number; readonly slice: number; readonly batchMs: number },
): CutBatch {
  const { db } = store;
  const until = performance.now() + batchMs;
  const cut: CutDocument[] = [];
  let passages = 0;
  for (const number of numbers) {
    const document = db.perform(documentNumbered(number));
    if (document === undefined) continue;
    try {
      const rest = passagesOf(document, (file) => db.perform(findFileName(file)));
      const first = take(rest, slice);
      if (!first.isAll) return { cut, passages, long: { document, first: first.taken, rest } };
      passages += first.taken.length;
      cut.push({ document, passages: first.taken });
    } catch (error) {
      noteFailure(store, number, error);
    }
    if (passages >= most || performance.now() > until) break;
  }
  return { cut, passages };
}

/** What else is known where documents are written. */
interface HowWritten {
  /** All changes of the documents up to this one are in the index then. */
  readonly applied: number;
  /** Documents that are still to be written, these included. */
  readonly waiting: number;
}

/**
 * Writes documents, and takes them off the queue.
 */
export async function writeDocuments(
  store: IndexerContext,
  index: IndexHost,
  cut: readonly CutDocument[],
  how: HowWritten,
): Promise<void> {
  const { db } = store;
  const full = cut.filter(({ passages }) => passages.length > 0);
  const written = await writeTogether(store, index, full, how);
  if (cut.length === 0) return;
  db.transaction(() => {
    for (const document of written) if (db.perform(isQueued(document))) db.perform(finishDocument(document.number));
    for (const { document, passages } of cut) {
      if (passages.length > 0 || !db.perform(isQueued(document))) continue;
      db.perform(failDocument(document.number, NOTHING_TO_FIND));
    }
  });
}

/** Writes documents in one transaction; where that fails for what is in one of them, each in its own. */
async function writeTogether(
  store: IndexerContext,
  index: IndexHost,
  cut: readonly CutDocument[],
  how: HowWritten,
): Promise<StoredDocument[]> {
  if (cut.length === 0) return [];
  const puts = cut.map(({ document, passages }): Put => putOf(document, passages, 0, true));
  try {
    await index.write({ puts, removals: [], vectors: [], applied: how.applied }, how.waiting);
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
  for (const one of cut) written.push(...(await writeTogether(store, index, [one], how)));
  return written;
}

/** Throws again what is about the database and not about the document. */
export function noteFailure({ db, log }: IndexerContext, number: number, error: unknown): void {
  if (isDatabaseError(error)) throw error;
  log.warn("a document could not be indexed", { cause: error });
  db.transaction(() => {
    if (db.perform(countAttempt(number)) < MAX_ATTEMPTS) return;
    const why = error instanceof Error ? error.message : "unknown";
    db.perform(failDocument(number, `It could not be indexed: ${why}`));
  });
}

/** Longest time for which documents are taken off the queue in one transaction, milliseconds. */
const FINISHING_MS = 8;

/** Takes documents off the queue that were indexed elsewhere, others first now and then. */
export async function finishIndexed(
  store: IndexerContext,
  { whole, empty, failed }: Indexed,
  quiet: () => Promise<void>,
): Promise<void> {
  const { db } = store;
  for (let at = 0; at < whole.length;) {
    const until = performance.now() + FINISHING_MS;
    db.transaction(() => {
      for (; at < whole.length && performance.now() < until; at++) {
        const one = whole[at] as (typeof whole)[number];
        if (db.perform(isQueued(one))) db.perform(finishDocument(one.number));
      }
    });
    if (at < whole.length) await quiet();
  }
  db.transaction(() => {
    for (const one of empty) if (db.perform(isQueued(one))) db.perform(failDocument(one.number, NOTHING_TO_FIND));
  });
  for (const { message, ...one } of failed)
    if (db.perform(isQueued(one))) noteFailure(store, one.number, new Error(message));
}

const NOTHING_TO_FIND = "There is nothing to find it by: no text in any section, and no title.";

/** The next items: so many, or what comes within `TAKING_MS`, but one at least where there is one. */
export function take<Item>(from: Iterator<Item>, most: number): { taken: Item[]; isAll: boolean } {
  const taken: Item[] = [];
  const until = performance.now() + TAKING_MS;
  while (taken.length === 0 || (taken.length < most && performance.now() < until)) {
    const next = from.next();
    if (next.done === true) return { taken, isAll: true };
    taken.push(next.value);
  }
  return { taken, isAll: false };
}

/** Whether an error is about the database and not about a document. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && "errcode" in error;
}

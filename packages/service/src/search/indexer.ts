import { setTimeout as pause } from "node:timers/promises";
import type { ServiceContext } from "../context.ts";
import { isOutOfSpace } from "../store/database-error.ts";
import {
  addPassages,
  countAttempt,
  documentNumbered,
  failDocument,
  finishDocument,
  isQueued,
  type NewPassage,
  ownerNames,
  queuedDocuments,
  removePassages,
  type StoredDocument,
} from "../store/documents.ts";
import { findFileName } from "../store/files.ts";
import { chunkSection } from "./chunk.ts";

/** Turns queued documents into passages, in the background. */
export interface Indexer {
  /** Says that the queue has grown. */
  wake(): void;
  /** Resolves when the queue is empty, or when indexing cannot go on now (see `retryAfterMs`). */
  drain(): Promise<void>;
  /** Resolves when the running batch is done; nothing is indexed afterwards. The queue stays for the next start. */
  stop(): Promise<void>;
}

/** How the indexer works. */
interface IndexerOptions {
  /** Longest time one batch keeps the service from answering, milliseconds. */
  readonly batchMs: number;
  /** How long documents may be gathered while more keep arriving, milliseconds: larger batches take less time in all. */
  readonly gatherMs: number;
  /** Most passages written in one transaction; a longer document takes several, with pauses between. */
  readonly slice: number;
  /** Failed attempts after which a document is given up. */
  readonly attempts: number;
  /** Pause after the database could not be written, milliseconds. */
  readonly retryAfterMs: number;
  /** Called when the queue has become empty. */
  readonly whenEmpty: () => void;
}

const USUAL: IndexerOptions = {
  batchMs: 50,
  gatherMs: 300,
  slice: 500,
  attempts: 3,
  retryAfterMs: 1_000,
  whenEmpty: () => undefined,
};

type Store = Pick<ServiceContext, "db" | "log">;

/**
 * Starts indexing what is queued, also what an earlier run left behind. A document leaves the queue in the same
 * transaction that adds its last passage, so whatever a crash interrupts is indexed anew from its beginning.
 */
export function startIndexer(store: Store, options: Partial<IndexerOptions> = {}): Indexer {
  const settings = { ...USUAL, ...options };
  let running: Promise<void> | undefined;
  let stopped = false;
  let hurried = false;
  let wokenAt = 0;
  let retry: NodeJS.Timeout | undefined;

  // While documents keep arriving, at most for `gatherMs`.
  const gather = async (): Promise<void> => {
    const until = performance.now() + settings.gatherMs;
    for (;;) {
      const now = performance.now();
      if (hurried || stopped || now >= until || now >= wokenAt + PAUSE_MS) return;
      await pause(PAUSE_MS);
    }
  };
  const work = async (): Promise<void> => {
    try {
      for (;;) {
        await turn();
        await gather();
        if (stopped) return;
        const next = indexBatch(store, settings);
        if (next === "empty") {
          settings.whenEmpty();
          return;
        }
        if (next !== "more") await indexLong(store, next, settings.slice, () => stopped);
      }
    } catch (error) {
      // Full disk or a lock held elsewhere: the queue is kept, and tried again until it works.
      store.log.warn("indexing paused", { cause: isOutOfSpace(error) ? "the disk is full" : error });
      retry = setTimeout(wake, settings.retryAfterMs).unref();
    } finally {
      running = undefined;
      hurried = false;
    }
  };
  const wake = (): void => {
    clearTimeout(retry);
    wokenAt = performance.now();
    if (!stopped) running ??= work();
  };
  wake();
  return {
    wake,
    async drain() {
      hurried = true;
      wake();
      await running;
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await running;
    },
  };
}

/** Documents looked at for one batch; `batchMs` ends it long before where they are not tiny. */
const MOST_AT_ONCE = 1_000;

/** Documents that come further apart do not wait for each other, milliseconds. */
const PAUSE_MS = 10;

/** Lets whatever else waits go first. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A document with more passages than one transaction takes. */
interface LongDocument {
  readonly document: StoredDocument;
  readonly passages: readonly NewPassage[];
}

/** Indexes for about `batchMs` in one transaction, until the queue is empty or a long document is next. */
function indexBatch({ db, log }: Store, { batchMs, slice, attempts }: IndexerOptions): "empty" | "more" | LongDocument {
  const start = performance.now();
  const numbers = queuedDocuments(db, MOST_AT_ONCE);
  if (numbers.length === 0) return "empty";
  return db.transaction(() => {
    for (const number of numbers) {
      const document = documentNumbered(db, number);
      if (document === undefined) continue;
      try {
        const passages = passagesOf(document, (file) => findFileName(db, file));
        if (passages.length > slice) return { document, passages };
        indexShort(db, document, passages);
      } catch (error) {
        if (isDatabaseError(error)) throw error;
        log.warn("a document could not be indexed", { cause: error });
        if (countAttempt(db, number) >= attempts)
          failDocument(db, number, `It could not be indexed: ${messageOf(error)}`);
      }
      if (performance.now() - start > batchMs) break;
    }
    return "more";
  });
}

function indexShort(db: Store["db"], document: StoredDocument, passages: readonly NewPassage[]): void {
  if (passages.length === 0) {
    failDocument(db, document.number, "There is nothing to find it by: no text in any section, and no title.");
    return;
  }
  removePassages(db, document.number);
  addPassages(db, document, passages);
  finishDocument(db, document.number);
}

/** Indexes a long document in slices. Ends early when the document was replaced, deleted, or the service stops. */
async function indexLong(
  { db }: Store,
  { document, passages }: LongDocument,
  slice: number,
  isStopped: () => boolean,
): Promise<void> {
  let removed = false;
  for (let from = 0; from < passages.length;) {
    await turn();
    if (isStopped()) return;
    const goesOn = db.transaction(() => {
      if (!isQueued(db, document)) return false;
      if (!removed) {
        removed = removePassages(db, document.number, slice) < slice;
        return true;
      }
      addPassages(db, document, passages.slice(from, from + slice), from);
      from += slice;
      if (from >= passages.length) finishDocument(db, document.number);
      return true;
    });
    if (!goesOn) return;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}

function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && "errcode" in error;
}

/** What a document is found by. The first passage also carries the words about the whole document. */
export function passagesOf(document: StoredDocument, fileName: (id: string) => string | undefined): NewPassage[] {
  const passages: NewPassage[] = [];
  const images: string[] = [];
  for (const { text, link, image_file_id } of document.sections) {
    const image = image_file_id == null ? undefined : fileName(image_file_id);
    if (image !== undefined) images.push(image.slice(0, LONGEST_TITLE));
    const chunks = chunkSection(text);
    // An image without a text is found, and quoted, by its file's name.
    if (chunks.length === 0 && image !== undefined) chunks.push({ heading: "", text: image.slice(0, LONGEST_TITLE) });
    for (const { heading, text: piece } of chunks)
      passages.push({ heading, text: piece, about: "", link: keptLink(link) });
  }
  if (passages.length === 0 && document.title.trim() !== "") {
    passages.push({ heading: "", text: "", about: "", link: firstLink(document) });
  }
  const first = passages[0];
  if (first !== undefined) passages[0] = { ...first, about: aboutDocument(document, images) };
  return passages;
}

function aboutDocument(document: StoredDocument, images: readonly string[]): string {
  const owners = [...(document.primaryOwners ?? []), ...(document.secondaryOwners ?? [])];
  const words = [
    ...(ownerNames(owners) ?? []),
    ...owners.map(({ email }) => email ?? ""),
    ...Object.values(document.metadata).flat(),
    ...images,
  ];
  return [...new Set(words)]
    .filter((word) => word !== "")
    .join("\n")
    .slice(0, LONGEST_ABOUT)
    .toWellFormed();
}

function firstLink(document: StoredDocument): string | null {
  return keptLink(document.sections.find(({ link }) => link != null)?.link);
}

/** What every passage carries is kept short: else one document with many passages could fill the disk. */
const LONGEST_TITLE = 300;
const LONGEST_ABOUT = 2_000;
const LONGEST_LINK = 8_000;

/** Half a link leads nowhere. */
function keptLink(link: string | null | undefined): string | null {
  return link == null || link.length > LONGEST_LINK ? null : link;
}

import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import type { ServiceContext } from "../context.ts";
import { isOutOfSpace } from "../store/sqlite/database-error.ts";
import {
  addPassages,
  countAttempt,
  deleteSome,
  documentNumbered,
  failDocument,
  finishDocument,
  isQueued,
  leavingDocuments,
  type NewPassage,
  ownerNames,
  queuedDocuments,
  removePassages,
  type StoredDocument,
} from "../store/documents.ts";
import { findFileName } from "../store/files.ts";
import { type Background, type Pace, startBackground } from "./background.ts";
import { chunkSection } from "./chunk.ts";

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
 * Turns queued documents into passages, in the background, also what an earlier run left behind. A document leaves the
 * queue in the same transaction that adds its last passage, so whatever a crash interrupts is indexed anew from its
 * beginning.
 */
export function startIndexer(store: Store, options: Partial<IndexerOptions> = {}): Background {
  const settings = { ...USUAL, ...options };
  const work = async (pace: Pace): Promise<void> => {
    await finishDeletions(store, settings, pace);
    for (;;) {
      await settings.quiet();
      await gather(pace);
      if (pace.stopping.aborted) return;
      const next = indexBatch(store, settings);
      if (next === "empty") return settings.whenEmpty();
      if (next !== "more") await indexLong(store, next, settings, pace);
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

/** Longest time for which passages are cut before they are written, milliseconds. */
const TAKING_MS = 30;

/** Documents looked at for one batch; `batchMs` ends it long before where they are not tiny. */
const MAX_AT_ONCE = 1_000;

/** Documents that come further apart do not wait for each other, milliseconds. */
const PAUSE_MS = 10;

/** A document with more passages than one transaction takes. */
interface LongDocument {
  readonly document: StoredDocument;
  /** Its first passages, and those that are still to be cut. */
  readonly first: readonly NewPassage[];
  readonly rest: Iterator<NewPassage>;
}

/** Indexes for about `batchMs` in one transaction, until the queue is empty or a long document is next. */
function indexBatch(store: Store, { batchMs, slice }: IndexerOptions): "empty" | "more" | LongDocument {
  const { db } = store;
  const start = performance.now();
  const numbers = queuedDocuments(db, MAX_AT_ONCE);
  if (numbers.length === 0) return "empty";
  return db.transaction(() => {
    for (const number of numbers) {
      const document = documentNumbered(db, number);
      if (document === undefined) continue;
      try {
        const rest = passagesOf(document, (file) => findFileName(db, file));
        const first = take(rest, slice);
        if (!first.isAll) return { document, first: first.taken, rest };
        indexShort(db, document, first.taken);
      } catch (error) {
        noteFailure(store, number, error);
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

/** Throws again what is about the database and not about the document. */
function noteFailure({ db, log }: Store, number: number, error: unknown): void {
  if (isDatabaseError(error)) throw error;
  log.warn("a document could not be indexed", { cause: error });
  if (countAttempt(db, number) >= MAX_ATTEMPTS) {
    const why = error instanceof Error ? error.message : "unknown";
    failDocument(db, number, `It could not be indexed: ${why}`);
  }
}

/** Goes on with deletions that broke off. */
async function finishDeletions({ db }: Store, { quiet }: IndexerOptions, { stopping }: Pace): Promise<void> {
  for (const number of leavingDocuments(db)) {
    do {
      await quiet();
      if (stopping.aborted) return;
    } while (deleteSome(db, number));
  }
}

/** Indexes a long document in slices. Ends early when the document was replaced, deleted, or the service stops. */
async function indexLong(
  store: Store,
  { document, first, rest }: LongDocument,
  { slice, quiet }: IndexerOptions,
  { stopping }: Pace,
): Promise<void> {
  const { db } = store;
  try {
    for (let removed = false; !removed;) {
      await quiet();
      if (stopping.aborted || !isQueued(db, document)) return;
      removed = db.transaction(() => removePassages(db, document.number, slice)) < slice;
    }
    for (let from = 0, next = first; next.length > 0;) {
      const passages = next;
      next = take(rest, slice).taken;
      await quiet();
      if (stopping.aborted) return;
      const goesOn = db.transaction(() => {
        if (!isQueued(db, document)) return false;
        addPassages(db, document, passages, from);
        if (next.length === 0) finishDocument(db, document.number);
        return true;
      });
      if (!goesOn) return;
      from += passages.length;
    }
  } catch (error) {
    // Another version may be queued by now: nothing was found out about that.
    if (isQueued(db, document)) db.transaction(() => noteFailure(store, document.number, error));
    else if (isDatabaseError(error)) throw error;
  }
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

/** What a document is found by. The first passage also carries the words about the whole document. */
export function* passagesOf(document: StoredDocument, fileName: (id: string) => string | undefined) {
  const { sections } = document;
  const imageOf = (id: string | null | undefined) =>
    id == null ? undefined : fileName(id)?.slice(0, MAX_TITLE_LENGTH);
  const images = sections.map(({ image_file_id }) => imageOf(image_file_id)).filter((name) => name !== undefined);
  let about: string | undefined = aboutDocument(document, images);
  for (const { text, link, image_file_id } of sections) {
    const image = imageOf(image_file_id);
    let isEmpty = true;
    for (const { heading, text: piece } of chunkSection(text ?? "")) {
      yield { heading, text: piece, about: about ?? "", link: keptLink(link) };
      about = undefined;
      isEmpty = false;
    }
    // An image without a text is found, and quoted, by its file's name.
    if (!isEmpty || image === undefined) continue;
    yield { heading: "", text: image, about: about ?? "", link: keptLink(link) };
    about = undefined;
  }
  if (about !== undefined && document.title.trim() !== "") {
    yield { heading: "", text: "", about, link: firstLink(document) };
  }
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
    .slice(0, MAX_ABOUT_LENGTH)
    .toWellFormed();
}

function firstLink(document: StoredDocument): string | null {
  return keptLink(document.sections.find(({ link }) => link != null)?.link);
}

/** What every passage carries is kept short: else one document with many passages could fill the disk. */
const MAX_TITLE_LENGTH = 300;
const MAX_ABOUT_LENGTH = 2_000;
const MAX_LINK_LENGTH = 8_000;

/** Half a link leads nowhere. */
function keptLink(link: string | null | undefined): string | null {
  return link == null || link.length > MAX_LINK_LENGTH ? null : link;
}

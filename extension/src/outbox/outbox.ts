/**
 * What waits to be sent. Every entry belongs to the service it was queued for and goes to no other. An entry leaves in
 * the same transaction that writes its record into the ledger, so it is never lost between the two; sent twice, it is
 * still one document, as its id stays the same. What a private window sends waits in memory, and gets no record.
 */
import { type StoreName, transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";
import type { LedgerRecord } from "./ledger.ts";
import { isStored, type KeptDocument, type NewEntry, type OutboxEntry, type StoredEntry } from "./outbox-entry.ts";
import { changePrivate, HELD, isPrivateKey, PRIVATE } from "./private-outbox.ts";
import { keepText } from "./texts.ts";

/** How long a person has to take a page back before it is sent, milliseconds. */
export const UNDO_MS = 10_000;
/** Most entries, and most characters of their documents together. */
export const OUTBOX_LIMITS = { entries: 200, characters: 100_000_000 } as const;

/** The outbox takes no more until some of it was sent or taken back. */
export class OutboxFullError extends Error {
  override readonly name = "OutboxFullError";
}

/**
 * Queues a document, in place of an older copy of it. It can be taken back for ten seconds. Throws OutboxFullError,
 * and whatever the browser throws when its storage is full; then nothing was queued.
 */
export async function enqueue({ document, ...entry }: NewEntry, now: number = Date.now()): Promise<OutboxEntry> {
  const key = keyOf(entry);
  const queued: OutboxEntry = {
    ...entry,
    key,
    size: document.length,
    queuedAt: now,
    sendAfter: now + UNDO_MS,
    attempts: 0,
    revision: crypto.randomUUID(),
    state: "waiting",
  };
  if (!isStored(queued)) {
    await HELD.put(key, { entry: { ...queued, isPrivate: true }, document });
    return queued;
  }
  return transact("readwrite", async (store) => {
    const all = await settled<OutboxEntry[]>(store("outbox").getAll());
    const others = all.filter((other) => other.key !== key);
    const before = all.find((other) => other.key === key);
    const characters = others.reduce((sum, { size }) => sum + size, document.length);
    if (others.length >= OUTBOX_LIMITS.entries || characters > OUTBOX_LIMITS.characters) throw new OutboxFullError();
    const sent = await settled<LedgerRecord | undefined>(store("ledger").get(key));
    const next = {
      ...queued,
      // The service may have the older copy by its time: the next one must be newer than that.
      unconfirmed: before?.unconfirmed,
      newerThan: queued.additions === undefined ? before?.newerThan : sent && timeOf(sent),
      additions: queued.additions ?? (before ?? sent)?.additions,
    };
    const documents = store("documents");
    const writing = document === "" ? documents.delete(key) : documents.put(document, key);
    await Promise.all([put(store("outbox"), next), settled<unknown>(writing)]);
    return next;
  });
}

/** The time of change that a page was sent with last. */
export const timeOf = ({ updatedAt, sentAt }: LedgerRecord): number => updatedAt ?? sentAt;

/** Everything that waits, oldest first. */
export async function readOutbox(): Promise<OutboxEntry[]> {
  const entries = await transact("readonly", (store) => settled<OutboxEntry[]>(store("outbox").getAll()));
  const held = (await HELD.readAll()).map(({ entry }) => entry);
  return [...entries, ...held].toSorted((one, other) => one.queuedAt - other.queuedAt);
}

/** What of a page is the same whether it waits or was sent. */
export function pageOf(page: KeptDocument): KeptDocument {
  const { origin, documentId, title, link, addresses, hash, characters, pairId, additions } = page;
  return { origin, documentId, title, link, addresses, hash, characters, pairId, additions };
}

function put(store: IDBObjectStore, entry: StoredEntry): Promise<unknown> {
  return settled(store.put(entry));
}

/** The document of an entry, as JSON; undefined: the entry was taken back or queued anew meanwhile. */
export async function readDocument({ key, revision, isPrivate }: OutboxEntry): Promise<string | undefined> {
  if (isPrivate) return (await HELD.readAll()).find(({ entry }) => entry.revision === revision)?.document;
  return transact("readonly", async (store) => {
    const [entry, document] = await Promise.all([
      settled<OutboxEntry | undefined>(store("outbox").get(key)),
      settled<string | undefined>(store("documents").get(key)),
    ]);
    // A removal has none. A page cannot be without one; were it so, the service would say what it thinks of nothing.
    return entry?.revision === revision ? (document ?? "{}") : undefined;
  });
}

/** Takes an entry back. Answers whether it was still there; if not, it was sent already. */
export async function takeBack(key: string): Promise<boolean> {
  const held = (await HELD.readAll()).find(({ entry }) => entry.key === key);
  if (held !== undefined) return changePrivate(held.entry.revision, () => undefined).then(() => true);
  if (isPrivateKey(key)) return false;
  return transact("readwrite", async (store) => {
    const found = (await settled(store("outbox").getKey(key))) !== undefined;
    await Promise.all([settled(store("outbox").delete(key)), settled(store("documents").delete(key))]);
    return found;
  });
}

/** Lets entries be sent at once: one that stopped, or, without a key, all that wait. */
export async function sendNow(key?: string, now: number = Date.now()): Promise<void> {
  const isMeant = (entry: OutboxEntry) => (key === undefined ? entry.state === "waiting" : entry.key === key);
  const anew = <Entry extends OutboxEntry>(waiting: Entry) =>
    ({ ...waiting, problem: undefined, state: "waiting", sendAfter: now, attempts: 0 }) as const;
  for (const { entry } of await HELD.readAll()) if (isMeant(entry)) await changePrivate(entry.revision, anew);
  if (key !== undefined && isPrivateKey(key)) return;
  await transact("readwrite", async (store) => {
    const entries = await settled<StoredEntry[]>(store("outbox").getAll());
    for (const entry of entries) if (isMeant(entry)) await put(store("outbox"), anew(entry));
  });
}

/** What became of sending an entry; a problem that is undefined is over. */
type Change = Partial<Pick<OutboxEntry, "attempts" | "problem" | "sendAfter" | "state" | "unconfirmed">>;

/** Writes what became of sending an entry, unless it was queued anew or taken back meanwhile. */
export async function postpone({ key, revision, isPrivate }: OutboxEntry, change: Change): Promise<void> {
  const changed = <Entry extends OutboxEntry>(waiting: Entry) => ({ ...waiting, ...change });
  if (isPrivate) return changePrivate(revision, changed);
  await transact("readwrite", async (store) => {
    const entry = await settled<StoredEntry | undefined>(store("outbox").get(key));
    if (entry?.revision === revision) await put(store("outbox"), changed(entry));
  });
}

/** What a service made of a page. */
export interface Accepted {
  /** The id it gave the document; "": the one that was sent. */
  readonly documentId: string;
  /** The document's time of change as it was sent, milliseconds since 1970. */
  readonly updatedAt?: number | undefined;
}

/**
 * Moves a sent entry into the ledger, and what is removed out of it; one of a private window is let go. What was queued
 * meanwhile stays.
 */
export async function markSent(sent: OutboxEntry, accepted: Accepted, now: number): Promise<void> {
  if (!isStored(sent)) return changePrivate(sent.revision, () => undefined);
  const { key, documentId, removal } = sent;
  await transact("readwrite", async (store) => {
    const [entry, document, before] = await Promise.all([
      settled<OutboxEntry | undefined>(store("outbox").get(key)),
      settled<string | undefined>(store("documents").get(key)),
      settled<LedgerRecord | undefined>(store("ledger").get(key)),
    ]);
    const record: LedgerRecord = {
      key,
      ...pageOf(sent),
      serverDocumentId: accepted.documentId || documentId,
      firstSentAt: before?.firstSentAt ?? now,
      sentAt: now,
      times: (before?.times ?? 0) + 1,
      updatedAt: accepted.updatedAt,
    };
    const isLast = entry?.revision === sent.revision;
    const gone = (name: StoreName) => settled<unknown>(store(name).delete(key));
    const [ledger, texts] = [store("ledger"), store("texts")];
    await Promise.all([
      ...(removal === undefined ? [settled<unknown>(ledger.put(record))] : [gone("ledger"), gone("texts")]),
      ...(isLast ? [gone("outbox"), gone("documents")] : []),
      isLast && document !== undefined ? keepText(texts, key, document, now) : undefined,
    ]);
  });
}

/** What makes a page one entry, and one record: its service and its id. */
export function keyOf({
  origin,
  documentId,
  isPrivate,
}: Pick<OutboxEntry, "origin" | "documentId" | "isPrivate">): string {
  return `${isPrivate ? PRIVATE : ""}${origin} ${documentId}`;
}

/**
 * What waits to be sent. Every entry belongs to the service it was queued for and goes to no other. An entry leaves in
 * the same transaction that writes its record into the ledger, so it is never lost between the two; sent twice, it is
 * still one document, as its id stays the same. What a private window sends waits in memory, and gets no record.
 */
import { transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";
import type { LedgerRecord } from "./ledger.ts";
import { changePrivate, holdPrivate, PRIVATE, readPrivate } from "./private-outbox.ts";

/** Why an entry was not taken, as far as a person can act on it. */
export type ProblemKind =
  /** The server could not be reached. */
  | "unreachable"
  /** It was reached and failed, or was busy. */
  | "failed"
  /** It asked for a pause. */
  | "rate-limited"
  /** It does not know the key. */
  | "key-refused"
  /** The key may not keep pages, or not in this pair. */
  | "not-permitted"
  /** It knows no pair of this number. */
  | "no-such-pair"
  /** The page is larger than it takes. */
  | "too-large"
  /** It found the document faulty; `detail` says where. */
  | "refused"
  /** What answered is no such service. */
  | "not-a-service"
  /** The service takes no pages at all. */
  | "takes-none";

/** What went wrong with an entry last. */
export interface Problem {
  readonly kind: ProblemKind;
  /** HTTP status; absent where no answer came. */
  readonly status?: number;
  /** The server's own words, at most 300 characters. */
  readonly detail?: string;
}

/** What is known of a document that waits; the document itself is read when it is sent. */
export interface OutboxEntry {
  readonly key: string;
  /** Origin of the service it was queued for. */
  readonly origin: string;
  readonly documentId: string;
  readonly title: string;
  readonly link: string;
  readonly addresses: readonly string[];
  readonly hash: string;
  readonly characters: number;
  /** null: the service's default pair, which a person has agreed to. */
  readonly pairId: number | null;
  /** Characters of its document, as JSON. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly queuedAt: number;
  /** Not sent before this: the time to take it back, later the pause after a failure. */
  readonly sendAfter: number;
  readonly attempts: number;
  /** Tells a page queued again from the copy being sent. */
  readonly revision: string;
  /** "waiting": it is sent when it can be. "stopped": a person must decide, as sending it again would not help. */
  readonly state: "waiting" | "stopped";
  readonly problem?: Problem;
  /** The service has answered for it, and it is not found there: since when, milliseconds since 1970, and how often. */
  readonly unconfirmed?: { readonly since: number; readonly times: number };
  /** The tab it was kept from; of use while it can be taken back, as browsers give numbers anew. */
  readonly tabId?: number;
  /** Its tab was in a private window: it is held in memory. */
  readonly isPrivate?: true;
}

/** An entry that may be written to the disk: none of a private window. */
type StoredEntry = OutboxEntry & { readonly isPrivate?: never };

const isStored = (entry: OutboxEntry): entry is StoredEntry => entry.isPrivate !== true;

/** What is queued; the rest of an entry is the outbox's own. */
export interface NewEntry extends Pick<
  OutboxEntry,
  "origin" | "documentId" | "title" | "link" | "addresses" | "hash" | "characters" | "pairId" | "tabId" | "isPrivate"
> {
  /** The document of the request, as JSON. */
  readonly document: string;
}

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
    await holdPrivate({ entry: { ...queued, isPrivate: true }, document });
    return queued;
  }
  await transact("readwrite", async (store) => {
    const all = await settled<OutboxEntry[]>(store("outbox").getAll());
    const others = all.filter((other) => other.key !== key);
    const before = all.find((other) => other.key === key)?.unconfirmed;
    const characters = others.reduce((sum, { size }) => sum + size, document.length);
    if (others.length >= OUTBOX_LIMITS.entries || characters > OUTBOX_LIMITS.characters) throw new OutboxFullError();
    // The service may have the older copy by its time: the next one must be newer than that.
    const next = { ...queued, ...(before !== undefined && { unconfirmed: before }) };
    await Promise.all([put(store("outbox"), next), settled(store("documents").put(document, key))]);
  });
  return queued;
}

/** Everything that waits, oldest first. */
export async function readOutbox(): Promise<OutboxEntry[]> {
  const entries = await transact("readonly", (store) => settled<OutboxEntry[]>(store("outbox").getAll()));
  const held = (await readPrivate()).map(({ entry }) => entry);
  return [...entries, ...held].toSorted((one, other) => one.queuedAt - other.queuedAt);
}

function put(store: IDBObjectStore, entry: StoredEntry): Promise<unknown> {
  return settled(store.put(entry));
}

/** The document of an entry, as JSON; undefined: the entry was taken back or queued anew meanwhile. */
export async function readDocument({ key, revision, isPrivate }: OutboxEntry): Promise<string | undefined> {
  if (isPrivate) return (await readPrivate()).find(({ entry }) => entry.revision === revision)?.document;
  return transact("readonly", async (store) => {
    const [entry, document] = await Promise.all([
      settled<OutboxEntry | undefined>(store("outbox").get(key)),
      settled<string | undefined>(store("documents").get(key)),
    ]);
    // One without the other cannot be; were it so, the service would say what it thinks of nothing.
    return entry?.revision === revision ? (document ?? "{}") : undefined;
  });
}

/** Takes an entry back. Answers whether it was still there; if not, it was sent already. */
export async function takeBack(key: string): Promise<boolean> {
  const held = (await readPrivate()).find(({ entry }) => entry.key === key);
  if (held !== undefined) return changePrivate(held.entry.revision, () => undefined).then(() => true);
  return transact("readwrite", async (store) => {
    const found = (await settled(store("outbox").getKey(key))) !== undefined;
    await Promise.all([settled(store("outbox").delete(key)), settled(store("documents").delete(key))]);
    return found;
  });
}

/** Lets entries be sent at once: one that stopped, or, without a key, all that wait. */
export async function sendNow(key?: string, now: number = Date.now()): Promise<void> {
  const isMeant = (entry: OutboxEntry) => (key === undefined ? entry.state === "waiting" : entry.key === key);
  const anew = <Entry extends OutboxEntry>(waiting: Entry) => {
    const { problem: _, ...entry } = waiting;
    return { ...entry, state: "waiting", sendAfter: now, attempts: 0 } as const;
  };
  for (const { entry } of await readPrivate()) if (isMeant(entry)) await changePrivate(entry.revision, anew);
  await transact("readwrite", async (store) => {
    const entries = await settled<StoredEntry[]>(store("outbox").getAll());
    for (const entry of entries) if (isMeant(entry)) await put(store("outbox"), anew(entry));
  });
}

/** What became of sending an entry; a problem that is undefined is over. */
type Change = Partial<Pick<OutboxEntry, "attempts" | "sendAfter" | "state" | "unconfirmed">> & {
  readonly problem?: Problem | undefined;
};

/** Writes what became of sending an entry, unless it was queued anew or taken back meanwhile. */
export async function postpone({ key, revision, isPrivate }: OutboxEntry, change: Change): Promise<void> {
  const changed = <Entry extends OutboxEntry>(waiting: Entry) => {
    const { problem: before, ...entry } = waiting;
    const { problem, ...rest } = { problem: before, ...change };
    return { ...entry, ...rest, ...(problem !== undefined && { problem }) };
  };
  if (isPrivate) return changePrivate(revision, changed);
  await transact("readwrite", async (store) => {
    const entry = await settled<StoredEntry | undefined>(store("outbox").get(key));
    if (entry?.revision === revision) await put(store("outbox"), changed(entry));
  });
}

/** Moves a sent entry into the ledger; one of a private window is let go. A copy queued meanwhile stays. */
export async function markSent(sent: OutboxEntry, serverDocumentId: string, now: number): Promise<void> {
  if (!isStored(sent)) return changePrivate(sent.revision, () => undefined);
  const { key, origin, documentId, title, link, addresses, hash, characters, pairId } = sent;
  await transact("readwrite", async (store) => {
    const [entry, before] = await Promise.all([
      settled<OutboxEntry | undefined>(store("outbox").get(key)),
      settled<LedgerRecord | undefined>(store("ledger").get(key)),
    ]);
    const record: LedgerRecord = {
      key,
      origin,
      documentId,
      serverDocumentId,
      title,
      link,
      addresses,
      hash,
      characters,
      pairId,
      firstSentAt: before?.firstSentAt ?? now,
      sentAt: now,
      times: (before?.times ?? 0) + 1,
    };
    const writes = [settled<unknown>(store("ledger").put(record))];
    if (entry?.revision === sent.revision) {
      writes.push(settled<unknown>(store("outbox").delete(key)), settled<unknown>(store("documents").delete(key)));
    }
    await Promise.all(writes);
  });
}

function keyOf({ origin, documentId, isPrivate }: Pick<OutboxEntry, "origin" | "documentId" | "isPrivate">): string {
  return `${isPrivate ? PRIVATE : ""}${origin} ${documentId}`;
}

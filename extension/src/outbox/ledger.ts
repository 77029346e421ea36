import { canonicalUrl, contentHash } from "@threadlore/documents";
import { transact } from "../storage/database.ts";
import type { KeptDocument } from "./outbox-entry.ts";
import { settled } from "../storage/open-database.ts";

/** A page this browser has sent, as it was sent last. */
export interface LedgerRecord extends KeptDocument {
  /** Origin of the service and id of the document: what makes it one record. */
  readonly key: string;
  /** The id the service gave it; the one to delete it by. */
  readonly serverDocumentId: string;
  /** Milliseconds since 1970: first and last time it was sent. */
  readonly firstSentAt: number;
  readonly sentAt: number;
  /** How often it was sent, this time included. */
  readonly times: number;
  /** Its time of change as it was sent last, milliseconds since 1970; absent in what earlier versions have sent. */
  readonly updatedAt?: number;
}

/** Everything sent, newest first. */
export async function readLedger(): Promise<LedgerRecord[]> {
  const records = await transact("readonly", (store) => readAll(store("ledger"), (last) => last && above(last.key)));
  return records.toSorted((one, other) => other.sentAt - one.sentAt);
}

/** What was sent to a service, newest first. */
export async function readKept(origin: string): Promise<LedgerRecord[]> {
  const records = await transact("readonly", (store) =>
    // Several may have been sent in one millisecond, so the last one comes again.
    readAll(store("ledger").index("sent"), (last) =>
      IDBKeyRange.bound(last === undefined ? [origin] : [origin, last.sentAt], [origin, []]),
    ),
  );
  return records.toReversed();
}

/** Records that are read at once: thousands would hold up whoever reads for a tenth of a second and more. */
const BATCH = 250;

const above = (key: string): IDBKeyRange => IDBKeyRange.lowerBound(key, true);

/**
 * All records in their order, some at a time.
 * @param rangeAfter where what follows a record lies, which may bring some again; without one, all
 */
async function readAll(
  source: IDBObjectStore | IDBIndex,
  rangeAfter: (last: LedgerRecord | undefined) => IDBKeyRange | undefined,
): Promise<LedgerRecord[]> {
  const records = new Map<string, LedgerRecord>();
  let last: LedgerRecord | undefined;
  for (let most = BATCH; ;) {
    const found = await settled<LedgerRecord[]>(source.getAll(rangeAfter(last), most));
    const before = records.size;
    for (const record of found) records.set(record.key, record);
    last = found.at(-1);
    if (found.length < most) return [...records.values()];
    // More of one moment than are read at once.
    most = records.size === before ? most * 2 : BATCH;
  }
}

/** What was sent under a key; undefined: nothing that was found there. */
export async function findRecord(key: string): Promise<LedgerRecord | undefined> {
  return transact("readonly", (store) => settled<LedgerRecord | undefined>(store("ledger").get(key)));
}

/** What a web address is known by in the ledger: the same for all its spellings. Throws TypeError for any other. */
export async function addressKey(url: string): Promise<string> {
  return contentHash(canonicalUrl(url));
}

/** What was sent of the page at this address to a service; undefined: nothing, or no web address. */
export async function findKept(origin: string, url: string): Promise<LedgerRecord | undefined> {
  if (!/^https?:/.test(url)) return undefined;
  const address = await addressKey(url);
  const records = await transact("readonly", (store) =>
    settled<LedgerRecord[]>(store("ledger").index("addresses").getAll(address)),
  );
  return records.filter((record) => record.origin === origin).toSorted((one, other) => other.sentAt - one.sentAt)[0];
}

/** The ledger as a file to save: JSON, with moments in ISO 8601. */
export async function exportLedger(now: number = Date.now()): Promise<string> {
  const moment = (at: number) => new Date(at).toISOString();
  const sent = (await readLedger()).map(({ key: _key, addresses: _addresses, firstSentAt, sentAt, ...record }) => ({
    ...record,
    firstSentAt: moment(firstSentAt),
    sentAt: moment(sentAt),
  }));
  return `${JSON.stringify({ exportedAt: moment(now), sent }, null, 2)}\n`;
}

/** Forgets what was sent, with its text; the service keeps it. Without a key, everything. */
export async function forgetLedger(key?: string): Promise<void> {
  await transact("readwrite", (store) => {
    const stores = [store("ledger"), store("texts")];
    return Promise.all(stores.map((one) => settled(key === undefined ? one.clear() : one.delete(key))));
  });
}

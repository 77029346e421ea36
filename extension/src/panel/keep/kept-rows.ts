/** The list of kept pages: what was sent from this browser and what waits, as rows. */
import type { LedgerRecord } from "../../outbox/ledger.ts";
import { type KeptDocument, type OutboxEntry, shownTitle } from "../../outbox/outbox-entry.ts";
import { hostOf } from "../../ui/wording.ts";
import { folded, hasAll } from "../history/found.ts";
import { isUndoable } from "./tab-view.ts";

/** A page of the list. */
export interface KeptRow extends Pick<KeptDocument, "link" | "additions"> {
  readonly key: string;
  /** The page's own title. */
  readonly pageTitle: string;
  readonly title: string;
  readonly host: string;
  readonly tags: readonly string[];
  /** When it was sent last, or else queued; milliseconds since 1970. */
  readonly at: number;
  /**
   * `removing`: it goes from the service. `stopped`: it was not taken, or not removed there; `waiting` and `unconfirmed`:
   * it is sent when that can be, the first time or as it is now.
   */
  readonly state: "sent" | "waiting" | "unconfirmed" | "stopped" | "removing";
  /** The id the service gave it; absent in what was not sent yet. */
  readonly serverDocumentId?: string;
  /** What waits of it. */
  readonly entry?: OutboxEntry;
}

/**
 * Rows of a service's pages, newest first, those that wait in front of all.
 * @param records what was sent to it, newest first
 * @param entries what waits in the outbox, oldest first; of other services and of private windows too
 */
export function rowsOf(origin: string, records: readonly LedgerRecord[], entries: readonly OutboxEntry[]): KeptRow[] {
  const own = entries.filter((entry) => entry.origin === origin && entry.isPrivate !== true);
  const waiting = new Map(own.map((entry) => [entry.key, entry]));
  const sent = records.map((record) => rowOf(record, record.sentAt, waiting.get(record.key)));
  const known = new Set(records.map(({ key }) => key));
  const others = own.filter(({ key }) => !known.has(key)).map((entry) => rowOf(entry, entry.queuedAt, entry));
  return [...others.toReversed(), ...sent];
}

function rowOf(page: OutboxEntry | LedgerRecord, at: number, entry: OutboxEntry | undefined): KeptRow {
  const shown = entry ?? page;
  const additions = shown.additions ?? page.additions;
  return {
    key: page.key,
    link: page.link,
    pageTitle: shown.title,
    title: shownTitle({ title: shown.title, additions }),
    host: hostOf(page.link),
    tags: additions?.tags ?? [],
    at: Math.min(at, Date.now()),
    state: entry === undefined ? "sent" : stateOf(entry),
    ...(additions !== undefined && { additions }),
    ...("serverDocumentId" in page && { serverDocumentId: page.serverDocumentId }),
    ...(entry !== undefined && { entry }),
  };
}

function stateOf({ state, removal, unconfirmed }: OutboxEntry): KeptRow["state"] {
  if (state === "stopped") return "stopped";
  if (removal !== undefined) return "removing";
  return unconfirmed === undefined ? "waiting" : "unconfirmed";
}

/** Whether what is done with a row can still be taken back. */
export const canUndo = ({ entry }: KeptRow): boolean => entry !== undefined && isUndoable(entry);

const plainOf = new WeakMap<KeptRow, string>();

/** Rows that have all words, in title, host, tags, note or highlights, and the tag where one is given. */
export function rowsWith(rows: readonly KeptRow[], words: readonly string[], tag: string | undefined): KeptRow[] {
  return rows.filter((row) => {
    if (tag !== undefined && !row.tags.includes(tag)) return false;
    if (words.length === 0) return true;
    let plain = plainOf.get(row);
    if (plain === undefined) {
      const { note = "", highlights = [] } = row.additions ?? {};
      const marked = highlights.map(({ text }) => text);
      plain = folded([row.title, row.host, ...row.tags, note, ...marked].join("\n"));
      plainOf.set(row, plain);
    }
    return hasAll(plain, words);
  });
}

/** Rows with one that must not go while it is written on: first of all, as it was, where it is not among them. */
export function withRow(rows: readonly KeptRow[], one: KeptRow): readonly KeptRow[] {
  return rows.some(({ key }) => key === one.key) ? rows : [one, ...rows];
}

/**
 * Rows as they are now, each as the very object it was before where it was not sent anew: it is not drawn again. What waits
 * changes with time alone.
 */
export function withSame(rows: readonly KeptRow[], before: readonly KeptRow[]): KeptRow[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const same = known.get(row.key);
    const isSame = same !== undefined && same.at === row.at && same.title === row.title;
    return isSame && same.entry === undefined && row.entry === undefined ? same : row;
  });
}

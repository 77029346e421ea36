import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** What was sent where. Two documents are the same when server, pair and id are; unchanged when the hash is too. */
export interface JournalEntry {
  readonly server: string;
  readonly pair: number | null;
  readonly id: string;
  /** Hash of everything that was sent. */
  readonly hash: string;
}

/** The record of acknowledged documents: a file that only grows, one JSON line each. */
export interface Journal {
  /** True when the newest entry of this document carries this hash. */
  has(entry: JournalEntry): boolean;
  /** Returns once the entry is on the disk: from then on the document is never sent again unchanged. */
  add(entry: JournalEntry): void;
  close(): void;
}

/**
 * Opens a journal, creating it where absent. A last line cut short by a kill is dropped: its document was not yet
 * recorded as acknowledged, and is sent once more under the same id.
 */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a+", 0o600);
  const bytes = readFileSync(path);
  const whole = bytes.lastIndexOf(10) + 1;
  if (whole < bytes.length) ftruncateSync(file, whole);
  const newest = new Map<string, string>();
  for (const line of bytes.subarray(0, whole).toString("utf8").split("\n")) remember(newest, line);
  return {
    has: (entry) => newest.get(keyOf(entry)) === entry.hash,
    add: (entry) => {
      // One write of one line: two processes that append to one journal do not mix their lines.
      writeSync(file, `${JSON.stringify({ ...entry, at: new Date().toISOString() })}\n`);
      fsyncSync(file);
      newest.set(keyOf(entry), entry.hash);
    },
    close: () => closeSync(file),
  };
}

function remember(newest: Map<string, string>, line: string): void {
  if (line === "") return;
  try {
    const entry = JSON.parse(line) as JournalEntry;
    if (typeof entry.id === "string" && typeof entry.hash === "string") newest.set(keyOf(entry), entry.hash);
  } catch {
    // A damaged line costs one document one more sending, nothing else.
  }
}

function keyOf(entry: JournalEntry): string {
  return JSON.stringify([entry.server, entry.pair, entry.id]);
}

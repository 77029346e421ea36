import type { Log } from "../log.ts";
import { addAuditEntries, type AuditEntry, forgetAuditEntries, FORGOTTEN_TOGETHER } from "../store/audit.ts";
import type { Store } from "../store/store.ts";

/** Notes what is done, in the background: nobody waits for it. */
export interface AuditLog {
  note(entry: Omit<AuditEntry, "id" | "moment">): void;
  /** Writes what is noted, and notes nothing more. */
  close(): Promise<void>;
}

/** From a deed to its entry on the disk, milliseconds. Who is killed in between takes so much with them. */
const WRITE_EVERY_MS = 1_000;
/** Written at once. */
const MAX_TOGETHER = 500;
/** Kept while the database cannot be written to; of more the newest are lost, and the log says how many. */
const MAX_WAITING = 20_000;
const FORGET_EVERY_MS = 3_600_000;
/** From some entries that are forgotten to the next ones, where there are many. */
const FORGET_MORE_MS = 50;
/** So many parts at the end: whoever stops a service waits for it. */
const MAX_LAST_PARTS = 10;
const DAY_MS = 86_400_000;

/** @param days after which entries are deleted */
export function openAuditLog(
  { store, log, now }: { readonly store: Store; readonly log: Log; readonly now: () => number },
  days: number,
): AuditLog {
  let waiting: Omit<AuditEntry, "id">[] = [];
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isFailing = false;
  let forgotten = Number.NEGATIVE_INFINITY;
  let isMoreToForget = false;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const some = waiting.slice(0, MAX_TOGETHER);
      await store.write(() => addAuditEntries(some));
      waiting = waiting.slice(some.length);
    }
    if (!isMoreToForget && now() - forgotten < FORGET_EVERY_MS) return;
    isMoreToForget = false;
    forgotten = now();
    const gone = await store.makeRoom(() => forgetAuditEntries(now() - days * DAY_MS));
    // Whoever keeps them for fewer days than before has a million to forget: the rest goes after what others do meanwhile.
    isMoreToForget = gone >= FORGOTTEN_TOGETHER;
  };
  const tell = (cause?: unknown): void => {
    if (isFailing === (cause !== undefined)) return;
    isFailing = cause !== undefined;
    if (isFailing) log.warn("the audit log cannot be written; it waits", { cause });
    else log.warn("the audit log is written again", { lost });
    if (!isFailing) lost = 0;
  };
  const start = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write()
      .then(() => tell(), tell)
      .finally(() => {
        writing = undefined;
        if (waiting.length > 0) later();
        else if (isMoreToForget) later(FORGET_MORE_MS);
      });
    return writing;
  };
  const later = (ms: number = WRITE_EVERY_MS): void => {
    timer ??= setTimeout(() => void start(), ms).unref();
  };

  return {
    note(entry) {
      if (waiting.length >= MAX_WAITING) lost += 1;
      else waiting.push({ ...entry, moment: now() });
      later();
    },
    async close() {
      await writing;
      await start();
      for (let part = 1; part < MAX_LAST_PARTS; part += 1) if (isMoreToForget) await start();
      clearTimeout(timer);
    },
  };
}

import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { readKept } from "../../outbox/ledger.ts";
import { readOutbox } from "../../outbox/outbox.ts";
import { watchDatabase } from "../../storage/database.ts";
import { changedOf } from "./changed.ts";
import { canUndo, type KeptRow, rowsOf, withSame } from "./kept-rows.ts";

/** How long the list waits before it is read again, milliseconds: one page that is sent writes several times. */
const READ_MS = 150;

/** The pages kept from this browser, as they are known now. */
export interface Kept {
  /** Undefined until they are read. */
  readonly rows: Signal<readonly KeptRow[] | undefined>;
  /** Keys of those that have changed since, as far as they are open. */
  readonly changed: Signal<ReadonlySet<string>>;
  /** The browser's storage failed. */
  readonly isUnread: Signal<boolean>;
}

/** Follows the pages kept for a service, for as long as they are shown. */
export function useKept(origin: string): Kept {
  const rows = useSignal<readonly KeptRow[] | undefined>(undefined);
  const changed = useSignal<ReadonlySet<string>>(new Set());
  const isUnread = useSignal(false);
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const read = async () => {
      const [records, entries] = await Promise.all([readKept(origin), readOutbox()]);
      if (isOver) return;
      rows.value = withSame(rowsOf(origin, records, entries), rows.peek() ?? []);
      isUnread.value = false;
      // When the time to take something back is over, nothing is written.
      const next = Math.min(...rows.value.filter(canUndo).map(({ entry }) => entry?.sendAfter ?? Infinity));
      if (Number.isFinite(next)) soon(next - Date.now());
    };
    const unread = () => {
      rows.value ??= [];
      isUnread.value = true;
    };
    const soon = (ms: number) => {
      clearTimeout(again);
      again = setTimeout(() => void read().catch(unread), Math.max(READ_MS, ms));
    };
    void read().catch(unread);
    void changedOf(origin).then((keys) => isOver || (changed.value = keys));
    const stop = watchDatabase(() => soon(READ_MS));
    return () => {
      isOver = true;
      clearTimeout(again);
      stop();
    };
  }, [origin]);
  return { rows, changed, isUnread };
}

import type { Log } from "../../log.ts";
import { startRepeating } from "../../repeated.ts";
import { LOOSE } from "../files.ts";
import { INTERRUPTED } from "../sessions.ts";
import { run, type Steps, values } from "../steps.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { isGone } from "./presence.ts";

/** From the end of one look for what processes left that are gone to the next, milliseconds. */
const LOOK_EVERY_MS = 4_000;
/**
 * So long a process must have been missing, by looks that were answered: one that lost its connection in a silent network
 * notices after ten seconds, and has another one then.
 */
const GONE_AFTER_MS = 13_000;

/** When looks are taken, for tests. */
interface TidyingOptions {
  readonly lookEveryMs: number;
  readonly goneAfterMs: number;
}

/**
 * Ends what processes that are gone had begun: answers are marked as cut off, parts of uploads leave. Answers what ends it.
 */
export function startTidying(
  truth: PostgresStore,
  log: Log,
  { lookEveryMs = LOOK_EVERY_MS, goneAfterMs = GONE_AFTER_MS }: Partial<TidyingOptions> = {},
): () => void {
  let missingSince: ReadonlyMap<number, number> = new Map();
  const look = async (): Promise<void> => {
    const missing = await truth.read(values<number>(GONE));
    const now = performance.now();
    missingSince = new Map(missing.map((process) => [process, missingSince.get(process) ?? now]));
    const gone = missing.filter((process) => now - (missingSince.get(process) ?? now) >= goneAfterMs);
    if (gone.length === 0) return;
    await truth.write(() => endWhatIsLeft(JSON.stringify(gone)));
  };
  const told = (cause: unknown): void => {
    // While nothing is known nobody is known to be missing.
    missingSince = new Map();
    log.warn("what is left over stays for now", { cause });
  };
  return startRepeating(look, { firstMs: 0, everyMs: lookEveryMs, told });
}

/** @param gone numbers of processes, as JSON */
function* endWhatIsLeft(gone: string): Steps<void> {
  yield* run(
    `UPDATE messages SET status = 'interrupted', error = ?
     WHERE status = 'running' AND process IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`,
    INTERRUPTED,
    gone,
  );
  yield* run(
    `DELETE FROM file_pieces WHERE ${LOOSE}
       AND process IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`,
    gone,
  );
}

const GONE = `
  SELECT DISTINCT process FROM (
    SELECT process FROM messages WHERE status = 'running'
    UNION ALL SELECT process FROM file_pieces WHERE ${LOOSE}
  ) AS begun WHERE process IS NOT NULL AND ${isGone("process")}`;

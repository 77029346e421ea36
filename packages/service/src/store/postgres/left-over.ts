import type { Log } from "../../log.ts";
import { INTERRUPTED } from "../sessions.ts";
import { run, values } from "../steps.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { isGone } from "./presence.ts";

/** So often it is looked for what processes left that are gone. */
const LOOK_EVERY_MS = 5_000;

/**
 * Ends what processes that are gone had begun: answers are marked as cut off, parts of uploads leave. A process that only lost
 * its connection has it again within seconds, so it counts as gone when it is missing twice. Answers what ends it.
 */
export function startTidying(truth: PostgresStore, log: Log, everyMs: number = LOOK_EVERY_MS): () => void {
  let missing: ReadonlySet<number> = new Set();
  const look = async (): Promise<void> => {
    const gone = new Set(await truth.read(values<number>(GONE)));
    const long = JSON.stringify([...gone].filter((process) => missing.has(process)));
    missing = gone;
    if (long === "[]") return;
    await truth.write(function* () {
      yield* run(
        `UPDATE messages SET status = 'interrupted', error = ?
         WHERE status = 'running' AND process IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`,
        INTERRUPTED,
        long,
      );
      yield* run(
        `DELETE FROM file_pieces WHERE file NOT IN (SELECT id FROM files)
           AND process IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`,
        long,
      );
    });
  };
  const tidy = (): void =>
    void look().catch((cause: unknown) => log.warn("what is left over stays for now", { cause }));
  const looking = setInterval(tidy, everyMs).unref();
  tidy();
  return () => clearInterval(looking);
}

const GONE = `
  SELECT DISTINCT process FROM (
    SELECT process FROM messages WHERE status = 'running'
    UNION ALL SELECT process FROM file_pieces WHERE file NOT IN (SELECT id FROM files)
  ) AS begun WHERE process IS NOT NULL AND ${isGone("process")}`;

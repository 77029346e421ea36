import { accountQueries } from "./accounts.ts";
import { callQueries } from "./gaps/calls.ts";
import { doubtQueries } from "./gaps/doubts.ts";
import type { Engine } from "./engine.ts";
import { gapQueries, tellingQueries, waitingQueries } from "./gaps.ts";
import { migrate } from "./migrations.ts";
import { memoryQueries, messageQueries, upkeepQueries } from "./records.ts";
import { openSqlite } from "./sqlite.ts";
import { pinQueries } from "./pins.ts";
import { rateLimitQueries } from "./rate-limits.ts";
import { retentionQueries } from "./retention.ts";
import { runQueries, taskQueries } from "./tasks.ts";

/**
 * Everything the bot remembers, shared by all its instances. Two engines: SQLite for one instance, PostgreSQL for several.
 * Times are whole milliseconds since 1970 and given by the caller, so that tests own the clock; leases are the exception,
 * told by the database.
 * Where several machines share a PostgreSQL server, moments are moved to the server's clock on the way in and back on
 * the way out, so that a machine whose clock is wrong takes no lease away. Any string survives, NUL included.
 */
export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * Opens what the bot remembers, with its tables created or brought up to date.
 *
 * With SQLite, what a process that is gone left running can be claimed at once: there is one instance. With PostgreSQL
 * it can be claimed when its lease ends.
 *
 * @param url a path, `sqlite:PATH` or `:memory:` for one instance; `postgres://…` for several.
 * @param options `clock`: this machine's, milliseconds since 1970, what callers take their `now` from. Default Date.now.
 * Throws StoreError, in plain words, where it cannot be opened.
 */
export async function openStore(url: string, { clock = Date.now }: { clock?: () => number } = {}) {
  const engine = await openEngine(url, clock);
  try {
    await migrate(engine);
    if (engine.alone) await engine.run("UPDATE tasks SET lease_until = 0 WHERE state = 'running'");
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    ...taskQueries(engine),
    ...runQueries(engine),
    ...messageQueries(engine),
    ...pinQueries(engine),
    ...callQueries(engine),
    ...doubtQueries(engine),
    ...memoryQueries(engine, clock),
    ...accountQueries(engine),
    ...upkeepQueries(engine),
    ...retentionQueries(engine),
    ...rateLimitQueries(engine),
    ...waitingQueries(engine),
    ...tellingQueries(engine),
    ...gapQueries(engine),
    close: () => engine.close(),
  };
}

async function openEngine(url: string, clock: () => number): Promise<Engine> {
  if (/^postgres(ql)?:/.test(url)) {
    // Whoever stays with SQLite never loads the other engine's client.
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(url, clock);
  }
  return openSqlite(url.replace(/^sqlite:(\/\/(?=\/))?/, ""));
}

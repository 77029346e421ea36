import type { Engine } from "./engine.ts";
import { migrate } from "./migrations.ts";
import { answerQueries, memoryQueries, pinQueries, traceQueries, upkeepQueries } from "./records.ts";
import { openSqlite } from "./sqlite.ts";
import type { Store } from "./store.ts";
import { takeQueries } from "./takes.ts";
import { taskQueries } from "./tasks.ts";

/** How to open a store. */
export interface StoreOptions {
  /** This machine's clock, milliseconds since 1970: what callers take their `now` from. Default Date.now. */
  readonly clock?: () => number;
}

/**
 * Opens what the bot remembers, with its tables created or brought up to date.
 *
 * With SQLite, what a process that is gone left running can be claimed at once: there is one instance. With PostgreSQL
 * it can be claimed when its lease ends.
 *
 * @param url a path, `sqlite:PATH` or `:memory:` for one instance; `postgres://…` for several.
 * Throws StoreError, in plain words, where it cannot be opened.
 */
export async function openStore(url: string, { clock = Date.now }: StoreOptions = {}): Promise<Store> {
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
    ...traceQueries(engine),
    ...answerQueries(engine),
    ...pinQueries(engine),
    ...memoryQueries(engine, clock),
    ...upkeepQueries(engine),
    ...takeQueries(engine),
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

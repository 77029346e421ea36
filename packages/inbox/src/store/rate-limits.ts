import { type Engine, type Queries, upsert } from "./engine.ts";
import type { RateLimit, RateLimitHit } from "./store.ts";

/** The part of the store that counts: hits in sliding windows, and turns. Tables of hits bear an older name, `takes`. */
export function rateLimitQueries(engine: Engine) {
  return {
    /** Counts a hit for each of several limits, or for none where one is reached; in one step for all instances. */
    hit(limits: readonly RateLimit[], now: number): Promise<RateLimitHit> {
      const moment = engine.stored(now);
      return engine.transaction(async (queries) => {
        // Everybody locks in the same order, so that nobody waits in a circle.
        for (const name of [...new Set(limits.map((limit) => limit.name))].toSorted()) {
          await upsert(queries, "budgets", ["name"], { name, last_asked: moment });
        }
        const reached: { name: string; resetAt: number }[] = [];
        for (const limit of limits) {
          const { name, windowMs } = limit;
          await queries.run("DELETE FROM takes WHERE budget = $1 AND moment <= $2", name, moment - windowMs);
          const { left, resetAt } = await hitsLeft(queries, limit, moment);
          if (left === 0) reached.push({ name, resetAt: resetAt - engine.clockAhead });
        }
        const [longest] = reached.toSorted((one, other) => other.resetAt - one.resetAt);
        if (longest !== undefined) return { allowed: false, ...longest };
        for (const { name } of limits) {
          await queries.run("INSERT INTO takes (budget, moment) VALUES ($1, $2)", name, moment);
        }
        return { allowed: true };
      });
    },

    /** How many hits a limit has left at this moment; none is counted. */
    hitsLeft: async (limit: RateLimit, now: number): Promise<number> =>
      (await hitsLeft(engine, limit, engine.stored(now))).left,

    /** True for exactly one caller per period, which begins with that call: who may reconcile, or tell the admin. */
    async claimTurn(name: string, { now, periodMs }: { now: number; periodMs: number }): Promise<boolean> {
      const sql = `INSERT INTO turns (name, moment) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET moment = excluded.moment WHERE turns.moment <= $3`;
      return (await engine.run(sql, name, engine.stored(now), engine.stored(now - periodMs))) > 0;
    },
  };
}

async function hitsLeft(queries: Queries, { name, most, windowMs }: RateLimit, now: number) {
  const sql = "SELECT moment FROM takes WHERE budget = $1 AND moment > $2 ORDER BY moment";
  const rows = await queries.query(sql, name, now - windowMs);
  // Over a lowered limit, more than one has to leave the window before one more is free.
  const freeing = rows[Math.max(0, rows.length - most)];
  return {
    left: Math.max(0, most - rows.length),
    resetAt: freeing === undefined ? now : Number(freeing["moment"]) + windowMs,
  };
}

import type { Engine, Queries } from "./engine.ts";
import type { Allowance, BudgetTake, Store } from "./store.ts";

type TakeQueries = Pick<Store, "take" | "takeTogether" | "peek" | "claimTurn">;

/** The part of the store that counts what was taken: budgets in sliding windows, and turns. */
export function takeQueries(engine: Engine): TakeQueries {
  const stored = (moment: number): number => Math.round(moment) + engine.clockAhead;

  /** Takes from all or none; what is left of each, before a take was made. */
  async function takeAll(budgets: readonly BudgetTake[], now: number): Promise<readonly Allowance[]> {
    return engine.transaction(async (queries) => {
      // Everybody locks in the same order, so that nobody waits in a circle.
      for (const name of [...new Set(budgets.map(({ budget }) => budget))].toSorted()) {
        await queries.run(
          `INSERT INTO budgets (name, last_asked) VALUES ($1, $2)
           ON CONFLICT (name) DO UPDATE SET last_asked = excluded.last_asked`,
          name,
          now,
        );
      }
      const found: Allowance[] = [];
      for (const { budget, most, windowMs } of budgets) {
        await queries.run("DELETE FROM takes WHERE budget = $1 AND moment <= $2", budget, now - windowMs);
        found.push(await left(queries, { budget, most, windowMs }, now));
      }
      if (found.some(({ allowed }) => !allowed)) return found;
      for (const { budget } of budgets) {
        await queries.run("INSERT INTO takes (budget, moment) VALUES ($1, $2)", budget, now);
      }
      return found;
    });
  }

  const here = (allowance: Allowance): Allowance => ({ ...allowance, resetAt: allowance.resetAt - engine.clockAhead });

  return {
    async take(budget, { most, windowMs, now }) {
      const moment = stored(now);
      const [found] = await takeAll([{ budget, most, windowMs }], moment);
      if (found === undefined) throw new Error("A budget was asked and none answered.");
      if (!found.allowed) return here(found);
      const first = found.left === most ? moment + windowMs : found.resetAt;
      return here({ allowed: true, left: found.left - 1, resetAt: first });
    },

    async takeTogether(budgets, now) {
      const found = await takeAll(budgets, stored(now));
      const empty = found
        .flatMap((allowance, index) => (allowance.allowed ? [] : [{ ...here(allowance), ...budgets[index] }]))
        .toSorted((one, other) => other.resetAt - one.resetAt)[0];
      return empty === undefined
        ? { allowed: true }
        : { allowed: false, budget: String(empty.budget), resetAt: empty.resetAt };
    },

    async peek(budget, { most, windowMs, now }) {
      return here(await left(engine, { budget, most, windowMs }, stored(now)));
    },

    async claimTurn(name, { now, periodMs }) {
      const taken = await engine.run(
        `INSERT INTO turns (name, moment) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET moment = excluded.moment WHERE turns.moment <= $3`,
        name,
        stored(now),
        stored(now - periodMs),
      );
      return taken > 0;
    },
  };
}

async function left(queries: Queries, { budget, most, windowMs }: BudgetTake, now: number): Promise<Allowance> {
  const rows = await queries.query(
    "SELECT moment FROM takes WHERE budget = $1 AND moment > $2 ORDER BY moment",
    budget,
    now - windowMs,
  );
  // Over a lowered limit, more than one has to leave the window before one more is free.
  const freeing = rows[Math.max(0, rows.length - most)];
  return {
    allowed: rows.length < most,
    left: Math.max(0, most - rows.length),
    resetAt: freeing === undefined ? now : Number(freeing["moment"]) + windowMs,
  };
}

import type { Engine } from "./engine.ts";
import { forgetGoneAnswers } from "./gaps/calls.ts";
import { forgetOldGaps } from "./gaps.ts";

/** Rows of one table, named by their key, that are over since a moment. */
interface Over {
  readonly table: string;
  readonly key: string;
  readonly where: string;
}

/** What retention deletes, by moments of this machine's clock. Messages of answers go with their answer. */
const BY_OUR_CLOCK: readonly Over[] = [
  { table: "settings", key: "name", where: "lasting = 0 AND moment < $1" },
  { table: "traces", key: "sequence", where: "moment < $1" },
  { table: "answers", key: "task_id", where: "created_at < $1" },
  { table: "conversations", key: "place", where: "updated_at < $1" },
  { table: "calls", key: "task", where: "updated_at < $1" },
];
/** The same, by moments of the database's. A turn's period is long over. */
const BY_ITS_CLOCK: readonly Over[] = [
  { table: "tasks", key: "sequence", where: "state = 'ended' AND ended_at < $1" },
  { table: "turns", key: "name", where: "moment < $1" },
];
/** Names of people and channels; whoever asks again begins with a full budget, whose window is long over. */
const BUDGETS: Over = { table: "budgets", key: "name", where: "last_asked < $1" };

/** Rows deleted by one statement: whatever else is to be kept waits no longer than for so many. */
const AT_ONCE = 500;

/** What is no longer kept because it is old. */
export function retentionQueries(engine: Engine) {
  /** Deletes them, a few at a time; how many there were. */
  async function forget({ table, key, where }: Over, moment: number, signal: AbortSignal | undefined): Promise<number> {
    // What somebody changes meanwhile, such as a task that is begun again, is looked at once more.
    const some = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${AT_ONCE}`;
    const sql = `DELETE FROM ${table} WHERE ${key} IN (${some}) AND ${where}`;
    for (let forgotten = 0; ;) {
      if (signal?.aborted === true) return forgotten;
      const count = await engine.run(sql, moment);
      forgotten += count;
      if (count < AT_ONCE) return forgotten;
    }
  }
  return {
    /**
     * Deletes what ended or was remembered before the moment (retention): tasks, traces, answers, conversations, turns,
     * questions that wait, what people did. Returns how many rows. In parts, so that others write meanwhile, however much it is: where retention
     * was made shorter, or began late, that may be all there is.
     *
     * @param signal aborted: what is left is left for the next time.
     */
    async forgetBefore(moment: number, signal?: AbortSignal): Promise<number> {
      const here = Math.round(moment);
      const there = here + engine.clockAhead;
      let forgotten = 0;
      for (const over of BY_OUR_CLOCK) forgotten += await forget(over, here, signal);
      for (const over of BY_ITS_CLOCK) forgotten += await forget(over, there, signal);
      forgotten += await forgetOldGaps(engine, here, signal);
      forgotten += await forgetGoneAnswers(engine, here);
      await forget(BUDGETS, there, signal);
      return forgotten;
    },
  };
}

import { type Engine, type Row, upsert, type Value } from "../engine.ts";
import type { DoubtRecord } from "../store.ts";

const rowOf = (doubt: DoubtRecord): Row => {
  const { id, channel, ts, state, remindAt, updatedAt } = doubt;
  const moments = {
    remind_at: remindAt === undefined ? null : Math.round(remindAt),
    updated_at: Math.round(updatedAt),
  };
  return { id, channel, ts, state, doubt: JSON.stringify(doubt), ...moments };
};

/** What speaks against answers that were kept. */
export function doubtQueries(engine: Engine) {
  const select = async (rest: string, ...values: readonly Value[]): Promise<readonly DoubtRecord[]> => {
    const rows = await engine.query(`SELECT doubt FROM doubts ${rest}`, ...values);
    return rows.map((row) => JSON.parse(String(row["doubt"])) as DoubtRecord);
  };
  return {
    /** Keeps a doubt that is not known yet; one that is stays as it is. */
    async addDoubt(doubt: DoubtRecord): Promise<void> {
      const columns = Object.entries(rowOf(doubt));
      const [names, places] = [columns.map(([name]) => name), columns.map((_, at) => `$${at + 1}`)];
      const sql = `INSERT INTO doubts (${names.join(", ")}) VALUES (${places.join(", ")}) ON CONFLICT (id) DO NOTHING`;
      await engine.run(sql, ...columns.map(([, value]) => value));
    },
    async saveDoubt(doubt: DoubtRecord): Promise<void> {
      await upsert(engine, "doubts", ["id"], rowOf(doubt));
    },
    findDoubt: async (id: string): Promise<DoubtRecord | undefined> => (await select("WHERE id = $1", id))[0],
    /** About one kept answer, those that are over as well. */
    doubtsOf: (channel: string, ts: string) => select("WHERE channel = $1 AND ts = $2 ORDER BY id", channel, ts),
    /** Those that are not over, the oldest first. */
    openDoubts: (most: number) => select("WHERE state <> 'over' ORDER BY updated_at, id LIMIT $1", most),
    /** Those whose owners are to be reminded by now. */
    doubtsToRemind: (now: number) =>
      select("WHERE remind_at IS NOT NULL AND remind_at <= $1 ORDER BY remind_at, id", Math.round(now)),
    /** Those that were over before a moment. */
    async forgetDoubtsOver(before: number): Promise<void> {
      await engine.run("DELETE FROM doubts WHERE state = 'over' AND updated_at < $1", Math.round(before));
    },
  };
}

import { type Engine, type Row, upsert } from "../engine.ts";
import type { CallRecord, KeptAnswer } from "../store.ts";

const callOf = (row: Row | undefined) => row && (JSON.parse(String(row["call"])) as CallRecord);
const answerOf = (row: Row | undefined) => row && (JSON.parse(String(row["answer"])) as KeptAnswer);

/** Questions people were asked to answer, and those of their replies that became documents. */
export function callQueries(engine: Engine) {
  return {
    async saveCall(call: CallRecord): Promise<void> {
      const { task, channel, thread = null, updatedAt, remindAt } = call;
      const moments = {
        remind_at: remindAt === undefined ? null : Math.round(remindAt),
        updated_at: Math.round(updatedAt),
      };
      const row = { task, channel, thread, call: JSON.stringify(call), ...moments };
      await upsert(engine, "calls", ["task"], row);
    },
    /** By the task of the answer that did not help. */
    findCall: async (task: string): Promise<CallRecord | undefined> =>
      callOf((await engine.query("SELECT call FROM calls WHERE task = $1", task))[0]),
    /** Of one thread, oldest first. */
    async callsOfThread(channel: string, thread: string): Promise<readonly CallRecord[]> {
      const rows = await engine.query("SELECT call FROM calls WHERE channel = $1 AND thread = $2", channel, thread);
      return rows.flatMap((row) => callOf(row) ?? []).toSorted((one, other) => one.askedAt - other.askedAt);
    },
    /** Those whose helpers are to be reminded by now, the longest waiting first. */
    async callsToRemind(now: number): Promise<readonly CallRecord[]> {
      const sql = "SELECT call FROM calls WHERE remind_at IS NOT NULL AND remind_at <= $1 ORDER BY remind_at, task";
      return (await engine.query(sql, Math.round(now))).flatMap((row) => callOf(row) ?? []);
    },
    /** Those of whoever asked, or wanted a person; the one that was changed last is the last. */
    async callsAskedBy(user: string): Promise<readonly CallRecord[]> {
      const sql = `SELECT call FROM calls WHERE ${engine.dialect.placeIn}(call, $1) > 0 ORDER BY updated_at, task`;
      const rows = await engine.query(sql, JSON.stringify(user));
      return rows.flatMap((row) => callOf(row) ?? []).filter(({ asker, by }) => asker === user || by === user);
    },
    async forgetCall(task: string): Promise<void> {
      await engine.run("DELETE FROM calls WHERE task = $1", task);
    },

    async saveKeptAnswer(kept: KeptAnswer): Promise<void> {
      const { channel, ts, task, owner, confirmedAt } = kept;
      const row = { channel, ts, task, owner, confirmed_at: Math.round(confirmedAt), answer: JSON.stringify(kept) };
      await upsert(engine, "kept_answers", ["channel", "ts"], row);
    },
    /** By its message. */
    findKeptAnswer: async (channel: string, ts: string): Promise<KeptAnswer | undefined> =>
      answerOf((await engine.query("SELECT answer FROM kept_answers WHERE channel = $1 AND ts = $2", channel, ts))[0]),
    /** Those whose owners last said before this moment that they hold, the oldest first. */
    async keptAnswersBefore(moment: number, most: number): Promise<readonly KeptAnswer[]> {
      const sql = "SELECT answer FROM kept_answers WHERE confirmed_at < $1 ORDER BY confirmed_at, channel, ts LIMIT $2";
      const rows = await engine.query(sql, Math.round(moment), most);
      return rows.flatMap((row) => answerOf(row) ?? []);
    },
    /** Those their owners wanted kept since this moment, the newest first. */
    async keptAnswersSince(moment: number, most: number): Promise<readonly KeptAnswer[]> {
      // Whoever confirmed one did so after it was kept.
      const sql = "SELECT answer FROM kept_answers WHERE confirmed_at >= $1 ORDER BY confirmed_at DESC, channel, ts";
      const rows = await engine.query(sql, Math.round(moment));
      const since = rows.flatMap((row) => answerOf(row) ?? []).filter(({ keptAt }) => keptAt >= moment);
      return since.toSorted((one, other) => other.keptAt - one.keptAt).slice(0, most);
    },
    async forgetKeptAnswer(channel: string, ts: string): Promise<void> {
      await engine.run("DELETE FROM kept_answers WHERE channel = $1 AND ts = $2", channel, ts);
    },
  };
}

/**
 * Forgets what is known of replies whose document is gone, or that were to be kept before the moment and never were. What is
 * kept stays known as long as its document does: whose it is, and what they agreed to.
 */
export async function forgetGoneAnswers(engine: Engine, moment: number): Promise<number> {
  const isKept = `SELECT 1 FROM pins p WHERE p.channel = kept_answers.channel AND p.ts = kept_answers.ts
    AND p.state <> 'tombstone'`;
  const sql = `DELETE FROM kept_answers WHERE confirmed_at < $1 AND NOT EXISTS (${isKept})`;
  return engine.run(sql, moment);
}

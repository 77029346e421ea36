import { randomUUID } from "node:crypto";
import type { ConversationRef, ConversationStore } from "@threadlore/ask";
import { type Engine, upsert, type Value } from "./engine.ts";
import type { AnswerRecord, PinRecord, TraceEntry } from "./store.ts";

/** What retention deletes, by moments of the database's clock. A turn's period is long over. */
const FORGOTTEN_BY_ITS_CLOCK = [
  "DELETE FROM tasks WHERE state = 'ended' AND ended_at < $1",
  "DELETE FROM turns WHERE moment < $1",
];
/** The same, by moments of this machine's. Messages of answers go with their answer. */
const FORGOTTEN = [
  "DELETE FROM settings WHERE lasting = 0 AND moment < $1",
  "DELETE FROM traces WHERE moment < $1",
  "DELETE FROM answers WHERE created_at < $1",
  "DELETE FROM conversations WHERE updated_at < $1",
];

/** A question with much to it, characters. */
const CHECK_CHARACTERS = 8_000;

const TABLES = ["tasks", "traces", "conversations", "answers", "pins", "budgets", "settings", "turns", "accounts"];

/** Of messages: what was decided about them and what of it ended badly, the answers in them, and which are kept. */
export function messageQueries(engine: Engine) {
  async function pins(rest: string, ...values: readonly Value[]): Promise<readonly PinRecord[]> {
    const rows = await engine.query(`SELECT pin FROM pins ${rest}`, ...values);
    return rows.map((row) => JSON.parse(String(row["pin"])) as PinRecord);
  }
  return {
    /** Adds to the decision trace of a message (`team:channel:ts`). */
    async trace(place: string, { at, words }: TraceEntry): Promise<void> {
      await engine.run("INSERT INTO traces (place, moment, words) VALUES ($1, $2, $3)", place, Math.round(at), words);
    },

    async traceOf(place: string): Promise<readonly TraceEntry[]> {
      const sql = "SELECT moment, words FROM traces WHERE place = $1 ORDER BY moment, sequence";
      const rows = await engine.query(sql, place);
      return rows.map((row) => ({ at: Number(row["moment"]), words: String(row["words"]) }));
    },

    /** Newest first: tasks refused or failed, with the last words of their trace, for the App Home. */
    async recentRefusals(limit: number) {
      const sql = `SELECT t.place, t.outcome, t.ended_at, (
          SELECT words FROM traces WHERE traces.place = t.place ORDER BY moment DESC, sequence DESC LIMIT 1
        ) AS words
        FROM tasks t WHERE t.state = 'ended' AND t.outcome IN ('refused', 'failed')
        ORDER BY t.ended_at DESC, t.sequence DESC LIMIT $1`;
      const rows = await engine.query(sql, limit);
      return rows.map((row) => ({
        place: String(row["place"]),
        words: String(row["words"] ?? row["outcome"]),
        at: Number(row["ended_at"]) - engine.clockAhead,
      }));
    },

    /** Keeps an answer that was delivered, to be found by its messages. */
    async saveAnswer(answer: AnswerRecord): Promise<void> {
      const { taskId, channel, createdAt } = answer;
      await engine.transaction(async (queries) => {
        const row = { task_id: taskId, answer: JSON.stringify(answer), created_at: Math.round(createdAt) };
        await upsert(queries, "answers", ["task_id"], row);
        await queries.run("DELETE FROM answer_messages WHERE task_id = $1", taskId);
        for (const ts of answer.messages) {
          await upsert(queries, "answer_messages", ["channel", "ts"], { channel, ts, task_id: taskId });
        }
      });
    },

    /** By any of its messages. */
    async findAnswer(channel: string, ts: string): Promise<AnswerRecord | undefined> {
      const sql = `SELECT answer FROM answers JOIN answer_messages ON answer_messages.task_id = answers.task_id
        WHERE channel = $1 AND ts = $2`;
      const [row] = await engine.query(sql, channel, ts);
      return row && (JSON.parse(String(row["answer"])) as AnswerRecord);
    },

    async savePin(pin: PinRecord): Promise<void> {
      const { channel, ts, due } = pin;
      const row = { channel, ts, pin: JSON.stringify(pin), due: due === undefined ? null : Math.round(due) };
      await upsert(engine, "pins", ["channel", "ts"], row);
    },
    findPin: async (channel: string, ts: string): Promise<PinRecord | undefined> =>
      (await pins("WHERE channel = $1 AND ts = $2", channel, ts))[0],
    pinsOf: (channel: string) => pins("WHERE channel = $1 ORDER BY ts", channel),
    allPins: () => pins("ORDER BY channel, ts"),
    /** Those whose `due` has come, the longest waiting first. */
    pinsDue: (now: number) => pins("WHERE due IS NOT NULL AND due <= $1 ORDER BY due, channel, ts", Math.round(now)),
    async forgetPin(channel: string, ts: string): Promise<void> {
      await engine.run("DELETE FROM pins WHERE channel = $1 AND ts = $2", channel, ts);
    },
  };
}

/** Conversations and small things that outlive a restart, dated by `clock`. */
export function memoryQueries(engine: Engine, clock: () => number) {
  /** One server conversation per thread; `place` is `team:channel:thread_ts:key`. */
  const conversations: ConversationStore = {
    async get(place) {
      const [row] = await engine.query("SELECT conversation FROM conversations WHERE place = $1", place);
      return row && (JSON.parse(String(row["conversation"])) as ConversationRef);
    },
    async set(place, conversation) {
      const row = { place, conversation: JSON.stringify(conversation), updated_at: Math.round(clock()) };
      await upsert(engine, "conversations", ["place"], row);
    },
    async delete(place) {
      await engine.run("DELETE FROM conversations WHERE place = $1", place);
    },
  };
  return {
    conversations,

    /**
     * Small things that must outlive a restart: what somebody has open, that somebody was told something, that streaming
     * does not work here. Retention forgets them unless they are `lasting`: true of a place until somebody changes it.
     */
    async remember(name: string, value: string, kept?: { lasting: boolean }): Promise<void> {
      const row = { name, setting: value, moment: Math.round(clock()), lasting: kept?.lasting === true ? 1 : 0 };
      await upsert(engine, "settings", ["name"], row);
    },

    /** Undefined also for what was remembered before `since`. */
    async recall(name: string, wanted?: { since: number }): Promise<string | undefined> {
      const sql = "SELECT setting FROM settings WHERE name = $1 AND moment >= $2";
      const [row] = await engine.query(sql, name, Math.round(wanted?.since ?? 0));
      return row && String(row["setting"]);
    },
  };
}

/** What becomes of the whole: retention, an uninstalled app, and whether anything can be kept. */
export function upkeepQueries(engine: Engine) {
  return {
    /**
     * Deletes what ended or was remembered before the moment (retention): tasks, traces, answers, conversations, turns,
     * what people did. Returns how many rows.
     */
    async forgetBefore(moment: number): Promise<number> {
      return engine.transaction(async (queries) => {
        let forgotten = 0;
        const here = Math.round(moment);
        const there = here + engine.clockAhead;
        for (const sql of FORGOTTEN) forgotten += await queries.run(sql, here);
        for (const sql of FORGOTTEN_BY_ITS_CLOCK) forgotten += await queries.run(sql, there);
        // Names of people and channels; whoever asks again begins with a full budget, whose window is long over.
        await queries.run("DELETE FROM budgets WHERE last_asked < $1", there);
        return forgotten;
      });
    },

    /** Deletes everything of the workspace: the app was uninstalled. */
    async forgetEverything(): Promise<void> {
      await engine.transaction(async (queries) => {
        for (const table of TABLES) await queries.run(`DELETE FROM ${table}`);
      });
      await engine.script(engine.dialect.afterForgetting);
    },

    /**
     * A question could be accepted and claimed: rows of its size are written in its tables and indexes, and taken back,
     * with a commit. Rejects with why not.
     */
    async check(): Promise<void> {
      const name = `check:${randomUUID()}`;
      await engine.transaction(async (queries) => {
        const sql = `INSERT INTO tasks (key, kind, lane, place, body, accepted_at, not_before, id, state, ended_at)
          VALUES ($1, 'check', $1, $1, $2, 0, 0, $1, 'ended', 0)`;
        await queries.run(sql, name, JSON.stringify("x".repeat(CHECK_CHARACTERS)));
        await queries.run("UPDATE tasks SET state = 'running', owner = $1 WHERE id = $1", name);
        await queries.run("DELETE FROM tasks WHERE id = $1", name);
        await upsert(queries, "settings", ["name"], { name: "check", setting: name, moment: 0, lasting: 1 });
      });
      await engine.query("SELECT id FROM tasks WHERE state = 'waiting' ORDER BY accepted_at, sequence LIMIT 1");
    },
  };
}

import { randomUUID } from "node:crypto";
import type { ConversationRef, ConversationStore } from "@threadlore/ask";
import { type Engine, upsert } from "./engine.ts";
import type { AnswerRecord, TraceEntry } from "./store.ts";

/** A question with much to it, characters. */
const CHECK_CHARACTERS = 8_000;

const TABLES = [
  "tasks",
  "traces",
  "conversations",
  "answers",
  "pins",
  "budgets",
  "settings",
  "turns",
  "accounts",
  "waiting_questions",
  "own_gaps",
  "calls",
  "kept_answers",
  "doubts",
];

/** Of messages: what was decided about them and what of it ended badly, and the answers in them. */
export function messageQueries(engine: Engine) {
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

    /** Questions that were asked since a moment and came to an end, the newest first: their tasks, and what they are. */
    async questionsSince(moment: number, most: number): Promise<readonly { id: string; body: unknown }[]> {
      const sql = `SELECT id, body FROM tasks WHERE kind = 'question' AND state = 'ended' AND accepted_at >= $1
        ORDER BY sequence DESC LIMIT $2`;
      const rows = await engine.query(sql, engine.stored(moment), most);
      return rows.map((row) => ({ id: String(row["id"]), body: JSON.parse(String(row["body"])) as unknown }));
    },

    /** Newest first: tasks refused or failed, with the last words of their trace, for the App Home. */
    async recentRefusals(limit: number) {
      const sql = `SELECT t.place, t.outcome, t.ended_at, (
          SELECT words FROM traces WHERE traces.place = t.place ORDER BY moment DESC, sequence DESC LIMIT 1
        ) AS words
        FROM tasks t WHERE t.outcome IN ('refused', 'failed')
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

    /** Remembers it where nothing is remembered under this name; true for one alone of those who ask at the same moment. */
    async rememberFirst(name: string, value: string): Promise<boolean> {
      const sql = `INSERT INTO settings (name, setting, moment, lasting) VALUES ($1, $2, $3, 0)
        ON CONFLICT (name) DO NOTHING`;
      return (await engine.run(sql, name, value, Math.round(clock()))) > 0;
    },

    /**
     * Remembers it in place of what was: true for one alone of those who ask at the same moment. False, and all stays as it is,
     * where it was remembered `since`, or where `unless` is what is remembered.
     */
    async rememberInstead(name: string, value: string, wanted: { unless: string; since: number }): Promise<boolean> {
      const sql = `INSERT INTO settings (name, setting, moment, lasting) VALUES ($1, $2, $3, 0)
        ON CONFLICT (name) DO UPDATE SET setting = excluded.setting, moment = excluded.moment
        WHERE settings.setting <> $4 AND (settings.setting <> excluded.setting OR settings.moment < $5)`;
      return (await engine.run(sql, name, value, Math.round(clock()), wanted.unless, Math.round(wanted.since))) > 0;
    },

    /** Undefined also for what was remembered before `since`. */
    async recall(name: string, wanted?: { since: number }): Promise<string | undefined> {
      const sql = "SELECT setting FROM settings WHERE name = $1 AND moment >= $2";
      const [row] = await engine.query(sql, name, Math.round(wanted?.since ?? 0));
      return row && String(row["setting"]);
    },
  };
}

/** What becomes of the whole: an uninstalled app, and whether anything can be kept. */
export function upkeepQueries(engine: Engine) {
  return {
    /** Deletes everything of the workspace: the app was uninstalled. */
    async forgetEverything(): Promise<void> {
      await engine.transaction(async (queries) => {
        for (const sql of engine.dialect.emptying(TABLES)) await queries.run(sql);
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

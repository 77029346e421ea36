import { randomUUID } from "node:crypto";
import type { ConversationRef } from "@threadlore/ask";
import type { Engine, Row } from "./engine.ts";
import type { AnswerRecord, PinRecord, Store } from "./store.ts";

type RecordQueries = Pick<
  Store,
  | "trace"
  | "traceOf"
  | "recentRefusals"
  | "conversations"
  | "saveAnswer"
  | "findAnswer"
  | "findAnswerByTask"
  | "savePin"
  | "findPin"
  | "pinsOf"
  | "allPins"
  | "pinsDue"
  | "forgetPin"
  | "remember"
  | "recall"
  | "forgetBefore"
  | "forgetEverything"
  | "check"
>;

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

const TABLES = ["tasks", "traces", "conversations", "answers", "pins", "budgets", "settings", "turns"];

/** The part of the store that keeps what was decided, answered and pinned. `clock` dates conversations and settings. */
export function recordQueries(engine: Engine, clock: () => number): RecordQueries {
  return {
    async trace(place, { at, words }) {
      await engine.run("INSERT INTO traces (place, moment, words) VALUES ($1, $2, $3)", place, Math.round(at), words);
    },

    async traceOf(place) {
      const rows = await engine.query(
        "SELECT moment, words FROM traces WHERE place = $1 ORDER BY moment, sequence",
        place,
      );
      return rows.map((row) => ({ at: Number(row["moment"]), words: String(row["words"]) }));
    },

    async recentRefusals(limit) {
      const rows = await engine.query(
        `SELECT t.place, t.outcome, t.ended_at, (
           SELECT words FROM traces WHERE traces.place = t.place ORDER BY moment DESC, sequence DESC LIMIT 1
         ) AS words
         FROM tasks t WHERE t.state = 'ended' AND t.outcome IN ('refused', 'failed')
         ORDER BY t.ended_at DESC, t.sequence DESC LIMIT $1`,
        limit,
      );
      return rows.map((row) => ({
        place: String(row["place"]),
        words: String(row["words"] ?? row["outcome"]),
        at: Number(row["ended_at"]) - engine.clockAhead,
      }));
    },

    conversations: {
      async get(place) {
        const [row] = await engine.query("SELECT conversation FROM conversations WHERE place = $1", place);
        return row && (JSON.parse(String(row["conversation"])) as ConversationRef);
      },
      async set(place, conversation) {
        await engine.run(
          `INSERT INTO conversations (place, conversation, updated_at) VALUES ($1, $2, $3)
           ON CONFLICT (place) DO UPDATE SET conversation = excluded.conversation, updated_at = excluded.updated_at`,
          place,
          JSON.stringify(conversation),
          Math.round(clock()),
        );
      },
      async delete(place) {
        await engine.run("DELETE FROM conversations WHERE place = $1", place);
      },
    },

    async saveAnswer(answer) {
      await engine.transaction(async (queries) => {
        await queries.run(
          `INSERT INTO answers (task_id, answer, created_at) VALUES ($1, $2, $3)
           ON CONFLICT (task_id) DO UPDATE SET answer = excluded.answer, created_at = excluded.created_at`,
          answer.taskId,
          JSON.stringify(answer),
          Math.round(answer.createdAt),
        );
        await queries.run("DELETE FROM answer_messages WHERE task_id = $1", answer.taskId);
        for (const ts of answer.messages) {
          await queries.run(
            `INSERT INTO answer_messages (channel, ts, task_id) VALUES ($1, $2, $3)
             ON CONFLICT (channel, ts) DO UPDATE SET task_id = excluded.task_id`,
            answer.channel,
            ts,
            answer.taskId,
          );
        }
      });
    },

    async findAnswer(channel, ts) {
      const [row] = await engine.query(
        `SELECT answer FROM answers JOIN answer_messages ON answer_messages.task_id = answers.task_id
         WHERE channel = $1 AND ts = $2`,
        channel,
        ts,
      );
      return row && answerOf(row);
    },

    async findAnswerByTask(taskId) {
      const [row] = await engine.query("SELECT answer FROM answers WHERE task_id = $1", taskId);
      return row && answerOf(row);
    },

    async savePin(pin) {
      await engine.run(
        `INSERT INTO pins (channel, ts, pin, due) VALUES ($1, $2, $3, $4)
         ON CONFLICT (channel, ts) DO UPDATE SET pin = excluded.pin, due = excluded.due`,
        pin.channel,
        pin.ts,
        JSON.stringify(pin),
        pin.due === undefined ? null : Math.round(pin.due),
      );
    },

    async findPin(channel, ts) {
      const [row] = await engine.query("SELECT pin FROM pins WHERE channel = $1 AND ts = $2", channel, ts);
      return row && pinOf(row);
    },

    async pinsOf(channel) {
      return (await engine.query("SELECT pin FROM pins WHERE channel = $1 ORDER BY ts", channel)).map(pinOf);
    },

    async allPins() {
      return (await engine.query("SELECT pin FROM pins ORDER BY channel, ts")).map(pinOf);
    },

    async pinsDue(now) {
      const sql = "SELECT pin FROM pins WHERE due IS NOT NULL AND due <= $1 ORDER BY due, channel, ts";
      return (await engine.query(sql, Math.round(now))).map(pinOf);
    },

    async forgetPin(channel, ts) {
      await engine.run("DELETE FROM pins WHERE channel = $1 AND ts = $2", channel, ts);
    },

    async remember(name, value, kept) {
      await engine.run(
        `INSERT INTO settings (name, setting, moment, lasting) VALUES ($1, $2, $3, $4)
         ON CONFLICT (name) DO UPDATE
         SET setting = excluded.setting, moment = excluded.moment, lasting = excluded.lasting`,
        name,
        value,
        Math.round(clock()),
        kept?.lasting === true ? 1 : 0,
      );
    },

    async recall(name, wanted) {
      const [row] = await engine.query(
        "SELECT setting FROM settings WHERE name = $1 AND moment >= $2",
        name,
        wanted === undefined ? 0 : Math.round(wanted.since),
      );
      return row && String(row["setting"]);
    },

    async forgetBefore(moment) {
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

    async forgetEverything() {
      await engine.transaction(async (queries) => {
        for (const table of TABLES) await queries.run(`DELETE FROM ${table}`);
      });
      await engine.script(engine.dialect.afterForgetting);
    },

    async check() {
      // What accepting and claiming a question takes: rows of its size in its tables and indexes, and a commit.
      const name = `check:${randomUUID()}`;
      await engine.transaction(async (queries) => {
        await queries.run(
          `INSERT INTO tasks (key, kind, lane, place, body, accepted_at, not_before, id, state, ended_at)
           VALUES ($1, 'check', $1, $1, $2, 0, 0, $1, 'ended', 0)`,
          name,
          JSON.stringify("x".repeat(CHECK_CHARACTERS)),
        );
        await queries.run("UPDATE tasks SET state = 'running', owner = $1 WHERE id = $1", name);
        await queries.run("DELETE FROM tasks WHERE id = $1", name);
        await queries.run(
          `INSERT INTO settings (name, setting, moment, lasting) VALUES ('check', $1, 0, 1)
           ON CONFLICT (name) DO UPDATE SET setting = excluded.setting`,
          name,
        );
      });
      await engine.query("SELECT id FROM tasks WHERE state = 'waiting' ORDER BY accepted_at, sequence LIMIT 1");
    },
  };
}

function answerOf(row: Row): AnswerRecord {
  return JSON.parse(String(row["answer"])) as AnswerRecord;
}

function pinOf(row: Row): PinRecord {
  return JSON.parse(String(row["pin"])) as PinRecord;
}

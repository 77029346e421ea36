import { randomInt } from "node:crypto";
import type { SqlDialect, Engine, Row, Value } from "./engine.ts";
import type { Lease, NewTask, Outcome, Task, TaskKind } from "./store.ts";
import { isTaken } from "./trouble.ts";

/** Upper-case letters and digits nobody takes for another: without 0, O, 1, I, L and U. */
const REFERENCE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const REFERENCE_LENGTH = 8;

/** How often a claim is tried again after another instance got a task of the same partition in between. */
const CLAIM_TRIES = 8;

const BEFORE = "(o.accepted_at < t.accepted_at OR (o.accepted_at = t.accepted_at AND o.sequence < t.sequence))";

/** The partition key stands in a column that is named `lane`. */
const ACCEPT = `INSERT INTO tasks (key, kind, lane, place, body, accepted_at, not_before, id)
  VALUES ($1, $2, $3, $4, $5, $6, 0, $7) ON CONFLICT DO NOTHING`;

/** Tasks as they are asked for, looked at and stopped. */
export function taskQueries(engine: Engine) {
  return {
    /** Keeps the task durably; false when its key is known already. */
    async accept(task: NewTask, now: number): Promise<boolean> {
      const { key, kind, partitionKey, body = null } = task;
      const values = [key, kind, partitionKey, placeOf(task), JSON.stringify(body), engine.stored(now)];
      for (;;) {
        if ((await engine.run(ACCEPT, ...values, newReference())) > 0) return true;
        // Either the key was there, or, once in a lifetime, the reference was.
        const [known] = await engine.query("SELECT 1 AS known FROM tasks WHERE key = $1", key);
        if (known !== undefined) return false;
      }
    },

    find: (id: string) => oneTask(engine, "SELECT * FROM tasks WHERE id = $1", id),

    findByKey: (key: string) => oneTask(engine, "SELECT * FROM tasks WHERE key = $1", key),

    /** How many tasks of its partition come before this one. */
    async ahead(id: string): Promise<number> {
      const sql = `SELECT count(o.id) AS ahead FROM tasks t JOIN tasks o ON o.lane = t.lane
        WHERE t.id = $1 AND t.state = 'waiting' AND o.state <> 'ended' AND (o.state = 'running' OR ${BEFORE})`;
      return Number((await engine.query(sql, id))[0]?.["ahead"] ?? 0);
    },

    /** How many tasks wait, and how many run. */
    async backlog(): Promise<{ waiting: number; running: number }> {
      const sql = "SELECT state, count(*) AS tasks FROM tasks WHERE state <> 'ended' GROUP BY state";
      const counts = new Map((await engine.query(sql)).map((row) => [row["state"], Number(row["tasks"])]));
      return { waiting: counts.get("waiting") ?? 0, running: counts.get("running") ?? 0 };
    },

    /** Asks whoever runs the partition's task, or will begin it again, to stop. False: nothing was begun there. */
    async requestStop(partitionKey: string): Promise<boolean> {
      // One that waits for its next attempt counts as begun: people see it as running.
      const sql = `UPDATE tasks SET stop_requested = 1
        WHERE lane = $1 AND state <> 'ended' AND (state = 'running' OR attempts > 0)`;
      return (await engine.run(sql, partitionKey)) > 0;
    },

    /** Begins a task that ended again, with this progress: what was shown of it is not as it should be. False: it did not end. */
    async reopen(id: string, progress: unknown): Promise<boolean> {
      const sql = `UPDATE tasks SET state = 'waiting', outcome = NULL, ended_at = NULL, not_before = 0, progress = $2
        WHERE id = $1 AND state = 'ended'`;
      return (await engine.run(sql, id, JSON.stringify(progress ?? null))) > 0;
    },
  };
}

/** Who works on a task, until when, and how it ended. Every change of a run names its owner. */
export function runQueries(engine: Engine) {
  /** A moment a test gave; null: the database is asked. */
  const moment = (now: number | undefined): number | null => (now === undefined ? null : engine.stored(now));

  /** Changes a task that this owner runs; false where it was taken over. Its id and its owner are $1 and $2. */
  async function ofOwner(set: string, ...values: readonly Value[]): Promise<boolean> {
    const sql = `UPDATE tasks SET ${set} WHERE id = $1 AND owner = $2 AND state = 'running'`;
    return (await engine.run(sql, ...values)) > 0;
  }

  return {
    /**
     * Takes the oldest task that can run: the first of those waiting in a partition where nothing runs, or one that runs
     * with its lease ended (its instance died). A postponed task keeps its place: its partition waits with it. Undefined:
     * nothing to do. The engine itself keeps two tasks of one partition from running, whatever the clocks say. `kinds`:
     * only these; `except`: ids of tasks that still run here, whatever became of their leases.
     */
    async claim(
      owner: string,
      { now, leaseMs, kinds, except = [] }: Lease & { kinds?: readonly TaskKind[]; except?: readonly string[] },
    ): Promise<Task | undefined> {
      if (kinds?.length === 0) return undefined;
      const sql = claimStatement(engine.dialect, kinds?.length, except.length);
      const values = [owner, moment(now), leaseMs, ...(kinds ?? []), ...except];
      for (let tries = 1; ; tries++) {
        try {
          return await oneTask(engine, sql, ...values);
        } catch (error) {
          if (!isTaken(error)) throw error;
          if (tries === CLAIM_TRIES) return undefined;
        }
      }
    },

    /**
     * Extends the lease, as long as nobody else has claimed the task: else it is not `held`, and to be left alone.
     * `stopRequested`: somebody pressed Stop, perhaps at another instance.
     */
    async renewLease(id: string, owner: string, { now, leaseMs }: Lease) {
      const sql = `UPDATE tasks SET lease_until = ${leaseMoment(engine.dialect, 3)} + $4
        WHERE id = $1 AND owner = $2 AND state = 'running' RETURNING stop_requested`;
      const [row] = await engine.query(sql, id, owner, moment(now), leaseMs);
      return { held: row !== undefined, stopRequested: row?.["stop_requested"] === 1 };
    },

    /** Saves how far it got; false when the lease was lost, and nothing was saved. */
    save: (id: string, owner: string, progress: unknown) =>
      ofOwner("progress = $3", id, owner, JSON.stringify(progress ?? null)),

    /** Puts it back to be claimed again from `notBefore` on. `isExcused`: this run says nothing against it. */
    postpone: (id: string, owner: string, notBefore: number, { isExcused }: { readonly isExcused: boolean }) => {
      const set = "state = 'waiting', owner = NULL, not_before = $3, excused = excused + $4";
      return ofOwner(set, id, owner, engine.stored(notBefore), Number(isExcused));
    },

    /** Puts it back at once: the instance is shutting down, which says nothing against it. */
    release: (id: string, owner: string) =>
      ofOwner("state = 'waiting', owner = NULL, not_before = 0, excused = excused + 1", id, owner),

    /** Ends it, once. False when the lease was lost. */
    end: (id: string, owner: string, outcome: Outcome, now: number) =>
      ofOwner("state = 'ended', owner = NULL, outcome = $3, ended_at = $4", id, owner, outcome, engine.stored(now)),
  };
}

async function oneTask(engine: Engine, sql: string, ...values: readonly Value[]): Promise<Task | undefined> {
  const [row] = await engine.query(sql, ...values);
  return row && taskOf(row, engine.clockAhead);
}

function newReference(): string {
  const letter = (): string => REFERENCE_ALPHABET[randomInt(REFERENCE_ALPHABET.length)] ?? "";
  return Array.from({ length: REFERENCE_LENGTH }, letter).join("");
}

function placeOf({ place, key, kind }: NewTask): string {
  return place ?? (key.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : key);
}

/** The moment by the clock of leases, unless a test gave another in this parameter. */
const leaseMoment = (dialect: SqlDialect, parameter: number): string =>
  `COALESCE(CAST($${parameter} AS BIGINT), ${dialect.leaseMoment})`;

function claimStatement(dialect: SqlDialect, kinds: number | undefined, except: number): string {
  const list = (from: number, count: number): string =>
    Array.from({ length: count }, (_, index) => `$${from + index}`).join(", ");
  const ofKind = kinds === undefined ? "" : `AND t.kind IN (${list(4, kinds)})`;
  const notHere = except === 0 ? "" : `AND t.id NOT IN (${list(4 + (kinds ?? 0), except)})`;
  return `
    UPDATE tasks SET state = 'running', owner = $1, lease_until = ${leaseMoment(dialect, 2)} + $3,
      attempts = attempts + 1
    WHERE id = (
      SELECT t.id FROM tasks t
      WHERE t.state <> 'ended' ${ofKind} ${notHere} AND (
        (t.state = 'running' AND t.lease_until <= ${leaseMoment(dialect, 2)})
        OR (t.state = 'waiting' AND t.not_before <= COALESCE(CAST($2 AS BIGINT), ${dialect.moment}) AND NOT EXISTS (
          SELECT 1 FROM tasks o WHERE o.lane = t.lane AND o.state <> 'ended' AND (o.state = 'running' OR ${BEFORE})
        ))
      )
      ORDER BY t.accepted_at, t.sequence LIMIT 1 ${dialect.forUpdate}
    ) RETURNING *`;
}

function taskOf(row: Row, clockAhead: number): Task {
  return {
    id: String(row["id"]),
    key: String(row["key"]),
    kind: row["kind"] as TaskKind,
    partitionKey: String(row["lane"]),
    body: JSON.parse(String(row["body"])),
    acceptedAt: Number(row["accepted_at"]) - clockAhead,
    attempts: Number(row["attempts"]),
    excused: Number(row["excused"]),
    state: row["state"] as Task["state"],
    outcome: (row["outcome"] as Outcome | null) ?? undefined,
    progress: JSON.parse(String(row["progress"])),
  };
}

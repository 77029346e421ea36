import { type Engine, type Queries, type Row, upsert } from "./engine.ts";
import type { ComparedWords, OwnGap, WaitingGap, WaitingQuestion } from "./store.ts";

/** Questions of this store a new one is compared with, the newest: all of them are read for each that is noted. */
const COMPARED = 2_000;
/** Rows read, or changed, by one statement. */
const AT_ONCE = 500;

/** Its row is written by everything that must not happen at the same moment, in any instance. */
const TURNSTILE = "gaps";

const OWN = /^o(\d+)$/;
/** The number of a gap of this store; undefined: it is one of a server. */
const numberOf = (gap: string): number | undefined => {
  const [, number] = OWN.exec(gap) ?? [];
  return number === undefined ? undefined : Number(number);
};

function rowOf({ ref, gap, asker, place, askedAt, ...question }: Waiting): Row {
  return { ref, gap, asker, place, asked_at: Math.round(askedAt), question: JSON.stringify(question) };
}

/** A question as it is saved: who was told of it is no business of whoever saves it. */
type Waiting = Omit<WaitingQuestion, "telling" | "toldAt">;

function waitingOf(row: Row): WaitingQuestion {
  return {
    ...(JSON.parse(String(row["question"])) as Pick<Waiting, "isShared" | "reasons" | "where" | "words">),
    ref: String(row["ref"]),
    gap: String(row["gap"]),
    asker: String(row["asker"]),
    place: String(row["place"]),
    askedAt: Number(row["asked_at"]),
    telling: row["telling"] === null ? undefined : String(row["telling"]),
    toldAt: row["told_at"] === null ? undefined : Number(row["told_at"]),
  };
}

/** One after the other, in all instances. */
function alone<Result>(engine: Engine, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  return engine.transaction(async (queries) => {
    await upsert(queries, "settings", ["name"], { name: TURNSTILE, setting: "", moment: 0, lasting: 1 });
    return work(queries);
  });
}

async function select(
  queries: Queries,
  rest: string,
  ...values: readonly (string | number)[]
): Promise<readonly WaitingQuestion[]> {
  const rows = await queries.query(`SELECT * FROM waiting_questions ${rest}`, ...values);
  return rows.map(waitingOf);
}

/** Own gaps nobody asks about any more are gone. */
async function dropEmpty(queries: Queries, gaps: Iterable<string>): Promise<void> {
  for (const gap of new Set(gaps)) {
    const number = numberOf(gap);
    if (number === undefined) continue;
    const isEmpty = "NOT EXISTS (SELECT 1 FROM waiting_questions WHERE gap = $2)";
    const sql = `DELETE FROM own_gaps WHERE (number = $1 OR merged_into = $2) AND ${isEmpty}`;
    await queries.run(sql, number, gap);
  }
}

/** A question that went to another gap is not told of with what was about its former one. */
async function leave(queries: Queries, ref: string, before: Row | undefined, gap: string): Promise<void> {
  if (before === undefined || before["gap"] === gap) return;
  await queries.run("UPDATE waiting_questions SET telling = NULL WHERE ref = $1 AND told_at IS NULL", ref);
  await dropEmpty(queries, [String(before["gap"])]);
}

/** The gap of this name, or the one that has its questions now. */
async function ownGap(queries: Queries, name: string): Promise<OwnGap | undefined> {
  const one = (gap: string) => queries.query("SELECT * FROM own_gaps WHERE number = $1", numberOf(gap) ?? -1);
  const [named] = await one(name);
  const merged = named?.["merged_into"];
  const gap = typeof merged === "string" ? merged : name;
  const [row] = gap === name ? [named] : await one(gap);
  if (row === undefined) return undefined;
  const documentId = row["document_id"] === null ? undefined : String(row["document_id"]);
  return { gap, state: row["state"] as OwnGap["state"], documentId };
}

const NOWHERE = { gap: undefined, also: [] };

/** Open gaps become part of another open one; whoever knows them by their former names finds that. */
async function mergeInto(queries: Queries, gap: string, others: readonly string[]): Promise<void> {
  for (const other of others) {
    if (other === gap || (await ownGap(queries, other))?.state !== "open") continue;
    await queries.run("UPDATE waiting_questions SET gap = $2 WHERE gap = $1", other, gap);
    const sql = "UPDATE own_gaps SET merged_into = $2 WHERE number = $3 OR merged_into = $1";
    await queries.run(sql, other, gap, numberOf(other) ?? -1);
  }
}

/** Questions nobody could answer, whose askers are told when somebody does. */
export function waitingQueries(engine: Engine) {
  return {
    /** Keeps a question of a server's gap, in place of what was known of it; whether its asker was told stays as it is. */
    saveWaiting: (question: Waiting): Promise<void> =>
      alone(engine, async (queries) => {
        const [before] = await queries.query("SELECT gap FROM waiting_questions WHERE ref = $1", question.ref);
        await upsert(queries, "waiting_questions", ["ref"], { ...rowOf(question), traits: null });
        await leave(queries, question.ref, before, question.gap);
      }),

    /**
     * Keeps a question in a gap of this store: in the one it was in, else in that which `placeOf` finds among the newest
     * questions, else in a new one; open gaps that turn out to be the same one are one from then on. `traits`: JSON-safe, what
     * it is compared by.
     */
    saveOwnWaiting: (
      question: Omit<Waiting, "gap">,
      traits: unknown,
      placeOf: (known: readonly ComparedWords[]) => {
        readonly gap: string | undefined;
        readonly also: readonly string[];
      },
    ): Promise<OwnGap & { readonly isNew: boolean }> =>
      alone(engine, async (queries) => {
        const [before] = await queries.query("SELECT gap, traits FROM waiting_questions WHERE ref = $1", question.ref);
        const sameWords = before?.["traits"] === JSON.stringify(traits);
        const former = sameWords ? await ownGap(queries, String(before["gap"])) : undefined;
        const placed = former === undefined ? placeOf(await compared(queries, question.ref)) : NOWHERE;
        const found = former ?? (await ownGap(queries, placed.gap ?? ""));
        const gap = found ?? (await newGap(queries));
        if (gap.state === "open") await mergeInto(queries, gap.gap, placed.also);
        const row = { ...rowOf({ ...question, gap: gap.gap }), traits: JSON.stringify(traits) };
        await upsert(queries, "waiting_questions", ["ref"], row);
        await leave(queries, question.ref, before, gap.gap);
        return { ...gap, isNew: found === undefined };
      }),

    findWaiting: async (ref: string): Promise<WaitingQuestion | undefined> =>
      (await select(engine, "WHERE ref = $1", ref))[0],
    /** Of a message, by its `team:channel:ts`. */
    waitingAt: (place: string) => select(engine, "WHERE place = $1 ORDER BY asked_at, ref", place),
    /** Of a person, `team:user`; the longest waiting first. */
    waitingOf: (asker: string) => select(engine, "WHERE asker = $1 ORDER BY asked_at, ref", asker),
    /** Of a gap, the longest waiting first. */
    waitingIn: (gap: string) => select(engine, "WHERE gap = $1 ORDER BY asked_at, ref", gap),
    /** Everybody who waits, or was told. */
    async askersWaiting(): Promise<readonly string[]> {
      const rows = await engine.query("SELECT DISTINCT asker FROM waiting_questions ORDER BY asker");
      return rows.map((row) => String(row["asker"]));
    },

    /** Forgets these questions, and own gaps that hold none any more; how many there were. */
    forgetWaiting: (refs: readonly string[]): Promise<number> =>
      alone(engine, async (queries) => {
        const gaps: string[] = [];
        for (const ref of refs) {
          const rows = await queries.query("DELETE FROM waiting_questions WHERE ref = $1 RETURNING gap", ref);
          gaps.push(...rows.map((row) => String(row["gap"])));
        }
        await dropEmpty(queries, gaps);
        return gaps.length;
      }),

    /** Server gaps people wait in, with one question each, a page behind the one of this `ref`. */
    async gapsToLookAt(most: number, after = ""): Promise<readonly WaitingQuestion[]> {
      const ofEach = `SELECT max(ref) AS ref FROM waiting_questions
        WHERE told_at IS NULL AND telling IS NULL AND traits IS NULL GROUP BY gap HAVING max(ref) > $1`;
      return select(engine, `WHERE ref IN (${ofEach} ORDER BY ref LIMIT $2) ORDER BY ref`, after, most);
    },
    /** A gap turned out to be part of another one: its questions go there. */
    async moveWaiting(from: string, to: string): Promise<void> {
      await engine.run("UPDATE waiting_questions SET gap = $2 WHERE gap = $1", from, to);
    },
  };
}

/** Who is told what, once. */
export function tellingQueries(engine: Engine) {
  return {
    /**
     * Says, of a gap's questions, with which telling each is told of; `choose` is given all of them, and what it leaves out stays as it is.
     * Whoever asks at the same moment chooses after this.
     */
    chooseTellings: (
      gap: string,
      choose: (questions: readonly WaitingQuestion[]) => ReadonlyMap<string, string>,
    ): Promise<void> =>
      alone(engine, async (queries) => {
        const rows = await queries.query("SELECT * FROM waiting_questions WHERE gap = $1 ORDER BY asked_at, ref", gap);
        for (const [ref, telling] of choose(rows.map(waitingOf))) {
          const sql = "UPDATE waiting_questions SET telling = $2 WHERE ref = $1 AND told_at IS NULL";
          await queries.run(sql, ref, telling);
        }
      }),
    /** What is told of with this telling, told or not. */
    waitingFor: (telling: string) => select(engine, "WHERE telling = $1 ORDER BY asked_at, ref", telling),
    async markTold(telling: string, now: number): Promise<void> {
      const sql = "UPDATE waiting_questions SET told_at = $2 WHERE telling = $1 AND told_at IS NULL";
      await engine.run(sql, telling, Math.round(now));
    },
    /**
     * Nobody is told with this telling: what was to be told of is not so any more. They wait on. `isBegun`: also whom it was about to
     * tell, who count as told by then.
     */
    async dropTelling(telling: string, { isBegun = false } = {}): Promise<void> {
      const which = isBegun ? "" : "AND told_at IS NULL";
      const sql = `UPDATE waiting_questions SET telling = NULL, told_at = NULL WHERE telling = $1 ${which}`;
      await engine.run(sql, telling);
    },
  };
}

const DISMISS = "UPDATE own_gaps SET state = 'dismissed', document_id = NULL WHERE number = $1";

/** Gaps of this store, where no server has them. */
export function gapQueries(engine: Engine) {
  return {
    /** A gap of this store; undefined: there is none. */
    ownGap: (gap: string) => ownGap(engine, gap),
    /** Closes a gap of this store by a document, or opens it again: the gap it is by now. Undefined: there is none. */
    changeOwnGap: (name: string, documentId: string | undefined): Promise<string | undefined> =>
      alone(engine, async (queries) => {
        const { gap } = (await ownGap(queries, name)) ?? {};
        if (gap === undefined) return undefined;
        const sql = "UPDATE own_gaps SET state = $2, document_id = $3 WHERE number = $1";
        const state = documentId === undefined ? "open" : "closed";
        await queries.run(sql, numberOf(gap) ?? -1, state, documentId ?? null);
        return gap;
      }),

    /**
     * A question asks the same as a gap of this store, as who asked it says: it is of that gap from now on, and so is all of its own
     * where both are open. That gap, as it is by now; undefined: one of them is not there.
     */
    joinOwnGap: (ref: string, name: string): Promise<OwnGap | undefined> =>
      alone(engine, async (queries) => {
        const [before] = await queries.query("SELECT gap FROM waiting_questions WHERE ref = $1", ref);
        const into = await ownGap(queries, name);
        if (before === undefined || into === undefined) return undefined;
        const from = await ownGap(queries, String(before["gap"]));
        if (from?.gap === into.gap) return into;
        if (from?.state === "open" && into.state === "open") await mergeInto(queries, into.gap, [from.gap]);
        else {
          await queries.run("UPDATE waiting_questions SET gap = $2 WHERE ref = $1", ref, into.gap);
          await leave(queries, ref, before, into.gap);
        }
        return into;
      }),

    /** What a question is compared with: of the questions of this store the newest. */
    comparedWords: (except: string): Promise<readonly ComparedWords[]> => compared(engine, except),

    /** A gap of this store is no question for anybody; it can be opened again. */
    async dismissOwnGap(name: string): Promise<void> {
      await alone(engine, async (queries) => {
        const { gap } = (await ownGap(queries, name)) ?? {};
        if (gap !== undefined) await queries.run(DISMISS, numberOf(gap) ?? -1);
      });
    },

    /** Gaps people wait for, those first that most people do; `own`: of this store alone. */
    async gapsWaitedFor(most: number, { own = false } = {}): Promise<readonly WaitingGap[]> {
      const isOpen = `NOT EXISTS (SELECT 1 FROM own_gaps g WHERE w.gap = 'o' || g.number AND g.state <> 'open')`;
      const which = `told_at IS NULL AND telling IS NULL AND ${isOpen} ${own ? "AND traits IS NOT NULL" : ""}`;
      const sql = `SELECT gap, count(DISTINCT asker) AS people, count(*) AS questions, max(asked_at) AS newest
        FROM waiting_questions w WHERE ${which} GROUP BY gap ORDER BY people DESC, newest DESC LIMIT $1`;
      const gaps: WaitingGap[] = [];
      for (const row of await engine.query(sql, most)) {
        const gap = String(row["gap"]);
        const words = (await select(engine, "WHERE gap = $1 ORDER BY asked_at, ref", gap)).find(
          (one) => one.isShared,
        )?.words;
        const newestAt = Number(row["newest"]);
        gaps.push({ gap, people: Number(row["people"]), questions: Number(row["questions"]), newestAt, words });
      }
      return gaps;
    },
  };
}

async function compared(queries: Queries, except: string): Promise<readonly ComparedWords[]> {
  const sql = `SELECT gap, traits FROM waiting_questions WHERE traits IS NOT NULL AND ref <> $1
    ORDER BY asked_at DESC LIMIT ${COMPARED}`;
  const rows = await queries.query(sql, except);
  return rows.map((row) => ({ gap: String(row["gap"]), traits: JSON.parse(String(row["traits"])) as unknown }));
}

async function newGap(queries: Queries): Promise<OwnGap> {
  const [row] = await queries.query("INSERT INTO own_gaps (state) VALUES ('open') RETURNING number");
  return { gap: `o${String(row?.["number"])}`, state: "open", documentId: undefined };
}

/**
 * Forgets questions that were asked before the moment, a few at a time, and own gaps that hold none any more. Between two
 * questions that are noted, so that no gap goes in which one is being put.
 */
export async function forgetOldGaps(engine: Engine, moment: number, signal?: AbortSignal): Promise<number> {
  const some = `SELECT ref FROM waiting_questions WHERE asked_at < $1 LIMIT ${AT_ONCE}`;
  const holdsOne = "(SELECT 1 FROM waiting_questions w WHERE w.gap = coalesce(merged_into, 'o' || own_gaps.number))";
  for (let forgotten = 0; ;) {
    if (signal?.aborted === true) return forgotten;
    const sql = `DELETE FROM waiting_questions WHERE ref IN (${some}) AND asked_at < $1 RETURNING gap`;
    const count = await alone(engine, async (queries) => {
      const { length } = await queries.query(sql, Math.round(moment));
      if (length < AT_ONCE) await queries.run(`DELETE FROM own_gaps WHERE NOT EXISTS ${holdsOne}`);
      return length;
    });
    forgotten += count;
    if (count < AT_ONCE) return forgotten;
  }
}

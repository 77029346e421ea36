import { all, ofNumbers, run, type Steps, values } from "../store/steps.ts";
import { Hiding } from "./hiding.ts";

/** What a change of gaps has: the secret, and a number no change before had. */
export interface GapChange {
  readonly hiding: Hiding;
  readonly number: number;
}

/**
 * Begins a change of gaps. Others that change something of them wait for its end, on this instance and on all: two alike
 * questions that arrive at one moment find each other. Whatever else a transaction locks it locks before.
 */
export function* beginChange(): Steps<GapChange> {
  const [row] = yield* all<{ secret: string; last: number }>(
    "UPDATE gap_book SET last = last + 1 WHERE id = 1 RETURNING secret, last",
  );
  if (row === undefined) throw new Error("the database has no book of gaps");
  return { hiding: new Hiding(row.secret), number: row.last };
}

/**
 * Counts the questions of gaps again; one that has none left is gone.
 * @param left the change with which questions left them, where some did
 */
export function* recount(gaps: readonly number[], left?: GapChange): Steps<void> {
  const those = JSON.stringify(gaps);
  if (left !== undefined) {
    yield* run(
      ofNumbers((among) => `UPDATE gaps SET change = ?2 WHERE id ${among}`),
      those,
      left.number,
    );
  }
  yield* run(
    ofNumbers((among) => `DELETE FROM gaps WHERE merged_into ${among} AND ${WITHOUT_QUESTIONS("merged_into")}`),
    those,
  );
  yield* run(
    ofNumbers((among) => `DELETE FROM gaps WHERE id ${among} AND state <> 'merged' AND ${WITHOUT_QUESTIONS("id")}`),
    those,
  );
  yield* run(
    ofNumbers(
      (among) => `
        UPDATE gaps SET people = counts.people, questions = counts.questions, private_questions = counts.private_questions,
          for_nothing = counts.for_nothing, for_bad_mark = counts.for_bad_mark, for_human = counts.for_human,
          first_asked_at = counts.first_asked_at, last_asked_at = counts.last_asked_at
        FROM (
          SELECT gap, count(DISTINCT asker) AS people, count(*) AS questions, sum(1 - is_shared) AS private_questions,
            sum(for_nothing) AS for_nothing, sum(for_bad_mark) AS for_bad_mark, sum(for_human) AS for_human,
            min(asked_at) AS first_asked_at, max(asked_at) AS last_asked_at
          FROM gap_questions WHERE gap ${among} GROUP BY gap
        ) AS counts WHERE counts.gap = gaps.id`,
    ),
    those,
  );
}

const WITHOUT_QUESTIONS = (id: string): string =>
  `NOT EXISTS (SELECT 1 FROM gap_questions WHERE gap_questions.gap = gaps.${id})`;

/** Questions that are forgotten in one transaction. */
const FORGOTTEN_TOGETHER = 500;

/**
 * Forgets some questions; answers how many. One transaction forgets `FORGOTTEN_TOGETHER` at most.
 * @param condition which, with the values it is given
 */
export function* forgetSome(
  change: GapChange,
  condition: string,
  ...given: readonly (string | number)[]
): Steps<number> {
  const gone = yield* all<{ id: number; gap: number }>(
    `SELECT id, gap FROM gap_questions WHERE ${condition} LIMIT ${FORGOTTEN_TOGETHER}`,
    ...given,
  );
  if (gone.length === 0) return 0;
  yield* run(
    ofNumbers((among) => `DELETE FROM gap_questions WHERE id ${among}`),
    JSON.stringify(gone.map(({ id }) => id)),
  );
  yield* recount([...new Set(gone.map(({ gap }) => gap))], change);
  return gone.length;
}

/** The gap that has the questions of one: another one where it was joined to that; undefined: there is none. */
export function* livingGap(id: number): Steps<number | undefined> {
  return (yield* values<number>("SELECT coalesce(merged_into, id) AS living FROM gaps WHERE id = ?", id))[0];
}

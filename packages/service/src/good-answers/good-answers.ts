import { all, get, run, type Steps, sweep, value, values } from "../store/steps.ts";
import { countOf, numberOf, OWN } from "../gaps/book.ts";
import { hidingOf } from "../gaps/hiding.ts";
import type { NamedDocument } from "../gaps/book.ts";

/** A good answer as it is kept. */
export interface StoredGoodAnswer {
  readonly id: number;
  readonly question: string;
  readonly asked_at: number;
  /** Numbers of what it cited, as far as that is still there. */
  readonly documents: readonly number[];
}

/** A question whose answer was marked as good, by whoever tells it. */
export interface GoodAnswerToNote {
  readonly user: string;
  readonly ref: string;
  readonly asker: string;
  readonly question: string;
  readonly documents: readonly NamedDocument[];
  readonly askedAt: number;
}

/** Good answers one caller may have told; of more the first ones are forgotten. */
const MAX_OF_CALLER = 5_000;

/** Keeps a good answer; by its name it is the same one the next time. One that cites nothing there is is not kept. */
export function* noteGoodAnswer(told: GoodAnswerToNote): Steps<void> {
  const hiding = yield* hidingOf();
  const [ref, caller] = [hiding.ref(told.user, told.ref), hiding.caller(told.user)];
  const numbers = new Set<number>();
  for (const document of told.documents) {
    const number = yield* numberOf(document);
    if (number !== undefined) numbers.add(number);
  }
  if (numbers.size === 0) return yield* dropGoodAnswer(ref);
  const id = yield* value<number>(
    `INSERT INTO good_answers (ref, caller, asker, question, asked_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (ref) DO UPDATE SET asker = excluded.asker, question = excluded.question, asked_at = excluded.asked_at
     RETURNING id`,
    ref,
    caller,
    hiding.asker(told.user, told.asker),
    told.question,
    told.askedAt,
  );
  yield* run("DELETE FROM good_answer_documents WHERE answer = ?", id);
  for (const number of [...numbers].toSorted((one, other) => one - other)) {
    yield* run("INSERT INTO good_answer_documents (answer, document) VALUES (?, ?)", id, number);
  }
  yield* run(
    `DELETE FROM good_answers WHERE caller = ?1 AND id <= (
       SELECT id FROM good_answers WHERE caller = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_OF_CALLER})`,
    caller,
  );
}

function* dropGoodAnswer(ref: string): Steps<void> {
  yield* run("DELETE FROM good_answers WHERE ref = ?", ref);
}

/** Forgets a good answer by whoever told it and their name for it. */
export function* forgetGoodAnswer(user: string, ref: string): Steps<void> {
  yield* dropGoodAnswer((yield* hidingOf()).ref(user, ref));
}

/** Forgets some of what one asker's answers were, as whoever told them named who asked; answers whether there may be more. */
export function* forgetGoodAnswersOfAsker(user: string, asker: string): Steps<boolean> {
  return yield* forgetSome("asker = ?", (yield* hidingOf()).asker(user, asker));
}

/** Forgets some of what one caller told; answers whether there may be more. */
export function* forgetGoodAnswersOfCaller(user: string): Steps<boolean> {
  return yield* forgetSome("caller = ?", (yield* hidingOf()).caller(user));
}

/** Forgets some of what a user asked, or told of others; answers whether there may be more. */
export function* forgetGoodAnswersOfUser(user: string): Steps<boolean> {
  const isAsked = yield* forgetGoodAnswersOfAsker(OWN, user);
  return (yield* forgetGoodAnswersOfCaller(user)) || isAsked;
}

/** Forgets some that were asked before a moment; answers whether there may be more. */
export function* forgetGoodAnswersBefore(moment: number): Steps<boolean> {
  return yield* forgetSome("asked_at < ?", moment);
}

function* forgetSome(condition: string, given: string | number): Steps<boolean> {
  if ((yield* get(`SELECT 1 AS one FROM good_answers WHERE ${condition} LIMIT 1`, given)) === undefined) return false;
  yield* sweep("good_answers", "id", condition, given);
  return true;
}

/** How many good answers a user's questions have, or were told by them. */
export const countGoodAnswersOf = (user: string): Steps<number> => countOf("good_answers", user);

/** Good answers behind a number, in the order they were told: those of which something they cited is still there. */
export function* listGoodAnswers(after: number, most: number): Steps<StoredGoodAnswer[]> {
  const found = yield* all<Omit<StoredGoodAnswer, "documents">>(
    `SELECT id, question, asked_at FROM good_answers
     WHERE id > ? AND EXISTS (SELECT 1 FROM good_answer_documents WHERE answer = good_answers.id) ORDER BY id LIMIT ?`,
    after,
    most,
  );
  const listed: StoredGoodAnswer[] = [];
  for (const answer of found) {
    const documents = yield* values<number>(
      "SELECT document FROM good_answer_documents WHERE answer = ? ORDER BY document",
      answer.id,
    );
    listed.push({ ...answer, documents });
  }
  return listed;
}

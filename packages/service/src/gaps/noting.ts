import { randomInt } from "node:crypto";
import type { GapReason, GapState } from "@threadlore/client/models";
import { hiddenTraits, type Traits } from "@threadlore/gaps";
import { all, get, insert, run, type Steps } from "../store/steps.ts";
import { COMPARED_OF_GAP, type GapComparison } from "./comparison.ts";
import { beginChange, type GapChange, livingGap, recount } from "./counting.ts";
import type { Hiding } from "./hiding.ts";

/** A question to be noted, with what can be made of it beforehand. */
export interface QuestionToNote {
  /** What of it is kept as hashes alone. */
  readonly names: (hiding: Hiding) => {
    readonly ref: string;
    readonly caller: string;
    readonly asker: string;
    readonly session: string | null;
  };
  readonly words: string;
  readonly traits: Traits;
  readonly vector: { readonly model: string; readonly numbers: Float32Array } | undefined;
  readonly isShared: boolean;
  readonly reason: GapReason;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** What became of it. */
export interface Noted {
  readonly gap: number;
  readonly state: GapState;
  /** Number of the document that answers it. */
  readonly document: number | null;
  /** Nothing its caller could know of was in the gap before. */
  readonly isNew: boolean;
  /** No other question is in the gap. */
  readonly isAlone: boolean;
}

/** Questions of one gap whose words are kept: the newest. All are counted. */
const MAX_WORDS_KEPT = 200;

/**
 * Notes a question, in one transaction: it gets its gap once, and by its name it is the same question the next time. Of one
 * that is not shared neither its words nor its vector are kept.
 */
export function* noteQuestion(question: QuestionToNote, comparison: Pick<GapComparison, "placeOf">): Steps<Noted> {
  const change = yield* beginChange();
  const names = question.names(change.hiding);
  const before = yield* get<{ id: number; gap: number; is_shared: number }>(
    "SELECT id, gap, is_shared FROM gap_questions WHERE ref = ?",
    names.ref,
  );
  if (before !== undefined) return yield* noteAgain(before, question, change);
  const traits = hiddenTraits(question.traits, (term) => change.hiding.term(term));
  const { model = null, numbers = null } = question.vector ?? {};
  const place = yield* comparison.placeOf({ traits, model, vector: numbers }, change);
  const gap = place.gap ?? (yield* addGap(question.askedAt));
  const isKnown = place.gap !== undefined && (yield* isKnownTo(names.caller, [gap, ...place.also]));
  yield* insert("gap_questions", {
    gap,
    ...names,
    is_shared: Number(question.isShared),
    for_nothing: Number(question.reason === "nothing"),
    for_bad_mark: Number(question.reason === "bad_mark"),
    for_human: Number(question.reason === "human"),
    asked_at: question.askedAt,
    traits: (yield* isToBeCompared(gap)) ? JSON.stringify(traits) : null,
    ...sharedPart(question),
    change: change.number,
  });
  for (const other of place.also) yield* merge(other, gap, change);
  yield* dropOldest(gap);
  yield* recount([gap]);
  return { ...(yield* standing(gap)), isNew: !isKnown };
}

/** Whether there was a question in a gap that others may read, or that this caller told. */
function* isKnownTo(caller: string, gaps: readonly number[]): Steps<boolean> {
  for (const gap of gaps) {
    const known = yield* get(
      "SELECT 1 AS one FROM gap_questions WHERE gap = ? AND (is_shared = 1 OR caller = ?) LIMIT 1",
      gap,
      caller,
    );
    if (known !== undefined) return true;
  }
  return false;
}

/** Most repeat the first ones of their gap: those are enough to compare with. */
function* isToBeCompared(gap: number): Steps<boolean> {
  const rows = yield* all(
    `SELECT 1 AS one FROM gap_questions WHERE gap = ? AND traits IS NOT NULL LIMIT ${COMPARED_OF_GAP}`,
    gap,
  );
  return rows.length < COMPARED_OF_GAP;
}

/**
 * A question asks the same as a gap, as who asked it says: it is of that gap from now on, and so is all of its own where both are
 * open. Answers what is missing, if anything is.
 */
export function* joinGap(
  ref: (hiding: Hiding) => string,
  id: number,
): Steps<{ readonly joined: Omit<Noted, "isNew"> } | { readonly missing: "question" | "gap" }> {
  const change = yield* beginChange();
  const into = yield* livingGap(id);
  if (into === undefined) return { missing: "gap" };
  const question = yield* get<{ id: number; gap: number; state: GapState }>(
    "SELECT q.id, q.gap, g.state FROM gap_questions AS q JOIN gaps AS g ON g.id = q.gap WHERE q.ref = ?",
    ref(change.hiding),
  );
  if (question === undefined) return { missing: "question" };
  const { state } = yield* standing(into);
  if (question.gap === into) return { joined: yield* standing(into) };
  if (state === "open" && question.state === "open") {
    yield* merge(question.gap, into, change);
    yield* recount([into]);
  } else {
    yield* run("UPDATE gap_questions SET gap = ?, change = ? WHERE id = ?", into, change.number, question.id);
    yield* recount([question.gap, into], change);
  }
  yield* dropOldest(into);
  return { joined: yield* standing(into) };
}

/** Two open gaps turned out to be one: whoever knows the number of the other is told of this one. */
function* merge(from: number, into: number, { number }: GapChange): Steps<void> {
  yield* run("UPDATE gap_questions SET gap = ? WHERE gap = ?", into, from);
  yield* run("UPDATE gaps SET merged_into = ?1, change = ?3 WHERE merged_into = ?2", into, from, number);
  yield* run("UPDATE gaps SET state = 'merged', merged_into = ?1, change = ?3 WHERE id = ?2", into, from, number);
}

/** Told again: reasons gather, and it may have become shared; once it is, only forgetting it takes its words out. */
function* noteAgain(
  { id, gap, is_shared: wasShared }: { readonly id: number; readonly gap: number; readonly is_shared: number },
  question: QuestionToNote,
  change: GapChange,
): Steps<Noted> {
  yield* run(`UPDATE gap_questions SET for_${question.reason} = 1 WHERE id = ?`, id);
  if (question.isShared && wasShared === 0) {
    const { question: words, model, vector } = sharedPart(question);
    yield* run(
      "UPDATE gap_questions SET is_shared = 1, question = ?, model = ?, vector = ?, change = ? WHERE id = ?",
      words,
      model,
      vector,
      change.number,
      id,
    );
    yield* dropOldest(gap);
  }
  yield* recount([gap]);
  return { ...(yield* standing(gap)), isNew: false };
}

function sharedPart({ isShared, words, vector }: QuestionToNote) {
  if (!isShared) return { question: null, model: null, vector: null };
  const numbers = vector?.numbers;
  return {
    question: words,
    model: vector?.model ?? null,
    vector: numbers === undefined ? null : new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
  };
}

/** Numbers are random: who tells of questions does not learn by them how many others there are, nor what is in which gap. */
function* addGap(askedAt: number): Steps<number> {
  for (let most = 1_000_000; ; most *= 10) {
    const id = randomInt(100_000, most);
    if ((yield* get("SELECT 1 AS one FROM gaps WHERE id = ?", id)) !== undefined) continue;
    const counts = { people: 0, questions: 0, private_questions: 0, for_nothing: 0, for_bad_mark: 0, for_human: 0 };
    yield* insert("gaps", {
      id,
      state: "open",
      ...counts,
      first_asked_at: askedAt,
      last_asked_at: askedAt,
      change: 0,
    });
    return id;
  }
}

function* standing(gap: number): Steps<Omit<Noted, "isNew">> {
  const row = yield* get<{ state: GapState; document: number | null; questions: number }>(
    "SELECT state, document, questions FROM gaps WHERE id = ?",
    gap,
  );
  if (row === undefined) throw new Error("a gap that must be there is missing");
  const { questions, ...rest } = row;
  return { gap, ...rest, isAlone: questions === 1 };
}

/** Of many alike questions the newest keep their words. */
function* dropOldest(gap: number): Steps<void> {
  const [oldest] = yield* all<{ id: number }>(
    `SELECT id FROM gap_questions WHERE gap = ? AND question IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ${MAX_WORDS_KEPT - 1}`,
    gap,
  );
  if (oldest === undefined) return;
  yield* run(
    "UPDATE gap_questions SET question = NULL, model = NULL, vector = NULL WHERE gap = ? AND question IS NOT NULL AND id < ?",
    gap,
    oldest.id,
  );
}

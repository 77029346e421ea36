import { randomInt } from "node:crypto";
import type { GapReason, GapState } from "@threadlore/client/models";
import { hiddenTraits, type Traits } from "@threadlore/gaps";
import { all, get, insert, insertNumbered, ofNumbers, run, type Steps } from "../store/steps.ts";
import { beginChange, type GapChange, recount } from "./counting.ts";
import type { Hiding } from "./hiding.ts";
import { bytesOf, gapFor } from "./placing.ts";
import type { GapVectors } from "./vectors.ts";

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
}

/** Things a question is about that are kept. */
const MAX_TERMS = 64;
/** Questions of one gap whose words are kept, and with which others are compared: the newest. All are counted. */
const MAX_KEPT = 200;

/**
 * Notes a question, in one transaction: it gets its gap once, and by its name it is the same question the next time. Of one
 * that is not shared neither its words nor its vector are kept.
 */
export function* noteQuestion(question: QuestionToNote, vectors: GapVectors): Steps<Noted> {
  const change = yield* beginChange();
  const names = question.names(change.hiding);
  const before = yield* get<{ id: number; gap: number; is_shared: number }>(
    "SELECT id, gap, is_shared FROM gap_questions WHERE ref = ?",
    names.ref,
  );
  if (before !== undefined) return yield* noteAgain(before, question, change);
  const traits = hidden(question.traits, change.hiding);
  const { model = null, numbers = null } = question.vector ?? {};
  const found = yield* gapFor({ traits, model, vector: numbers }, vectors);
  const gap = found ?? (yield* addGap(question.askedAt));
  const isKnown =
    found !== undefined &&
    (yield* get(
      "SELECT 1 AS one FROM gap_questions WHERE gap = ? AND (is_shared = 1 OR caller = ?) LIMIT 1",
      gap,
      names.caller,
    )) !== undefined;
  const id = yield* insertNumbered("gap_questions", {
    gap,
    ...names,
    is_shared: Number(question.isShared),
    for_nothing: Number(question.reason === "nothing"),
    for_bad_mark: Number(question.reason === "bad_mark"),
    for_human: Number(question.reason === "human"),
    asked_at: question.askedAt,
    traits: JSON.stringify(traits),
    ...sharedPart(question, change),
  });
  if (traits.terms.length > 0) {
    yield* run(
      {
        sqlite:
          "INSERT INTO gap_terms (term, question) SELECT value, ?2 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING",
        postgres:
          "INSERT INTO gap_terms (term, question) SELECT value, CAST(?2 AS BIGINT) FROM json_each(?1) ON CONFLICT DO NOTHING",
      },
      JSON.stringify(traits.terms),
      id,
    );
  }
  yield* dropOldest(gap);
  yield* recount([gap]);
  return { ...(yield* standing(gap)), isNew: !isKnown };
}

/** Told again: reasons gather, and it may have become shared; once it is, only forgetting it takes its words out. */
function* noteAgain(
  { id, gap, is_shared: wasShared }: { readonly id: number; readonly gap: number; readonly is_shared: number },
  question: QuestionToNote,
  change: GapChange,
): Steps<Noted> {
  yield* run(`UPDATE gap_questions SET for_${question.reason} = 1 WHERE id = ?`, id);
  if (question.isShared && wasShared === 0) {
    const part = sharedPart(question, change);
    yield* run(
      "UPDATE gap_questions SET is_shared = 1, question = ?, model = ?, vector = ?, change = ? WHERE id = ?",
      part.question,
      part.model,
      part.vector,
      part.change,
      id,
    );
    yield* dropOldest(gap);
  }
  yield* recount([gap]);
  return { ...(yield* standing(gap)), isNew: false };
}

function hidden(traits: Traits, hiding: Hiding): Traits {
  const few = { ...traits, terms: traits.terms.slice(0, MAX_TERMS) };
  return hiddenTraits(few, (term) => hiding.term(term));
}

function sharedPart({ isShared, words, vector }: QuestionToNote, { number }: GapChange) {
  if (!isShared) return { question: null, model: null, vector: null, change: number };
  return {
    question: words,
    model: vector?.model ?? null,
    vector: vector === undefined ? null : bytesOf(vector.numbers),
    change: number,
  };
}

/** Numbers are random: who tells of questions does not learn by them how many others there are, nor what is in which gap. */
function* addGap(askedAt: number): Steps<number> {
  for (let most = 1_000_000; ; most *= 10) {
    const id = randomInt(100_000, most);
    if ((yield* get("SELECT 1 AS one FROM gaps WHERE id = ?", id)) !== undefined) continue;
    const counts = { people: 0, questions: 0, private_questions: 0, for_nothing: 0, for_bad_mark: 0, for_human: 0 };
    yield* insert("gaps", { id, state: "open", ...counts, first_asked_at: askedAt, last_asked_at: askedAt });
    return id;
  }
}

function* standing(gap: number): Steps<Omit<Noted, "isNew">> {
  const row = yield* get<{ state: GapState; document: number | null }>(
    "SELECT state, document FROM gaps WHERE id = ?",
    gap,
  );
  if (row === undefined) throw new Error("a gap that must be there is missing");
  return { gap, ...row };
}

/** Of many alike questions the newest are kept in full. */
function* dropOldest(gap: number): Steps<void> {
  const tooMany = yield* all<{ id: number }>(
    `SELECT id FROM gap_questions WHERE gap = ? AND traits IS NOT NULL ORDER BY id DESC LIMIT 50 OFFSET ${MAX_KEPT}`,
    gap,
  );
  if (tooMany.length === 0) return;
  const those = JSON.stringify(tooMany.map(({ id }) => id));
  yield* run(
    ofNumbers(
      (among) =>
        `UPDATE gap_questions SET question = NULL, traits = NULL, model = NULL, vector = NULL WHERE id ${among}`,
    ),
    those,
  );
  yield* run(
    ofNumbers((among) => `DELETE FROM gap_terms WHERE question ${among}`),
    those,
  );
}

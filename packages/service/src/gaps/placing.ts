import { gapOf, type KnownQuestion, type Traits } from "@threadlore/gaps";
import { all, ofNumbers, type Steps } from "../store/steps.ts";
import type { GapVectors } from "./vectors.ts";

/** What a question is compared by: traits that are hidden already, and a vector where there is one. */
export interface Compared {
  readonly traits: Traits;
  readonly model: string | null;
  readonly vector: Float32Array | null;
}

/** Questions that are looked at for one thing it is about, the newest. */
const MAX_OF_TERM = 400;
/** Things a question is about by which others are looked for, the rarest. */
const MAX_LOOKED_FOR = 16;
/** Questions it is compared with: those that share most with it, and those whose vectors are closest. */
const MAX_BY_TERMS = 200;
const MAX_BY_VECTOR = 50;

/** The gap a question belongs to; undefined: it is a new one. */
export function* gapFor(compared: Compared, vectors: GapVectors): Steps<number | undefined> {
  const ids = new Set(yield* byTerms(compared.traits.terms));
  for (const id of yield* vectors.nearest(compared, MAX_BY_VECTOR)) ids.add(id);
  const known = yield* questionsOf([...ids], compared.model);
  return gapOf({ traits: compared.traits, vector: compared.vector ?? undefined }, known);
}

/** Questions that are about the same, those first that share most. Only the rarest are looked for: the others tell little. */
function* byTerms(terms: readonly string[]): Steps<number[]> {
  if (terms.length === 0) return [];
  const counted = yield* all<{ term: string; questions: number }>(
    `SELECT given.value AS term,
       (SELECT count(*) FROM (SELECT 1 FROM gap_terms WHERE gap_terms.term = given.value LIMIT ${MAX_OF_TERM}) AS few) AS questions
     FROM json_each(?) AS given`,
    JSON.stringify(terms),
  );
  const sought = counted
    .filter(({ questions }) => questions > 0)
    .toSorted((one, other) => one.questions - other.questions)
    .slice(0, MAX_LOOKED_FOR)
    .map(({ term }) => term);
  if (sought.length === 0) return [];
  const each = sought.map(
    () =>
      `SELECT question FROM (SELECT question FROM gap_terms WHERE term = ? ORDER BY question DESC LIMIT ${MAX_OF_TERM}) AS few`,
  );
  const found = yield* all<{ question: number }>(
    `SELECT question FROM (${each.join(" UNION ALL ")}) AS found
     GROUP BY question ORDER BY count(*) DESC, question DESC LIMIT ${MAX_BY_TERMS}`,
    ...sought,
  );
  return found.map(({ question }) => question);
}

/** Questions as they are compared. */
function* questionsOf(ids: readonly number[], model: string | null): Steps<KnownQuestion<number>[]> {
  const rows = yield* all<{ gap: number; traits: string; model: string | null; vector: Uint8Array | null }>(
    ofNumbers(
      (among) =>
        `SELECT gap, traits, model, vector FROM gap_questions WHERE id ${among} AND traits IS NOT NULL ORDER BY id`,
    ),
    JSON.stringify(ids),
  );
  return rows.map((row) => ({
    gap: row.gap,
    traits: JSON.parse(row.traits) as Traits,
    ...(row.vector !== null && row.model === model && { vector: floatsOf(row.vector) }),
  }));
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}

/** A vector as it is kept. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

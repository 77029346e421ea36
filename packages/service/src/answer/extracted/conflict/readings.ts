/** What each source answers a question with: its best sentences, and the value in each that is meant. */
import { termsOf } from "@threadlore/language/stems";
import type { Source } from "../../source.ts";
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { matcherOf, shareOf, together } from "../matching.ts";
import type { RankedCandidate } from "../weighing/ranking.ts";
import { CANDIDATE_WEIGHTS } from "../weighing/weights.ts";
import { type Answer, countsWhatIsAsked, type Sort, valuesIn } from "./values.ts";

/** A sentence as an answer. */
export interface Given {
  readonly candidate: Candidate;
  /** How well it answers, wherever search ranked its document; comparable within one question only. */
  readonly worth: number;
  /** What it answers with; of a question of yes or no: nothing. */
  readonly value: Answer | undefined;
  /** How many values of the sort the sentence has. */
  readonly values: number;
}

/** What one source answers. */
export interface Reading {
  readonly sort: Sort | "stance";
  /** The best first; at least one. */
  readonly given: readonly [Given, ...Given[]];
  /** All sentences of the source that say anything of the question. */
  readonly all: readonly RankedCandidate[];
}

/** So much worse than its source's best sentence may be one that has a value. */
const WORSE_IN_SOURCE = 3;
const MAX_SOURCES = 8;
/** Sentences of a source, and answers in them, that are looked at. */
const MAX_READ = 16;
const MAX_GIVEN = 8;
/** What a value is less worth that stands so many characters from any word of the question. */
const FARTHEST = 60;
const FAR = 2;
/** What a value is worth more that counts what is asked for. */
const FITS = 1;
/** What a sentence is worth more that says the question's words itself. */
const OWN = 2;

/** One reading a source, that with the best answer first. */
export function readingsOf(
  question: AskedQuestion,
  candidates: readonly RankedCandidate[],
  sort: Reading["sort"],
): Reading[] {
  return [...Map.groupBy(candidates, sourceOf).values()]
    .slice(0, MAX_SOURCES)
    .flatMap((own) => readSource(question, sort, own) ?? [])
    .toSorted(({ given: [one] }, { given: [other] }) => other.worth - one.worth);
}

function sourceOf({ candidate }: RankedCandidate): Source {
  return candidate.passage.evidence.source;
}

function readSource(
  question: AskedQuestion,
  sort: Reading["sort"],
  own: readonly RankedCandidate[],
): Reading | undefined {
  const best = own[0]?.score ?? 0;
  const [first, ...rest] = own
    .slice(0, MAX_READ)
    .filter(
      ({ candidate: { unit }, score }) => score >= best - WORSE_IN_SOURCE && unit.kind !== "code" && !unit.isTitle,
    )
    .flatMap((ranked) => givenBy(question, sort, ranked))
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, MAX_GIVEN);
  return first === undefined ? undefined : { sort, given: [first, ...rest], all: own };
}

function givenBy(question: AskedQuestion, sort: Reading["sort"], ranked: RankedCandidate): Given[] {
  const { candidate } = ranked;
  const worth = worthOf(question, ranked);
  if (sort === "stance") return [{ candidate, worth, value: undefined, values: 0 }];
  const values = inAskedColumn(
    question,
    candidate,
    valuesIn(question, sort, candidate.unit.text, candidate.passage.language),
  );
  return values.map((value) => ({
    candidate,
    worth: worth + (countsWhatIsAsked(question, value) ? FITS : 0) - FAR * Math.min(1, farOf(candidate, value)),
    value,
    values: values.length,
  }));
}

/** Of the values in a row those count whose column's name says most of what is asked, where any says some of it. */
function inAskedColumn(
  question: AskedQuestion,
  { unit, passage }: Candidate,
  values: readonly Answer[],
): readonly Answer[] {
  if (unit.row === undefined || values.length < 2) return values;
  const { columns } = unit.row;
  const matcher = matcherOf(question, passage.language);
  const said = values.map(({ start }) => {
    const column = columns.findLast((name) => name !== "" && unit.text.lastIndexOf(`${name}: `, start) >= 0);
    return column === undefined ? 0 : shareOf(question, matcher.match(new Set(termsOf(column, passage.language))));
  });
  const most = Math.max(0, ...said);
  return values.filter((_, at) => said[at] === most);
}

/** In a table's row nothing is far from anything. */
function farOf({ unit }: Candidate, { distance }: Answer): number {
  return unit.row === undefined ? distance / FARTHEST : 0;
}

/** Which document search found first says nothing of which sentence answers. */
function worthOf(question: AskedQuestion, { candidate: { own, above, features }, score }: RankedCandidate): number {
  const { score: byScore, rank } = CANDIDATE_WEIGHTS;
  return score - byScore * features.score - rank * features.rank + OWN * shareOf(question, together(own, above));
}

/**
 * Whether two sources answer the same question differently: with another number, date, name or rule. An alarm that is
 * none costs trust in every other one, so it is told only where both sentences answer the question, speak of the same
 * thing as far as the question tells, and nothing else in either source agrees with the other.
 */
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { contradiction, type Differing } from "./contradiction.ts";
import { type Reading, readingsOf } from "./readings.ts";
import { samenessOf } from "./same.ts";
import { sortsFor } from "./values.ts";
import type { RankedCandidate } from "../weighing/ranking.ts";

/** What one source says where another says something else. */
export interface Statement {
  readonly candidate: Candidate;
  /** The words that differ, as they stand in the sentence. */
  readonly says: string;
}

/** Different answers of different sources. */
export interface Conflict {
  /** The newest first; those of unknown age last. */
  readonly statements: readonly Statement[];
}

/** More than so many sources are not told. */
const MAX_STATEMENTS = 4;

/** So much surer it has to be that two sources answer one question where none answers it for sure … */
const DOUBT = 0.5;
/** … and that a third one answers it as well. */
const FURTHER = 1;

/**
 * The different answers to a question.
 * @param candidates of all found documents, best first
 * @param isAnswered whether the best one answers it
 */
export function conflictOf(
  question: AskedQuestion,
  candidates: readonly RankedCandidate[],
  { isAnswered }: { readonly isAnswered: boolean },
): Conflict | undefined {
  for (const sort of sortsFor(question)) {
    const found = conflictAmong(question, differencesOf(question, candidates, sort), isAnswered ? 0 : DOUBT);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How the source that answers best and each other one differ, if they do, in values of a sort. */
export function differencesOf(
  question: AskedQuestion,
  candidates: readonly RankedCandidate[],
  sort: Reading["sort"],
): Differing[] {
  const [lead, ...others] = readingsOf(question, candidates, sort);
  return lead === undefined ? [] : others.flatMap((other) => contradiction(question, lead, other) ?? []);
}

function conflictAmong(
  question: AskedQuestion,
  differences: readonly Differing[],
  least: number,
): Conflict | undefined {
  const found = differences
    .map((differing) => ({ differing, sureness: samenessOf(question, differing) }))
    .toSorted((one, other) => other.sureness - one.sureness)
    .filter(({ sureness }, index) => sureness > (index === 0 ? least : least + FURTHER));
  const [first] = found;
  if (first === undefined) return undefined;
  const statements: Statement[] = [
    { candidate: first.differing.one.candidate, says: first.differing.says[0] },
    ...found.map(({ differing: { other, says } }) => ({ candidate: other.candidate, says: says[1] })),
  ];
  return {
    statements: statements.slice(0, MAX_STATEMENTS).toSorted((one, other) => ageOf(other) - ageOf(one)),
  };
}

function ageOf({ candidate }: Statement): number {
  const time = Date.parse(candidate.passage.evidence.source.document.updated_at ?? "");
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

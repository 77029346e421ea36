/** The sentence of each source that answers a question, and what it answers with. */
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { shareOf } from "../matching.ts";
import type { RankedCandidate } from "../ranking.ts";
import { CANDIDATE_WEIGHTS } from "../weights.ts";
import { type Answer, type Sort, valuesIn } from "./values.ts";

/** What one source answers. */
export interface Reading {
  readonly candidate: Candidate;
  readonly score: number;
  /** By how much the best candidate of all answers better by what it says, wherever search ranked its document. */
  readonly behind: number;
  /** The values of the sentence, that nearest to the question's words first. Of a question of yes or no: none. */
  readonly values: readonly Answer[];
  readonly sort: Sort | "stance";
  /** The other sentences of its source, as far as they say anything of the question. */
  readonly others: readonly RankedCandidate[];
}

/** So much worse than its source's best sentence may be the one that has a value; and than the best of all. */
const WORSE = { inSource: 3, inAll: 3.5 };
const MAX_SOURCES = 8;
/** A source of hundreds of passages is read no further than this. */
const MAX_READ = 16;
/** The sentence worth most is among so many first. */
const LEADING = 20;
const CLEARLY = 0.05;

/** One reading a source, best first; none where the best sentence of all is no such answer. */
export function readingsOf(
  question: AskedQuestion,
  candidates: readonly RankedCandidate[],
  sort: Reading["sort"],
): Reading[] {
  const most = candidates[0]?.score ?? 0;
  const worthiest = Math.max(...candidates.slice(0, LEADING).map(worthOf));
  const readings = [...Map.groupBy(candidates, ({ candidate }) => candidate.passage.evidence.source).values()]
    .slice(0, MAX_SOURCES)
    .flatMap((own) => readSource(question, sort, own, worthiest) ?? [])
    .toSorted((one, other) => other.score - one.score);
  return (readings[0]?.score ?? 0) < most - WORSE.inAll ? [] : readings;
}

function readSource(
  question: AskedQuestion,
  sort: Reading["sort"],
  own: readonly RankedCandidate[],
  worthiest: number,
): Reading | undefined {
  const best = own[0]?.score ?? 0;
  let found: Reading | undefined;
  for (const ranked of own.slice(0, MAX_READ)) {
    const { candidate, score } = ranked;
    if (score < best - WORSE.inSource) break;
    if (candidate.unit.kind === "code" || candidate.unit.isTitle) continue;
    const values = sort === "stance" ? [] : valuesIn(question, sort, candidate.unit.text, candidate.passage.language);
    if (sort !== "stance" && values.length === 0) continue;
    if (found !== undefined && !saysMore(question, candidate, found)) continue;
    found = { candidate, score, behind: worthiest - worthOf(ranked), values, sort, others: own };
  }
  return found;
}

/** Nearly every sentence has a name or affirms something: there the one that says more of the question counts. */
function saysMore(question: AskedQuestion, { own }: Candidate, { candidate, sort }: Reading): boolean {
  if (sort !== "stance" && sort !== "name") return false;
  return shareOf(question, own) > shareOf(question, candidate.own) + CLEARLY;
}

function worthOf({ candidate: { features }, score }: RankedCandidate): number {
  return score - CANDIDATE_WEIGHTS.score * features.score - CANDIDATE_WEIGHTS.rank * features.rank;
}

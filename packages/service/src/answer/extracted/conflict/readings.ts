/** The sentence of each source that answers a question, and what it answers with. */
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import type { Ranked } from "../ranking.ts";
import { CANDIDATE_WEIGHTS } from "../weights.ts";
import { shareOf } from "../matching.ts";
import { type Sort, type Answer, valuesIn } from "./values.ts";

/** What one source answers. */
export interface Reading {
  readonly candidate: Candidate;
  readonly score: number;
  /** By how much the best candidate of all scores better. */
  readonly behind: number;
  /** How well it answers by what it says, wherever search ranked its document. */
  readonly worth: number;
  /** The values of the sentence, that nearest to the question's words first. Of a question of yes or no: none. */
  readonly values: readonly Answer[];
  readonly sort: Sort | "stance";
  /** The other sentences of its source, as far as they say anything of the question. */
  readonly others: readonly Ranked[];
}

/** So much worse than its source's best sentence may be the one that has a value; and than the best of all. */
const WORSE = { inSource: 3, inAll: 3.5 };
const MAX_SOURCES = 8;

/** One reading a source, best first; none where the best sentence of all is no such answer. */
export function readingsOf(question: AskedQuestion, candidates: readonly Ranked[], sort: Reading["sort"]): Reading[] {
  const most = candidates[0]?.score ?? 0;
  const readings = [...Map.groupBy(candidates, ({ candidate }) => candidate.passage.evidence.source).values()]
    .slice(0, MAX_SOURCES)
    .flatMap((own) => readSource(question, sort, own, most) ?? [])
    .toSorted((one, other) => other.score - one.score);
  return (readings[0]?.score ?? 0) < most - WORSE.inAll ? [] : readings;
}

function readSource(question: AskedQuestion, sort: Reading["sort"], own: readonly Ranked[], most: number): Reading | undefined {
  const best = own[0]?.score ?? 0;
  let found: (Reading & { readonly share: number }) | undefined;
  for (const { candidate, score } of own) {
    if (score < best - WORSE.inSource) break;
    if (candidate.unit.kind === "code" || candidate.unit.isTitle) continue;
    const values =
      sort === "stance" ? [] : valuesIn(question, sort, candidate.unit.text, candidate.passage.language);
    if (sort !== "stance" && values.length === 0) continue;
    const share = shareOf(question, candidate.own);
    if (found === undefined || (share > found.share + 0.05 && (sort === "stance" || sort === "name"))) found = { candidate, score, behind: most - score, worth: worthOf(candidate, score), values, sort, share, others: own };
  }
  return found;
}

function worthOf({ features }: Candidate, score: number): number {
  return score - CANDIDATE_WEIGHTS.score * features.score - CANDIDATE_WEIGHTS.rank * features.rank;
}

/** The sentence of each source that answers a question, and what it answers with. */
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import type { Ranked } from "../ranking.ts";
import { type Sort, sortsFor, type Value, valuesIn } from "./values.ts";

/** What one source answers. */
export interface Reading {
  readonly candidate: Candidate;
  readonly score: number;
  /** The values of the sentence, that nearest to the question's words first. Of a question of yes or no: none. */
  readonly values: readonly Value[];
  readonly sort: Sort | "stance";
}

/** So much worse than its source's best sentence may be the one that has a value; and than the best of all. */
const WORSE = { inSource: 2, inAll: 3 };
const MAX_SOURCES = 8;

/** One reading a source, best first; none where the best sentence of all is no such answer. */
export function readingsOf(question: AskedQuestion, candidates: readonly Ranked[]): Reading[] {
  const most = candidates[0]?.score ?? 0;
  const bySource = [...Map.groupBy(candidates, ({ candidate }) => candidate.passage.evidence.source).values()];
  for (const sort of question.kind === "choice" ? (["stance"] as const) : sortsFor(question)) {
    const readings = bySource
      .slice(0, MAX_SOURCES)
      .flatMap((own) => readSource(question, sort, own) ?? [])
      .toSorted((one, other) => other.score - one.score);
    if (readings.length > 1 && (readings[0]?.score ?? 0) >= most - WORSE.inAll) return readings;
  }
  return [];
}

function readSource(question: AskedQuestion, sort: Reading["sort"], own: readonly Ranked[]): Reading | undefined {
  const best = own[0]?.score ?? 0;
  for (const { candidate, score } of own) {
    if (score < best - WORSE.inSource) return undefined;
    if (candidate.unit.kind === "code" || candidate.unit.isTitle) continue;
    if (sort === "stance") return { candidate, score, values: [], sort };
    const values = valuesIn(question, sort, candidate.unit.text, candidate.passage.language);
    if (values.length > 0) return { candidate, score, values, sort };
  }
  return undefined;
}

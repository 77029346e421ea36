/**
 * Whether newer documents say otherwise than a kept answer: by the rules by which sources of one answer differ, between the
 * kept answer and each of them alone. Plain data, so that it can be done in another thread.
 */
import type { AskedQuestion } from "../answer/extracted/asked.ts";
import { candidatesOf } from "../answer/extracted/candidates.ts";
import { contradiction, type Differing } from "../answer/extracted/conflict/contradiction.ts";
import { readingsOf } from "../answer/extracted/conflict/readings.ts";
import { samenessOf } from "../answer/extracted/conflict/same.ts";
import { sortsFor } from "../answer/extracted/conflict/values.ts";
import { type RankedCandidate, ranked } from "../answer/extracted/weighing/ranking.ts";
import type { Evidence } from "../answer/source.ts";
import { indexOf } from "../search/hosting/index-host.ts";
import type { Database } from "../store/sqlite/database.ts";

/** A kept answer and what was found for its question. */
export interface Compared {
  readonly question: AskedQuestion;
  readonly kept: readonly Evidence[];
  readonly others: readonly Evidence[];
}

/** What a document says otherwise. */
export interface Otherwise {
  /** Of the document. */
  readonly number: number;
  readonly says: string;
  readonly keptSays: string;
}

/** So sure it has to be that both answer the question. */
const LEAST_SURE = 0;

const THIS = new URL(import.meta.url);

/** Compares them in another thread, where the index of a database is worked with in one: it takes tens of milliseconds. */
export async function compareThere(db: Database, given: Compared): Promise<Otherwise[]> {
  const index = indexOf(db);
  return index.isElsewhere(false) ? index.run<Compared, Otherwise[]>(THIS, given) : work(given);
}

/** What each of the other documents says otherwise, if it does. Called where it is done. */
export function work({ question, kept, others }: Compared): Otherwise[] {
  const own = kept[0]?.source.number;
  const candidates = ranked(candidatesOf(question, [...kept, ...others]));
  const byDocument = Map.groupBy(candidates, ({ candidate }) => candidate.passage.evidence.source.number);
  const ofKept = byDocument.get(own) ?? [];
  if (ofKept.length === 0) return [];
  return [...byDocument].flatMap(([number, ofOther]): Otherwise[] => {
    if (number === own || number === undefined) return [];
    const differing = differenceOf(question, ofKept, ofOther);
    if (differing === undefined) return [];
    return [{ number, says: differing.other.candidate.unit.text, keptSays: differing.one.candidate.unit.text }];
  });
}

function differenceOf(
  question: AskedQuestion,
  ofKept: readonly RankedCandidate[],
  ofOther: readonly RankedCandidate[],
): Differing | undefined {
  for (const sort of sortsFor(question)) {
    const [one] = readingsOf(question, ofKept, sort);
    const [other] = readingsOf(question, ofOther, sort);
    if (one === undefined || other === undefined) continue;
    const differing = contradiction(question, one, other);
    if (differing !== undefined && samenessOf(question, differing) > LEAST_SURE) return differing;
  }
  return undefined;
}

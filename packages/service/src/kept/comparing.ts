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
import { readPassage } from "../answer/extracted/reading.ts";
import { type RankedCandidate, ranked, weighed } from "../answer/extracted/weighing/ranking.ts";
import type { Evidence } from "../answer/source.ts";
import { indexOf } from "../search/hosting/index-host.ts";
import type { Database } from "../store/sqlite/database.ts";
import { type KeptReading, type SignedSentence, signsOfPassage } from "./otherwise-signs.ts";
import { OTHERWISE_BIAS, OTHERWISE_WEIGHTS } from "./otherwise-weights.ts";

/** A kept answer and what was found for it. */
export interface Compared {
  readonly reading: KeptReading;
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
/** And so much of the question the other says, with what stands above it: among very many documents some always differ. */
const LEAST_SAID = 0.35;
/** And so sure that a sentence says that something has changed. */
const LEAST_CHANGED = 0.3;

const THIS = new URL(import.meta.url);

/** Compares them in another thread, where the index of a database is worked with in one: it takes tens of milliseconds. */
export async function compareThere(db: Database, given: Compared): Promise<Otherwise[]> {
  const index = indexOf(db);
  return index.isElsewhere(false) ? index.run<Compared, Otherwise[]>(THIS, given) : work(given);
}

/** What each of the other documents says otherwise, if it does. Called where it is done. */
export function work({ reading, kept, others }: Compared): Otherwise[] {
  const { question } = reading;
  const own = kept[0]?.source.number;
  const candidates = ranked(candidatesOf(question, [...kept, ...others]));
  const ofDocument = Map.groupBy(candidates, ({ candidate }) => candidate.passage.evidence.source.number);
  const passages = Map.groupBy(others, ({ source }) => source.number);
  return [...passages].flatMap(([number, evidence]): Otherwise[] => {
    if (number === own || number === undefined) return [];
    const differing = differenceOf(question, ofDocument.get(own) ?? [], ofDocument.get(number) ?? []);
    if (differing !== undefined) {
      return [{ number, says: differing.other.candidate.unit.text, keptSays: differing.one.candidate.unit.text }];
    }
    const changed = changeIn(reading, evidence);
    return changed === undefined ? [] : [{ number, ...changed }];
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
    if (differing === undefined || differing.other.candidate.features.above < LEAST_SAID) continue;
    if (samenessOf(question, differing) > LEAST_SURE) return differing;
  }
  return undefined;
}

/** The sentence of a document by which what is kept seems to have changed, if one is so sure. */
function changeIn(reading: KeptReading, evidence: readonly Evidence[]): Omit<Otherwise, "number"> | undefined {
  const sentences = evidence
    .flatMap((one) => signsOfPassage(reading, readPassage(one, reading.question.language)))
    .filter(({ signs }) => isOfOneThing(signs))
    .map(({ signs, text, closest }) => ({ sure: OTHERWISE_BIAS + weighed(signs, OTHERWISE_WEIGHTS), text, closest }));
  const [first] = sentences.toSorted((one, other) => other.sure - one.sure);
  if (first === undefined || first.sure <= LEAST_CHANGED) return undefined;
  return { says: first.text, keptSays: first.closest };
}

/**
 * So much of both, by weight, a sentence and what is around it has to say: of ten thousand documents some say of every kept
 * answer a little.
 */
const LEAST_MASS = 0.6;
const LEAST_OWN = 0.45;
const LEAST_ASKED = 0.35;
const LEAST_KEPT = 0.5;
const LEAST_KEPT_NEAR = 0.9;
const MAX_NAMELESS = 0.36;

function isOfOneThing(signs: SignedSentence["signs"]): boolean {
  const { mass, massNear, askedAbove, kept, keptNear, noName, change, end } = signs;
  if (change + end === 0 || mass < LEAST_OWN) return false;
  const isNear = askedAbove >= LEAST_ASKED || kept >= LEAST_KEPT || keptNear >= LEAST_KEPT_NEAR;
  return isNear && massNear >= LEAST_MASS && noName <= MAX_NAMELESS;
}

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
import { type RankedCandidate, ranked } from "../answer/extracted/weighing/ranking.ts";
import type { Evidence } from "../answer/source.ts";
import { indexOf } from "../search/hosting/index-host.ts";
import type { Database } from "../store/sqlite/database.ts";
import { LEAST_NEAR, type Nearest, nearestOf } from "./nearness.ts";
import { isOfOneThing, saysOtherwise } from "./otherwise.ts";
import { type KeptReading, type SignedSentence, signsOfPassage } from "./otherwise-signs.ts";

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

/** A document of which no rule tells that it says otherwise, and that may. */
export interface NearDocument extends Nearest {
  readonly number: number;
}

/** What comparing comes to. */
export interface Comparison {
  readonly otherwise: readonly Otherwise[];
  readonly near: readonly NearDocument[];
}

/** So sure it has to be that both answer the question. */
const LEAST_SURE = 0;
/** And so much of the question the other says, with what stands above it: among very many documents some always differ. */
const LEAST_SAID = 0.35;
/** And so much a sentence of it, where words may be said by others that name the same. */
const LEAST_SPOKEN_OF = 0.75;

const THIS = new URL(import.meta.url);

/** Compares them in another thread, where the index of a database is worked with in one: it takes tens of milliseconds. */
export async function compareThere(db: Database, given: Compared): Promise<Comparison> {
  const index = indexOf(db);
  return index.isElsewhere(false) ? index.run<Compared, Comparison>(THIS, given) : work(given);
}

/** What each of the other documents says otherwise, if it does, or how near it comes. Called where it is done. */
export function work({ reading, kept, others }: Compared): Comparison {
  const { question } = reading;
  const own = kept[0]?.source.number;
  const candidates = ranked(candidatesOf(question, [...kept, ...others]));
  const ofDocument = Map.groupBy(candidates, ({ candidate }) => candidate.passage.evidence.source.number);
  const passages = Map.groupBy(others, ({ source }) => source.number);
  const near: NearDocument[] = [];
  const told = [...passages].flatMap(([number, evidence]): Otherwise[] => {
    if (number === own || number === undefined) return [];
    const sentences = evidence.flatMap((one) => signsOfPassage(reading, readPassage(one, question.language)));
    const isSpokenOf = sentences.some(({ signs }) => isOfOneThing(signs) && signs.share >= LEAST_SPOKEN_OF);
    const differing = isSpokenOf
      ? differenceOf(question, ofDocument.get(own) ?? [], ofDocument.get(number) ?? [])
      : undefined;
    if (differing !== undefined) {
      return [{ number, says: differing.other.candidate.unit.text, keptSays: differing.one.candidate.unit.text }];
    }
    const otherwise = mostAbout(sentences.filter(({ signs }) => saysOtherwise(signs, question.kind)));
    if (otherwise !== undefined) return [{ number, says: otherwise.text, keptSays: otherwise.closest }];
    const nearest = nearestOf(sentences);
    if (nearest !== undefined && nearest.nearness >= LEAST_NEAR) near.push({ number, ...nearest });
    return [];
  });
  return { otherwise: told, near };
}

/** That of some sentences which says most of the question and of what is kept. */
function mostAbout(sentences: readonly SignedSentence[]): SignedSentence | undefined {
  const worth = ({ signs }: SignedSentence): number => signs.share + signs.mass;
  return sentences.toSorted((one, other) => worth(other) - worth(one))[0];
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

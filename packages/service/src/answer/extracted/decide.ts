/**
 * The answer without a model: what the found passages say to a question, or that they do not say it. Pure: the same
 * question over the same passages gives the same decision.
 */
import { type Evidence, type Source, sourcesOf } from "../source.ts";
import { answerFeatures, sureness } from "./weighing/answerable.ts";
import { type AskedQuestion, partsOf } from "./asked.ts";
import { type Candidate, candidatesOf, saidOf } from "./candidates.ts";
import { choose, type Quote } from "./choosing.ts";
import { type Closest, closestOf } from "./closest.ts";
import { type Conflict, conflictOf } from "./conflict/conflict.ts";
import { newestEditions } from "./editions.ts";
import { readPassage } from "./reading.ts";
import { type RankedCandidate, ranked } from "./weighing/ranking.ts";
import { type Shortcoming, shortcomingOf } from "./shortcoming.ts";

/** What was found out about a question. */
export type Decision =
  /** It is answered, in the sources' own words. */
  | {
      readonly state: "quote";
      readonly quotes: readonly Quote[];
      /** Sources that say different things about it. */
      readonly conflict: Conflict | undefined;
      /** Everything that is about it, best first. */
      readonly about: readonly Source[];
    }
  /** Nothing answers it for sure; these come closest, at most three sources. */
  | {
      readonly state: "closest";
      readonly closest: readonly Closest[];
      readonly why: Shortcoming;
      /** Two that answer alike and differently are told even so. */
      readonly conflict: Conflict | undefined;
    }
  | { readonly state: "nothing" };

/** A decision, and the evidence that is about the question at all. */
export interface Judgement {
  readonly decision: Decision;
  readonly relevant: ReadonlySet<Evidence>;
}

/**
 * Decides.
 * @param evidence what was found, best first
 */
export function decide(question: AskedQuestion, evidence: readonly Evidence[]): Decision {
  return judge(question, evidence).decision;
}

/** Decides, and tells what is about the question: both from reading everything once, which is most of the work. */
export function judge(question: AskedQuestion, evidence: readonly Evidence[]): Judgement {
  const candidates = ranked(candidatesOf(question, evidence));
  return {
    decision: decideAmong(question, evidence, candidates),
    relevant: new Set(about(candidates.map(({ candidate }) => candidate))),
  };
}

function decideAmong(
  question: AskedQuestion,
  evidence: readonly Evidence[],
  candidates: readonly RankedCandidate[],
): Decision {
  const reply = replyAmong(evidence);
  if (reply.length > 0) {
    const conflict = conflictOf(question, candidates, { isAnswered: true });
    const isOfReply = conflict?.statements.some(({ candidate }) => candidate.passage.evidence.isReply === true);
    return {
      state: "quote",
      quotes: reply,
      conflict: isOfReply === true ? conflict : undefined,
      about: sourcesOf([...reply, ...about(candidates.map(({ candidate }) => candidate))]),
    };
  }
  if (isAnswered(question, candidates, evidence)) {
    const quotes = choose(question, newestEditions(question, candidates));
    const conflict = conflictOf(question, candidates, { isAnswered: true });
    return {
      state: "quote",
      quotes,
      conflict,
      about: sourcesOf([...quotes, ...about(candidates.map(({ candidate }) => candidate))]),
    };
  }
  const parts = partsOf(question).flatMap((part) => answeredPart(part, evidence));
  if (parts.length > 0) {
    const quotes = [...Map.groupBy(parts, ({ source }) => source).values()].flat();
    return {
      state: "quote",
      quotes,
      conflict: undefined,
      about: sourcesOf([...quotes, ...about(candidates.map(({ candidate }) => candidate))]),
    };
  }
  const closest = closestOf(newestEditions(question, candidates), evidence);
  return closest.length === 0
    ? { state: "nothing" }
    : {
        state: "closest",
        closest,
        why: shortcomingOf(question, candidates),
        conflict: conflictOf(question, candidates, { isAnswered: false }),
      };
}

/** Characters after which a reply is long enough to be read at once. */
const MAX_REPLY = 600;

/** What somebody answered to a question that asks the same, from its beginning on. */
function replyAmong(evidence: readonly Evidence[]): Quote[] {
  const quotes: Quote[] = [];
  let length = 0;
  for (const one of evidence.filter(({ isReply }) => isReply === true)) {
    for (const { unit } of readPassage(one).units) {
      length += unit.text.length;
      if (quotes.length > 0 && length > MAX_REPLY) return quotes;
      quotes.push({ source: one.source, text: unit.text, kind: unit.kind });
    }
  }
  return quotes;
}

function isAnswered(
  question: AskedQuestion,
  candidates: readonly RankedCandidate[],
  evidence: readonly Evidence[],
): boolean {
  const features = answerFeatures(
    question,
    candidates,
    evidence.map(({ score }) => score),
  );
  return features !== undefined && (sureness(features) > 0 || isPlain(candidates[0]?.candidate));
}

/** The quotes that answer one of several questions asked at once. */
function answeredPart(part: AskedQuestion, evidence: readonly Evidence[]): Quote[] {
  const candidates = ranked(candidatesOf(part, evidence));
  return isAnswered(part, candidates, evidence) ? choose(part, newestEditions(part, candidates)) : [];
}

/** All of a question, but for what rounding takes. */
const WHOLE = 0.95;
/** A note of so few sentences is about one thing: what its best sentence leaves out, the one beside it says of the same. */
const FEW = 2;
const MUCH = 0.4;

/**
 * Whether it is plain without any other sign: a sentence, or a row with its columns, says all that is asked and a value of
 * the kind that is asked for; or a note of few sentences says all of it, much in one.
 */
function isPlain(candidate: Candidate | undefined): boolean {
  if (candidate === undefined) return false;
  const { features, unit, passage } = candidate;
  if (passage.units.length <= FEW && features.near >= WHOLE && features.share >= MUCH) return true;
  return (unit.row === undefined ? features.share : features.above) >= WHOLE && features.kind >= 0.5;
}

/** How much of a question a passage says that is about it, by weight. */
const ABOUT = 0.5;

/** The evidence that is about a question at all, in the order given. */
export function relevantTo(question: AskedQuestion, evidence: readonly Evidence[]): Evidence[] {
  const relevant = new Set(about(candidatesOf(question, evidence)));
  return evidence.filter((one) => relevant.has(one));
}

function about(candidates: readonly Candidate[]): Evidence[] {
  return candidates.filter((one) => saidOf(one) >= ABOUT).map(({ passage }) => passage.evidence);
}

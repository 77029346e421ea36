/**
 * The answer without a model: what the found passages say to a question, or that they do not say it. Pure: the same
 * question over the same passages gives the same decision.
 */
import { type Evidence, type Source, sourcesOf } from "../source.ts";
import { answerFeatures, sureness } from "./answerable.ts";
import type { AskedQuestion } from "./asked.ts";
import { candidatesOf, saidOf } from "./candidates.ts";
import { choose, type Quote } from "./choosing.ts";
import { type Closest, closestOf } from "./closest.ts";
import { type Conflict, conflictOf } from "./conflict.ts";
import { type Ranked, ranked } from "./ranking.ts";
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
  /** Nothing answers it; these come closest, at most three sources. */
  | { readonly state: "closest"; readonly closest: readonly Closest[]; readonly why: Shortcoming }
  | { readonly state: "nothing" };

/**
 * Decides.
 * @param evidence what was found, best first
 */
export function decide(question: AskedQuestion, evidence: readonly Evidence[]): Decision {
  const candidates = ranked(candidatesOf(question, evidence));
  const features = answerFeatures(
    question,
    candidates,
    evidence.map(({ score }) => score),
  );
  if (features !== undefined && sureness(features) > 0) {
    const quotes = choose(question, candidates);
    return {
      state: "quote",
      quotes,
      conflict: conflictOf(question, candidates),
      about: sourcesOf([...quotes, ...about(candidates)]),
    };
  }
  const closest = closestOf(candidates, evidence);
  return closest.length === 0
    ? { state: "nothing" }
    : { state: "closest", closest, why: shortcomingOf(question, candidates) };
}

/** How much of a question a passage says that is about it, by weight. */
const ABOUT = 0.5;

/** The evidence that is about a question at all, in the order given. */
export function relevantTo(question: AskedQuestion, evidence: readonly Evidence[]): Evidence[] {
  const relevant = new Set(about(ranked(candidatesOf(question, evidence))));
  return evidence.filter((one) => relevant.has(one));
}

function about(candidates: readonly Ranked[]): Evidence[] {
  return candidates
    .filter(({ candidate }) => saidOf(candidate) >= ABOUT)
    .map(({ candidate }) => candidate.passage.evidence);
}

/** Which of the ranked candidates are quoted: as many as it takes, and no more than can be read at a glance. */
import type { Source, Evidence } from "../source.ts";
import type { AskedQuestion } from "./asked.ts";
import { isBeyond } from "./bounds.ts";
import type { Candidate } from "./candidates.ts";
import { saysOtherNumber } from "./conflict/subject.ts";
import { shareOf, together } from "./matching.ts";
import type { Unit } from "./quotable.ts";
import type { RankedCandidate } from "./weighing/ranking.ts";

/** Something quoted from a source. */
export interface Quote {
  readonly source: Source;
  readonly text: string;
  readonly kind: Unit["kind"];
}

/** Sentences are quoted until so likely one of them answers: sooner, where that is more than is read at a glance. */
const LIKELY = 0.85;
const LIKELY_AND_LONG = 0.45;
/** Characters that are read at a glance. */
const GLANCE = 240;
/** A sentence that hardly answers is not quoted for the sake of completeness. */
const LEAST_LIKELY = 0.07;
/** … but where it says so much of the question which no quote before it says. */
const GAIN = 0.15;
const LEAST_SHARE = 0.3;
/** So much less than the best of its source a quote may score to be as good. */
const AS_GOOD = 0.5;
/** Where the best sentence does not answer, one of its passage mostly does: they count so much more than others … */
const SAME_PASSAGE = 1;
/** … and the next one once more: "This is called …". */
const NEXT = 0.7;
/** Characters after which an answer is long enough; the first quote may be longer. */
const MAX_CHARACTERS = 600;
const MAX_QUOTES = 4;
const MAX_ENTRIES = 8;

/**
 * The quotes of an answer, the likeliest source first, each source's together. More than one where it is not plain which
 * answers, or where one leaves open what another says.
 * @param candidates best first
 */
export function choose(question: AskedQuestion, candidates: readonly RankedCandidate[]): Quote[] {
  const [first] = candidates;
  if (first === undefined) return [];
  const likelihoods = likelihoodsOf(candidates);
  const chosen = [first];
  let length = first.candidate.unit.text.length;
  let likely = likelihoods[0] ?? 1;
  const likeliest = candidates
    .map((one, index) => ({ one, likelihood: likelihoods[index] ?? 0 }))
    .toSorted((one, other) => other.likelihood - one.likelihood);
  for (const { one, likelihood } of likeliest) {
    const { candidate } = one;
    if (chosen.length === MAX_QUOTES) break;
    if (chosen.some((other) => overlaps(candidate, other.candidate))) continue;
    const longer = length + candidate.unit.text.length;
    const enough = longer <= GLANCE ? LIKELY : LIKELY_AND_LONG;
    const isWorthIt = (likely < enough && likelihood >= LEAST_LIKELY) || addsMuch(question, candidate, chosen);
    if (!isWorthIt || longer > MAX_CHARACTERS || isLesserRow(one, first)) continue;
    if (isOfAnother(question, candidate, first.candidate)) continue;
    chosen.push(one);
    length = longer;
    likely += likelihood;
  }
  return withContext(bySource(chosen));
}

/** Another row of the same table is another case, unless it answers as well. */
function isLesserRow({ candidate, score }: RankedCandidate, best: RankedCandidate): boolean {
  return (
    candidate.unit.row !== undefined && candidate.passage === best.candidate.passage && score < best.score - AS_GOOD
  );
}

/** Whether a sentence has another number where the question and the best sentence have theirs: error 52 for error 41. */
function isOfAnother(question: AskedQuestion, { unit }: Candidate, best: Candidate): boolean {
  return saysOtherNumber(question, [unit.text]) && !saysOtherNumber(question, [best.unit.text]);
}

/** How likely each candidate is the answer, if one of them is. */
function likelihoodsOf(candidates: readonly RankedCandidate[]): number[] {
  const [best] = candidates;
  if (best === undefined) return [];
  const powers = candidates.map((one) => Math.exp(one.score - best.score + besideBest(one.candidate, best.candidate)));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

function besideBest({ passage, unit }: Candidate, best: Candidate): number {
  if (passage !== best.passage || unit === best.unit) return 0;
  return SAME_PASSAGE + (unit.index === best.unit.index + 1 ? NEXT : 0);
}

function addsMuch(question: AskedQuestion, candidate: Candidate, chosen: readonly RankedCandidate[]): boolean {
  if (candidate.features.share < LEAST_SHARE) return false;
  const said = together(...chosen.flatMap(({ candidate: { own, above } }) => [own, above]));
  return shareOf(question, together(said, candidate.own)) - shareOf(question, said) >= GAIN;
}

/** Whether one says nearly what the other says. What differs in a figure says something else. */
function overlaps(one: Candidate, other: Candidate): boolean {
  if (one.unit === other.unit) return true;
  if (figuresOf(one) !== figuresOf(other)) return false;
  const [these, those] = [new Set(one.read.terms), new Set(other.read.terms)];
  let shared = 0;
  for (const term of these) if (those.has(term)) shared++;
  return shared / Math.max(1, Math.min(these.size, those.size)) > 0.8;
}

function figuresOf({ read }: Candidate): string {
  return read.terms.filter((term) => /\p{N}/u.test(term)).join(" ");
}

/** What is quoted of one source stands together, the best source first; what is as good as its best, as it is written. */
function bySource(chosen: readonly RankedCandidate[]): Candidate[] {
  return [...Map.groupBy(chosen, ({ candidate }) => candidate.passage.evidence.source).values()].flatMap((quotes) => {
    const [best] = quotes;
    const isAsGood = ({ candidate, score }: RankedCandidate) =>
      candidate.passage === best?.candidate.passage && score >= best.score - AS_GOOD;
    const first = quotes
      .filter(isAsGood)
      .toSorted((one, other) => one.candidate.unit.index - other.candidate.unit.index);
    return [...first, ...quotes.filter((quote) => !isAsGood(quote))].map(({ candidate }) => candidate);
  });
}

/** Each with what it cannot be understood without, and nothing twice. */
function withContext(chosen: readonly Candidate[]): Quote[] {
  const quoted = new Map<Evidence, Set<number>>();
  return chosen.flatMap((candidate) => {
    const { evidence } = candidate.passage;
    const known = quoted.get(evidence) ?? new Set();
    quoted.set(evidence, known);
    return unitsAround(candidate)
      .filter(({ index }) => known.size < known.add(index).size)
      .map(({ text, kind }) => ({ source: evidence.source, text, kind }));
  });
}

/** A sentence, with what it cannot be understood without: the one before a "This …", the list after a colon. */
function unitsAround({ passage, unit }: Candidate): Unit[] {
  const units = passage.units.map((read) => read.unit);
  const taken = [unit];
  const before = units[unit.index - 1];
  if (
    unit.kind === "sentence" &&
    REFERS_BACK.test(unit.text) &&
    before?.kind === "sentence" &&
    before.heading === unit.heading
  ) {
    taken.unshift(before);
  }
  // "above: two founders" says above what one row earlier.
  if (unit.row !== undefined && before?.row !== undefined && isBeyond(unit.row.values)) taken.unshift(before);
  const after = units[unit.index + 1];
  if (unit.isTitle && after !== undefined) taken.push(after);
  if (/[:：]$/u.test(unit.text)) {
    for (const next of units.slice(unit.index + 1, unit.index + 1 + MAX_ENTRIES)) {
      if (next.kind === "sentence" || next.heading !== unit.heading) break;
      taken.push(next);
    }
  }
  return taken;
}

const REFERS_BACK = /^(this|that|these|those|it|they|he|she|such|then|however|otherwise|instead|both|also)\b/i;

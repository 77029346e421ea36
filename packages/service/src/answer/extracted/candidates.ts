/** The units of some evidence as answers to a question: what speaks for each, in figures. */
import { holds, momentsOf, polarityOf } from "@threadlore/language/meaning";
import { termsOf } from "@threadlore/language/stems";
import type { Evidence } from "../source.ts";
import type { AskedQuestion } from "./asked.ts";
import { ruleFor } from "./bounds.ts";
import { type Match, type Matcher, matcherOf, shareOf, together, shareWhere, weightWhere } from "./matching.ts";
import type { CandidateFeature, Features } from "./weighing/features.ts";
import type { Unit } from "./quotable.ts";
import { type PassageAsRead, readPassage, type ReadUnit } from "./reading.ts";

/** A unit that may answer. */
export interface Candidate {
  readonly passage: PassageAsRead;
  readonly read: ReadUnit;
  readonly unit: Unit;
  /** What it says itself, what stands above it, and what its whole passage says. */
  readonly own: Match;
  readonly above: Match;
  readonly around: Match;
  readonly features: Features<CandidateFeature>;
}

/** What says less of a question, with what stands above and beside it, answers it only by accident. */
const LEAST_SAID = 0.15;

/** Kinds an answer to which can be told from other text; what others ask for may be anything. */
const TELLING: ReadonlySet<string> = new Set(["number", "money", "duration", "time", "person", "place", "reason"]);

/**
 * The units of some evidence that say anything of what is asked. Left out is what cannot answer:
 * questions, sentences about another year than the one asked for, and what says nothing but the question's own words.
 */
export function candidatesOf(question: AskedQuestion, evidence: readonly Evidence[]): Candidate[] {
  const matchers = new Map<string | undefined, Matcher>();
  const byScore = evidence.toSorted((one, other) => other.score - one.score);
  return byScore.flatMap((one, rank) => {
    const passage = readPassage(one, question.language);
    let matcher = matchers.get(passage.language);
    if (matcher === undefined) matchers.set(passage.language, (matcher = matcherOf(question, passage.language)));
    return candidatesIn(question, matcher, passage, { score: one.score, rank: 1 / (1 + rank) });
  });
}

function candidatesIn(
  question: AskedQuestion,
  matcher: Matcher,
  passage: PassageAsRead,
  found: { readonly score: number; readonly rank: number },
): Candidate[] {
  const whole = matcher.match(passage.all);
  if (!whole.some((hit) => hit > 0)) return [];
  const title = matcher.match(passage.above);
  const hits = withRules(
    question,
    passage,
    passage.units.map(({ terms }) => matcher.match(new Set(terms))),
  );
  return passage.units.flatMap((read, index) => {
    const own = hits[index] ?? [];
    const above = together(title, matcher.match(read.above));
    const { unit } = read;
    const near = together(own, above, hits[index - 1] ?? [], hits[index + 1] ?? []);
    const withNear = shareOf(question, near);
    if (withNear < LEAST_SAID) return [];
    if (asks(unit) || isOfAnotherYear(question, passage, unit)) return [];
    const fresh = read.terms.filter((term) => matcher.wordOf(term) === undefined).length;
    if (fresh === 0 && repeats(question, unit, passage.language)) return [];
    const around = together(near, whole);
    const share = shareOf(question, own);
    const withAbove = shareOf(question, together(own, above));
    const all = shareOf(question, around);
    const isTelling = TELLING.has(question.kind);
    const held = holds(unit.text, question.kind, passage.language, question.said, question.about);
    const features = {
      share,
      above: withAbove,
      near: withNear,
      passage: all,
      noName: weightWhere(question.words, ({ isName }, at) => isName && (around[at] ?? 0) < 0.5) / question.total,
      noWord: missing(question, around),
      pairs: matcher.pairs.size === 0 ? 0 : pairsIn(read.terms, matcher) / matcher.pairs.size,
      close: closeness(read.terms, matcher),
      ...found,
      kind: isTelling ? held : 0,
      thing: isTelling ? 0 : held,
      noKind: isTelling && held < 0.3 ? 1 : 0,
      fresh: Math.min(1, fresh / 10),
      short: read.terms.length < 4 ? 1 : 0,
      long: read.terms.length > 30 ? 1 : 0,
      first: index === 0 ? 1 : 0,
      title: unit.isTitle ? 1 : 0,
      named: shareWhere(question, together(own, above), ({ isName }) => isName),
      told: shareWhere(question, own, ({ isName }) => !isName),
      toldNear: shareWhere(question, near, ({ isName }) => !isName),
      defines: defines(question, matcher, unit, passage.language) ? 1 : 0,
    };
    return [{ passage, read, unit, own, above, around, features }];
  });
}

/**
 * Whether a unit without other words than the question's says no more than it. Yes or no needs no others, and neither does
 * a denial: "They do not expire."
 */
function repeats({ kind }: AskedQuestion, unit: Unit, language: string | undefined): boolean {
  if (unit.kind !== "sentence" || unit.isTitle || kind === "choice") return false;
  return polarityOf(unit.text, language) !== "no";
}

/** A rule says the amount it is for, whichever amounts it names. */
function withRules(question: AskedQuestion, { units, language }: PassageAsRead, hits: readonly Match[]): Match[] {
  const rules = question.amounts.map((amount) => ({
    word: question.words.findIndex(({ word }) => word === String(amount.value)),
    unit: ruleFor(
      amount,
      units.map(({ unit }) => unit.text),
      language,
    ),
  }));
  return hits.map((own, at) => {
    const said = rules.filter(({ unit, word }) => unit === at && word >= 0).map(({ word }) => word);
    return said.length === 0 ? own : own.map((hit, word) => (said.includes(word) ? 1 : hit));
  });
}

/** The subject of a sentence that says what it is: "**Chart datum**: …", "A gauge is …". */
const DEFINED =
  /^[^\p{L}\p{N}]*(?:(?:the|an?|der|die|das|eine?|les?|la|une?|el|los|las|una)\s+)?([^:.,;]{1,60}?)[^\p{L}\p{N}]*(?::|：|\s[–—-]\s|\s(?:is|are|means?|stands? for|ist|sind|bedeutet|heißt|est|sont|signifie|désigne|es|son|significa)\s|とは|是指)/iu;

/** Whether what something is is asked, and the unit begins by saying what exactly this is. */
function defines(
  { kind, words }: AskedQuestion,
  matcher: Matcher,
  { text }: Unit,
  language: string | undefined,
): boolean {
  if (kind !== "definition") return false;
  const subject = DEFINED.exec(text.slice(0, 100))?.[1];
  if (subject === undefined) return false;
  const terms = termsOf(subject, language);
  return terms.length >= words.length && terms.every((term) => matcher.wordOf(term) !== undefined);
}

/** A question answers none. */
function asks({ text }: Unit): boolean {
  return /[?？؟\u037e]["'”’»）)\]]{0,3}$/u.test(text);
}

/** What happened in another year did not happen in this one, unless the passage is about this one after all. */
function isOfAnotherYear({ years }: AskedQuestion, { language, evidence }: PassageAsRead, { text }: Unit): boolean {
  if (years.size === 0) return false;
  const named = momentsOf(text, language).flatMap(({ year }) => (year === undefined ? [] : [year]));
  if (named.length === 0 || named.some((year) => years.has(year))) return false;
  const titles = momentsOf(`${evidence.source.title}\n${evidence.heading}`, language);
  return !titles.some(({ year }) => year !== undefined && years.has(year));
}

function missing({ words, total }: AskedQuestion, around: Match): number {
  return Math.max(0, ...words.map(({ weight }, index) => ((around[index] ?? 0) < 0.5 ? weight : 0))) / total;
}

function pairsIn(terms: readonly string[], { pairs }: Matcher): number {
  const own = new Set(terms.map((term, index) => `${terms[index - 1]} ${term}`));
  let held = 0;
  for (const pair of pairs) if (own.has(pair)) held++;
  return held;
}

/** Of the words it shares with the question, how many it says per word of the shortest stretch that says them all. */
function closeness(terms: readonly string[], matcher: Matcher): number {
  const places = terms.flatMap((term, at) => {
    const word = matcher.wordOf(term);
    return word === undefined ? [] : [{ at, word }];
  });
  const wanted = new Set(places.map(({ word }) => word)).size;
  if (wanted < 2) return 0;
  const counts = new Map<number, number>();
  let shortest = Number.POSITIVE_INFINITY;
  let first = 0;
  for (const { at, word } of places) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    while (counts.size === wanted) {
      const from = places[first++];
      if (from === undefined) break;
      shortest = Math.min(shortest, at - from.at + 1);
      const left = (counts.get(from.word) ?? 1) - 1;
      if (left === 0) counts.delete(from.word);
      else counts.set(from.word, left);
    }
  }
  return wanted / shortest;
}

/** How much of the question a candidate says with its passage, by weight. */
export function saidOf({ features }: Candidate): number {
  return features.passage;
}

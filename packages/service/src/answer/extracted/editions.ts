/** Editions of one document: where an old and a new one say the same sentence, the new one is quoted. */
import { termsOf } from "@threadlore/language/stems";
import type { AskedQuestion } from "./asked.ts";
import type { Candidate } from "./candidates.ts";
import type { RankedCandidate } from "./weighing/ranking.ts";

/** Sentences that are looked at for newer ones, the best first, and those that may be the newer ones. */
const LOOKED_AT = 12;
const AMONG = 48;
/**
 * Of the terms of both sentences, and of both titles, so many are the same. Figures do not count: they are what changes,
 * and so may one word that says one ("two", "three").
 */
const SAME_SENTENCE = 0.8;
const SAME_TITLE = 0.5;
const CHANGED = 1;
/** What shares fewer is alike by chance. */
const LEAST_SHARED = 3;
/** How much worse a newer one may answer. */
const WORSE = 1;

const NUMBER = /\p{N}/u;

/**
 * The candidates in order, where the newest edition of a sentence stands in the place of its older ones, which are left
 * out. Whoever asks with a figure may mean an older one: then all stay.
 */
export function newestEditions(
  { words }: AskedQuestion,
  candidates: readonly RankedCandidate[],
): readonly RankedCandidate[] {
  if (words.some(({ word }) => NUMBER.test(word))) return candidates;
  const among = candidates.slice(0, AMONG);
  const newer = new Map<RankedCandidate, RankedCandidate>();
  for (const one of among.slice(0, LOOKED_AT)) {
    const [newest] = among
      .filter((other) => other.score > one.score - WORSE && isNewerEdition(other.candidate, one.candidate))
      .toSorted((first, second) => changedAt(second.candidate) - changedAt(first.candidate));
    if (newest !== undefined) newer.set(one, newest);
  }
  if (newer.size === 0) return candidates;
  return [...new Set(candidates.map((one) => newer.get(one) ?? one))];
}

function isNewerEdition(one: Candidate, other: Candidate): boolean {
  const [source, before] = [one.passage.evidence.source, other.passage.evidence.source];
  if (source === before || one.unit.kind !== other.unit.kind || !(changedAt(one) > changedAt(other))) return false;
  return areOneSentence(wordsAlone(one.read.terms), wordsAlone(other.read.terms)) && areTitledAlike(one, other);
}

function areOneSentence(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = sharedOf(one, other);
  if (shared < LEAST_SHARED) return false;
  const changed = Math.max(one.size, other.size) - shared;
  return changed <= CHANGED || shared / (one.size + other.size - shared) >= SAME_SENTENCE;
}

/** Titles of figures alone are alike. */
function areTitledAlike(one: Candidate, other: Candidate): boolean {
  const [title, before] = [titleOf(one), titleOf(other)];
  const shared = sharedOf(title, before);
  return shared >= SAME_TITLE * (title.size + before.size - shared);
}

function titleOf({ passage: { evidence, language } }: Candidate): ReadonlySet<string> {
  return wordsAlone(termsOf(evidence.source.title, language));
}

function wordsAlone(terms: readonly string[]): ReadonlySet<string> {
  return new Set(terms.filter((term) => !NUMBER.test(term)));
}

function sharedOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of one) if (other.has(term)) shared++;
  return shared;
}

/** Milliseconds since 1970; not a number where it is not known, which is neither newer nor older. */
function changedAt({ passage: { evidence } }: Candidate): number {
  return Date.parse(evidence.source.document.updated_at ?? "");
}

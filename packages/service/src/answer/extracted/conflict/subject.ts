/** How far two sentences of different sources speak of the same thing, as far as a question and their words tell. */
import { momentsOf } from "@threadlore/language/meaning";
import type { AskedQuestion, QuestionWord } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { matcherOf } from "../matching.ts";

/** A match from here on says the word. */
const SAID = 0.6;
const NUMBER = /^[\p{N}.]+$/u;

/** A name; numbers are seen to apart, since they are written in many ways. */
function isNamed({ isName, word }: QuestionWord): boolean {
  return isName && !NUMBER.test(word);
}

function sharedTerms(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const term of one) if (other.has(term)) both++;
  return both;
}

/** What a sentence says of its own title that neither the question nor the other source says: it is about that. */
export function topicsOf(question: AskedQuestion, { read, passage }: Candidate, other: Candidate): number {
  const matcher = matcherOf(question, passage.language);
  return [...new Set(read.terms)].filter(
    (term) =>
      passage.above.has(term) &&
      !other.passage.all.has(term) &&
      !/\p{N}/u.test(term) &&
      !matcher.match(new Set([term])).some((hit) => hit > 0),
  ).length;
}

/** Titles that are alike but for what each is about: "Rates: Germany" and "Rates: France". */
export function areSiblings(question: AskedQuestion, one: Candidate, other: Candidate): boolean {
  const [first, second] = [titleOf(one), titleOf(other)];
  const both = sharedTerms(first, second);
  // What differs in a figure is as often another edition of the same.
  const areAlike = both > 0 && both * 2 >= Math.max(first.size, second.size) && both < first.size && both < second.size;
  return (
    areAlike && !(isToldOf(question, without(first, second), other) || isToldOf(question, without(second, first), one))
  );
}

/** Whether a sentence says itself what only the other's title says of the question: "Green Line", and a row of that line. */
function isToldOf(question: AskedQuestion, title: ReadonlySet<string>, { own, above, passage }: Candidate): boolean {
  const asked = matcherOf(question, passage.language).match(title);
  const isAsked = (hit: number) => hit >= SAID;
  return (
    asked.some(isAsked) &&
    asked.every((hit, index) => !isAsked(hit) || isAsked(Math.max(own[index] ?? 0, above[index] ?? 0)))
  );
}

function without(terms: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...terms].filter((term) => !others.has(term)));
}

function titleOf({ passage }: Candidate): Set<string> {
  return new Set([...passage.above].filter((term) => !/\p{N}/u.test(term)));
}

/** Whether a source never says a name of the question which another one says. One word of several will do for a name. */
export function lacksName({ words, language, years }: AskedQuestion, one: Candidate, other: Candidate): boolean {
  const isSaid = (index: number, { around }: Candidate) => (around[index] ?? 0) >= SAID;
  const isName = (index: number) => {
    const word = words[index];
    // German writes every noun like a name.
    return word !== undefined && isNamed(word) && (language !== "de" || /\p{N}/u.test(word.word));
  };
  return words.some(({ word }, index) => {
    if (!isName(index) || !isSaid(index, one) || isSaid(index, other)) return false;
    // Who writes in a year seldom says it.
    if (years.has(Number(word)) && isOfTime(years, other) === true) return false;
    const isOfName = (beside: number) => isName(beside) && isSaid(beside, other);
    return /\p{N}/u.test(word) || !(isOfName(index - 1) || isOfName(index + 1));
  });
}

/** Whether a source has another number where the question has one: version 3 for version 2, 2023 for 2024. */
export function isOfOtherNumber(question: AskedQuestion, candidate: Candidate): boolean {
  const { source, heading, text } = candidate.passage.evidence;
  const texts = [candidate.unit.text, `${source.title}\n${heading}`, text];
  return saysOtherNumber(question, texts) || isOfOtherYear(question, candidate);
}

/** Whether the first of some texts that has a number where the question has one has another. */
export function saysOtherNumber({ words }: AskedQuestion, texts: readonly string[]): boolean {
  return words.some(({ word }, index) => {
    if (!NUMBER.test(word)) return false;
    const beside = [words[index - 1], words[index + 1]].filter(
      (neighbour): neighbour is QuestionWord => neighbour !== undefined && !NUMBER.test(neighbour.word),
    );
    const found = texts.map((text) => beside.flatMap(({ written }) => numbersBeside(written, text)));
    const told = found.find((numbers) => numbers.length > 0);
    return told !== undefined && !told.includes(word);
  });
}

/** Whether a sentence and its title name other years than the question, or none, in a document of another time. */
function isOfOtherYear({ years }: AskedQuestion, candidate: Candidate): boolean {
  const { unit, passage } = candidate;
  const { evidence, language } = passage;
  if (years.size === 0) return false;
  const { title } = evidence.source;
  const named = momentsOf(`${title}\n${evidence.heading}\n${unit.text}`, language).flatMap(({ year }) => year ?? []);
  return named.length > 0 ? !named.some((year) => years.has(year)) : isOfTime(years, candidate) === false;
}

/** Whether a document was last changed about some years; undefined where it is not known when. */
function isOfTime(years: ReadonlySet<number>, { passage: { evidence } }: Candidate): boolean | undefined {
  const written = new Date(evidence.source.document.updated_at ?? Number.NaN).getUTCFullYear();
  return Number.isNaN(written) ? undefined : [...years].some((year) => Math.abs(year - written) <= 1);
}

/** The numbers right before or behind a word: "season 3", "2021 season", "third season". */
function numbersBeside(word: string, text: string): string[] {
  const name = String.raw`(?<![\p{L}\p{N}])${escaped(word)}(?![\p{L}\p{N}])`;
  const behind = new RegExp(String.raw`${name}[\s\p{Pd}]{1,3}(\p{N}+)(?![\p{L}.,:%]?\p{N})`, "giu");
  const before = new RegExp(String.raw`(?<![\p{N}.,:])(\p{N}+)[\s\p{Pd}]{1,3}${name}`, "giu");
  return [behind, before].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""));
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** Whether a source is titled by the other thing that it tells of, and another source by what is asked about. */
export function isTitledElse(question: AskedQuestion, one: Candidate, other: Candidate): boolean {
  const isAsked = (term: string) => matcherOf(question, one.passage.language).wordOf(term) !== undefined;
  const [first, second] = [titleOf(one), titleOf(other)];
  if (first.size === 0 || second.size === 0 || ![...second].every(isAsked) || [...first].some(isAsked)) return false;
  const told = new Set(one.passage.units.flatMap(({ unit, terms }) => (unit.isTitle ? [] : terms)));
  return [...first].every((term) => told.has(term)) && isNamedIn(question, other) && !isNamedIn(question, one);
}

/** Whether a sentence says a name of the question, or its title does. */
function isNamedIn({ words }: AskedQuestion, { own, above }: Candidate): boolean {
  return words.some((word, index) => isNamed(word) && Math.max(own[index] ?? 0, above[index] ?? 0) >= SAID);
}

/**
 * The answer without a model: which sentences of the found passages answer the question, and whether any does.
 * Pure: the same question over the same passages gives the same quotes.
 */
import { asked, expected, shareOf, type WeightedQuestion, wordingShare } from "./question.ts";
import type { Evidence, Source } from "../source.ts";
import { type Unit, unitsOf } from "./quotable.ts";

/** Something quoted from a source. */
export interface Quote {
  readonly source: Source;
  readonly text: string;
  readonly kind: Unit["kind"];
}

/**
 * How much of what a question asks must appear in one passage (with its title) and in the sentence quoted from it, by
 * weight. Below, the honest answer is that nothing was found. Measured in extract.test.ts on a small handbook: lower
 * values quote junk for unrelated questions, higher ones miss answers that word one thing differently.
 */
const PASSAGE_SHARE = 0.5;
const SENTENCE_SHARE = 0.3;
/** A further quote must be at least this good, measured on the best one. */
const RUNNER_UP_SHARE = 0.75;
/** … or this good, when it holds at least that part of the question which no quote before it holds. */
const PART_SHARE = 0.4;
const GAIN = 0.15;
/** What several sentences answer together counts less than what one sentence says by itself. */
const TOGETHER = 0.5;
/** A sentence stands before the most direct one of its passage only when it is nearly as good. */
const LEAD_SHARE = 0.85;
const MAX_QUOTES = 4;
const MAX_ENTRIES = 8;

/** A heading that says this much of what is asked lets the sentence below it answer without a word of the question. */
const HEADING_SHARE = 0.9;
/** A term of a title or heading says what a sentence below it is about, though less surely than the sentence itself. */
const ABOVE = 0.6;
/** What repeats the question's own wording speaks of the same thing, not only in the same words. */
const WORDING = 0.15;
/** What looks like a title repeats the question's words better than it answers them. */
const TITLE_FACTOR = 0.6;

/** Evidence that is about the question at all, in the order given. */
export function relevant(question: WeightedQuestion, evidence: readonly Evidence[]): Evidence[] {
  return evidence.filter((passage) => {
    const { source, heading, text } = passage;
    return shareOf(question, asked(question, `${source.title} ${heading} ${text}`)) >= PASSAGE_SHARE;
  });
}

/**
 * The quotes that answer a question; none when the evidence does not answer it. The passage whose sentences answer most
 * of the question comes first and its sentences stay together, the most direct one first. Others follow where they are
 * about as direct, or answer what was left open.
 */
export function extract(question: WeightedQuestion, evidence: readonly Evidence[]): Quote[] {
  const groups = relevant(question, evidence)
    .map((passage, rank) => groupOf(question, candidatesOf(question, passage, rank)))
    .filter((group) => group !== undefined)
    .toSorted((one, other) => other.score - one.score);
  const [best] = groups;
  if (best === undefined) return [];
  const chosen: Candidate[] = [];
  for (const { members } of groups) {
    for (const candidate of members) {
      if (chosen.length === MAX_QUOTES) break;
      if (chosen.length === 0 || isWorthAdding(question, candidate, chosen, best.lead)) chosen.push(candidate);
    }
  }
  return withContext(bySource(chosen));
}

/** The first sentences of some evidence, for questions about a text as a whole ("summarise this page"). */
export function opening(evidence: readonly Evidence[], sentences = 3): Quote[] {
  const quotes: Quote[] = [];
  for (const passage of evidence) {
    for (const unit of unitsOf(passage.text)) {
      if (quotes.length === sentences) return quotes;
      quotes.push({ source: passage.source, text: unit.text, kind: unit.kind });
    }
  }
  return quotes;
}

interface Candidate {
  readonly passage: Evidence;
  readonly units: readonly Unit[];
  readonly unit: Unit;
  /** What it says itself. */
  readonly terms: ReadonlySet<string>;
  /** What stands above it: title, headings, the names of columns. */
  readonly above: ReadonlySet<string>;
  readonly score: number;
}

function candidatesOf(question: WeightedQuestion, passage: Evidence, rank: number): Candidate[] {
  const units = unitsOf(passage.text);
  return units.flatMap((unit) => {
    const { terms, above } = termsFor(question, passage, unit);
    const share = shareOf(question, terms);
    // A block of code or a table's row rarely repeats what it is about; its heading, title and columns do.
    if (share < SENTENCE_SHARE && unit.kind === "sentence" && !isUnderAnswer(question, passage, unit)) return [];
    if (share === 0 && unit.kind !== "sentence" && unit.row === undefined) return [];
    const held = coverage(question, terms, above);
    if (held < SENTENCE_SHARE) return [];
    const fit = expected(question, unit.text) * lengthFactor(terms.size) * (unit.isTitle ? TITLE_FACTOR : 1);
    const score = ((held + WORDING * wordingShare(question, unit.text)) * fit) / (1 + 0.03 * rank);
    return [{ passage, units, unit, terms, above, score }];
  });
}

/** What a unit says itself, and what is said about it. A row that is about the question says its columns' names, too. */
function termsFor(question: WeightedQuestion, { source, heading }: Evidence, unit: Unit) {
  const around = `${source.title} ${heading} ${unit.heading}`;
  if (unit.row === undefined) return { terms: asked(question, unit.text), above: asked(question, around) };
  const values = asked(question, unit.row.values);
  const isAbout = shareOf(question, values) > 0;
  return isAbout
    ? { terms: asked(question, unit.text), above: asked(question, around) }
    : { terms: values, above: asked(question, `${around} ${unit.row.columns}`) };
}

/** Whether it opens the text below a heading that says all the question asks: "Home office" for "my home office?". */
function isUnderAnswer(question: WeightedQuestion, passage: Evidence, unit: Unit): boolean {
  if (unit.index > 0) return false;
  const heading = unit.heading === "" ? (passage.heading.split(" > ").at(-1) ?? "") : unit.heading;
  return heading !== "" && shareOf(question, asked(question, heading)) >= HEADING_SHARE;
}

/** How much of the question is said, by weight; what stands above counts less. */
function coverage(question: WeightedQuestion, terms: ReadonlySet<string>, above: ReadonlySet<string>): number {
  return shareOf(question, terms) + ABOVE * shareOf(question, above, terms);
}

/** Sentences of one passage, as written, the most direct one before those that are much less so. */
interface Group {
  readonly lead: Candidate;
  readonly members: readonly Candidate[];
  /** How well they answer the question together. */
  readonly score: number;
}

function groupOf(question: WeightedQuestion, candidates: readonly Candidate[]): Group | undefined {
  const [lead, ...others] = candidates.toSorted((one, other) => other.score - one.score);
  if (lead === undefined) return undefined;
  const members = [lead];
  for (const candidate of others) {
    if (isWorthAdding(question, candidate, members, lead)) members.push(candidate);
  }
  const said = coverage(question, lead.terms, lead.above);
  const together = coverage(question, new Set(members.flatMap(({ terms }) => [...terms])), lead.above);
  members.sort((one, other) => one.unit.index - other.unit.index);
  const direct = ({ score }: Candidate) => score >= lead.score * LEAD_SHARE;
  const ordered = [...members.filter(direct), ...members.filter((member) => !direct(member))];
  return { lead, members: ordered, score: lead.score * (1 + TOGETHER * (together / said - 1)) };
}

/** About as direct as the best there is, or an answer to what the quotes before it leave open; and no repetition. */
function isWorthAdding(
  question: WeightedQuestion,
  candidate: Candidate,
  chosen: readonly Candidate[],
  best: Candidate,
): boolean {
  if (chosen.some((other) => overlaps(candidate, other))) return false;
  if (candidate.score >= best.score * RUNNER_UP_SHARE) return true;
  return candidate.score >= best.score * PART_SHARE && gainOf(question, candidate, chosen) >= GAIN;
}

/** How much more of the question is said, by weight, once a sentence is added to the chosen ones. */
function gainOf(question: WeightedQuestion, candidate: Candidate, chosen: readonly Candidate[]): number {
  const above = new Set(chosen.flatMap((other) => [...other.above]));
  const said = new Set(chosen.flatMap(({ terms }) => [...terms]));
  return coverage(question, new Set([...said, ...candidate.terms]), above) - coverage(question, said, above);
}

function lengthFactor(terms: number): number {
  if (terms < 3) return 0.8;
  return terms > 40 ? 0.85 : 1;
}

/** Whether one says nearly what the other says. What differs in a figure says something else. */
function overlaps(one: Candidate, other: Candidate): boolean {
  if (one.passage === other.passage && one.unit.index === other.unit.index) return true;
  if (figuresOf(one) !== figuresOf(other)) return false;
  let shared = 0;
  for (const term of one.terms) if (other.terms.has(term)) shared++;
  return shared / Math.max(1, Math.min(one.terms.size, other.terms.size)) > 0.8;
}

function figuresOf({ terms }: Candidate): string {
  return [...terms].filter((term) => /\p{N}/u.test(term)).join(" ");
}

/** What is quoted of one source stands together, the best source first. */
function bySource(chosen: readonly Candidate[]): Candidate[] {
  return [...Map.groupBy(chosen, ({ passage }) => passage.source).values()].flat();
}

/** Each with what it cannot be understood without, and nothing twice. */
function withContext(chosen: readonly Candidate[]): Quote[] {
  const quoted = new Map<Evidence, Set<number>>();
  return chosen.flatMap((candidate) => {
    const known = quoted.get(candidate.passage) ?? new Set();
    quoted.set(candidate.passage, known);
    return unitsAround(candidate)
      .filter(({ index }) => known.size < known.add(index).size)
      .map(({ text, kind }) => ({ source: candidate.passage.source, text, kind }));
  });
}

/** A sentence, with what it cannot be understood without: the one before a "This …", the list after a colon. */
function unitsAround({ units, unit }: Candidate): Unit[] {
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
  const after = units[unit.index + 1];
  if (unit.isTitle && after !== undefined) taken.push(after);
  if (unit.text.endsWith(":")) {
    for (const next of units.slice(unit.index + 1, unit.index + 1 + MAX_ENTRIES)) {
      if (next.kind === "sentence" || next.heading !== unit.heading) break;
      taken.push(next);
    }
  }
  return taken;
}

const REFERS_BACK = /^(this|that|these|those|it|they|he|she|such|then|however|otherwise|instead|both|also)\b/i;

/** What two questions have in common and what not, as figures. */
import { nearness } from "./reading/near.ts";
import type { TermKind, Trait, Traits } from "./trait.ts";

/** What is known of a term from all questions so far. */
export interface Knowledge {
  /** How much it tells, from 0 to 1: less the more gaps speak of it. */
  rarityOf(term: string): number;
  /** Whether it was written as a name somewhere. */
  isName(term: string): boolean;
}

/** Figures of one pair of questions, in the order of `FEATURES`. */
export type Figures = readonly number[];

const KIND_WEIGHT: Readonly<Record<TermKind, number>> = {
  word: 1,
  plain: 0.2,
  aspect: 0.9,
  name: 1.3,
  place: 1.3,
  code: 1.6,
  number: 0.6,
  date: 0.5,
  year: 1,
};
/** What is told beside a question counts less. */
const ASIDE = 0.45;
/** Who asks for no more than this asks for what is told beside it. */
const LITTLE = 1.5;
/** Everyday words say less than others. */
const EVERYDAY = 0.8;
/** Two words that say the same are less surely meant alike than one word. */
const SAME_GROUP = 0.8;

/** What must agree. Numbers and dates stand in many a question beside what it asks. */
const MUST_AGREE: ReadonlySet<TermKind> = new Set(["name", "place", "code", "number", "date", "year"]);

interface Weighed {
  readonly trait: Trait;
  readonly kind: TermKind;
  readonly weight: number;
}

/** A question made ready to be compared with many. */
export interface Prepared {
  readonly traits: Traits;
  readonly terms: readonly Weighed[];
  readonly byTerm: ReadonlyMap<string, number>;
  readonly byGroup: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Weighs the terms of a question by what is known. */
export function prepared(traits: Traits, knowledge: Knowledge): Prepared {
  const alone = traits.terms.map((trait) => weighed(trait, knowledge));
  const asked = alone.reduce((sum, { trait, weight }) => sum + (trait.aside === true ? 0 : weight), 0);
  // "Who would that be?" leaves it to what was told before.
  const aside = asked < LITTLE ? 1 : ASIDE;
  const terms = alone.map((one) => (one.trait.aside === true ? { ...one, weight: aside * one.weight } : one));
  const byTerm = new Map(terms.map(({ trait }, at) => [trait.term, at]));
  const byGroup = new Map(terms.flatMap(({ trait }, at) => (trait.group === undefined ? [] : [[trait.group, at]])));
  return { traits, terms, byTerm, byGroup, total: terms.reduce((sum, { weight }) => sum + weight, 0) };
}

function weighed(trait: Trait, knowledge: Knowledge): Weighed {
  const kind = trait.kind === "word" && trait.group === undefined && knowledge.isName(trait.term) ? "name" : trait.kind;
  const everyday = trait.group === undefined ? 1 : EVERYDAY;
  return { trait, kind, weight: KIND_WEIGHT[kind] * everyday * knowledge.rarityOf(trait.group ?? trait.term) };
}

/** Which terms of two questions are the same: for each of the first the place in the other, and how surely. */
function matched(
  one: Prepared,
  other: Prepared,
): { readonly to: readonly number[]; readonly surely: readonly number[] } {
  const to = one.terms.map(({ trait }) => other.byTerm.get(trait.term) ?? -1);
  const surely: number[] = to.map((at) => (at < 0 ? 0 : 1));
  const taken = new Set(to);
  const match = (from: number, at: number, sure: number) => {
    to[from] = at;
    surely[from] = sure;
    taken.add(at);
  };
  for (const [from, { trait }] of one.terms.entries()) {
    if ((to[from] ?? -1) >= 0) continue;
    const at = trait.group === undefined ? undefined : other.byGroup.get(trait.group);
    if (at !== undefined && !taken.has(at)) match(from, at, SAME_GROUP);
    else if (trait.near !== undefined) {
      let best = -1;
      let surest = 0;
      for (const [place, candidate] of other.terms.entries()) {
        const sure = taken.has(place) ? 0 : nearness(trait.near, candidate.trait.near);
        if (sure > surest) [best, surest] = [place, sure];
      }
      if (best >= 0) match(from, best, surest);
    }
  }
  return { to, surely };
}

/** The figures of two questions. */
export function figuresOf(one: Prepared, other: Prepared): Figures {
  const { to, surely } = matched(one, other);
  let shared = 0;
  let exact = 0;
  let hard = 0;
  let aspects = 0;
  let words = 0;
  for (const [from, { weight, kind }] of one.terms.entries()) {
    const partner = other.terms[to[from] ?? -1];
    if (partner === undefined) continue;
    const sure = surely[from] ?? 0;
    const common = sure * Math.min(1, Math.sqrt(weight * partner.weight));
    shared += sure * Math.sqrt(weight * partner.weight);
    if (sure === 1) exact += common;
    if (sure === 1 && MUST_AGREE.has(kind)) hard += common;
    if (kind === "aspect") aspects += common;
    if (!MUST_AGREE.has(kind) && kind !== "plain") words += common;
  }
  const fits = balance(one.total, other.total);
  const less = fits * share(shared, Math.min(one.total, other.total));
  const left = unmatched(one, (at) => (to[at] ?? -1) >= 0);
  const back = new Set(to);
  const right = unmatched(other, (at) => back.has(at));
  return [
    share(shared, Math.sqrt(one.total * other.total)),
    less,
    share(shared, Math.max(one.total, other.total)),
    Math.log1p(fits * shared),
    hard,
    share(exact, shared),
    neighbours(to, surely),
    clash(left, right),
    lacking(left, right),
    Math.min(heaviest(left), heaviest(right)),
    aspects,
    aspects > 0 ? 0 : Math.min(heaviestAspect(left), heaviestAspect(right)),
    Math.max(heaviestAspect(left), heaviestAspect(right)),
    sameKind(one.traits, other.traits),
    otherKind(one.traits, other.traits),
    Number(one.traits.denies !== other.traits.denies),
    Number(one.traits.language !== other.traits.language),
    Number(words === 0 && shared > 0 && (hasWords(left) || hasWords(right))),
  ];
}

/** A question so many times as long as the other holds its words by chance: one that is full of words is alike to none. */
const MUCH_LONGER = 4;

function balance(one: number, other: number): number {
  const [short, long] = one < other ? [one, other] : [other, one];
  return long === 0 ? 1 : Math.min(1, (MUCH_LONGER * short) / long);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

function unmatched(question: Prepared, isMatched: (at: number) => boolean): Weighed[] {
  return question.terms.filter((_, at) => !isMatched(at));
}

/** How many terms that stand side by side in the one do so in the other. */
function neighbours(to: readonly number[], surely: readonly number[]): number {
  let pairs = 0;
  for (let at = 1; at < to.length; at++) {
    const before = to[at - 1] ?? -1;
    if (before >= 0 && (to[at] ?? -1) === before + 1) pairs += (surely[at - 1] ?? 0) * (surely[at] ?? 0);
  }
  return Math.log1p(pairs);
}

/** Each has something that must agree, and it does not: "form T-14" and "form T-15". */
function clash(left: readonly Weighed[], right: readonly Weighed[]): number {
  let most = 0;
  for (const one of left) {
    if (!MUST_AGREE.has(one.kind) || one.trait.aside === true) continue;
    for (const other of right) {
      if (other.trait.aside !== true && classOf(other.kind) === classOf(one.kind))
        most = Math.max(most, Math.min(one.weight, other.weight));
    }
  }
  return most;
}

/** Names and places are told apart by a capital letter at most. */
function classOf(kind: TermKind): string {
  return kind === "place" ? "name" : kind;
}

/** One names what the other does not: the heaviest of it. */
function lacking(left: readonly Weighed[], right: readonly Weighed[]): number {
  const hardest = (some: readonly Weighed[]) => heaviest(some.filter(({ kind }) => MUST_AGREE.has(kind)));
  return Math.max(hardest(left), hardest(right));
}

function hasWords(some: readonly Weighed[]): boolean {
  return some.some(({ kind }) => !MUST_AGREE.has(kind) && kind !== "plain");
}

function heaviestAspect(some: readonly Weighed[]): number {
  return heaviest(some.filter(({ kind }) => kind === "aspect"));
}

function heaviest(some: readonly Weighed[]): number {
  return some.reduce((most, { weight }) => Math.max(most, weight), 0);
}

/** What has an answer of its own kind: a question of another of these asks for something else. */
const OWN_KIND: ReadonlySet<string> = new Set(["number", "money", "duration", "time", "person", "place", "reason"]);

function sameKind(one: Traits, other: Traits): number {
  return Number(one.asked === other.asked && OWN_KIND.has(one.asked));
}

function otherKind(one: Traits, other: Traits): number {
  return Number(one.asked !== other.asked && OWN_KIND.has(one.asked) && OWN_KIND.has(other.asked));
}

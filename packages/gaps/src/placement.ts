import { type Prepared, prepared } from "./comparing.ts";
import type { GapFigure } from "./figures.ts";
import { type Candidate, gapFigures } from "./gap-figures.ts";
import { Postings } from "./postings.ts";
import { type Traits, TRAITS_VERSION } from "./trait.ts";
import { Vectors } from "./vectors.ts";
import { VECTOR_BIAS, VECTOR_WEIGHTS, WORD_BIAS, WORD_WEIGHTS } from "./weights.ts";

/** A question as it is compared. */
export interface ComparedQuestion {
  readonly traits: Traits;
  /** Of length 1, by an embedding model; those of one model alone are compared. */
  readonly vector?: Float32Array | undefined;
}

/** A question whose gap is known. */
export interface KnownQuestion<Gap> extends ComparedQuestion {
  readonly gap: Gap;
}

/** Where a question belongs. */
export interface Placed<Gap> {
  /** The gap it belongs to; undefined: it is the first of a new one. */
  readonly gap: Gap | undefined;
  /** Gaps that turn out to be the same one as `gap`: to be merged into it. */
  readonly also: readonly Gap[];
}

/** All questions whose gaps are known, made ready for the next one. */
export interface Placement<Gap> {
  /** How many questions it compares with. */
  readonly size: number;
  /** Adds a question to its gap; one whose traits are of another version is left out. */
  add(question: KnownQuestion<Gap>): void;
  /** Says where a question belongs, and adds nothing. */
  placeOf(question: ComparedQuestion): Placed<Gap>;
  /** All questions of a gap are of another one from now on. */
  merge(from: Gap, into: Gap): void;
  /** Forgets all questions of a gap. */
  forget(gap: Gap): void;
}

/** Makes a placement of questions whose gaps are known: 10,000 of them are no matter. */
export function createPlacement<Gap>(known: Iterable<KnownQuestion<Gap>> = []): Placement<Gap> {
  const placement = new Comparison<Gap>();
  for (const question of known) placement.add(question);
  return placement;
}

/** Questions of one gap that a new one is compared with: a gap may have hundreds, and most repeat the first ones. */
const MAX_MEMBERS = 24;
/** Gaps that are looked at closely, by words and by vectors. */
const BY_WORDS = 40;
const BY_VECTORS = 20;
/** More than this is of the gap, as log-odds. */
const ENOUGH = 0;
/** Two gaps are one where a question belongs to both so surely. */
const ENOUGH_TO_MERGE = 2;

interface OpenGap<Gap> {
  readonly gap: Gap;
  readonly members: Traits[];
  /** What was asked already, in the same words. */
  readonly asked: Set<string>;
  size: number;
}

class Comparison<Gap> implements Placement<Gap> {
  readonly #gaps = new Map<number, OpenGap<Gap>>();
  readonly #numbers = new Map<Gap, number>();
  readonly #postings = new Postings();
  #vectors: Vectors | undefined;
  #next = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ gap, traits, vector }: KnownQuestion<Gap>): void {
    if (traits.version !== TRAITS_VERSION) return;
    const number = this.#numberOf(gap);
    const open = this.#gaps.get(number) as OpenGap<Gap>;
    open.size++;
    this.#size++;
    if (vector !== undefined && vector.length > 0) {
      this.#vectors ??= new Vectors(vector.length);
      if (this.#vectors.size === vector.length) this.#vectors.add(number, vector);
    }
    const words = traits.terms.map(({ term }) => term).join(" ");
    if (open.asked.has(words) || open.members.length >= MAX_MEMBERS) return;
    open.asked.add(words);
    open.members.push(traits);
    this.#postings.count(number, traits, 1);
  }

  #numberOf(gap: Gap): number {
    const known = this.#numbers.get(gap);
    if (known !== undefined) return known;
    const number = this.#next++;
    this.#numbers.set(gap, number);
    this.#gaps.set(number, { gap, members: [], asked: new Set(), size: 0 });
    this.#postings.gaps = this.#gaps.size;
    return number;
  }

  placeOf(question: ComparedQuestion): Placed<Gap> {
    const [best, ...others] = this.likely(question);
    if (best === undefined || best.score <= ENOUGH) return { gap: undefined, also: [] };
    return { gap: best.gap, also: others.filter(({ score }) => score > ENOUGH_TO_MERGE).map(({ gap }) => gap) };
  }

  /** The gaps a question may be of, the likeliest first, as log-odds. */
  likely(question: ComparedQuestion): { readonly gap: Gap; readonly score: number }[] {
    const { scored } = this.figured(question);
    return scored.toSorted((one, other) => other.score - one.score);
  }

  /** The figures of a question with each gap it may be of. */
  figured({ traits, vector }: ComparedQuestion) {
    if (traits.version !== TRAITS_VERSION) return { scored: [] };
    const cosines =
      vector !== undefined && vector.length === this.#vectors?.size ? this.#vectors.cosinesOf(vector) : undefined;
    const nearest = [...(cosines ?? [])]
      .toSorted(([, one], [, other]) => other.best - one.best)
      .slice(0, BY_VECTORS)
      .map(([gap]) => gap);
    const numbers = [...new Set([...this.#postings.candidates(traits, BY_WORDS), ...nearest])];
    const gaps = numbers.flatMap((number) => this.#gaps.get(number) ?? []);
    const ready = (some: Traits): Prepared => prepared(some, this.#postings);
    const candidates = gaps.map(({ members }, at): Candidate => ({
      members: members.map(ready),
      cosines: cosines?.get(numbers[at] ?? -1),
    }));
    const base = cosines === undefined ? undefined : this.#vectors?.base();
    const figures = gapFigures(ready(traits), candidates, base);
    return {
      scored: gaps.map(({ gap }, at) => {
        const own = figures[at] as Readonly<Record<GapFigure, number>>;
        return { gap, figures: own, score: scoreOf(own, candidates[at]?.cosines !== undefined) };
      }),
    };
  }

  merge(from: Gap, into: Gap): void {
    const number = this.#numbers.get(from);
    if (number === undefined || from === into) return;
    const old = this.#gaps.get(number) as OpenGap<Gap>;
    const target = this.#numberOf(into);
    this.#vectors?.move(number, target);
    this.forget(from);
    for (const traits of old.members) this.add({ gap: into, traits });
    const open = this.#gaps.get(target) as OpenGap<Gap>;
    open.size += old.size - old.members.length;
    this.#size += old.size - old.members.length;
  }

  forget(gap: Gap): void {
    const number = this.#numbers.get(gap);
    if (number === undefined) return;
    const open = this.#gaps.get(number) as OpenGap<Gap>;
    for (const traits of open.members) this.#postings.count(number, traits, -1);
    this.#vectors?.move(number, -1);
    this.#numbers.delete(gap);
    this.#gaps.delete(number);
    this.#size -= open.size;
    this.#postings.gaps = this.#gaps.size;
  }
}

function scoreOf(figures: Readonly<Record<GapFigure, number>>, hasVectors: boolean): number {
  const weights: Readonly<Partial<Record<GapFigure, number>>> = hasVectors ? VECTOR_WEIGHTS : WORD_WEIGHTS;
  let score = hasVectors ? VECTOR_BIAS : WORD_BIAS;
  for (const [name, weight] of Object.entries(weights)) score += weight * figures[name as GapFigure];
  return score;
}

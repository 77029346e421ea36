import { type Prepared, prepared } from "./comparing.ts";
import type { GapFigure } from "./figures.ts";
import { type Candidate, gapFigures } from "./gap-figures.ts";
import { Postings } from "./postings.ts";
import { type ComparedQuestion, type KnownQuestion, MAX_MAYBE, type Placed, type Placement } from "./questions.ts";
import { type Traits, TRAITS_VERSION } from "./trait.ts";
import { Vectors } from "./vectors.ts";
import { MODEL, type Model, type Weights } from "./weights.ts";

/** Questions of one gap that a new one is compared with: a gap may have hundreds, and most repeat the first ones. */
const MAX_MEMBERS = 24;
/** Gaps that are looked at closely, by words and by vectors. */
const BY_WORDS = 40;
const BY_VECTORS = 20;
/** More than this is of the gap, as log-odds. */
const ENOUGH = 0;
/** More than this may be of the gap: who asked can tell. */
const MAYBE = -8;
/** Two gaps are one where a question belongs to both so surely. */
const ENOUGH_TO_MERGE = 2;

interface OpenGap<Gap> {
  readonly gap: Gap;
  readonly members: Traits[];
  /** What was asked already, in the same words. */
  readonly asked: Set<string>;
  size: number;
}

/** A placement that tells what it goes by, and by which weights. */
export class Comparison<Gap> implements Placement<Gap> {
  readonly #gaps = new Map<number, OpenGap<Gap>>();
  readonly #numbers = new Map<Gap, number>();
  readonly #postings = new Postings();
  readonly #model: Model;
  #vectors: Vectors | undefined;
  #next = 0;
  #size = 0;

  constructor(model: Model = MODEL) {
    this.#model = model;
  }

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
      if (this.#vectors.size === vector.length) this.#vectors.add(number, vector, traits.language);
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

  maybeOf(question: ComparedQuestion, but?: Gap): readonly Gap[] {
    const others = this.likely(question, but).filter(({ score }) => score > MAYBE);
    return others.slice(0, MAX_MAYBE).map(({ gap }) => gap);
  }

  /** The gaps a question may be of besides `but`, the likeliest first, as log-odds. */
  likely(question: ComparedQuestion, but?: Gap): { readonly gap: Gap; readonly score: number }[] {
    const { scored } = this.figured(question, but);
    return scored.toSorted((one, other) => other.score - one.score);
  }

  /** The figures of a question with each gap it may be of besides `but`. */
  figured({ traits, vector }: ComparedQuestion, but?: Gap) {
    if (traits.version !== TRAITS_VERSION) return { scored: [] };
    const cosines =
      vector !== undefined && vector.length === this.#vectors?.size ? this.#vectors.cosinesOf(vector) : undefined;
    const nearest = [...(cosines ?? [])]
      .toSorted(([, one], [, other]) => other.best - one.best)
      .slice(0, BY_VECTORS)
      .map(([gap]) => gap);
    const own = but === undefined ? undefined : this.#numbers.get(but);
    const numbers = [...new Set([...this.#postings.candidates(traits, BY_WORDS), ...nearest])].filter(
      (number) => number !== own,
    );
    const gaps = numbers.flatMap((number) => this.#gaps.get(number) ?? []);
    const ready = (some: Traits): Prepared => prepared(some, this.#postings);
    const candidates = gaps.map(({ members }, at): Candidate => ({
      members: members.map(ready),
      cosines: cosines?.get(numbers[at] ?? -1),
    }));
    const base = cosines === undefined ? undefined : this.#vectors?.base(traits.language);
    const figures = gapFigures(ready(traits), candidates, this.#model.pair, base);
    return {
      scored: gaps.map(({ gap }, at) => {
        const those = figures[at] as Readonly<Record<GapFigure, number>>;
        return { gap, figures: those, score: this.#scoreOf(those, candidates[at]?.cosines !== undefined) };
      }),
    };
  }

  /** Where an embedding model has read both, words count as part of what it says: alone they would join twins it tells apart. */
  #scoreOf(figures: Readonly<Record<GapFigure, number>>, isRead: boolean): number {
    return weighed(figures, isRead ? this.#model.vectors : this.#model.words);
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

function weighed(figures: Readonly<Record<GapFigure, number>>, { weights, bias }: Weights<GapFigure>): number {
  return Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * figures[name as GapFigure], bias);
}

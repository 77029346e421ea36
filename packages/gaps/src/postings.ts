import type { Knowledge } from "./comparing.ts";
import type { Trait, Traits } from "./trait.ts";

/** Terms that more gaps have than this lead to none of them, as long as rarer ones do. */
const MANY = 2_000;

/** Which gaps speak of what: gaps by number, numbers that are used again by nobody. */
export class Postings implements Knowledge {
  /** By term, group and spelling key: how many questions of which gap have it. */
  readonly #gapsOf = new Map<string, Map<number, number>>();
  /** By term: how many questions wrote it as a name. */
  readonly #names = new Map<string, number>();
  #gaps = 0;

  /** Counts a question, or takes it away again. */
  count(gap: number, traits: Traits, by: 1 | -1): void {
    for (const trait of traits.terms) {
      for (const key of keysOf(trait)) this.#countKey(key, gap, by);
      if (trait.kind === "name") this.#names.set(trait.term, (this.#names.get(trait.term) ?? 0) + by);
    }
  }

  /** How many gaps there are now. */
  set gaps(gaps: number) {
    this.#gaps = gaps;
  }

  #countKey(key: string, gap: number, by: 1 | -1): void {
    const gaps = this.#gapsOf.get(key) ?? new Map<number, number>();
    const questions = (gaps.get(gap) ?? 0) + by;
    if (questions > 0) gaps.set(gap, questions);
    else gaps.delete(gap);
    if (gaps.size > 0) this.#gapsOf.set(key, gaps);
    else this.#gapsOf.delete(key);
  }

  rarityOf(term: string): number {
    const gaps = this.#gapsOf.get(term)?.size ?? 0;
    const all = this.#gaps + FIRST;
    return Math.max(LEAST, Math.log(all / (gaps + 1)) / Math.log(all));
  }

  isName(term: string): boolean {
    return (this.#names.get(term) ?? 0) > 0;
  }

  /** The gaps that have most in common with a question, the likeliest first. */
  candidates(traits: Traits, most: number): number[] {
    const scores = new Map<number, number>();
    const keys = traits.terms.flatMap((trait) => {
      const weight = trait.kind === "plain" ? PLAIN : trait.aside === true ? ASIDE : 1;
      return keysOf(trait).map((key, at) => ({ key, weight: at === 0 ? weight : NEAR * weight }));
    });
    const found = keys
      .flatMap(({ key, weight }) => {
        const gaps = this.#gapsOf.get(key);
        return gaps === undefined ? [] : [{ gaps, weight: weight * this.rarityOf(key) }];
      })
      .toSorted((one, other) => one.gaps.size - other.gaps.size);
    for (const { gaps, weight } of found) {
      if (gaps.size > MANY && scores.size > 0) break;
      let left = MANY;
      for (const gap of gaps.keys()) {
        scores.set(gap, (scores.get(gap) ?? 0) + weight);
        if (--left === 0) break;
      }
    }
    return [...scores]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, most)
      .map(([gap]) => gap);
  }
}

/** Added to the number of gaps: among the first few nothing is told to be rare. */
const FIRST = 12;
const LEAST = 0.15;
const PLAIN = 0.2;
const ASIDE = 0.5;
const NEAR = 0.6;

/** By what a term is found. */
function keysOf({ term, group, near }: Trait): string[] {
  return [term, ...(group === undefined ? [] : [group]), ...(near ?? [])];
}

import type { Colour } from "./colours.ts";
import type { Box, Place } from "./place.ts";

/** Pixels of a page that are looked through together. */
const STRIP = 256;
/** Strips one thing is put into; what reaches through more is looked at everywhere. */
const MAX_STRIPS = 200;
/** Most of what is near a text that is looked at: so much in one place is a trick to keep the thread busy. */
const MAX_NEAR = 1_000;

/** One of these colours, or anything. */
export interface Ground {
  readonly colours: readonly Colour[];
  readonly anything: boolean;
}

/** Something that is painted. */
export interface Painted extends Ground {
  readonly place: Place;
}

/** What is painted, by the strips of the page it reaches into. */
export class Strips {
  readonly #strips = new Map<number, Painted[]>();
  readonly #tall: Painted[] = [];

  put(painted: Painted): void {
    const { top, bottom, width, height } = painted.place.box;
    if (width < 1 || height < 1) return;
    const [first, last] = [Math.floor(top / STRIP), Math.floor(bottom / STRIP)];
    if (last - first > MAX_STRIPS) this.#tall.push(painted);
    else for (let strip = first; strip <= last; strip++) this.#putInto(strip, painted);
  }

  #putInto(strip: number, painted: Painted): void {
    const there = this.#strips.get(strip);
    if (there === undefined) this.#strips.set(strip, [painted]);
    else there.push(painted);
  }

  /** What may be painted where a box is; of very much, what comes last and lies on top. */
  near({ top, bottom }: Box): readonly Painted[] {
    const [first, last] = [Math.floor(top / STRIP), Math.floor(bottom / STRIP)];
    if (first === last && this.#tall.length === 0) return (this.#strips.get(first) ?? []).slice(-MAX_NEAR);
    const found = new Set(this.#tall.slice(-MAX_NEAR));
    for (let strip = first; strip <= Math.min(last, first + MAX_STRIPS) && found.size <= MAX_NEAR; strip++) {
      for (const painted of (this.#strips.get(strip) ?? []).slice(-MAX_NEAR)) found.add(painted);
    }
    return [...found];
  }
}

/** Whether two boxes have a place in common. */
export const meet = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** What of a long page goes along with a question: where the page begins, what it is made of, and what answers. Pure. */
import { weighed } from "./weighing.ts";

/** A piece of a page: a paragraph, or a heading. */
export interface Piece {
  readonly text: string;
  /** Of a heading 1 to 6, the highest first; 0 of a paragraph. */
  readonly level: number;
}

/** What was kept, in the page's order, and whether a piece is the first after some that were not. */
export interface Excerpt<Kept extends Piece> {
  readonly text: string;
  readonly pieces: readonly Kept[];
  /** Characters that are missing. */
  readonly left: number;
}

/** Parts of a long page's room that its beginning and its headings get, whatever is asked. */
const BEGINNING = 0.2;
const HEADINGS = 0.12;

const GAP = "[…]";
/** Around a piece: the blank line after it, and a gap before it with its own. */
const APART = 2;
const GAP_LENGTH = GAP.length + APART;

/** Of a text whose pieces stand apart by blank lines. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length + APART, 0);
}

/** At most `room` characters of a text: all of it, or what its beginning, its headings and the question choose. */
export function excerptOf<Kept extends Piece>(pieces: readonly Kept[], question: string, room: number): Excerpt<Kept> {
  const whole = lengthOf(pieces);
  if (whole <= room) return { text: pieces.map(({ text }) => text).join("\n\n"), pieces, left: 0 };
  const kept = new Set<number>();
  // The last gap, should one be due.
  let used = GAP_LENGTH;
  const take = (at: number, most = room): boolean => {
    if (kept.has(at)) return true;
    const length = (pieces[at]?.text.length ?? 0) + APART + GAP_LENGTH;
    if (used + length > most) return false;
    used += length;
    kept.add(at);
    return true;
  };
  const continued = (most: number) => {
    for (const at of pieces.keys()) if (used >= most || !take(at)) return;
  };
  const ranked = weighed(pieces, question);
  const above = headingsAbove(pieces);
  if (ranked.length > 0) {
    continued(room * BEGINNING);
    const most = used + room * HEADINGS;
    for (const at of highestFirst(pieces)) if (!take(at, most)) break;
    for (const at of ranked) {
      const heading = above[at];
      if (take(at) && heading !== undefined) take(heading);
    }
  }
  // What is left over continues the beginning.
  continued(room);
  const [first] = pieces;
  if (kept.size === 0 && first !== undefined) {
    const piece = { ...first, text: first.text.slice(0, room).toWellFormed() };
    return { text: piece.text, pieces: [piece], left: whole - piece.text.length };
  }
  const chosen = pieces.filter((_, at) => kept.has(at));
  return { text: withGaps(pieces, kept), pieces: chosen, left: whole - lengthOf(chosen) };
}

/** Where the heading is that each piece stands below; undefined where there is none. */
function headingsAbove(pieces: readonly Piece[]): readonly (number | undefined)[] {
  let heading: number | undefined;
  return pieces.map(({ level }, at) => {
    const above = heading;
    if (level > 0) heading = at;
    return above;
  });
}

/** Where the headings are, the highest of the page first. */
function highestFirst(pieces: readonly Piece[]): number[] {
  const headings = pieces.flatMap(({ level }, at) => (level > 0 ? [{ level, at }] : []));
  return headings.toSorted((one, other) => one.level - other.level).map(({ at }) => at);
}

/** One mark for each run of pieces that were not kept. */
function withGaps(pieces: readonly Piece[], kept: ReadonlySet<number>): string {
  const written = pieces.flatMap(({ text }, at) => {
    if (kept.has(at)) return text;
    return at === 0 || kept.has(at - 1) ? GAP : [];
  });
  return written.join("\n\n");
}

/** How much the pieces of a page have to do with a question, by the page alone: what is rare in it tells most. Pure. */
import { eachWritten, likeness, plainForm } from "@threadlore/language";

/** What is weighed: a paragraph, or a heading, whose level is above 0. */
export interface Weighable {
  readonly text: string;
  readonly level: number;
}

/** So many words of a question count: what is longer is a text, and its beginning tells what it is about. */
const MAX_ASKED = 48;

/** What a heading says counts for what stands below it, and what a piece says for those beside it. */
const FROM_HEADING = 0.5;
const FROM_BESIDE = 0.2;
/** How much a word that is said again adds at most. */
const AGAIN = 0.3;
/** How much being longer than others takes away: of a long piece more is about other things. */
const FOR_LENGTH = 0.3;
/** No piece is thought shorter than so much of the usual one. */
const MIN_LENGTH = 0.3;

/** Two or three letters of an alphabet: an article or a question's "how" more often than a name. */
const SHORT_WORD = /^[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]{1,3}$/u;
const SHORT_WEIGHT = 0.5;

/** Where those pieces are that share a word with the question, the most telling first; none: they cannot be told apart. */
export function weighed(pieces: readonly Weighable[], question: string): number[] {
  const asked = askedIn(question);
  if (asked.length === 0) return [];
  const readings = readAll(pieces, asked);
  const weights = weightsOf(asked, readings);
  const usual = readings.reduce((sum, { length }) => sum + length, 0) / Math.max(1, readings.length);
  let heading: Reading | undefined;
  const own = pieces.map(({ level }, at) => {
    const reading = readings[at] ?? UNREAD;
    const above = heading;
    if (level > 0) heading = reading;
    const size = Math.max(MIN_LENGTH, reading.length / Math.max(1, usual));
    return saidBy(reading, above, weights) / (1 - FOR_LENGTH + FOR_LENGTH * size);
  });
  const scores = own.map((score, at) => score + FROM_BESIDE * Math.max(own[at - 1] ?? 0, own[at + 1] ?? 0));
  const scoreAt = (at: number) => scores[at] ?? 0;
  return [...scores.keys()].filter((at) => scoreAt(at) > 0).toSorted((one, other) => scoreAt(other) - scoreAt(one));
}

/** The different words of a question. */
function askedIn(question: string): string[] {
  const asked = new Set<string>();
  eachWritten(question, (written) => {
    const word = plainForm(written);
    if (word !== "" && asked.size < MAX_ASKED) asked.add(word);
  });
  return [...asked];
}

/** What was read of a piece. */
interface Reading {
  /** For each word that is asked how alike the word is that is most like it; undefined: it shares none. */
  readonly like: readonly number[] | undefined;
  /** How often each is said, by likeness. */
  readonly times: readonly number[];
  /** In words. */
  readonly length: number;
}

const UNREAD: Reading = { like: undefined, times: [], length: 0 };

function readAll(pieces: readonly Weighable[], asked: readonly string[]): Reading[] {
  const met = meetings(asked);
  return pieces.map(({ text }) => {
    let like: number[] | undefined;
    const times: number[] = [];
    let length = 0;
    eachWritten(text, (written) => {
      length += 1;
      for (const { at, likeness: alike } of met(written)) {
        like ??= asked.map(() => 0);
        like[at] = Math.max(like[at] ?? 0, alike);
        times[at] = (times[at] ?? 0) + alike;
      }
    });
    return { like, times, length };
  });
}

interface Meeting {
  /** Which word of the question it is. */
  readonly at: number;
  readonly likeness: number;
}

const NO_MEETINGS: readonly Meeting[] = [];
/** So many spellings are remembered before all are forgotten. */
const MAX_REMEMBERED = 50_000;

/** Which words of a question a spelling is like. A page repeats most of its words, so that each is compared once. */
function meetings(asked: readonly string[]): (written: string) => readonly Meeting[] {
  const known = new Map<string, readonly Meeting[]>();
  return (written) => {
    let found = known.get(written);
    if (found === undefined) {
      const word = plainForm(written);
      const all = asked.map((one, at) => ({ at, likeness: likeness(one, word) }));
      found = all.filter((one) => one.likeness > 0);
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(written, found.length === 0 ? NO_MEETINGS : found);
    }
    return found;
  };
}

/** How much each word of the question tells: the fewer pieces have it, the more. */
function weightsOf(asked: readonly string[], readings: readonly Reading[]): number[] {
  return asked.map((word, at) => {
    const holding = readings.reduce((sum, { like }) => sum + (like?.[at] ?? 0), 0);
    const rarity = Math.log(1 + (readings.length - holding + 0.5) / (holding + 0.5));
    return SHORT_WORD.test(word) ? SHORT_WEIGHT * rarity : rarity;
  });
}

/** How much of a question a piece says, with what its heading says for it. */
function saidBy({ like, times }: Reading, above: Reading | undefined, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => {
    const here = like?.[at] ?? 0;
    if (here === 0) return sum + weight * FROM_HEADING * (above?.like?.[at] ?? 0);
    const more = (times[at] ?? here) - here;
    return sum + weight * here * (1 + (AGAIN * more) / (1 + more));
  }, 0);
}

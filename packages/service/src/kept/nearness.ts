/**
 * How likely a document changes a kept answer, where no rule tells that it does: by how much one sentence of it says of the
 * question and of what is kept. Plain data, so that it can be done in another thread.
 */
import { setImmediate as turn } from "node:timers/promises";
import { readPassage } from "../answer/extracted/reading.ts";
import type { Evidence } from "../answer/source.ts";
import { indexOf } from "../search/hosting/index-host.ts";
import type { Database } from "../store/sqlite/database.ts";
import { type KeptReading, type OtherwiseSigns, type SignedSentence, signsOfPassage } from "./otherwise-signs.ts";

/** A document's passages, and the kept answers it may change. */
interface Near {
  readonly passages: readonly Evidence[];
  readonly readings: readonly KeptReading[];
}

/** How near a document comes to a kept answer, and the sentences of both that are to be read for it. */
export interface Nearest {
  /** 0 to 2.5; what is of something else stays below 1 nearly always. */
  readonly nearness: number;
  readonly says: string;
  readonly keptSays: string;
}

/** From here on it is worth a look of somebody: of fifty texts that are of something else, one or two come so near. */
export const LEAST_NEAR = 1;

/** What is kept counts less than its question: what changes it says something else in its place. */
const OF_KEPT = 0.5;

/** A sentence that says that something changed, or has another value, is the one to read. */
const TELLING = 0.2;

const nearness = ({ shareNear, mass, keptShare }: OtherwiseSigns): number => shareNear + mass + OF_KEPT * keptShare;

/** How much a sentence says itself, of those that stand beside each other. */
const saying = ({ ownShare, keptShare, isChange, isEnd, differs }: OtherwiseSigns): number =>
  ownShare + OF_KEPT * keptShare + (isChange || isEnd ? TELLING : 0) + (differs ? TELLING : 0);

const THIS = new URL(import.meta.url);

/**
 * Compares in another thread where the index of a database is worked with in one, a reading at a time, and here a passage at a
 * time: of a long document each reading takes tens of milliseconds, and other questions go between. As many results as readings.
 */
export async function nearestThere(db: Database, { passages, readings }: Near): Promise<(Nearest | undefined)[]> {
  const index = indexOf(db);
  const nearest: (Nearest | undefined)[] = [];
  for (const reading of readings) {
    if (index.isElsewhere(false)) {
      const given = { passages, readings: [reading] };
      nearest.push(...(await index.run<Near, (Nearest | undefined)[]>(THIS, given)));
      continue;
    }
    const sentences: SignedSentence[] = [];
    for (const passage of passages) {
      sentences.push(...signsOf(reading, passage));
      await turn();
    }
    nearest.push(nearestOf(sentences));
  }
  return nearest;
}

/** The same at once. Called where it is done. */
export function work({ passages, readings }: Near): (Nearest | undefined)[] {
  return readings.map((reading) => nearestOf(passages.flatMap((passage) => signsOf(reading, passage))));
}

const signsOf = (reading: KeptReading, passage: Evidence): SignedSentence[] =>
  signsOfPassage(reading, readPassage(passage, reading.question.language));

/** Of the sentences of a document the one to read for a kept answer, and how near it comes by any; undefined: it has none. */
export function nearestOf(sentences: readonly SignedSentence[]): Nearest | undefined {
  const [first] = sentences.toSorted((one, other) => saying(other.signs) - saying(one.signs));
  if (first === undefined) return undefined;
  const most = Math.max(...sentences.map(({ signs }) => nearness(signs)));
  return { nearness: most, says: first.text, keptSays: first.closest };
}

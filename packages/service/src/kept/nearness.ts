/**
 * How likely a document changes a kept answer, where no rule tells that it does: by how much one sentence of it says of the
 * question and of what is kept. Plain data, so that it can be done in another thread.
 */
import { readPassage } from "../answer/extracted/reading.ts";
import type { Evidence } from "../answer/source.ts";
import { indexOf } from "../search/hosting/index-host.ts";
import type { Database } from "../store/sqlite/database.ts";
import { type KeptReading, type OtherwiseSigns, signsOfPassage } from "./otherwise-signs.ts";

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

/** What is kept counts less than its question: what changes it says something else in its place. */
const OF_KEPT = 0.5;

/** A sentence that says that something changed, or has another value, is the one to read. */
const TELLING = 0.2;

const nearness = ({ shareNear, mass, keptShare }: OtherwiseSigns): number => shareNear + mass + OF_KEPT * keptShare;

/** How much a sentence says itself, of those that stand beside each other. */
const saying = ({ ownShare, keptShare, isChange, isEnd, differs }: OtherwiseSigns): number =>
  ownShare + OF_KEPT * keptShare + (isChange || isEnd ? TELLING : 0) + (differs ? TELLING : 0);

const THIS = new URL(import.meta.url);

/** Compares in another thread where the index of a database is worked with in one; as many results as readings. */
export async function nearestThere(db: Database, given: Near): Promise<(Nearest | undefined)[]> {
  const index = indexOf(db);
  return index.isElsewhere(false) ? index.run<Near, (Nearest | undefined)[]>(THIS, given) : work(given);
}

/** The same at once. Called where it is done. */
export function work({ passages, readings }: Near): (Nearest | undefined)[] {
  return readings.map((reading) => {
    const { language } = reading.question;
    const sentences = passages.flatMap((passage) => signsOfPassage(reading, readPassage(passage, language)));
    const [first] = sentences.toSorted((one, other) => saying(other.signs) - saying(one.signs));
    if (first === undefined) return undefined;
    const most = Math.max(...sentences.map(({ signs }) => nearness(signs)));
    return { nearness: most, says: first.text, keptSays: first.closest };
  });
}

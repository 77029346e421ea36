import { createHash } from "node:crypto";
import { folded } from "../folded.ts";
import type { AnswerTest } from "../test-model.ts";

/** Where tests are recorded from, in the order they are written in. */
export const RECORDED_FROM = ["good", "gaps", "kept", "pins"] as const;
export type RecordedFrom = (typeof RECORDED_FROM)[number];

/** A question that may become a test. */
export interface AskedQuestion {
  readonly from: RecordedFrom | "open";
  readonly ask: string;
  /** Names of documents, of which one has to be cited; empty: it has to say that nothing was found. */
  readonly cites: readonly string[];
}

/** A candidate with the id it has in every recording. */
export interface RecordedTest extends AskedQuestion {
  readonly id: string;
}

/** What a question is known by, whatever is recorded of it. */
const markOf = (ask: string): string => createHash("sha256").update(folded(ask)).digest("hex").slice(0, 12);

const ORDER: readonly AskedQuestion["from"][] = [...RECORDED_FROM, "open"];

/**
 * What is to be written of some candidates: each question once, by the first of the sources that has it, in an order that the
 * questions alone decide. What stands in the file is passed over, be it as a test, as a comment, or asked by a test of
 * somebody's own.
 * @param text of the file so far
 */
export function newTests(
  candidates: readonly AskedQuestion[],
  tests: readonly AnswerTest[],
  text: string,
): readonly RecordedTest[] {
  const known = new Set(tests.map(({ ask }) => markOf(ask)));
  const found = new Map<string, RecordedTest>();
  for (const from of ORDER) {
    for (const candidate of candidates.filter((one) => one.from === from)) {
      const ask = candidate.ask.toWellFormed().trim();
      const mark = markOf(ask);
      const before = found.get(mark);
      if (folded(ask) === "" || known.has(mark) || text.includes(`-${mark}`)) continue;
      // Of one source: whichever of them is cited will do. What another source knows of it is not needed.
      const cites = [...new Set([...(before?.from === from ? before.cites : []), ...candidate.cites])];
      if (before === undefined || before.from === from) {
        const first = before === undefined || ask < before.ask ? ask : before.ask;
        found.set(mark, { ...candidate, ask: first, cites: cites.toSorted(), id: `${from}-${mark}` });
      }
    }
  }
  const place = ({ from }: RecordedTest): number => ORDER.indexOf(from);
  return [...found.values()].toSorted((one, other) => place(one) - place(other) || (one.ask < other.ask ? -1 : 1));
}

import { join } from "node:path";
import { seededRandom } from "@threadlore/testkit";
import type { Document } from "../answers/collection.ts";
import type { Row } from "../report.ts";
import { withFolder } from "../with-folder.ts";
import { HandbookDesk, type HandbookTest, type Reported } from "./handbook-desk.ts";

/** What is done to the documents behind an answer, or to how it is asked for. */
const KINDS = ["deleted", "outdated", "swapped", "hidden", "out of a filter", "filter edited"] as const;
type Kind = (typeof KINDS)[number];

/** What a run says of each. */
const CAUSES: Readonly<Record<Kind, readonly string[]>> = {
  deleted: ["gone"],
  outdated: ["changed"],
  swapped: ["changed"],
  hidden: ["hidden"],
  "out of a filter": ["filtered"],
  "filter edited": ["settings"],
};

export const TOTAL = "all regressions";
export const UNCHANGED = "nothing changed";

/** What became of seeded regressions, a row for each kind; and of runs in which nothing was different. */
export interface Seeded {
  readonly rows: readonly Row[];
  /** What was not found, or not rightly named. */
  readonly missed: readonly string[];
}

interface Tally {
  seeds: number;
  found: number;
  named: number;
}

/**
 * Has tests of the handbook find so many regressions, one at a time, each put right before the next. In between, and after
 * the service was started anew and its index made again, the same tests are asked with nothing changed.
 * @param most tests that are asked in each run
 */
export function seedRegressions(count: number, most: number, onSeed?: (seed: number) => void): Promise<Seeded> {
  return withFolder(async (folder) => {
    const desk = await HandbookDesk.open(folder);
    try {
      const random = seededRandom(77);
      const baseline = join(folder, "baseline.json");
      const tests = await passing(desk, most);
      await desk.test(tests, { report: baseline });
      const tallies = new Map(KINDS.map((kind): [Kind, Tally] => [kind, { seeds: 0, found: 0, named: 0 }]));
      const missed: string[] = [];
      const unchanged = { runs: 0, alarms: 0 };
      const askUnchanged = async (): Promise<void> => {
        const alarmed = (await desk.test(tests, { since: baseline })).filter(isAlarmed);
        unchanged.runs += 1;
        unchanged.alarms += alarmed.length;
        for (const one of alarmed) missed.push(`nothing changed, and ${one.id} is ${one.outcome}: ${told(one)}`);
      };
      for (let seed = 0; seed < count; seed += 1) {
        onSeed?.(seed);
        const kind = KINDS[seed % KINDS.length] ?? "deleted";
        const test = pick(tests, random);
        const undo = await seeded(desk, kind, test, random);
        const reported = await desk.test(tests, {
          since: baseline,
          ...(kind === "filter edited" && { elsewhere: test.id }),
        });
        const tally = tallies.get(kind) ?? { seeds: 0, found: 0, named: 0 };
        const one = reported.find(({ id }) => id === test.id);
        const [cause] = one?.causes ?? [];
        const isFound = one !== undefined && isAlarmed(one);
        const isNamed =
          isFound &&
          CAUSES[kind].includes(cause?.kind ?? "") &&
          (kind === "filter edited" || undo.documents.some(({ title }) => title === cause?.title));
        tally.seeds += 1;
        tally.found += Number(isFound);
        tally.named += Number(isNamed);
        if (!isNamed)
          missed.push(`seed ${seed}, ${kind}, ${test.id}: ${one?.outcome}; ${one === undefined ? "" : told(one)}`);
        await undo.run();
        await askUnchanged();
      }
      await desk.restart();
      await askUnchanged();
      await desk.restart({ anew: true });
      await askUnchanged();
      return { rows: rowsOf(tallies, unchanged), missed };
    } finally {
      await desk.close();
    }
  });
}

const pick = <One>(list: readonly One[], random: () => number): One => list[Math.floor(random() * list.length)] as One;

/** Tests as somebody leaves them in a file: those that pass. */
async function passing(desk: HandbookDesk, most: number): Promise<HandbookTest[]> {
  const all = desk.questions();
  const passed = new Set((await desk.test(all)).filter(({ outcome }) => outcome === "passed").map(({ id }) => id));
  return all.filter(({ id }) => passed.has(id)).slice(0, most);
}

const isAlarmed = ({ outcome, before, causes }: Reported): boolean =>
  outcome !== "passed" ||
  (before === "passed" && causes.some(({ kind }) => !["uncited", "cited", "settings", "expectation"].includes(kind)));

const told = ({ causes }: Reported): string => causes.map(({ kind, title }) => `${kind} ${title ?? ""}`).join(", ");

/** Does one thing to the document of a test, and gives how it is put right. */
async function seeded(desk: HandbookDesk, kind: Kind, { document, gold }: HandbookTest, random: () => number) {
  const others = desk.documents.filter(({ id }) => id !== document.id);
  const other = pick(others, random);
  const documents: readonly Document[] = kind === "swapped" ? [document, other] : [document];
  switch (kind) {
    case "deleted":
      await desk.remove(document);
      break;
    case "outdated":
      await desk.put({ ...document, text: gold.reduce(outdated, document.text) });
      break;
    case "swapped":
      await desk.put({ ...document, text: other.text });
      await desk.put({ ...other, text: document.text });
      break;
    case "hidden":
      await desk.put(document, { pair: "closed" });
      await desk.remove(document);
      break;
    case "out of a filter":
      await desk.put(document, { area: "archive" });
      break;
    default:
  }
  await desk.settle();
  return {
    documents,
    run: async (): Promise<void> => {
      if (kind === "hidden") await desk.remove(document, "closed");
      for (const one of documents) await desk.put(one);
      await desk.settle();
    },
  };
}

/** A text as it was before: what answers a question has other numbers, or is not in it. */
function outdated(text: string, span: string): string {
  const before = span.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  return text.replaceAll(span, before === span ? "" : before);
}

function rowsOf(tallies: ReadonlyMap<Kind, Tally>, unchanged: { runs: number; alarms: number }): Row[] {
  const row = (name: string, { seeds, found, named }: Tally): Row => ({
    name,
    ours: true,
    figures: { seeded: seeds, found, "cause named": named },
  });
  const sum = (of: keyof Tally): number => [...tallies.values()].reduce((all, tally) => all + tally[of], 0);
  return [
    ...[...tallies].map(([kind, tally]) => row(kind, tally)),
    row(TOTAL, { seeds: sum("seeds"), found: sum("found"), named: sum("named") }),
    { name: UNCHANGED, ours: true, figures: { runs: unchanged.runs, "false alarms": unchanged.alarms } },
  ];
}

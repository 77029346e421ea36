import { seededRandom } from "@threadlore/testkit";
import type { Bar } from "../bars.ts";
import { columnsOf, type Column, type Group, type Row } from "../report.ts";
import { type Document, type Served, withCollection } from "./collection.ts";
import { publicSet } from "./public-sets.ts";
import { handbook, handbookQuestions, type Question } from "./sets.ts";
import { withTypos } from "./typos.ts";
import { askAll, percent, rowsByPart, rowsOfParts, type Verdict } from "./verdict.ts";

const COLUMNS: readonly Column[] = [
  { title: "no typo", digits: 0, of: "questions" },
  { title: "one", digits: 0, of: "questions" },
  { title: "two", digits: 0, of: "questions" },
  ...columnsOf({ "two %": 1, "two, % of no typo": 1, "two, closest": 0, "two, wrong": 0 }),
];

const NAME = "typos in a question, answered";
const HANDBOOK = "handbook-en direct";

/** 33 of 40, as many as correcting to the nearest word of the collection gave once. */
export const TYPO_BARS: readonly Bar[] = Object.values(rowsOfParts(HANDBOOK)).map((row) => ({
  group: NAME,
  row,
  column: "two %",
  least: 82.5,
}));

/** Questions of each public set. */
const OF_EACH = 40;
/** Public sets in scripts with a keyboard of one key for a letter. */
const PUBLIC = ["xquad-en", "xquad-de", "xquad-es", "xquad-ru"];

interface Typed {
  readonly question: Question;
  /** By the number of typos. */
  readonly verdicts: readonly Verdict[];
}

/** The same questions with no, one and two typos. */
export async function typoGroups(served: Served): Promise<Group[]> {
  const direct = handbookQuestions("handbook-en").filter(({ kind }) => kind === "direct");
  const rows = rowsByPart(HANDBOOK, await typed(served, HANDBOOK, handbook("en"), direct), figuresOf);
  for (const name of PUBLIC) {
    const set = publicSet(name);
    if (set === undefined) continue;
    const every = Math.max(1, set.questions.length / OF_EACH);
    const some = Array.from({ length: OF_EACH }, (_, index) => set.questions[Math.floor(index * every)]);
    const questions = some.filter((question) => question !== undefined);
    rows.push(...rowsByPart(name, await typed(served, name, set.documents, questions), figuresOf));
  }
  return [{ name: NAME, columns: COLUMNS, rows }];
}

function typed(
  served: Served,
  name: string,
  documents: readonly Document[],
  questions: readonly Question[],
): Promise<Typed[]> {
  console.error(`… typos: ${name}`);
  return withCollection(served, async (collection) => {
    await collection.add(documents);
    const verdicts: Verdict[][] = [];
    for (const count of [0, 1, 2]) {
      const random = seededRandom(7 + count);
      const asked = questions.map((question) => ({ ...question, q: withTypos(question.q, count, random) }));
      verdicts.push((await askAll(collection, asked, served)).map(({ verdict }) => verdict));
    }
    return questions.map((question, index) => ({
      question,
      verdicts: verdicts.map((list) => list[index] ?? "nothing"),
    }));
  });
}

function figuresOf(all: readonly Typed[]): Row["figures"] {
  const count = (typos: number, verdict: Verdict): number =>
    all.filter(({ verdicts }) => verdicts[typos] === verdict).length;
  const none = count(0, "answered");
  const two = count(2, "answered");
  return {
    questions: all.length,
    "no typo": none,
    one: count(1, "answered"),
    two,
    "two %": percent(two, all.length),
    ...(none > 0 && { "two, % of no typo": percent(two, none) }),
    "two, closest": count(2, "closest"),
    "two, wrong": count(2, "wrong"),
  };
}

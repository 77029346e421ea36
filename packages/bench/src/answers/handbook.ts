import type { Bar } from "../bars.ts";
import type { Group } from "../report.ts";
import { type Served, withCollection } from "./collection.ts";
import { realProse } from "./prose.ts";
import { handbook, handbookQuestions, type HandbookQuestion, LANGUAGES } from "./sets.ts";
import {
  ANSWER_COLUMNS,
  answeredFigures,
  askAll,
  type AskedQuestion,
  MAX_CHARACTERS,
  refusedFigures,
  rowsByPart,
  rowsOfParts,
} from "./verdict.ts";

const amongName = (others: number): string => `handbook among ${others.toLocaleString("en")} other passages`;

/** From so many other passages on there is much that looks like an answer: 36 of 40 direct questions, 16 of 20 refused. */
const HELD_FROM = 10_000;

/** What stands before the rows of what anybody asks. */
const PLAIN = "plain ";
const rowsOf = (kind: string): string[] =>
  ["", PLAIN].flatMap((before) => Object.values(rowsOfParts(`${before}${kind}`)));

/** What is held of the handbook among so many passages. */
export function handbookBars(others: readonly number[]): Bar[] {
  const held = others.filter((count) => count >= HELD_FROM).map(amongName);
  return held.flatMap((group) => [
    ...rowsOf("direct").flatMap((row) => [
      { group, row, column: "answered %", least: 90 },
      { group, row, column: "characters", most: MAX_CHARACTERS },
    ]),
    ...rowsOf("unanswerable").map((row) => ({ group, row, column: "refused %", least: 80 })),
  ]);
}

/** Questions to the English handbook, alone and among growing numbers of passages of other prose. */
export async function handbookGroups(served: Served, others: readonly number[]): Promise<Group[]> {
  const prose = await realProse(Math.max(...others));
  const questions = handbookQuestions("handbook-en");
  const plain = handbookQuestions("handbook-plain");
  return withCollection(served, async (collection) => {
    await collection.add(handbook("en"));
    const groups: Group[] = [];
    let added = 0;
    for (const count of others.filter((some) => some <= prose.length).toSorted((one, other) => one - other)) {
      await collection.add(prose.slice(added, count));
      added = count;
      console.error(`… ${amongName(count)}`);
      const asked = await askKinds(questions, (some) => askAll(collection, some, served));
      const askedPlain = await askKinds(plain, (some) => askAll(collection, some, served), PLAIN);
      groups.push(groupOf(amongName(count), new Map([...asked, ...askedPlain])));
    }
    return groups;
  });
}

/** Questions to handbooks in five languages: each by itself, and all of them in one service. */
export async function languageGroups(served: Served): Promise<Group[]> {
  const questions = [...handbookQuestions("handbook-everyday"), ...handbookQuestions("handbook-languages")];
  const alone = new Map<string, AskedQuestion[]>();
  for (const lang of LANGUAGES) {
    console.error(`… the handbook in ${lang}`);
    const some = questions.filter((question) => question.lang === lang);
    const asked = await withCollection(served, async (collection) => {
      await collection.add(handbook(lang));
      return askKinds(some, (one) => askAll(collection, one, served), `${lang} `);
    });
    for (const [name, list] of asked) alone.set(name, list);
  }
  console.error("… the handbooks in five languages");
  const together = await withCollection(served, async (collection) => {
    await collection.add(LANGUAGES.flatMap(handbook));
    const all = new Map<string, AskedQuestion[]>();
    for (const lang of LANGUAGES) {
      const some = questions.filter((question) => question.lang === lang);
      const asked = await askKinds(some, (one) => askAll(collection, one, served), `${lang} `);
      for (const [name, list] of asked) all.set(name, list);
    }
    return all;
  });
  return [groupOf("each handbook alone", alone), groupOf("five handbooks in one service", together)];
}

const KINDS = ["direct", "everyday", "unanswerable"] as const;

/** What is asked, by the names of the rows: each kind of question, after what stands `before`. */
export async function askKinds(
  questions: readonly HandbookQuestion[],
  ask: (some: readonly HandbookQuestion[]) => Promise<AskedQuestion[]>,
  before = "",
): Promise<Map<string, AskedQuestion[]>> {
  const asked = new Map<string, AskedQuestion[]>();
  for (const kind of KINDS) {
    const some = questions.filter((question) => question.kind === kind);
    if (some.length > 0) asked.set(`${before}${kind}`, await ask(some));
  }
  return asked;
}

/** A table of what was asked, a row for each kind of question and part of its set. */
export function groupOf(name: string, asked: ReadonlyMap<string, readonly AskedQuestion[]>): Group {
  const rows = [...asked].flatMap(([row, all]) =>
    rowsByPart(row, all, all.some(({ question }) => question.gold.length > 0) ? answeredFigures : refusedFigures),
  );
  return { name, columns: ANSWER_COLUMNS, rows };
}

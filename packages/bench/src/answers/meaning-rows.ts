import type { Bar } from "../bars.ts";
import type { Group } from "../report.ts";
import { type Document, type Served, withCollection } from "./collection.ts";
import { askKinds, groupOf } from "./handbook.ts";
import { startOracle } from "./oracle.ts";
import { handbook, handbookQuestions, type HandbookQuestion, LANGUAGES } from "./sets.ts";
import { askAll, type AskedQuestion, rowsOfParts } from "./verdict.ts";

const NAME = "with an embedding server";
/** Some models find any two texts this much alike. */
const ALIKE = 0.6;

/** 28 of 35. */
export const MEANING_BARS: readonly Bar[] = Object.values(rowsOfParts("en everyday")).map((row) => ({
  group: NAME,
  row,
  column: "answered or closest %",
  least: 80,
}));

/** Questions in other words than the text's, where an embedding server knows which passage is meant. */
export async function meaningGroups(served: Served): Promise<Group[]> {
  const english = handbookQuestions("handbook-en");
  const everyday = handbookQuestions("handbook-everyday");
  const groups: Group[] = [];
  for (const alike of [0, ALIKE]) {
    const name = `${NAME}, unlike texts at cosine ${alike}`;
    console.error(`… ${name}`);
    const asked = await askWith(served, english, handbook("en"), alike, "en ");
    const five = await askWith(served, everyday, LANGUAGES.flatMap(handbook), alike, "five languages, ");
    groups.push(groupOf(name, new Map([...asked, ...five])));
  }
  return groups;
}

async function askWith(
  served: Served,
  questions: readonly HandbookQuestion[],
  documents: readonly Document[],
  alike: number,
  before: string,
): Promise<Map<string, AskedQuestion[]>> {
  const oracle = await startOracle(questions, documents, { alike });
  try {
    const asked = await withCollection(
      { ...served, embeddings: { baseUrl: oracle.baseUrl, name: "oracle" } },
      async (collection) => {
        await collection.add(documents);
        return askKinds(questions, (some) => askAll(collection, some, served), before);
      },
    );
    if (oracle.unknown() > 0)
      console.error(`Of ${oracle.unknown()} questions the passage was not among those embedded.`);
    return asked;
  } finally {
    await oracle.close();
  }
}

import type { Bar } from "../bars.ts";
import { columnsOf, type Column, type Group, type Row } from "../report.ts";
import { type Document, type Reply, type Served, withCollection } from "./collection.ts";
import { placeOf } from "./gold.ts";
import { type DocumentPair, documentPairs } from "./sets.ts";
import { charactersOf, percent, rowsByPart, rowsOfParts } from "./verdict.ts";

const CONTRADICT = "documents that contradict, told";
const CONTROLS = "documents that only look so, told all the same";
const COLUMNS: readonly Column[] = [
  { title: "told", digits: 0, of: "questions" },
  ...columnsOf({ "told %": 1 }),
  { title: "both facts", digits: 0, of: "questions" },
  { title: "newer first", digits: 0, of: "told" },
  ...columnsOf({ characters: 0 }),
];
const WAYS = ["all in one service", "each pair alone"] as const;
type Way = (typeof WAYS)[number];
/** What stands before the rows of each set. */
const SETS = {
  contradictions: "",
  "contradictions-more": "short documents, ",
  "contradictions-company": "company documents, ",
} as const;
type SetName = keyof typeof SETS;
const NAMES = Object.keys(SETS) as SetName[];
const rowName = (set: SetName, way: Way): string => `${SETS[set]}${way}`;

/** To be told of what is no contradiction soon teaches people to look away. */
export const CONTRADICTION_BARS: readonly Bar[] = NAMES.flatMap((set) =>
  WAYS.flatMap((way) =>
    Object.values(rowsOfParts(rowName(set, way))).flatMap((row) => [
      { group: CONTRADICT, row, column: "told %", least: 60 },
      { group: CONTROLS, row, column: "told %", most: 5 },
    ]),
  ),
);

interface AskedQuestion {
  readonly question: DocumentPair;
  readonly reply: Reply;
}

/** Questions to which two documents say something, and whether one is told that they disagree. */
export async function contradictionGroups(served: Served): Promise<Group[]> {
  const rows: Record<typeof CONTRADICT | typeof CONTROLS, Row[]> = { [CONTRADICT]: [], [CONTROLS]: [] };
  for (const set of NAMES) {
    const pairs = documentPairs(set);
    if (pairs === undefined) continue;
    console.error(`… ${set}`);
    const asked = await askedOf(served, pairs);
    for (const way of WAYS) {
      for (const one of asked[way]) {
        if (isTold(one) !== one.question.contradicts)
          served.lost?.({ ...one, what: `${way}: ${isTold(one) ? "" : "not "}told` });
      }
      const some = (contradicts: boolean) => asked[way].filter(({ question }) => question.contradicts === contradicts);
      rows[CONTRADICT].push(...rowsByPart(rowName(set, way), some(true), figuresOf));
      rows[CONTROLS].push(...rowsByPart(rowName(set, way), some(false), figuresOf));
    }
  }
  return [CONTRADICT, CONTROLS].flatMap((name) => {
    const columns = name === CONTRADICT ? COLUMNS : COLUMNS.filter(({ of }) => of !== "told");
    const found = rows[name as keyof typeof rows];
    return found.length === 0 ? [] : [{ name, columns, rows: found }];
  });
}

async function askedOf(served: Served, pairs: readonly DocumentPair[]): Promise<Record<Way, AskedQuestion[]>> {
  const asked: Record<Way, AskedQuestion[]> = { "all in one service": [], "each pair alone": [] };
  await withCollection(served, async (collection) => {
    await collection.add(pairs.flatMap(documentsOf));
    for (const pair of pairs) asked[WAYS[0]].push({ question: pair, reply: await collection.ask(pair.q) });
  });
  for (const pair of pairs) {
    const reply = await withCollection(served, async (collection) => {
      await collection.add(documentsOf(pair));
      return collection.ask(pair.q);
    });
    asked[WAYS[1]].push({ question: pair, reply });
  }
  return asked;
}

function documentsOf({ id, documents }: DocumentPair): Document[] {
  return documents.map((document, index) => ({ ...document, id: idOf(id, index) }));
}

const idOf = (pair: string, index: number): string => `${pair}/${index}`;

function figuresOf(all: readonly AskedQuestion[]): Row["figures"] {
  const told = all.filter(isTold);
  return {
    questions: all.length,
    told: told.length,
    "told %": percent(told.length, all.length),
    "both facts": all.filter(holdsBoth).length,
    "newer first": told.filter(isNewerFirst).length,
    ...charactersOf(all.map(({ reply }) => reply)),
  };
}

/** Former versions say nothing of contradictions: to quote both documents is the most they can do. */
function isTold(asked: AskedQuestion): boolean {
  const { finding } = asked.reply;
  if (finding === undefined) return asked.reply.cited.length > 1 && holdsBoth(asked);
  return (finding.conflict ?? []).length > 0;
}

const factPlaces = ({ question, reply }: AskedQuestion): number[] =>
  question.facts.map((spans) => placeOf(reply.text, spans));

function holdsBoth(asked: AskedQuestion): boolean {
  return asked.reply.cited.length > 0 && factPlaces(asked).every((place) => place >= 0);
}

/** Whether the newer document is told first; where none is told of, whether its fact stands first in the answer. */
function isNewerFirst(asked: AskedQuestion): boolean {
  const [first = "", second = ""] = asked.question.documents.map(({ date }) => date);
  const newer = second > first ? 1 : 0;
  const [told] = asked.reply.finding?.conflict ?? [];
  if (told !== undefined) return told.document_id === idOf(asked.question.id, newer);
  const places = factPlaces(asked);
  return (places[newer] ?? -1) < (places[1 - newer] ?? -1);
}

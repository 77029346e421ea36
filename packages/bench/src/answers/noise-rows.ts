import type { Bar } from "../bars.ts";
import { columnsOf, type Column, type Group, type Row } from "../report.ts";
import { type Document, type Reply, type Served, withCollection } from "./collection.ts";
import { holdsAny } from "./gold.ts";
import { noiseQuestions, type NoiseQuestion } from "./sets.ts";
import { charactersOf, MAX_CHARACTERS, percent, rowsByPart, rowsOfParts } from "./verdict.ts";

/** How snippets reach the service: those of all questions together, those of one alone, or sent along with it. */
const WAYS = ["one service", "own service", "sent along"] as const;
type Way = (typeof WAYS)[number];

const COLUMNS: readonly Column[] = [
  ...WAYS.flatMap((way): Column[] => [
    { title: way, digits: 0, of: "questions" },
    { title: `${way} %`, digits: 1 },
  ]),
  ...columnsOf({ characters: 0 }),
];

const WRONG = "noise alone, refused";
const BOTH = "noise and what answers, answered";
const SETS = ["news-en", "noise-en", "noise-zh"];

/** Refusing must not be bought with answers: both are held. */
export const NOISE_BARS: readonly Bar[] = SETS.flatMap((name) =>
  Object.values(rowsOfParts(name)).flatMap((row) => [
    ...WAYS.map((way) => ({ group: WRONG, row, column: `${way} %`, least: 70 })),
    ...WAYS.map((way) => ({ group: BOTH, row, column: `${way} %`, least: 75 })),
    { group: BOTH, row, column: "characters", most: MAX_CHARACTERS },
  ]),
);

/** Whether a reply is as it should be. */
type Right = (reply: Reply, question: NoiseQuestion) => boolean;
const isRefused: Right = ({ cited }) => cited.length === 0;
const isAnswered: Right = ({ cited, text }, { gold }) => cited.length > 0 && holdsAny(text, gold);

interface AskedQuestion {
  readonly question: NoiseQuestion;
  readonly replies: Readonly<Record<Way, Reply>>;
}

/** Questions to snippets that look like answers and are none, without and with those that are. */
export async function noiseGroups(served: Served): Promise<Group[]> {
  const rows: Record<typeof WRONG | typeof BOTH, Row[]> = { [WRONG]: [], [BOTH]: [] };
  for (const name of SETS) {
    const questions = noiseQuestions(name);
    if (questions === undefined) continue;
    console.error(`… ${name}`);
    const noise = (question: NoiseQuestion): Document[] => snippetsOf(question, "wrong");
    const all = (question: NoiseQuestion): Document[] => [...noise(question), ...snippetsOf(question, "holds")];
    const wrong = await askAll(served, questions, noise, isRefused);
    rows[WRONG].push(...rowsByPart(name, wrong, (some) => figuresOf(some, isRefused)));
    const both = await askAll(served, questions, all, isAnswered);
    rows[BOTH].push(...rowsByPart(name, both, (some) => figuresOf(some, isAnswered)));
  }
  return [WRONG, BOTH].map((name) => ({ name, columns: COLUMNS, rows: rows[name as keyof typeof rows] }));
}

function snippetsOf(question: NoiseQuestion, which: "wrong" | "holds"): Document[] {
  return question[which].map(({ title, text }, index) => ({ id: `${question.id}/${which}-${index}`, title, text }));
}

async function askAll(
  served: Served,
  questions: readonly NoiseQuestion[],
  given: (question: NoiseQuestion) => Document[],
  right: Right,
): Promise<AskedQuestion[]> {
  return withCollection(served, async (collection) => {
    await collection.add(questions.flatMap(given));
    const asked: AskedQuestion[] = [];
    for (const question of questions) {
      const snippets = given(question);
      const own = await withCollection(served, async (small) => {
        await small.add(snippets);
        return small.ask(question.q);
      });
      const context = snippets.map(({ title, text }) => `${title}\n${text}`).join("\n\n");
      const along = { additional_context: context, allowed_tool_ids: [] };
      const replies = {
        "one service": await collection.ask(question.q),
        "own service": own,
        "sent along": await collection.ask(question.q, along),
      };
      asked.push({ question, replies });
      for (const way of WAYS) {
        if (!right(replies[way], question)) served.lost?.({ question, what: way, reply: replies[way] });
      }
    }
    return asked;
  });
}

function figuresOf(all: readonly AskedQuestion[], right: Right): Row["figures"] {
  const counts = WAYS.map(
    (way) => [way, all.filter(({ question, replies }) => right(replies[way], question)).length] as const,
  );
  return {
    questions: all.length,
    ...Object.fromEntries(counts),
    ...Object.fromEntries(counts.map(([way, count]) => [`${way} %`, percent(count, all.length)])),
    ...charactersOf(all.map(({ replies }) => replies["one service"])),
  };
}

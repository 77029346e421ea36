import { type ContextPage, pageContext } from "@threadlore/documents";
import { type Bar, missedOf } from "../bars.ts";
import { cpuMs, median } from "../measure.ts";
import type { Column, Group, Outcome, Row } from "../report.ts";
import { type AskedPage, longPages, type PageQuestion } from "./long-pages.ts";
import { unweighted } from "./unweighted.ts";

const HELD = "passage sent";
const ASKED = "asked";
const PERCENT = "percent";
const COLUMNS: readonly Column[] = [
  { title: HELD, digits: 0, of: ASKED },
  { title: PERCENT, digits: 1 },
];
const OURS = "threadlore";
const PEER = "paragraphs that share most words";
const MS = "ms";

const LOOKED_AT = "looked at";
const KEPT_BACK = "kept back";

/** 34 of 36 questions, and a few milliseconds for a page of 79,000 characters. */
const BARS: readonly Bar[] = [
  ...[LOOKED_AT, KEPT_BACK].map((part) => ({ group: part, row: OURS, column: PERCENT, least: (100 * 34) / 36 })),
  { group: "time", row: "79,000 characters", column: MS, most: 30 },
  { group: "time", row: "2,000,000 characters", column: MS, most: 500 },
];

/** How much is measured. */
export interface ExcerptSize {
  /** Characters that may go along with a question. */
  readonly budget: number;
  /** One of so many questions is asked. */
  readonly every: number;
  /** Lengths of pages whose time is measured, in characters. */
  readonly timed: readonly number[];
  readonly rounds: number;
}

/** Whether what goes along of a long page holds the passage asked for, beside a choice by words that are not weighed. */
export async function benchExcerpt({ budget, every, timed, rounds }: ExcerptSize): Promise<Outcome> {
  const pages = longPages().map(({ page, questions }) => ({
    page,
    questions: questions.filter((_, index) => index % every === 0),
  }));
  const groups = [
    partGroup(pages, budget, LOOKED_AT, "looked-at"),
    partGroup(pages, budget, KEPT_BACK, "frozen"),
    ...languageGroups(pages, budget),
    await timeGroup(pages, budget, { timed, rounds }),
  ];
  return { groups, missed: missedOf(groups, BARS) };
}

type Chooser = (page: ContextPage, question: string, budget: number) => string;

const CHOOSERS: Readonly<Record<string, Chooser>> = {
  [OURS]: (page, question, budget) => pageContext([page], question, { budget }).text,
  [PEER]: unweighted,
};

function rowsOf(pages: readonly AskedPage[], budget: number, counts: (question: PageQuestion) => boolean): Row[] {
  return Object.entries(CHOOSERS).map(([name, choose]) => {
    const outcomes = pages.flatMap(({ page, questions }) =>
      questions.filter(counts).map(({ q, gold }) => {
        const text = oneLine(choose(page, q, budget));
        return gold.some((span) => text.includes(span));
      }),
    );
    const held = outcomes.filter(Boolean).length;
    const figures = { [HELD]: held, [ASKED]: outcomes.length, [PERCENT]: (100 * held) / outcomes.length };
    return { name, ours: name === OURS, figures };
  });
}

/** Columns of tables are padded in some texts. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ");

function partGroup(pages: readonly AskedPage[], budget: number, name: string, part: PageQuestion["part"]): Group {
  return { name, columns: COLUMNS, rows: rowsOf(pages, budget, (question) => question.part === part) };
}

function languageGroups(pages: readonly AskedPage[], budget: number): Group[] {
  const languages = new Set(pages.flatMap(({ questions }) => questions.map(({ lang }) => lang)));
  return [...languages].map((lang) => ({
    name: `in ${lang}`,
    columns: COLUMNS,
    rows: rowsOf(pages, budget, (question) => question.lang === lang),
  }));
}

/** Of the script that takes longest: characters without blanks. */
async function timeGroup(
  pages: readonly AskedPage[],
  budget: number,
  { timed, rounds }: Pick<ExcerptSize, "timed" | "rounds">,
): Promise<Group> {
  const rows: Row[] = [];
  const asked = pages.find(({ questions }) => questions.some(({ lang }) => lang === "zh"));
  const [question] = asked?.questions ?? [];
  if (asked === undefined || question === undefined) throw new Error("There is no page in Chinese.");
  for (const characters of timed) {
    const page = repeated(asked.page, characters);
    const times: number[] = [];
    // The first ones warm up.
    for (let round = 0; round < 2 * rounds; round += 1) {
      times.push(await cpuMs(() => pageContext([page], question.q, { budget })));
    }
    const name = `${characters.toLocaleString("en")} characters`;
    rows.push({ name, ours: true, figures: { [MS]: median(times.slice(rounds)) } });
  }
  return { name: "time, Chinese and English", columns: [{ title: MS, digits: 1 }], rows };
}

/** A page again and again, up to a length. */
function repeated(page: ContextPage, characters: number): ContextPage {
  const once = page.parts.reduce((sum, { text }) => sum + text.length, 0);
  const parts = Array.from({ length: Math.ceil(characters / once) }, () => page.parts).flat();
  return { ...page, parts: parts.slice(0, Math.floor((page.parts.length * characters) / once)) };
}

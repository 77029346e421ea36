import { median } from "../measure.ts";
import { type Column, columnsOf, type Row } from "../report.ts";
import type { Collection, Reply, Served } from "./collection.ts";
import { holdsAny } from "./gold.ts";
import type { Part, Question } from "./sets.ts";

/**
 * What a reply is worth. answered: a document is cited and the answer holds a gold span. wrong: one is cited and it does
 * not. closest: none is cited, and the right document is among the first three shown. nothing: neither.
 */
export type Verdict = "answered" | "wrong" | "closest" | "nothing";

/** Documents shown instead of an answer that a person looks at. */
const LOOKED_AT = 3;

/** Judges a reply. */
export function verdictOf(
  { text, cited, shown, finding }: Reply,
  { gold, document }: Pick<Question, "gold" | "document">,
): Verdict {
  if (cited.length > 0) return holdsAny(text, gold) ? "answered" : "wrong";
  // Where the reply says that it shows nothing, what was found on the way is not shown.
  const closest =
    finding === undefined
      ? shown
      : finding.state === "closest"
        ? finding.closest.map(({ document_id }) => document_id)
        : [];
  return document !== null && closest.slice(0, LOOKED_AT).includes(document) ? "closest" : "nothing";
}

/** A question that was asked. */
export interface AskedQuestion {
  readonly question: Question;
  readonly reply: Reply;
  readonly verdict: Verdict;
}

/** Asks one question after the other, and tells `lost` which were not answered, or answered where nothing can. */
export async function askAll(
  collection: Pick<Collection, "ask">,
  questions: readonly Question[],
  { lost }: Pick<Served, "lost">,
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  for (const question of questions) {
    const reply = await collection.ask(question.q);
    const verdict = verdictOf(reply, question);
    asked.push({ question, reply, verdict });
    const absent = question.gold.length === 0;
    if (absent ? reply.cited.length > 0 : verdict !== "answered") {
      lost?.({ question, what: absent ? "not refused" : verdict, reply });
    }
  }
  return asked;
}

const PARTS: Readonly<Record<Part, string>> = { "looked-at": "looked at", frozen: "frozen" };

/** What the rows are called that hold the parts of a set. */
export function rowsOfParts(name: string): Readonly<Record<Part, string>> {
  return { "looked-at": `${name}, ${PARTS["looked-at"]}`, frozen: `${name}, ${PARTS.frozen}` };
}

/** An answer that quotes is at most so long: nobody reads a page for a fact. */
export const MAX_CHARACTERS = 300;

/** A row for each part of a set that something was asked of. */
export function rowsByPart<Given extends { readonly question: { readonly part: Part } }>(
  name: string,
  all: readonly Given[],
  figuresOf: (some: readonly Given[]) => Row["figures"],
): Row[] {
  return (Object.keys(PARTS) as Part[]).flatMap((part) => {
    const some = all.filter(({ question }) => question.part === part);
    return some.length === 0 ? [] : [{ name: rowsOfParts(name)[part], ours: true, figures: figuresOf(some) }];
  });
}

/** Columns of answers. Characters: the median of the answers that quote. */
export const ANSWER_COLUMNS: readonly Column[] = [
  { title: "answered", digits: 0, of: "questions" },
  ...columnsOf({ "answered %": 1, closest: 0, "answered or closest %": 1, wrong: 0 }),
  { title: "refused", digits: 0, of: "questions" },
  ...columnsOf({ "refused %": 1, characters: 0 }),
];

/** A share in percent. */
export const percent = (part: number, whole: number): number => (100 * part) / whole;

/** The figures of questions that have an answer. */
export function answeredFigures(all: readonly AskedQuestion[]): Row["figures"] {
  const count = (verdict: Verdict): number => all.filter((one) => one.verdict === verdict).length;
  const answered = count("answered");
  return {
    questions: all.length,
    answered,
    "answered %": percent(answered, all.length),
    closest: count("closest"),
    "answered or closest %": percent(answered + count("closest"), all.length),
    wrong: count("wrong"),
    refused: all.filter(({ reply }) => reply.cited.length === 0).length,
    ...charactersOf(all.map(({ reply }) => reply)),
  };
}

/** The figures of questions that have none. */
export function refusedFigures(all: readonly AskedQuestion[]): Row["figures"] {
  const refused = all.filter(({ reply }) => reply.cited.length === 0).length;
  return { questions: all.length, refused, "refused %": percent(refused, all.length) };
}

/** The median length of the answers that quote, marks of citations and all. */
export function charactersOf(replies: readonly Reply[]): Row["figures"] {
  const lengths = replies.filter(({ cited }) => cited.length > 0).map(({ text }) => text.length);
  return lengths.length === 0 ? {} : { characters: median(lengths) };
}

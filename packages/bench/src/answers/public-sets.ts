import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot, sharedFolder } from "@threadlore/testkit";
import type { Bar } from "../bars.ts";
import { columnsOf, type Group, type Row } from "../report.ts";
import type { Document, Served } from "./collection.ts";
import type { Question } from "./sets.ts";
import { MAX_CHARACTERS } from "./verdict.ts";

/** A public set: paragraphs, and questions each of which one of them answers. */
export interface PublicSet {
  readonly documents: readonly Document[];
  readonly questions: readonly Question[];
}

interface Paragraph {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly qas: readonly { readonly q: string; readonly gold: readonly string[] }[];
}

/** A set of `../shared/answers`; undefined where it is not there, which is said aloud. */
export function publicSet(name: string): PublicSet | undefined {
  const path = sharedFolder(join("answers", `${name}.json`));
  if (path === undefined) return undefined;
  const rows = JSON.parse(readFileSync(path, "utf8")) as readonly Paragraph[];
  return {
    documents: rows.map(({ id, title, text }) => ({ id, title: title || id, text })),
    // All of these sets are open to whoever works on the service; their other half is kept elsewhere.
    questions: rows.flatMap(({ id, qas }) =>
      qas.map(({ q, gold }, index) => ({ id: `${id}-${index}`, part: "looked-at", q, gold, document: id })),
    ),
  };
}

/** Least percent of questions that are answered with a gold span, by set. */
const LEAST_SPAN = {
  "xquad-en": 88,
  "xquad-es": 82,
  "xquad-de": 78,
  "xquad-ru": 72,
  "xquad-ar": 65,
  "jaquad-ja": 70,
  "xquad-zh": 70,
};

const NAME = "public sets, percent";
const COLUMNS = columnsOf({
  asked: 0,
  span: 1,
  first: 1,
  cited: 1,
  "refused, answer absent": 1,
  "refused, answer there": 1,
  page: 1,
  balance: 1,
  chars: 0,
});

/** What is held of every public set. */
export const PUBLIC_BARS: readonly Bar[] = Object.entries(LEAST_SPAN).flatMap(([row, least]) => [
  { group: NAME, row, column: "span", least },
  { group: NAME, row, column: "refused, answer absent", least: 88 },
  { group: NAME, row, column: "refused, answer there", most: 10 },
  { group: NAME, row, column: "chars", most: MAX_CHARACTERS },
]);

/** The public sets by their own evaluator, which starts the service of a checkout and asks over HTTP. */
export async function publicGroups({ checkout = repositoryRoot }: Served, sample: number): Promise<Group[]> {
  const evaluator = sharedFolder("answers/evaluate.mjs");
  if (evaluator === undefined) return [];
  const rows: Row[] = [];
  for (const name of Object.keys(LEAST_SPAN)) {
    const path = sharedFolder(`answers/${name}.json`);
    if (path === undefined) continue;
    console.error(`… ${name}`);
    const args = [evaluator, path, "--json", "--sample", String(sample)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: checkout, maxBuffer: 1 << 26 });
    const [result] = JSON.parse(stdout) as [{ readonly figures: Readonly<Record<string, unknown>> }];
    const figures = Object.entries(result.figures).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number",
    );
    rows.push({ name, ours: true, figures: Object.fromEntries(figures) });
  }
  return rows.length === 0 ? [] : [{ name: NAME, columns: COLUMNS, rows }];
}

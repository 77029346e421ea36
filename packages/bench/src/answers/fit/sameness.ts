/**
 * Fits what speaks for two different answers being to one question about one thing, and prints how many contradictions
 * are told with it, and how many that are none. With `--write` the service's weights are written anew:
 *
 *     node packages/bench/src/answers/fit/sameness.ts --write
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  fittingCollection,
  type SeenDifference,
  type SeenQuestion,
  seenDifferences,
  SIGNS,
} from "@threadlore/service/fitting";
import { repositoryRoot } from "@threadlore/testkit";
import { publicSet } from "../public-sets.ts";
import { documentPairs, handbook, handbookQuestions, LANGUAGES, type Part } from "../sets.ts";
import { fitCases, scoreOf, type Signs } from "./regression.ts";

/** A question, and what differs in the answers to it. */
interface Example {
  readonly set: string;
  readonly part: Part;
  /** Ids of the documents that contradict each other begin with it; undefined: nothing contradicts. */
  readonly contradicting: string | undefined;
  readonly differences: readonly SeenDifference[];
}

const PAIRS = ["contradictions", "contradictions-more", "contradictions-company"] as const;
const PUBLIC_SETS = ["xquad-en", "xquad-de", "xquad-es", "xquad-ru", "xquad-zh", "jaquad-ja"];
/** Of the public sets every fourth question is enough. */
const EVERY = 4;
/** Of those every third is kept back. */
const THIRD = 3;
/**
 * How often a case counts. Whoever is told of a contradiction that is none looks away at the next one: these count more.
 * Ordinary questions stand beside each other in hundreds.
 */
const OF_PAIRS = 10;
const ORDINARY = 6;
const ALARM = 1.5;

const places = (names: string): number[] => names.split(" ").map((name) => SIGNS.findIndex((sign) => sign === name));
const DIRECTIONS: Signs = {
  favourable: places("asked near poorest kind found"),
  adverse: places("behind unfit magnitude many long topic instead unspaced"),
};

const all: Example[] = [];
for await (const example of examples()) all.push(example);
const cases = all
  .filter(({ part }) => part === "looked-at")
  .flatMap((example) =>
    example.differences.flatMap((difference) => {
      const holds = isContradiction(example, difference);
      const times = (example.set === "ordinary" ? ORDINARY : OF_PAIRS) * (holds ? 1 : ALARM);
      return Array.from({ length: times }, () => ({ signs: figuresOf(difference), holds }));
    }),
  );
const fitted = fitCases(cases, DIRECTIONS);

for (const part of ["looked-at", "frozen"] as const) {
  console.log(part === "frozen" ? "kept back" : "fitted over");
  const rows = Map.groupBy(
    all.filter((example) => example.part === part),
    ({ set, contradicting }) => `${set}, ${contradicting === undefined ? "nothing contradicts" : "contradicts"}`,
  );
  for (const [name, some] of rows) console.log(`  ${name}: ${some.filter(isTold).length} of ${some.length} told`);
}

if (process.argv.includes("--write")) {
  const path = join(repositoryRoot, "packages/service/src/answer/extracted/conflict/weights.ts");
  writeFileSync(
    path,
    [
      "/** Written by the bench (`answers/fit/sameness.ts`): how much each sign of one question and one thing counts. */",
      'import type { Sign } from "./signs.ts";',
      "",
      "export const SAMENESS_WEIGHTS: Readonly<Record<Sign, number>> = {",
      ...SIGNS.map((sign, at) => `  ${sign}: ${(fitted.weights[at] ?? 0).toFixed(2)},`),
      "};",
      `export const SAMENESS_BIAS = ${fitted.bias.toFixed(2)};`,
      "",
    ].join("\n"),
  );
}

function isContradiction({ contradicting }: Example, { documents }: SeenDifference): boolean {
  return contradicting !== undefined && documents.every((id) => id.startsWith(`${contradicting}/`));
}

function isTold({ differences }: Example): boolean {
  return differences.some((difference) => scoreOf(fitted, figuresOf(difference)) > 0);
}

function figuresOf({ signs }: SeenDifference): number[] {
  return SIGNS.map((sign) => signs[sign]);
}

async function* examples(): AsyncGenerator<Example> {
  for (const name of PAIRS) yield* pairExamples(name);
  const ordinary = (part: Part, seen: SeenQuestion): Example => ({
    set: "ordinary",
    part,
    contradicting: undefined,
    differences: seenDifferences(seen),
  });
  for (const language of LANGUAGES) {
    const collection = await fittingCollection(handbook(language));
    const names = language === "en" ? (["handbook-en", "handbook-plain"] as const) : (["handbook-languages"] as const);
    const questions = names.flatMap(handbookQuestions);
    for (const { lang, part, q } of questions) if (lang === language) yield ordinary(part, await collection.see(q));
  }
  for (const name of PUBLIC_SETS) {
    const { documents, questions } = publicSet(name) ?? { documents: [], questions: [] };
    const collection = await fittingCollection(documents);
    for (const [at, { q }] of questions.filter((_, index) => index % EVERY === 0).entries())
      yield ordinary(at % THIRD === THIRD - 1 ? "frozen" : "looked-at", await collection.see(q));
  }
}

/** All pairs of a set in one collection, and each in its own. */
async function* pairExamples(set: (typeof PAIRS)[number]): AsyncGenerator<Example> {
  const pairs = documentPairs(set) ?? [];
  const documentsOf = ({ id, documents }: (typeof pairs)[number]) =>
    documents.map((document, at) => ({ id: `${id}/${at}`, ...document }));
  const together = await fittingCollection(pairs.flatMap(documentsOf));
  for (const pair of pairs) {
    const { id, part, contradicts, q } = pair;
    const known = { part, contradicting: contradicts ? id : undefined };
    const alone = await fittingCollection(documentsOf(pair));
    yield { set, ...known, differences: seenDifferences(await together.see(q)) };
    yield { set: `${set} alone`, ...known, differences: seenDifferences(await alone.see(q)) };
  }
}

/**
 * Fits what counts in an answer, and prints how well it does on what was fitted over and on what was kept back. With
 * `--write` the service's weights are written anew:
 *
 *     node packages/bench/src/answers/fit/main.ts --write
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ANSWER_FEATURES, answerFeatures, CANDIDATE_FEATURES, ranked } from "@threadlore/service/fitting";
import { repositoryRoot } from "@threadlore/testkit";
import { type FittingExample, examples } from "./examples.ts";
import { fitCases, fitChoices, type Fitted, scoreOf, type Signs } from "./regression.ts";

const places = (names: readonly string[], wanted: string): number[] =>
  wanted.split(" ").map((name) => names.indexOf(name));

/** So many of the questions of public sets that have no answer are refused, those kept back as well, in languages of each form. */
const REFUSED = 0.87;
/** How a language forms words (features.ts); what has none of these signs is a form too. */
const FORMS = places(ANSWER_FEATURES, "compounding japanese cases unspaced prefixing");
/** Too few questions of the sets ask what something is for a weight to be fitted. */
const DEFINES = 2;

const CANDIDATE_SIGNS: Signs = {
  favourable: places(CANDIDATE_FEATURES, "share above near named told score rank kind"),
  adverse: places(CANDIDATE_FEATURES, "noName noKind"),
};
const ANSWER_SIGNS: Signs = {
  favourable: places(
    ANSWER_FEATURES,
    "best margin apart share above near rare common name hits kind thing stands named told says",
  ),
  adverse: places(ANSWER_FEATURES, "noName unknown misses noKind"),
};

const all: FittingExample[] = [];
for await (const one of examples()) all.push(one);
const fitted = all.filter(({ isKept }) => !isKept).flatMap((one) => Array.from({ length: one.weight }, () => one));

const choices = fitted
  .filter(({ isRight }) => isRight.includes(true))
  .map(({ seen, isRight }) => ({
    alternatives: seen.candidates.map(({ features }) => CANDIDATE_FEATURES.map((name) => features[name])),
    isRight,
  }));
const candidateWeights = named(CANDIDATE_FEATURES, fitChoices(choices, CANDIDATE_SIGNS));
candidateWeights.defines = DEFINES;

const signsOf = ({ seen }: FittingExample): number[] | undefined => {
  const { question, evidence, candidates } = seen;
  const scores = evidence.map(({ score }) => score);
  const features = answerFeatures(question, ranked(candidates, candidateWeights), scores);
  return features && ANSWER_FEATURES.map((name) => features[name]);
};
const cases = fitted.flatMap((one) => {
  const signs = signsOf(one);
  return signs === undefined ? [] : [{ signs, holds: one.answer === "there" }];
});
const { weights, bias } = levelled(fitCases(cases, ANSWER_SIGNS));

const isAnswered = (one: FittingExample): boolean => {
  const signs = signsOf(one);
  return signs !== undefined && scoreOf({ weights, bias }, signs) > 0;
};
for (const isKept of [false, true]) {
  const rows = Map.groupBy(
    all.filter((one) => one.isKept === isKept),
    ({ set, answer }) => `${set}, answer ${answer}`,
  );
  console.log(isKept ? "kept back" : "fitted over");
  for (const [name, some] of rows)
    console.log(`  ${name}: ${some.filter(isAnswered).length} of ${some.length} answered`);
}

if (process.argv.includes("--write")) {
  const lines = (of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(
      ([name, weight]) => `  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${weight.toFixed(3)},`,
    );
  const path = join(repositoryRoot, "packages/service/src/answer/extracted/weighing/weights.ts");
  writeFileSync(
    path,
    [
      "/** Written by the bench (`answers/fit/main.ts`): how much each feature counts. */",
      'import type { AnswerFeature, CandidateFeature } from "./features.ts";',
      "",
      "/** Which of the units of some evidence answers best. */",
      "export const CANDIDATE_WEIGHTS: Readonly<Record<CandidateFeature, number>> = {",
      ...lines(candidateWeights),
      "};",
      "",
      "/** Whether the best of them answers at all: more than 0 is yes. */",
      "export const ANSWER_WEIGHTS: Readonly<Record<AnswerFeature, number>> = {",
      ...lines(named(ANSWER_FEATURES, weights)),
      "};",
      `export const ANSWER_BIAS = ${bias.toFixed(3)};`,
      "",
    ].join("\n"),
  );
}

/** The same weights, with as many of the questions without an answer refused whatever the form of their language. */
function levelled(raw: Fitted): Fitted {
  const absent = all.filter(({ set, answer }) => answer === "absent" && /^(?:xquad|jaquad)/.test(set));
  const byForm = Map.groupBy(
    absent.flatMap((one) => {
      const signs = signsOf(one);
      return signs === undefined ? [] : [{ signs, score: scoreOf(raw, signs) }];
    }),
    ({ signs }) => FORMS.find((at) => signs[at] === 1),
  );
  const limits = new Map(
    [...byForm].map(([form, some]) => {
      const scores = some.map(({ score }) => score).toSorted((one, other) => one - other);
      return [form, scores[Math.floor(scores.length * REFUSED)] ?? 0];
    }),
  );
  const plain = limits.get(undefined) ?? 0;
  return {
    bias: raw.bias - plain,
    weights: raw.weights.map((weight, at) =>
      FORMS.includes(at) ? weight - (limits.get(at) ?? plain) + plain : weight,
    ),
  };
}

function named<Name extends string>(names: readonly Name[], values: readonly number[]): Record<Name, number> {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? 0])) as Record<Name, number>;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  directionOf,
  drawnFor,
  mixed,
  repositoryRoot,
  type ScriptedModel,
  startScriptedModel,
} from "@threadlore/testkit";

/** Questions of one gap, and what somebody who knows says to them. */
export interface TrueGap {
  readonly id: string;
  /** Gaps that are easily taken for this one. */
  readonly near: readonly string[];
  readonly answer: string;
  /** Parts of the answer; whoever shows one has answered. */
  readonly gold: readonly string[];
  /** Asked while nobody has written the answer down. */
  readonly asked: readonly string[];
  /** Asked afterwards. */
  readonly later: readonly string[];
}

/** Questions of a fixture of `packages/gaps`, by its name: some say who asks, and some which gaps are near. */
export function trueGaps(file: string): readonly TrueGap[] {
  const path = join(repositoryRoot, "packages/gaps/src/fixtures", `${file}.json`);
  const { gaps } = JSON.parse(readFileSync(path, "utf8")) as { gaps: WrittenGap[] };
  const wordsOf = (questions: WrittenGap["asked"]): string[] =>
    questions.map((one) => (typeof one === "string" ? one : one.text));
  return gaps.map((gap) => ({ ...gap, near: gap.near ?? [], asked: wordsOf(gap.asked), later: wordsOf(gap.later) }));
}

type WrittenQuestions = readonly (string | { readonly text: string })[];

interface WrittenGap extends Omit<TrueGap, "near" | "asked" | "later"> {
  readonly near?: readonly string[];
  readonly asked: WrittenQuestions;
  readonly later: WrittenQuestions;
}

/** Letters and digits alone: how a text is marked up says nothing. */
export const plainly = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");

const DIMENSIONS = 128;
/** How much of a text its gap tells, at least and at most: the cosine of two alike ones is the product of both. */
const ALIKE = [0.75, 0.95] as const;
/** How much of that two gaps share that are easily taken for one another. */
const TAKEN = 0.5;

/**
 * A loopback server that speaks the OpenAI embeddings interface, with vectors as a good model gives them: questions of one gap,
 * and the document that answers them, lie near each other, some nearer than others; gaps that are easily taken for one another
 * have half of that in common; all other texts lie at random.
 */
export function startGapModel(gaps: readonly TrueGap[]): Promise<ScriptedModel> {
  const known = gaps
    .flatMap((gap) => [...gap.asked, ...gap.later, gap.answer].map((words) => ({ gap, words: plainly(words).trim() })))
    .toSorted((one, other) => other.words.length - one.words.length);
  const embed = (text: string): number[] => {
    const words = plainly(text);
    const own = directionOf(words, DIMENSIONS);
    const gap = known.find((one) => words.includes(one.words))?.gap;
    if (gap === undefined) return own;
    const topic = directionOf(`topic ${[gap.id, ...gap.near].toSorted().join(" ")}`, DIMENSIONS);
    const asked = mixed(topic, directionOf(`gap ${gap.id}`, DIMENSIONS), Math.sqrt(TAKEN));
    return mixed(asked, own, drawnFor(`how well ${words} is put`, ALIKE));
  };
  return startScriptedModel([], { models: ["gap-model"], embed });
}

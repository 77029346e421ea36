/** How well questions are grouped, told by questions whose true gaps are known. */
import { readFileSync } from "node:fs";
import { seededRandom } from "@threadlore/testkit";
import { Comparison } from "./comparison.ts";
import { type ComparedQuestion, MAX_OFFERED } from "./questions.ts";
import type { Traits } from "./trait.ts";
import { traitsOf } from "./traits.ts";
import { MODEL, type Model } from "./weights.ts";

/** Questions of one gap, as `fixtures` holds them. */
export interface TrueGap {
  readonly id: string;
  readonly lang: string;
  /** Gaps that are easily taken for this one. */
  readonly near: readonly string[];
  /** Asked while nobody has written the answer down. */
  readonly asked: readonly string[];
  /** Asked afterwards. */
  readonly later: readonly string[];
}

/** A question whose true gap is known. */
export interface AskedQuestion {
  readonly truth: string;
  readonly words: string;
  readonly traits: Traits;
}

/**
 * Two sets, each written by somebody who knew nothing of the grouping: in the first nearly every gap has a twin, and many
 * questions share no word; in the second thirty people ask as they would. Of both a third is kept back, and looked at by the
 * last measurement alone.
 */
export type QuestionFile = "asked" | "kept-back" | "people" | "people-kept-back";

/** What everything is built on. */
export const FITTED: readonly QuestionFile[] = ["asked", "people"];

export function trueGaps(file: QuestionFile): readonly TrueGap[] {
  const path = new URL(`fixtures/${file}.json`, import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { gaps: TrueGap[] }).gaps;
}

/** The questions of some gaps, by the part they are in. */
function questionsOf(gaps: readonly TrueGap[], part: "asked" | "later"): AskedQuestion[] {
  return gaps.flatMap((gap) => gap[part].map((words) => ({ truth: gap.id, words, traits: traitsOf(words) })));
}

/** What came of placing questions one after the other. */
export interface Grouping {
  /** Questions that had an alike one before them, and how many of these joined a gap whose first question is alike. */
  readonly alike: number;
  readonly joined: number;
  /** Questions in all, and how many were put into a gap that is about something else: by its first question, or by most of it. */
  readonly questions: number;
  readonly wrong: number;
  /** Pairs of questions of one true gap, and how many of these ended in one gap. */
  readonly pairs: number;
  readonly together: number;
}

const NOTHING: Grouping = { alike: 0, joined: 0, questions: 0, wrong: 0, pairs: 0, together: 0 };

export function sumOf(groupings: readonly Grouping[]): Grouping {
  return groupings.reduce(
    (sum, one) =>
      Object.fromEntries(
        Object.entries(sum).map(([key, value]) => [key, value + one[key as keyof Grouping]]),
      ) as unknown as Grouping,
    NOTHING,
  );
}

/** What a grouping comes to, in a line. */
export function figuresIn({ alike, joined, questions, wrong, pairs, together }: Grouping): string {
  const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  return `joined ${percent(joined, alike)} of those with an alike one before, wrongly joined ${percent(wrong, questions)}, pairs together ${percent(together, pairs)}`;
}

export type VectorOf = ((words: string) => Float32Array) | undefined;

interface Options {
  readonly seed: number;
  readonly vectorOf?: VectorOf;
  /** Whoever asks is shown gaps a question may be of, by their first question, and says which is theirs. Default: nobody is asked. */
  readonly isAsked?: boolean;
  /** Default: what is used. */
  readonly model?: Model;
}

/** What came of questions, by how many of them: those of the true gaps that count. Default: of all. */
export type Came = (counts?: (truth: string) => boolean) => { readonly asked: Grouping; readonly later: Grouping };

/** The questions of some gaps: each is looked at once, in however many orders they come. */
interface Questions {
  readonly asked: readonly AskedQuestion[];
  readonly later: readonly AskedQuestion[];
}

/** A question that was placed. */
interface Judged {
  readonly truth: string;
  /** Whether an alike one came before it. */
  readonly hasAlike: boolean;
  /** Undefined: it is in no gap there was. */
  readonly isRight: boolean | undefined;
}

function bothParts(gaps: readonly TrueGap[]): Questions {
  return { asked: questionsOf(gaps, "asked"), later: questionsOf(gaps, "later") };
}

/**
 * Asks the questions in an order drawn by `seed`, places each, and merges what turns out to be one; then asks those of
 * `later`, each placed and not added.
 */
export function grouped(
  gaps: readonly TrueGap[],
  options: Options,
): { readonly asked: Grouping; readonly later: Grouping } {
  return placed(gaps, bothParts(gaps), options)();
}

function placed(
  gaps: readonly TrueGap[],
  questions: Questions,
  { seed, vectorOf, isAsked = false, model = MODEL }: Options,
): Came {
  const random = seededRandom(seed);
  const asked = questions.asked
    .map((question) => ({ question, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ question }) => question);
  const placement = new Comparison<number>(model);
  const groups = new Map<number, AskedQuestion[]>();
  const seen = new Set<string>();
  const isOf = (gap: number, truth: string): boolean => {
    const members = groups.get(gap) ?? [];
    const same = members.filter((member) => member.truth === truth).length;
    return members[0]?.truth === truth && 2 * same >= members.length;
  };
  const judged = ({ truth }: AskedQuestion, gap: number | undefined): Judged => ({
    truth,
    hasAlike: seen.has(truth),
    isRight: gap === undefined ? undefined : isOf(gap, truth),
  });
  const saidToBe = (question: AskedQuestion, compared: ComparedQuestion): number | undefined =>
    isAsked
      ? placement
          .maybeOf(compared)
          .slice(0, MAX_OFFERED)
          .find((gap) => groups.get(gap)?.[0]?.truth === question.truth)
      : undefined;
  const first: Judged[] = [];
  for (const [at, question] of asked.entries()) {
    const vector = vectorOf?.(question.words);
    const compared = { traits: question.traits, vector };
    const { gap = saidToBe(question, compared), also } = placement.placeOf(compared);
    first.push(judged(question, gap));
    const own = gap ?? at;
    for (const other of also) {
      placement.merge(other, own);
      groups.set(own, [...(groups.get(own) ?? []), ...(groups.get(other) ?? [])]);
      groups.delete(other);
    }
    groups.set(own, [...(groups.get(own) ?? []), question]);
    placement.add({ ...compared, gap: own });
    seen.add(question.truth);
  }
  const then = questions.later.map((question) => {
    const compared = { traits: question.traits, vector: vectorOf?.(question.words) };
    return judged(question, placement.placeOf(compared).gap ?? saidToBe(question, compared));
  });
  return (counts = () => true) => {
    const counted = gaps.filter(({ id }) => counts(id));
    const ends = [...groups.values()].map((group) => group.filter(({ truth }) => counts(truth)));
    return { asked: { ...countedOf(first, counts), ...pairsOf(counted, ends) }, later: countedOf(then, counts) };
  };
}

function countedOf(all: readonly Judged[], counts: (truth: string) => boolean): Grouping {
  const some = all.filter(({ truth }) => counts(truth));
  const alike = some.filter(({ hasAlike }) => hasAlike);
  return {
    ...NOTHING,
    alike: alike.length,
    joined: alike.filter(({ isRight }) => isRight).length,
    questions: some.length,
    wrong: some.filter(({ isRight }) => isRight === false).length,
  };
}

function pairsOf(gaps: readonly TrueGap[], groups: readonly (readonly AskedQuestion[])[]) {
  const pairs = (many: number) => (many * (many - 1)) / 2;
  const together = groups.flatMap((group) =>
    [...Map.groupBy(group, ({ truth }) => truth).values()].map((same) => pairs(same.length)),
  );
  return {
    pairs: gaps.reduce((sum, { asked }) => sum + pairs(asked.length), 0),
    together: together.reduce((sum, many) => sum + many, 0),
  };
}

/** What came of questions that were asked in many orders: all of it together, and of each order. */
export interface CameOften {
  readonly together: Came;
  readonly orders: readonly Came[];
}

/** The same in many orders. */
export function groupedOften(gaps: readonly TrueGap[], orders: number, options: Omit<Options, "seed"> = {}): CameOften {
  const questions = bothParts(gaps);
  const all = Array.from({ length: orders }, (_, at) => placed(gaps, questions, { seed: at + 1, ...options }));
  const together: Came = (counts) => {
    const come = all.map((one) => one(counts));
    return { asked: sumOf(come.map(({ asked }) => asked)), later: sumOf(come.map(({ later }) => later)) };
  };
  return { together, orders: all };
}

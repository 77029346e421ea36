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

/** Says of each question which came out wrong, to whoever wants to look. */
export type Told = (question: AskedQuestion, came: string) => void;

interface Options {
  readonly seed: number;
  readonly vectorOf?: VectorOf;
  readonly told?: Told;
  /** Whoever asks is shown gaps a question may be of, by their first question, and says which is theirs. Default: nobody is asked. */
  readonly isAsked?: boolean;
  /** Default: what is used. */
  readonly model?: Model;
  /** Which true gaps count; the others are asked as well. Default: all. */
  readonly counts?: (truth: string) => boolean;
}

/**
 * Asks the questions in an order drawn by `seed`, places each, and merges what turns out to be one; then asks those of
 * `later`, each placed and not added.
 */
export function grouped(
  gaps: readonly TrueGap[],
  { seed, vectorOf, told, isAsked = false, model = MODEL, counts = () => true }: Options,
): { readonly asked: Grouping; readonly later: Grouping } {
  const random = seededRandom(seed);
  const asked = questionsOf(gaps, "asked")
    .map((question) => ({ question, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ question }) => question);
  const placement = new Comparison<number>(model);
  const groups = new Map<number, AskedQuestion[]>();
  let alike = 0;
  let joined = 0;
  let wrong = 0;
  const seen = new Set<string>();
  const isOf = (gap: number, truth: string): boolean => {
    const members = groups.get(gap) ?? [];
    const same = members.filter((member) => member.truth === truth).length;
    return members[0]?.truth === truth && 2 * same >= members.length;
  };
  const judged = (question: AskedQuestion, gap: number | undefined) => {
    if (!counts(question.truth)) return;
    const right = gap !== undefined && isOf(gap, question.truth);
    if (seen.has(question.truth)) {
      alike++;
      if (right) joined++;
      else if (gap === undefined) told?.(question, "alone");
    }
    if (gap !== undefined && !right) {
      wrong++;
      told?.(question, `with ${groups.get(gap)?.[0]?.truth} ${groups.get(gap)?.[0]?.words}`);
    }
  };
  const saidToBe = (question: AskedQuestion, compared: ComparedQuestion): number | undefined =>
    isAsked
      ? placement
          .maybeOf(compared)
          .slice(0, MAX_OFFERED)
          .find((gap) => groups.get(gap)?.[0]?.truth === question.truth)
      : undefined;
  for (const [at, question] of asked.entries()) {
    const vector = vectorOf?.(question.words);
    const compared = { traits: question.traits, vector };
    const { gap = saidToBe(question, compared), also } = placement.placeOf(compared);
    judged(question, gap);
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
  const counted = gaps.filter(({ id }) => counts(id));
  const countedOf = (some: readonly AskedQuestion[]) => some.filter(({ truth }) => counts(truth));
  const ends = [...groups.values()].map(countedOf);
  const whole = { alike, joined, questions: countedOf(asked).length, wrong, ...pairsOf(counted, ends) };
  [alike, joined, wrong] = [0, 0, 0];
  const later = questionsOf(gaps, "later");
  for (const question of later) {
    const compared = { traits: question.traits, vector: vectorOf?.(question.words) };
    judged(question, placement.placeOf(compared).gap ?? saidToBe(question, compared));
  }
  return { asked: whole, later: { ...NOTHING, alike, joined, wrong, questions: countedOf(later).length } };
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

/** The same in many orders. */
export function groupedOften(gaps: readonly TrueGap[], orders: number, options: Omit<Options, "seed"> = {}) {
  const all = Array.from({ length: orders }, (_, at) => grouped(gaps, { seed: at + 1, ...options }));
  return { asked: sumOf(all.map(({ asked }) => asked)), later: sumOf(all.map(({ later }) => later)) };
}

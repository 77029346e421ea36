/** Fits the weights by which questions are grouped, on questions whose true gaps are known. */
import { seededRandom } from "@threadlore/testkit";
import { figuresOf, prepared } from "./comparing.ts";
import { Comparison } from "./comparison.ts";
import { grouped, sumOf, type TrueGap, type VectorOf } from "./evaluation.harness.ts";
import { type Feature, FEATURES, type GapFigure } from "./figures.ts";
import { type Case, type Fitted, fitted } from "./fitting.harness.ts";
import { GOOD, NARROW, oracleOf, WEAK } from "./oracle.harness.ts";
import { Postings } from "./postings.ts";
import { traitsOf } from "./traits.ts";
import { MODEL, type Model, type Weights } from "./weights.ts";

/** What may only speak for two questions being alike, and what only against it. */
const AGAINST: ReadonlySet<Feature> = new Set(
  "clash lacks instead otherAspect lacksAspect otherKind denial foreign namesAlone".split(" ") as Feature[],
);
const WORDS: readonly GapFigure[] = ["best", "mean", "profile", "ahead"];
const VECTORS: readonly GapFigure[] = [...WORDS, "near", "nearMean", "apart", "nearAhead", "beyond"];
/** So many of all questions may be put into a gap that is about something else; what is measured elsewhere may be more. */
const WRONG = 0.045;
const SEED = 100;

/** All weights, by questions of these gaps alone. */
export function fittedModel(gaps: readonly TrueGap[]): Model {
  const questions = gaps.flatMap((gap) =>
    [...gap.asked, ...gap.later].map((words) => ({ gap, words, traits: traitsOf(words) })),
  );
  const pair = named(
    FEATURES,
    fitted(
      pairCases(gaps, questions),
      FEATURES.map((feature) => (AGAINST.has(feature) ? -1 : 1)),
      0.01,
    ),
  );
  const withPair = { ...MODEL, pair };
  const kinds = [GOOD, NARROW].map((kind) => oracleOf(gaps, kind));
  const vectors = named(
    VECTORS,
    fitted(
      gapCases(questions, withPair, VECTORS, kinds),
      VECTORS.map(() => 1),
      0.005,
    ),
  );
  const raw: Model = { pair, words: chosenMix(gaps, withPair), vectors };
  return {
    ...raw,
    vectors: levelled(gaps, raw, "vectors", [...kinds, oracleOf(gaps, WEAK)]).own,
  };
}

interface Question {
  readonly gap: TrueGap;
  readonly words: string;
  readonly traits: ReturnType<typeof traitsOf>;
}

/** Every two questions that have something in common, as they look among few known gaps and among many. */
function pairCases(gaps: readonly TrueGap[], questions: readonly Question[]): Case[] {
  const random = seededRandom(SEED);
  return [0.25, 0.6, 1].flatMap((share) => {
    const known = new Set(gaps.filter(() => random() < share));
    const postings = new Postings();
    for (const { gap, traits } of questions) if (known.has(gap)) postings.count(gaps.indexOf(gap), traits, 1);
    postings.gaps = known.size;
    const ready = questions.map(({ traits }) => prepared(traits, postings));
    return questions.flatMap((one, at) =>
      questions.slice(0, at).flatMap((other, before) => {
        const figures = figuresOf(ready[at] as (typeof ready)[number], ready[before] as (typeof ready)[number]);
        const weight = 1 / Math.sqrt(one.gap.asked.length);
        return (figures[FEATURES.indexOf("shared")] ?? 0) < LEAST
          ? []
          : [{ figures, holds: one.gap === other.gap, weight }];
      }),
    );
  });
}

/** What shares less is no candidate. */
const LEAST = 0.1;

/** Every question with each gap it may be of, as they come one after the other, once for each kind of vectors. */
function gapCases(
  questions: readonly Question[],
  model: Model,
  names: readonly GapFigure[],
  kinds: readonly VectorOf[],
): Case[] {
  return kinds.flatMap((vectorOf, kind) => {
    const random = seededRandom(SEED + kind);
    const order = questions.map((question) => ({ question, at: random() })).toSorted((one, other) => one.at - other.at);
    const placement = new Comparison<TrueGap>(model);
    return order.flatMap(({ question: { gap, words, traits } }) => {
      const compared = { traits, vector: vectorOf?.(words) };
      const weight = 1 / Math.sqrt(gap.asked.length);
      const cases = placement.figured(compared).scored.map(({ gap: other, figures }) => ({
        figures: names.map((name) => figures[name]),
        holds: other === gap,
        weight,
      }));
      placement.add({ ...compared, gap });
      return cases;
    });
  });
}

function named<Name extends string>(names: readonly Name[], { weights, bias }: Fitted): Weights<Name> {
  const rounded = (value: number) => Math.round(100 * value) / 100;
  const entries = names
    .map((name, at) => [name, rounded(weights[at] ?? 0)] as const)
    .filter(([, weight]) => weight !== 0);
  return { weights: Object.fromEntries(entries) as Partial<Record<Name, number>>, bias: rounded(bias) };
}

const STEP = 0.2;
const MAX_STEPS = 24;
const ORDERS = 3;

/**
 * Ways to weigh the figures of a gap by words alone. Fitted as single cases they come out worse than any of these: a
 * question that is wrongly joined draws others after it.
 */
const MIXES: readonly Weights<GapFigure>["weights"][] = [
  { best: 1, mean: 0.3, profile: 1, ahead: 0.5 },
  { best: 0.6, mean: 0.6, profile: 1, ahead: 0.3 },
  { best: 0.4, mean: 0.6, profile: 1.5, ahead: 0.4 },
];

/** Of these the one by which most are joined while few are wrongly. */
function chosenMix(gaps: readonly TrueGap[], model: Model): Weights<GapFigure> {
  const tried = MIXES.map((weights) =>
    levelled(gaps, { ...model, words: { weights, bias: -1.6 } }, "words", [undefined]),
  );
  return tried.reduce((best, one) => (one.joined > best.joined ? one : best)).own;
}

interface Levelled {
  readonly own: Weights<GapFigure>;
  readonly joined: number;
}

/** The same weights, with a bias by which so few questions are wrongly joined, whatever the vectors are like. */
function levelled(
  gaps: readonly TrueGap[],
  model: Model,
  which: "words" | "vectors",
  kinds: readonly VectorOf[],
): Levelled {
  let own = model[which];
  for (let step = 0; step < MAX_STEPS; step++) {
    own = { ...own, bias: Math.round(100 * (model[which].bias + 0.8 - STEP * step)) / 100 };
    const came = kinds.map((vectorOf) =>
      sumOf(
        Array.from({ length: ORDERS }, (_, at) => {
          const { asked, later } = grouped(gaps, { seed: SEED + at, model: { ...model, [which]: own }, vectorOf });
          return sumOf([asked, later]);
        }),
      ),
    );
    if (came.every(({ wrong, questions }) => wrong <= WRONG * questions)) return { own, joined: sumOf(came).joined };
  }
  return { own, joined: 0 };
}

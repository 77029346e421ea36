/** Fits the weights by which questions are grouped, on questions whose true gaps are known. */
import { seededRandom } from "@threadlore/testkit";
import { figuresOf, prepared } from "./comparing.ts";
import { Comparison } from "./comparison.ts";
import { grouped, sumOf, type TrueGap, type VectorOf } from "./evaluation.harness.ts";
import { type Feature, FEATURES, type GapFigure } from "./figures.ts";
import { type Case, type Fitted, fitted } from "./fitting.harness.ts";
import { GOOD, type ModelKind, NARROW, oracleOf, WEAK } from "./oracle.harness.ts";
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
const WRONG = { words: 0.035, vectors: 0.045 } as const;
const SEED = 100;

/** The gaps of one company, among which a question belongs. */
export type World = readonly TrueGap[];

/**
 * All weights, by questions of these gaps alone, and by vectors of made models and of one there is.
 * @param genuine vectors of a genuine model, of all questions
 */
export function fittedModel(worlds: readonly World[], genuine: VectorOf): Model {
  const questions = worlds.map((gaps) =>
    gaps.flatMap((gap) => [...gap.asked, ...gap.later].map((words) => ({ gap, words, traits: traitsOf(words) }))),
  );
  const pair = named(
    FEATURES,
    fitted(
      worlds.flatMap((gaps, at) => pairCases(gaps, questions[at] ?? [])),
      FEATURES.map((feature) => (AGAINST.has(feature) ? -1 : 1)),
      0.01,
    ),
  );
  const withPair = { ...MODEL, pair };
  const made = (kind: ModelKind): readonly VectorOf[] => worlds.map((gaps) => oracleOf(gaps, kind));
  const real = worlds.map(() => genuine);
  const vectors = named(
    VECTORS,
    fitted(
      [made(GOOD), made(NARROW), real].flatMap((kind, at) =>
        kind.flatMap((vectorOf, world) =>
          gapCases(questions[world] ?? [], { model: withPair, names: VECTORS, vectorOf, seed: SEED + at }),
        ),
      ),
      VECTORS.map(() => 1),
      0.005,
    ),
  );
  const raw: Model = { pair, words: chosenMix(worlds, withPair), vectors };
  return { ...raw, vectors: levelled(worlds, raw, "vectors", [...[GOOD, NARROW, WEAK].map(made), real]).own };
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

interface Arrival {
  readonly model: Model;
  readonly names: readonly GapFigure[];
  readonly vectorOf: VectorOf;
  readonly seed: number;
}

/** Every question with each gap it may be of, as they come one after the other. */
function gapCases(questions: readonly Question[], { model, names, vectorOf, seed }: Arrival): Case[] {
  const random = seededRandom(seed);
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
function chosenMix(worlds: readonly World[], model: Model): Weights<GapFigure> {
  const tried = MIXES.map((weights) => levelled(worlds, { ...model, words: { weights, bias: -1.6 } }, "words", [[]]));
  return tried.reduce((best, one) => (one.joined > best.joined ? one : best)).own;
}

interface Levelled {
  readonly own: Weights<GapFigure>;
  readonly joined: number;
}

/**
 * The same weights, with a bias by which so few questions are wrongly joined in each world, whatever the vectors are like:
 * of each kind those of each world.
 */
function levelled(
  worlds: readonly World[],
  model: Model,
  which: "words" | "vectors",
  kinds: readonly (readonly VectorOf[])[],
): Levelled {
  let own = model[which];
  for (let step = 0; step < MAX_STEPS; step++) {
    own = { ...own, bias: Math.round(100 * (model[which].bias + 0.8 - STEP * step)) / 100 };
    const came = kinds.flatMap((vectorsOf) =>
      worlds.map((gaps, world) =>
        sumOf(
          Array.from({ length: ORDERS }, (_, at) => {
            const options = { seed: SEED + at, model: { ...model, [which]: own }, vectorOf: vectorsOf[world] };
            const { asked, later } = grouped(gaps, options);
            return sumOf([asked, later]);
          }),
        ),
      ),
    );
    if (came.every(({ wrong, questions }) => wrong <= WRONG[which] * questions))
      return { own, joined: sumOf(came).joined };
  }
  return { own, joined: 0 };
}

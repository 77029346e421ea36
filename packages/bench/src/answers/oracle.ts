import { seededRandom, startScriptedModel } from "@threadlore/testkit";
import { folded, holdsAny } from "./gold.ts";
import type { Document } from "./collection.ts";
import type { Question } from "./sets.ts";

const DIMENSIONS = 256;
/** How alike a question is to the passage that answers it, as a cosine. */
const LIKENESS = 0.8;

/** An embedding server that knows the answers. */
export interface Oracle {
  readonly baseUrl: string;
  /** Questions it was asked about whose passage it never saw: their vectors lead nowhere. */
  readonly unknown: () => number;
  close(): Promise<void>;
}

/**
 * A loopback server that speaks the OpenAI embeddings interface. The vector of a question is like that of the passage which
 * holds its gold span, and all others lie at random: what a perfect embedding model would give. `alike` is the cosine
 * of any two texts that have nothing in common (default 0): models differ in that by far.
 */
export async function startOracle(
  questions: readonly Question[],
  documents: readonly Document[],
  { alike = 0 }: { readonly alike?: number } = {},
): Promise<Oracle> {
  const known = new Map(questions.map((question) => [folded(question.q), question]));
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  const passages = new Set<string>();
  let unknown = 0;
  const ownOf = (text: string): number[] => {
    const question = known.get(folded(text));
    if (question === undefined) {
      passages.add(text);
      return randomUnit(text);
    }
    const title = titles.get(question.document ?? "") ?? "";
    const holding = [...passages].filter((passage) => holdsAny(passage, question.gold));
    const gold = holding.find((passage) => passage.includes(title)) ?? holding[0];
    if (gold === undefined) {
      if (question.gold.length > 0) unknown++;
      return randomUnit(text);
    }
    return mixed(randomUnit(gold), randomUnit(text), LIKENESS);
  };
  const common = randomUnit("what all texts have in common");
  const server = await startScriptedModel([], { embed: (text) => mixed(common, ownOf(text), Math.sqrt(alike)) });
  return { baseUrl: server.url, unknown: () => unknown, close: () => server.close() };
}

/** A unit vector whose cosine with the first is `likeness`, as long as the two have next to nothing in common. */
function mixed(one: readonly number[], other: readonly number[], likeness: number): number[] {
  const rest = Math.sqrt(1 - likeness ** 2);
  return one.map((value, index) => likeness * value + rest * (other[index] ?? 0));
}

/** The same for the same text. */
function randomUnit(text: string): number[] {
  let seed = 2_166_136_261;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16_777_619);
  const random = seededRandom(seed);
  // The sum of a few even numbers is near enough to normal for no direction to be preferred.
  const values = Array.from({ length: DIMENSIONS }, () => random() + random() + random() + random() - 2);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

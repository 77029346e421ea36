import { directionOf, mixed, startScriptedModel } from "@threadlore/testkit";
import { folded, holdsAny } from "./gold.ts";
import type { Document } from "./collection.ts";
import type { Question } from "./sets.ts";

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
      return directionOf(text);
    }
    const title = titles.get(question.document ?? "") ?? "";
    const holding = [...passages].filter((passage) => holdsAny(passage, question.gold));
    const gold = holding.find((passage) => passage.includes(title)) ?? holding[0];
    if (gold === undefined) {
      if (question.gold.length > 0) unknown++;
      return directionOf(text);
    }
    return mixed(directionOf(gold), directionOf(text), LIKENESS);
  };
  const common = directionOf("what all texts have in common");
  const server = await startScriptedModel([], { embed: (text) => mixed(common, ownOf(text), Math.sqrt(alike)) });
  return { baseUrl: server.url, unknown: () => unknown, close: () => server.close() };
}

import { type ContextPage, termsOf } from "@threadlore/documents";

const BEGINNING = 0.25;

/** The page's beginning, then the paragraphs that hold most of the question's words, each counted alike. */
export function unweighted({ parts }: ContextPage, question: string, budget: number): string {
  const paragraphs = parts
    .flatMap(({ heading, text }) => [heading, ...text.split(/\n{2,}/)])
    .filter((one) => one !== "");
  const terms = [...termsOf(question)];
  const scores = paragraphs.map((text) => terms.filter((term) => text.toLowerCase().includes(term)).length);
  const order = [...paragraphs.keys()].filter((at) => (scores[at] ?? 0) > 0);
  const ranked = order.toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  const kept = new Set<number>();
  let used = 0;
  const take = (at: number): boolean => {
    const length = (paragraphs[at]?.length ?? 0) + 2;
    if (kept.has(at) || used + length > budget) return kept.has(at);
    used += length;
    kept.add(at);
    return true;
  };
  for (const at of paragraphs.keys()) if (used >= BEGINNING * budget || !take(at)) break;
  for (const at of ranked) take(at);
  for (const at of paragraphs.keys()) if (!take(at)) break;
  return paragraphs.filter((_, at) => kept.has(at)).join("\n\n");
}

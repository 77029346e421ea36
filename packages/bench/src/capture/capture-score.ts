import type { CorpusPage } from "./capture-corpus.ts";

/** How well a text matches what it should be. */
export interface Score {
  /** F1 over the multisets of words, as the benchmark of the corpus computes it; of snippets where no more is known. */
  readonly f1: number;
  /** F1 over snippets that belong and snippets that do not; undefined for a page that names none. */
  readonly snippets: number | undefined;
}

/** Scores one page in both formats its reference has. */
export function scoreOf(text: string, page: CorpusPage): Score {
  const snippets = snippetScore(text, page);
  return { f1: page.content === undefined ? (snippets ?? Number.NaN) : wordScore(text, page.content), snippets };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

function wordScore(text: string, reference: string): number {
  const found = wordsOf(text);
  const wanted = wordsOf(reference);
  if (found.length === 0 || wanted.length === 0) return found.length === wanted.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let overlap = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count > 0) overlap++;
    left.set(word, count - 1);
  }
  return f1(overlap, found.length - overlap, wanted.length - overlap);
}

function snippetScore(text: string, page: CorpusPage): number | undefined {
  if (page.with.length === 0) return undefined;
  const flat = wordsOf(text).join(" ");
  const holds = (snippet: string) => flat.includes(wordsOf(snippet).join(" "));
  const right = page.with.filter(holds).length;
  return f1(right, page.without.filter(holds).length, page.with.length - right);
}

function f1(right: number, wrong: number, missed: number): number {
  return right === 0 ? 0 : (2 * right) / (2 * right + wrong + missed);
}

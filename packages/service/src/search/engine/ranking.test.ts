import { describe, expect, it } from "vitest";
import { byDocument, withMeaning } from "./ranking.ts";

const meant = (similarities: readonly (readonly [id: number, similarity: number])[], mean = 0.3) => ({
  best: similarities.map(([id, similarity]) => ({ id, similarity })),
  of: new Map(similarities),
  mean,
});

const many = (from: number, similarity: number) =>
  Array.from({ length: 20 }, (_, index) => [from + index, similarity] as const);

describe("what words and what meaning find", () => {
  const byWords = [
    { id: 1, score: 4 },
    { id: 2, score: 3.5 },
    { id: 3, score: 3 },
  ];

  it("is one list, in which what stands out by meaning comes first though no word names it", () => {
    const fused = withMeaning(byWords, meant([[9, 0.95], ...many(20, 0.35)]), 10);
    expect(fused[0]?.id).toBe(9);
  });

  it("keeps the order of the words where everything means about the same", () => {
    const fused = withMeaning(byWords, meant([...many(20, 0.36), [3, 0.35], [1, 0.35], [2, 0.35]]), 10);
    expect(fused.slice(0, 3).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it("is decided by meaning between passages that hold the same words", () => {
    const same = [
      { id: 2, score: 4 },
      { id: 1, score: 4 },
    ];
    expect(withMeaning(same, meant([[1, 0.8], ...many(20, 0.4)]), 10)[0]?.id).toBe(1);
  });

  it("is what the words find where nothing has a vector", () => {
    expect(withMeaning(byWords, meant([], 0), 10)).toEqual(byWords);
  });
});

describe("passages as they are shown", () => {
  it("stand with their document, at most three before others have had their turn", () => {
    const passages = [5, 4, 3, 2, 1].map((score, ordinal) => ({ id: 10 + ordinal, document: 1, ordinal, score }));
    const other = { id: 30, document: 2, ordinal: 0, score: 1.5 };
    expect(byDocument([...passages, other]).map(({ id }) => id)).toEqual([10, 11, 12, 30, 13, 14]);
  });
});

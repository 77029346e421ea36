import { describe, expect, it } from "vitest";
import { benchExcerpt } from "./excerpt.ts";
import { longPages } from "./long-pages.ts";

describe("the bench of excerpts", () => {
  it("asks long pages in scripts of every kind, and half of the questions were kept back", () => {
    const pages = longPages();
    for (const { page } of pages) {
      const length = page.parts.reduce((sum, { text }) => sum + text.length, 0);
      expect(length, page.title).toBeGreaterThan(18_000);
    }
    const questions = pages.flatMap((one) => one.questions);
    expect(new Set(questions.map(({ lang }) => lang))).toEqual(
      new Set(["en", "de", "fr", "es", "ja", "zh", "ru", "ar"]),
    );
    expect(questions.filter(({ part }) => part === "frozen").length).toBeGreaterThanOrEqual(36);
  });

  it("sends the passage that is asked for in 34 of 36 questions and more", { timeout: 60_000 }, async () => {
    const { groups, missed } = await benchExcerpt({ budget: 12_000, every: 6, timed: [30_000], rounds: 1 });
    expect(missed.filter((words) => !words.startsWith("time"))).toEqual([]);
    expect(groups.map(({ name }) => name)).toContain("in ar");
  });
});

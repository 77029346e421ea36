import { describe, expect, it } from "vitest";
import type { Part } from "@threadlore/files";
import { defaultLimits, sectionsOf } from "./sections.ts";

const part = (level: number, heading: string, text: string, fragment?: string): Part => ({
  level,
  heading,
  text,
  ...(fragment === undefined ? {} : { fragment }),
});
const small = { ...defaultLimits, sectionCharacters: 40 };
const textsOf = (parts: Part[], limits = small) =>
  sectionsOf(parts, { limits }).sections.map((section) => section.text);

describe("sections", () => {
  it("begin with the headings they stand under", () => {
    const parts = [
      part(0, "", "Before."),
      part(1, "Leave", "Everyone."),
      part(3, "Sick", "Call."),
      part(2, "Paid", "Ask."),
      part(1, "Pay", "Monthly."),
    ];
    expect(textsOf(parts)).toEqual([
      "Before.",
      "# Leave\n\nEveryone.",
      "# Leave\n### Sick\n\nCall.",
      "# Leave\n## Paid\n\nAsk.",
      "# Pay\n\nMonthly.",
    ]);
  });

  it("keep a heading that nothing stands under, and no empty one above others", () => {
    expect(textsOf([part(1, "A", ""), part(2, "B", "b"), part(2, "C", " \n"), part(0, "", "")])).toEqual([
      "# A\n## B\n\nb",
      "# A\n## C",
    ]);
    expect(textsOf([part(1, "A", "")])).toEqual(["# A"]);
  });

  it("link to their own place", () => {
    const { sections } = sectionsOf([part(0, "", "a"), part(1, "B", "b", "b-1")], { link: "https://x.example/p#old" });
    expect(sections.map((section) => section.link)).toEqual(["https://x.example/p#old", "https://x.example/p#b-1"]);
    expect(sectionsOf([part(0, "", "a")]).sections).toEqual([{ text: "a" }]);
  });

  it.each([
    ["a paragraph", `${"a ".repeat(14)}end.\n\nNext one. ${"b ".repeat(20)}`, "end."],
    ["a line", `${"a ".repeat(14)}end\nnext one. ${"b ".repeat(20)}`, "end"],
    ["a sentence", `${"a ".repeat(12)}end. ${"next ".repeat(20)}`, "end."],
    ["a sentence in another script", `${"あ".repeat(30)}。${"い".repeat(60)}`, "。"],
    ["a word", `${"word ".repeat(7)}longerword ${"b".repeat(60)}`, "word"],
  ])("are cut after %s where they are too long", (_, text, end) => {
    const [first = "", ...rest] = textsOf([part(0, "", text)]);
    expect(first.endsWith(end)).toBe(true);
    expect([first, ...rest].every((piece) => piece.length <= 40)).toBe(true);
    expect([first, ...rest].join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
  });

  it("never cut a character in half", () => {
    for (const lead of ["", "x"]) {
      const pieces = textsOf([part(0, "", lead + "\u{1f600}".repeat(100))]);
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      expect(pieces.join("")).toBe(lead + "\u{1f600}".repeat(100));
    }
  });

  it("say where the whole was cut", () => {
    const limits = { ...small, totalCharacters: 100 };
    const { sections, cut } = sectionsOf([part(1, "H", "word ".repeat(100))], { limits });
    expect(cut).toBe(true);
    expect(sections.at(-1)?.text).toMatch(/\n\n\[Cut here: .*\]$/);
    expect(sections.reduce((sum, section) => sum + section.text.length, 0)).toBeLessThan(250);
    expect(sectionsOf([part(1, "H", "x".repeat(60))], { limits }).cut).toBe(false);
    expect(sectionsOf([part(1, "H", "short")], { limits, more: true }).sections[0]?.text).toContain("[Cut here:");
  });

  it("are no more than the limit, however many headings there are", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => part(1, `H${index}`, "t"));
    const { sections, cut } = sectionsOf(many);
    expect(sections).toHaveLength(5_000);
    expect(cut).toBe(true);
    expect(sections.at(-1)?.text).toContain("[Cut here:");
  });
});

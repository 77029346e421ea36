import { assert, constantFrom, property, string } from "fast-check";
import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { type Chunk, chunkSection } from "./chunk.ts";

const chunksOf = (text: string): Chunk[] => [...chunkSection(text)];
const texts = (text: string, aim = 100): string[] => Array.from(chunkSection(text, aim), (chunk) => chunk.text);
const letters = (text: string): string => text.replace(/\s+/g, "");

describe("chunkSection", () => {
  it("keeps a short section whole, and makes nothing of an empty one", () => {
    expect(chunksOf("One line.\nAnother.")).toEqual([{ heading: "", text: "One line.\nAnother." }]);
    expect(chunksOf(" \n\n ")).toEqual([]);
  });

  it("cuts at blank lines first, and fills passages with whole paragraphs", () => {
    const [a, b, c] = ["a".repeat(60), "b".repeat(60), "c".repeat(30)];
    expect(texts(`${a}\n\n${b}\n \n${c}`)).toEqual([a, `${b}\n\n${c}`]);
  });

  it("cuts a long paragraph at the ends of sentences", () => {
    const sentence = "The lift stops on every floor, even on the fourth. ";
    for (const text of texts(sentence.repeat(9))) {
      expect(text).toMatch(/^The lift .* fourth\.$/);
      expect(text.length).toBeLessThanOrEqual(120);
    }
  });

  it("keeps the line breaks of a long list, and cuts between its entries", () => {
    const entries = Array.from({ length: 12 }, (_, index) => `- Floor ${index + 1}: a lift and a kitchen`);
    const cut = texts(entries.join("\n"));
    expect(cut.length).toBeGreaterThan(2);
    expect(cut.join("\n").split("\n")).toEqual(entries);
  });

  it("keeps the line breaks of a long paragraph", () => {
    const lines = Array.from({ length: 12 }, (_, index) => `Floor ${index + 1} has a lift.\nIt also has\na kitchen.`);
    expect(texts(lines.join("\n")).join("\n")).toBe(lines.join("\n"));
    expect(
      texts("word\nword ".repeat(60)).every((text) => /^(?:word[ \n]word\n?)/.test(text) && text.includes("\n")),
    ).toBe(true);
  });

  it("cuts a long table between its rows, each part below the head", () => {
    const head = "| Floor | What is there |\n|---|---|";
    const rows = Array.from({ length: 12 }, (_, index) => `| ${index + 1} | a lift and a kitchen |`);
    const cut = texts([head, ...rows].join("\n"), 200);
    expect(cut.length).toBeGreaterThan(1);
    expect(cut.every((text) => text.startsWith(`${head}\n| `) && text.length <= 240)).toBe(true);
    expect(cut.flatMap((text) => text.split("\n").slice(2))).toEqual(rows);
  });

  it("cuts a long sentence at spaces, and an unbroken run hard but never inside a character", () => {
    expect(texts("word ".repeat(100)).every((text) => /^(?:word ?)+$/.test(text) && text.length <= 100)).toBe(true);
    const run = texts("🙂".repeat(101), 101);
    expect(run.join("")).toBe("🙂".repeat(101));
    expect(run.every((text) => text.isWellFormed())).toBe(true);
  });

  it("carries the headings above a passage, and drops deeper ones when a higher one begins", () => {
    const text =
      "Intro\n# Leave\nGeneral\n## Parental\nSixteen weeks\n### Notice ##\nTell us\n## Sick\nCall in\n# Travel\nBook";
    expect(chunksOf(text)).toEqual([
      { heading: "", text: "Intro" },
      { heading: "Leave", text: "General" },
      { heading: "Leave > Parental", text: "Sixteen weeks" },
      { heading: "Leave > Parental > Notice", text: "Tell us" },
      { heading: "Leave > Sick", text: "Call in" },
      { heading: "Travel", text: "Book" },
    ]);
  });

  it("keeps a heading that nothing follows, but not one that only opens a deeper one", () => {
    expect(chunksOf("# Open\n## Closed on Monday")).toEqual([
      { heading: "Open > Closed on Monday", text: "Closed on Monday" },
    ]);
  });

  it("takes a # in code for code", () => {
    expect(chunksOf("```\n# comment\n```")).toEqual([{ heading: "", text: "```\n# comment\n```" }]);
  });

  it("loses no letter of any text, and keeps every passage near its aim", () => {
    const noise = string({ unit: constantFrom("a", "b", " ", ".", "\n", "。", "é", "🙂"), maxLength: 600 });
    assert(
      property(noise, (text) => {
        const cut = texts(text, 50);
        expect(letters(cut.join(""))).toBe(letters(text));
        expect(cut.every((one) => one.length <= 60 && one.trim() === one && one !== "")).toBe(true);
      }),
    );
  });

  it("T27 cuts 2 MB of the worst kinds of text in a moment", { timeout: 240_000 }, () => {
    for (const unit of ["a", " ", ".", "\n", "# ", "\n ", ". ", "a\n# b\n", "|\n", "|-", "| -\n", "a\n- "]) {
      expect(ownTime(() => chunksOf(unit.repeat(2_000_000 / unit.length)))).toBeLessThan(60_000);
    }
  });
});

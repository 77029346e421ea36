import { describe, expect, it } from "vitest";
import { stretchOf } from "./document-pieces.ts";

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** All of the sections, read in stretches of so many characters. */
function stretches(texts: readonly string[], most: number): string[][] {
  const sections = texts.map((text) => ({ text }));
  const read: string[][] = [];
  for (let from: number | null = 0; from !== null;) {
    const { pieces, next } = stretchOf(sections, from, most);
    read.push(pieces.map(({ text }) => text));
    if (next !== null && next <= from) throw new Error(`Nothing is read at ${from}`);
    from = next;
  }
  return read;
}

describe("stretches of a document", () => {
  it.each([
    ["Thai with its marks", "กำลังที่นี่ผู้ใหญ่"],
    ["Hindi", "क्षत्रियोंकीस्त्रियाँ"],
    ["Arabic with vowel signs", "مُحَمَّدٌكِتَابٌ"],
    ["a family of four", "👩‍👩‍👧‍👦"],
    ["accents written apart", "e\u0301a\u0308"],
  ])("give all of it, and cut nothing a reader takes for one character: %s", (_name, written) => {
    const text = written.repeat(200);
    for (const most of [200, 211]) {
      const read = stretches([text], most).flat();
      expect(read.join("")).toBe(text);
      const parts = read.reduce((count, part) => count + [...characters.segment(part)].length, 0);
      expect(parts).toBe([...characters.segment(text)].length);
    }
  });

  it("leave a character that does not fit any more to the next one", () => {
    expect(stretches(["A".repeat(199), "🫖 tea"], 200)).toEqual([["A".repeat(199)], ["🫖 tea"]]);
  });

  it("go on where one was asked for in the middle of a pair of halves, with all of it", () => {
    expect(stretchOf([{ text: "🫖🫖" }], 3, 200).pieces).toEqual([{ text: "🫖", link: null }]);
  });

  it("end, however little is asked for and however long a character is", () => {
    const piled = `e${"\u0301".repeat(2_000)}`;
    expect(stretches([piled, "🫖"], 1).flat().join("")).toBe(`${piled}🫖`);
  });

  it("are found in a document of very many sections as quickly as in one", () => {
    const sections = Array.from({ length: 200_000 }, () => ({ text: "x" }));
    const begun = performance.now();
    expect(stretchOf(sections, 0, 100_000).pieces).toHaveLength(100_000);
    // Counting anew for each piece took a minute.
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

import { describe, expect, it } from "vitest";
import { quotedLine } from "./quoted-text.ts";

describe("a title that is too long", () => {
  const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

  it.each([
    ["of families", "👩‍👩‍👧‍👦"],
    ["of flags", "🇨🇭"],
    ["in Thai", "ที่ผู้ใหญ่"],
    ["in Hindi", "क्षत्रियों"],
    ["of letters with their accents apart", "e\u0301"],
  ])("ends between two characters: %s", (_case, written) => {
    const text = `A${written.repeat(300)}`;
    const line = quotedLine(text);
    expect(line.length).toBeLessThanOrEqual(300);
    expect(line.length).toBeGreaterThan(270);
    const all = Array.from(characters.segment(text), ({ segment }) => segment);
    const kept = Array.from(characters.segment(line.slice(0, -1)), ({ segment }) => segment);
    expect(kept).toEqual(all.slice(0, kept.length));
  });

  it("ends also where it is one character", () => {
    expect(quotedLine(`e${"\u0301".repeat(2_000)}`)).toHaveLength(300);
  });
});

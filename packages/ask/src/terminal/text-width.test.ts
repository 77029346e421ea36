import { describe, expect, it } from "vitest";
import { cutAtWidth, rowsTaken, textWidth, unspacedPieces } from "./text-width.ts";

describe("textWidth", () => {
  it.each([
    ["", 0],
    ["plain", 5],
    ["日本語", 6],
    ["ｱｲｳ", 3],
    ["한국어", 6],
    ["\u1112\u1161\u11ab", 2],
    ["e\u0301te\u0301", 3],
    ["🚲", 2],
    ["👩‍👩‍👧", 2],
    ["👍🏽", 2],
    ["🇩🇪🇫🇷", 4],
    ["⚠️", 2],
    ["⚠", 1],
    ["1️⃣", 2],
  ])("%s", (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

describe("cutAtWidth", () => {
  it("never takes apart what a reader takes for one character, and always takes one", () => {
    const cut = (text: string, columns: number): string[] => [...cutAtWidth(text, columns)];
    expect(cut("日本語", 5)).toEqual(["日本", "語"]);
    expect(cut("a👩‍👩‍👧b", 2)).toEqual(["a", "👩‍👩‍👧", "b"]);
    expect(cut("e\u0301x", 1)).toEqual(["e\u0301", "x"]);
    expect(cut("日", 1)).toEqual(["日"]);
    expect(cut("日本", 1)).toEqual(["日", "本"]);
    expect(cut("", 1)).toEqual([]);
  });
});

describe("rowsTaken", () => {
  it("counts rows as a terminal fills them", () => {
    expect(rowsTaken("x".repeat(80), 80)).toBe(1);
    expect(rowsTaken("x".repeat(81), 80)).toBe(2);
    // 41 columns: 20 wide characters in each row, and one column left empty.
    expect(rowsTaken("語".repeat(41), 41)).toBe(3);
  });
});

describe("unspacedPieces", () => {
  it("lets a line end behind every character of a language without spaces", () => {
    expect(unspacedPieces("休暇です")).toEqual(["休", "暇", "で", "す"]);
    expect(unspacedPieces("see休暇now")).toEqual(["see", "休", "暇", "now"]);
  });

  it("begins no line with what closes or lengthens, and ends none with what opens", () => {
    expect(unspacedPieces("「休暇」、ユーザー（注）。")).toEqual(["「休", "暇」、", "ユー", "ザー", "（注）。"]);
    expect(unspacedPieces("休暇:(注)!")).toEqual(["休", "暇:(注)!"]);
  });

  it("leaves other words whole", () => {
    for (const word of ["word", "Überstunden", "한국어", "naïve—dash", "🚲🚲"])
      expect(unspacedPieces(word)).toEqual([word]);
  });
});

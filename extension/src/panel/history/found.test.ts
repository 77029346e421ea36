import { describe, expect, it } from "vitest";
import { byDay } from "./days.ts";
import { folded, hasAll, lineWith, wordsOf } from "./found.ts";

describe("words that are looked for", () => {
  it.each([
    ["resume", "Das Résumé"],
    ["RÉSUMÉ", "resume"],
    ["ausserdem", "AUSSERDEM"],
    ["шел", "Шёл дождь"],
    ["العربية", "العَرَبِيَّة"],
    ["שלום", "שָׁלוֹם"],
    ["ログイン", "ﾛｸﾞｲﾝの手順"],
    ["ภาษา", "ภาษาไทย"],
    ["한국", "한국어"],
    ["two words", "The words are two."],
  ])("%s is found in %s", (query, text) => {
    expect(hasAll(folded(text), wordsOf(query))).toBe(true);
  });

  it.each([
    ["かく", "がく"],
    ["มา", "ม"],
    ["tea coffee", "tea"],
  ])("%s is not found in %s", (query, text) => {
    expect(hasAll(folded(text), wordsOf(query))).toBe(false);
  });

  it("are shown in their line, as it was written", () => {
    const text = `First line.\n${"x ".repeat(100)}Das Ｒésumé liegt im Schrank. ${"y ".repeat(200)}`;
    const found = lineWith(text, wordsOf("resume schrank"));
    expect(found?.found).toBe("Schrank");
    expect(`${found?.before}${found?.found}`).toContain("Das Ｒésumé liegt im Schrank");
    expect(found?.before.length).toBeLessThan(50);
    expect(lineWith("a\nＴｅａ!\nb", ["tea"])).toEqual({ before: "", found: "Ｔｅａ", after: "!" });
    expect(lineWith(text, ["nowhere"])).toBeUndefined();
    expect(lineWith("👩‍👩‍👧‍👦 家族", ["家族"])?.found).toBe("家族");
  });
});

describe("days", () => {
  const now = new Date(2026, 10, 24, 0, 30).getTime();
  const at = (...date: [number, number, number, number]) => new Date(...date).getTime();
  const titles = (language: string, ...moments: number[]) =>
    byDay(moments, (one) => one, language, now).map(({ title }) => title);

  it("are called as people call them, by the clock on the wall", () => {
    const moments = [
      at(2026, 10, 24, 0),
      at(2026, 10, 23, 23),
      at(2026, 10, 23, 1),
      at(2026, 10, 22, 12),
      at(2026, 10, 17, 12),
      at(2025, 10, 24, 12),
      0,
    ];
    expect(titles("en", ...moments)).toEqual(["Today", "Yesterday", "Sunday", "November 17", "November 24, 2025", ""]);
    expect(titles("de", ...moments)).toEqual(["Heute", "Gestern", "Sonntag", "17. November", "24. November 2025", ""]);
    expect(titles("ja", ...moments)).toEqual(["今日", "昨日", "日曜日", "11月17日", "2025年11月24日", ""]);
    expect(titles("fr", ...moments).slice(0, 3)).toEqual(["Aujourd’hui", "Hier", "Dimanche"]);
  });

  it("are none of the future where a clock is wrong", () => {
    expect(titles("en", at(2026, 10, 26, 12))).toEqual(["November 26"]);
  });
});

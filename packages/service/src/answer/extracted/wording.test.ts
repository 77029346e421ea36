import { describe, expect, it } from "vitest";
import { wordingRemover } from "./wording.ts";

describe("wording that is not kept", () => {
  it.each([
    [
      "a run of six words",
      "The merger with Acme closes in May.",
      "It says the merger with Acme closes in May, so.",
      "It says …, so.",
    ],
    ["a context shorter than six words", "Canary merger May", "The note: canary merger, May.", "The note: …."],
    ["Chinese", "我们将在五月收购这家公司", "答：我们将在五月收购这家公司。", "答：…。"],
    ["Japanese", "来月この会社を買収します", "答え：来月この会社を買収します。", "答え：…。"],
    ["Thai", "เราจะซื้อบริษัทในเดือนพฤษภาคม", "ตอบ เราจะซื้อบริษัทในเดือนพฤษภาคม", "ตอบ …"],
    ["nothing shared", "one two three four five six", "seven eight nine", "seven eight nine"],
    ["a context of signs", "?!", "what?!", "what?!"],
  ])("is taken out: %s", (_, context, answer, kept) => {
    expect(wordingRemover(context)(answer)).toBe(kept);
  });
});

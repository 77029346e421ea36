import { describe, expect, it } from "vitest";
import { slipsBetween } from "./slips.ts";

describe("slips between what is written and what is meant", () => {
  it.each([
    ["vacatoin", "vacation", 1],
    ["vacaton", "vacation", 1],
    ["vaccation", "vacation", 1],
    ["vacstion", "vacation", 1],
    ["vacatiomn", "vacation", 1],
    ["definately", "definitely", 1],
    ["отпсук", "отпуск", 1],
    ["отпкск", "отпуск", 1],
    ["αδεoα", "αδεια", 1],
    ["vacation", "vacation", 0],
    ["", "", 0],
  ])("%s for %s: %s", (written, meant, slips) => {
    expect(slipsBetween(written, meant, 2)).toBe(slips);
  });

  it.each([
    ["point", "print"],
    ["bonus", "bogus"],
    ["tired", "timed"],
    ["plane", "plan"],
    ["point", "pointing"],
  ])("are more than one where keys lie far apart: %s and %s are two words", (written, meant) => {
    expect(slipsBetween(written, meant, 1)).toBeUndefined();
  });
});

import { expect, it } from "vitest";
import { excerptOf } from "./excerpts.ts";

it.each([
  [
    "# Leave\n\nEverybody has **28** days.\n\n## Carried over\n\n- Up to `5` days\n- See [the form](https://x.example/y)",
    "Everybody has 28 days. Carried over: Up to 5 days See the form",
  ],
  ["1. First\n2) Second\n> quoted", "First Second quoted"],
  ["| a | b |\n| --- | --- |\n| 1 | 2 |", "| a | b | | 1 | 2 |"],
  ["A * B and snake_case_name", "A * B and snake_case_name"],
  ["# Leave", ""],
])("says what a passage says in plain words: %j", (passage, words) => {
  expect(excerptOf([passage], "Leave", 300)).toBe(words);
});

it("joins passages, and ends after a word", () => {
  expect(excerptOf(["One two.", "Three four."], "T", 300)).toBe("One two. … Three four.");
  expect(excerptOf(["One two three four five"], "T", 15)).toBe("One two three…");
  expect(excerptOf(["x".repeat(40)], "T", 15)).toBe(`${"x".repeat(14)}…`);
});

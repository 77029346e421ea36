import { describe, expect, it } from "vitest";
import { wordsFor } from "./words-for.ts";

const LANGUAGES = ["en", "de", "fr", "es", "ja"];

describe("the words of the pages", () => {
  it.each([
    [null, "en"],
    ["", "en"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["nl,fr-CA;q=0.4,ja;q=0.7", "ja"],
    ["es;q=0,pt", "en"],
    ["*", "en"],
    ["x".repeat(100_000), "en"],
    ["fr;q=nonsense,de;q=0.1", "de"],
  ])("for %j are %s", (header, language) => {
    expect(wordsFor(header).language).toBe(language);
  });

  it.each(LANGUAGES)("in %s are sentences of that language without markup, whole for every number", (language) => {
    const words = wordsFor(language);
    const english = wordsFor("en");
    const said = Object.entries(words).flatMap(([key, value]): [string, string][] => {
      if (typeof value === "string") return [[key, value]];
      if (typeof value === "object") return Object.entries(value as Record<string, string>);
      const say = value as (...given: unknown[]) => string;
      return [1, 7].map((given): [string, string] => [key, say(given, given, given)]);
    });
    for (const [key, sentence] of said) {
      expect([key, sentence]).toEqual([key, expect.stringMatching(/^[^<>&]{2,400}$/)]);
    }
    expect(words.tooMany(7)).toContain("7");
    expect(language === "en" || words.onlyIfYou !== english.onlyIfYou).toBe(true);
  });
});

import type { Analyser } from "./analyser.ts";

const FUNCTION_WORDS = new Set(["the", "a", "of", "and", "is", "what"]);

/** Cuts texts simply: a word's term is the word without its plural, and a few words say nothing. */
export const plainAnalyser: Analyser = {
  version: "plain",
  languageOf: () => "en",
  wordsOf: (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
  termOf: (word) => (FUNCTION_WORDS.has(word) ? undefined : word.replace(/(?<=\w{3})s$/, "")),
};

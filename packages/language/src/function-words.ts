import { foldWord } from "./folding.ts";
import { EASTERN_ASIAN } from "./function-words/eastern-asian.ts";
import { GERMANIC } from "./function-words/germanic.ts";
import type { LanguageWords } from "./function-words/language-words.ts";
import { OTHERS } from "./function-words/others.ts";
import { ROMANCE } from "./function-words/romance.ts";
import { SLAVIC } from "./function-words/slavic.ts";
import { WESTERN_ASIAN } from "./function-words/western-asian.ts";

const LISTS: Readonly<Record<string, LanguageWords>> = {
  ...GERMANIC,
  ...ROMANCE,
  ...SLAVIC,
  ...OTHERS,
  ...WESTERN_ASIAN,
  ...EASTERN_ASIAN,
};

/** The languages whose function words are known, as ISO 639-1 codes. */
export const KNOWN_LANGUAGES: readonly string[] = Object.keys(LISTS);

/** The code may come from anywhere: "constructor" names no language. */
function listOf(language: string): LanguageWords | undefined {
  return Object.hasOwn(LISTS, language) ? LISTS[language] : undefined;
}

interface FoldedWords {
  readonly asking: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const folded = new Map<string, FoldedWords>();

function foldedWords(language: string): FoldedWords | undefined {
  const known = folded.get(language);
  if (known !== undefined) return known;
  const list = listOf(language);
  if (list === undefined) return undefined;
  const asking = foldList(list.asking);
  const words = { asking: new Set(asking), all: new Set([...asking, ...foldList(list.others)]) };
  folded.set(language, words);
  return words;
}

function foldList(words: string): string[] {
  return words.split(/[\s\u200c-]+/).map((word) => foldWord(word));
}

/** One or two letters of hiragana are an ending or a particle wherever the cutter left them. */
const SHORT_HIRAGANA = /^[ぁ-ん]{1,2}$/;

/**
 * Whether a folded word says nothing of what a text of this language is about: articles, pronouns, prepositions,
 * particles, auxiliary verbs and question words. `false` where the language is unknown.
 */
export function isFunctionWord(word: string, language: string | undefined): boolean {
  if (language === undefined) return false;
  if (language === "ja" && SHORT_HIRAGANA.test(word)) return true;
  return foldedWords(language)?.all.has(word) === true;
}

/** "US", "IT", "WHO": capitals that a function word has only where everything is written in them. */
const CAPITALS = /^\p{Lu}{2,5}$/u;

/** Whether a word as it is written is a function word of a language. What is written in capitals alone is a name. */
export function isWrittenFunctionWord(written: string, language: string | undefined): boolean {
  return !CAPITALS.test(written) && isFunctionWord(foldWord(written, language), language);
}

/** Whether a folded word is one that questions of this language are asked with: "who", "combien", "どこ". */
export function isQuestionWord(word: string, language: string | undefined): boolean {
  return language !== undefined && foldedWords(language)?.asking.has(word) === true;
}

/** The function words of a language as they are written, lower case, with accents; empty where it is unknown. */
export function functionWordsOf(language: string): readonly string[] {
  const list = listOf(language);
  return list === undefined ? [] : `${list.asking} ${list.others}`.split(/[\s\u200c]+/);
}

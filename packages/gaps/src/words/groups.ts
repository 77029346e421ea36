import { foldWord, wordsOf } from "@threadlore/language";
import { stem } from "@threadlore/language/stems";
import { DE } from "./de.ts";
import { EN } from "./en.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { JA } from "./ja.ts";
import { PLAIN } from "./plain.ts";

const LISTS: Readonly<Record<string, string>> = { en: EN, de: DE, fr: FR, es: ES, ja: JA };

/** The languages whose everyday words are known; the first where nothing tells. */
export const WITH_EVERYDAY_WORDS: readonly string[] = Object.keys(LISTS);

/** Words that say the same. */
export interface Group {
  readonly name: string;
  /** They say what is asked about something, not what that is: "approve", "reset", "deadline". */
  readonly isAspect: boolean;
}

/** What is known of the everyday words of a language. */
export interface EverydayWords {
  /** The group of a stem; undefined: none. */
  groupOfStem(stem: string): Group | undefined;
  /** The group of some folded words that stand side by side, joined by blanks. */
  groupOfPhrase(phrase: string): Group | undefined;
  /** Whether a stem says little, since many questions have it. */
  isPlain(stem: string): boolean;
}

/** Words of the longest phrase. */
export const MAX_PHRASE = 3;

const compiled = new Map<string, EverydayWords>();
const NONE: EverydayWords = { groupOfStem: () => undefined, groupOfPhrase: () => undefined, isPlain: () => false };

/** The everyday words of a language; of one that nothing is known of, none. */
export function everydayWords(language: string | undefined): EverydayWords {
  const list = language !== undefined && Object.hasOwn(LISTS, language) ? LISTS[language] : undefined;
  if (language === undefined || list === undefined) return NONE;
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const made = compile(list, PLAIN[language] ?? "", language);
  compiled.set(language, made);
  return made;
}

function compile(list: string, plain: string, language: string): EverydayWords {
  const stems = new Map<string, Group>();
  const phrases = new Map<string, Group>();
  for (const line of list.trim().split("\n")) {
    const [head = "", words = ""] = line.split(": ");
    const group = { name: head.replace("!", ""), isAspect: head.startsWith("!") };
    for (const written of words.split(" | ")) {
      const folded = wordsOf(written).map(({ text }) => text);
      if (folded.length > 1) phrases.set(folded.join(" "), group);
      else if (!stems.has(stem(written.trim(), language))) stems.set(stem(written.trim(), language), group);
    }
  }
  const isPlain = new Set(plain.split(/\s+/).map((word) => stem(foldWord(word), language)));
  return {
    groupOfStem: (term) => stems.get(term),
    groupOfPhrase: (phrase) => phrases.get(phrase),
    isPlain: (term) => isPlain.has(term) && !stems.has(term),
  };
}

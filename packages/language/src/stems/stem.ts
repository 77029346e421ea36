import { MAX_WORD_LENGTH, spellingOf, withoutAccents } from "../folding.ts";
import { stemArabic } from "./arabic.ts";
import { regular } from "./irregular-english.ts";
import { stemJapanese } from "./japanese.ts";
import { stemKorean } from "./korean.ts";
import { stemCzech, stemPolish } from "./slavic.ts";
import { SNOWBALL, type Stemmer } from "./snowball.ts";

const STEMMERS: Readonly<Record<string, Stemmer | undefined>> = {
  ...SNOWBALL,
  ar: stemArabic,
  cs: stemCzech,
  en: stemEnglish,
  de: stemGerman,
  es: stemSpanish,
  ja: stemJapanese,
  ko: stemKorean,
  pl: stemPolish,
};

/** Whether words of a language are stemmed here. Those of others stay as they are. */
export function isStemmed(language: string | undefined): language is string {
  return language !== undefined && Object.hasOwn(STEMMERS, language);
}

/**
 * What the forms of a word share, folded: "policies" and "policy" give "polici". Identity, but for folding, where the
 * language is unknown or has no stemmer. Give the word as it is written: accents tell endings apart.
 */
export function stem(word: string, language: string | undefined): string {
  const spelling = spellingOf(word, language);
  const stemmer = isStemmed(language) ? STEMMERS[language] : undefined;
  // A word cut at the limit has lost its ending.
  if (stemmer === undefined || spelling.length >= MAX_WORD_LENGTH) return withoutAccents(spelling);
  const stemmed = withoutAccents(stemmer(spelling));
  return stemmed === "" ? withoutAccents(spelling) : stemmed;
}

const english = SNOWBALL["en"];
const german = SNOWBALL["de"];

function stemEnglish(spelling: string): string {
  const base = regular(spelling);
  return english?.(base) ?? base;
}

/** "ae", "oe" and "ue" are how umlauts are typed without their keys; after a vowel or "q" they are no umlaut ("neue"). */
function stemGerman(spelling: string): string {
  const umlauts = spelling.replace(/(?<![aeiouäöüq])([aou])e/g, (_, vowel: string) => UMLAUTS[vowel] ?? vowel);
  return german?.(umlauts) ?? umlauts;
}

const UMLAUTS: Readonly<Record<string, string>> = { a: "ä", o: "ö", u: "ü" };

const spanish = SNOWBALL["es"];

/** The one accent that decides what a stemmer sees and that is often not typed: "aprobacion". */
function stemSpanish(spelling: string): string {
  const accented = spelling.replace(/([cs])ion$/, "$1ión");
  return spanish?.(accented) ?? accented;
}

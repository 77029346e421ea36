import { askedOf, polarityOf } from "@threadlore/language/meaning";
import { questionLanguage } from "./reading/language.ts";
import { readTerms } from "./reading/terms.ts";
import { plainText } from "./reading/plain-text.ts";
import { askingPart } from "./reading/asking.ts";
import { MAX_TRAITS, type Trait, type Traits, TRAITS_VERSION } from "./trait.ts";

/** Characters of a question that are read. */
const MAX_READ = 4_000;

/** Reads a question of any language. Its first 4,000 characters count. */
export function traitsOf(question: string): Traits {
  const text = plainText(question.slice(0, MAX_READ));
  const language = questionLanguage(text);
  const { main, aside } = askingPart(text, language);
  return {
    version: TRAITS_VERSION,
    language: language ?? null,
    asked: askedOf(main, language).kind,
    denies: polarityOf(main, language) === "no",
    terms: readTerms(main, aside, language).slice(0, MAX_TRAITS),
  };
}

/**
 * The same without its words: questions hidden by one `hide` are compared as if they were not, and nobody who does not
 * have it reads them. What kind of thing each term is stays told, and what kind of answer is wanted.
 * @param hide gives the same for the same term, and does not tell the term: a keyed hash
 */
export function hiddenTraits(traits: Traits, hide: (term: string) => string): Traits {
  return { ...traits, terms: traits.terms.map((trait) => hiddenTrait(trait, hide)) };
}

/** So much of a hash tells spellings apart. */
const NEAR_LENGTH = 16;

function hiddenTrait({ term, group, near, ...rest }: Trait, hide: (term: string) => string): Trait {
  return {
    ...rest,
    term: hide(term),
    ...(group === undefined ? {} : { group: hide(group) }),
    ...(near === undefined ? {} : { near: near.map((key) => hide(key).slice(0, NEAR_LENGTH)) }),
  };
}

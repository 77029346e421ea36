import { languageOf } from "@threadlore/language";
import { termsOf } from "@threadlore/language/stems";

/** What a question is compared by. JSON-safe. */
export interface Traits {
  /** ISO 639-1; null where it cannot be told. */
  readonly language: string | null;
  /** What it is about, each once, in order: stems, or what they are hidden behind. */
  readonly terms: readonly string[];
}

/** Reads a question of any language. */
export function traitsOf(question: string): Traits {
  const language = languageOf(question);
  return { language: language ?? null, terms: [...new Set(termsOf(question, language))] };
}

/**
 * The same without its words: questions hidden by one `hide` are compared as if they were not, and nobody who does not
 * have it reads them.
 * @param hide gives the same for the same term, and does not tell the term: a keyed hash
 */
export function hiddenTraits({ language, terms }: Traits, hide: (term: string) => string): Traits {
  return { language, terms: terms.map(hide) };
}

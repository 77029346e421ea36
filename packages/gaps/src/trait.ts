import type { AnswerKind } from "@threadlore/language/meaning";

/**
 * What traits mean: those of another version are not compared with these. Whoever kept the words of a question reads
 * them again; a question whose words nobody kept leaves the comparison.
 */
export const TRAITS_VERSION = 1;

/** Terms of a question at most. */
export const MAX_TRAITS = 64;

/**
 * What kind of thing a term is. `word`: what it is about; `plain`: a word that many questions have, whatever they are
 * about; `aspect`: an everyday word for what is asked about something ("approve", "reset", "deadline"); the others must agree: two questions about two names, places, codes, numbers or dates are two questions.
 */
export type TermKind = "word" | "plain" | "aspect" | "name" | "place" | "code" | "number" | "date" | "year";

/** One thing a question speaks of. */
export interface Trait {
  /** A stem, a name, a number …, or what it is hidden behind. */
  readonly term: string;
  readonly kind: TermKind;
  /** What it is called among everyday words that say the same; absent: it is none of these. */
  readonly group?: string;
  /** By what it is still known where it is misspelled or a part of a longer word: always as many, or none. */
  readonly near?: readonly string[];
  /** Told beside the question, not asked for. */
  readonly aside?: true;
}

/** What a question is compared by. JSON-safe, and of bounded size. */
export interface Traits {
  readonly version: number;
  /** ISO 639-1; null where it cannot be told. */
  readonly language: string | null;
  /** What kind of answer it wants. */
  readonly asked: AnswerKind;
  /** It asks with a "not". */
  readonly denies: boolean;
  /** What it speaks of, each once, in order; at most {@link MAX_TRAITS}. */
  readonly terms: readonly Trait[];
}

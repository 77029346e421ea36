/** What is written down about one language: the words that say what is asked, counted, denied and allowed. */

/** What a question wants to hear. */
export type AnswerKind =
  | "number"
  | "money"
  | "duration"
  | "time"
  | "person"
  | "place"
  | "reason"
  | "manner"
  | "choice"
  | "definition"
  | "thing";

/** What a rule says may, must, must not or need not be. */
export type Modality = "allowed" | "required" | "forbidden" | "optional";

/** Lists of phrases by what they say; the way they are written is told in phrases.ts. */
export interface Lexicon {
  /** Question words that say by themselves what is asked. */
  readonly asks: Readonly<Partial<Record<AnswerKind, string>>>;
  /** Question words of a count, before what is counted ("how many"). */
  readonly count: string;
  /** Question words before the noun that says what is asked, with a copula between or not ("what", "which"). */
  readonly which: string;
  /** Question words after that noun (は何, 是什么, nedir). Default: none. */
  readonly what?: string;
  /** Nouns that say what kind of answer is asked. */
  readonly nouns: Readonly<Partial<Record<AnswerKind, string>>>;
  /** Nouns that leave it to the next noun: name, kind, part. */
  readonly links: string;
  /** What may stand between the question word and its noun: articles, copulas, possessives. */
  readonly skips: string;
  /** What ends the noun's phrase: prepositions, auxiliaries, pronouns. */
  readonly stops: string;
  /** What makes a question one of yes or no, where no question word is in it. */
  readonly choice: string;
  /** Whether the noun that matters stands last in its phrase ("notice period"). Default: the first counts. */
  readonly isHeadLast?: boolean;
  /** Whether of several question words the last one asks. Default: the first. */
  readonly asksLast?: boolean;
  /** Words of units, beside the symbols every language shares (units.ts). */
  readonly units: Readonly<Partial<Record<string, string>>>;
  /** Number words, `word:value`, blanks between; a word ends in * where only its beginning is told. */
  readonly numbers?: string;
  /** Ordinals, in the same form. */
  readonly ordinals?: string;
  /** About, some, nearly. */
  readonly about: string;
  /** Words that say a reason follows or went before. */
  readonly because: string;
  /** Words that may say it, and often something else: as, to, for. Default: none. */
  readonly mayBecause?: string;
  /** Words that say how something is done. */
  readonly by: string;
  /** Words that say when without a date: yesterday, after, during. */
  readonly when: string;
  /** Words that deny. */
  readonly no: string;
  /** Words of rules. */
  readonly rules: Readonly<Partial<Record<Modality, string>>>;
}

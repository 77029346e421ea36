/** The function words of a language as they are written, lower case, with accents, parted by spaces. */
export interface LanguageWords {
  /** Words a question is asked with: who, which, how many; with every form they take. */
  readonly asking: string;
  /**
   * Articles, pronouns, prepositions, conjunctions, particles, auxiliary verbs. No numbers, no months, nothing a text
   * can be about.
   */
  readonly others: string;
}

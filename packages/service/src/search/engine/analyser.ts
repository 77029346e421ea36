/** How texts are cut into what they are found by. */
export interface Analyser {
  /** Another one with every change of what it answers: an index made by another version is built anew. */
  readonly version: string;
  /** The language a text is written in, as the other two take it. */
  languageOf(text: string): string;
  /** The words of a text in their order, lower case, each as often as it stands there. */
  wordsOf(text: string, language: string): readonly string[];
  /** What the forms of a word have in common, by which it is found; undefined: it says nothing about a text. */
  termOf(word: string, language: string): string | undefined;
}

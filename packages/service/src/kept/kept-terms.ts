/** Which kept answers a document may be about: by the words they are asked by, so that not all of them are asked again. */
import { languageOf } from "@threadlore/language";
import { termsOf } from "@threadlore/language/stems";

/** How much of a question's words a passage says, with its title, that may answer it; and how many at least, where it has more. */
const LEAST_SHARE = 0.34;
const LEAST_TERMS = 2;

/** A piece of a document. */
export interface ReadPassage {
  readonly heading: string;
  readonly text: string;
}

/** The words kept answers are asked by, each under the answers it asks for. */
export class KeptTerms {
  readonly #questions = new Map<number, string>();
  /** Per language of a document: what a question's words are in it. */
  readonly #byLanguage = new Map<string, InvertedQuestions>();

  /** Notes by what a kept answer is asked; what it was asked by before counts no more. */
  set(number: number, question: string): void {
    if (this.#questions.get(number) === question) return;
    this.remove(number);
    this.#questions.set(number, question);
    for (const inverted of this.#byLanguage.values()) inverted.add(number, question);
  }

  remove(number: number): void {
    if (!this.#questions.delete(number)) return;
    for (const inverted of this.#byLanguage.values()) inverted.remove(number);
  }

  get size(): number {
    return this.#questions.size;
  }

  /** The kept answers one passage at least of a document may be about. */
  concernedBy(title: string, passages: Iterable<ReadPassage>): Set<number> {
    const concerned = new Set<number>();
    for (const { heading, text } of passages) {
      const language = languageOf(text) ?? languageOf(title);
      const inverted = this.#invertedIn(language);
      for (const number of inverted.alike(new Set(termsOf(`${title}\n${heading}\n${text}`, language)))) {
        concerned.add(number);
      }
    }
    return concerned;
  }

  #invertedIn(language: string | undefined): InvertedQuestions {
    const known = this.#byLanguage.get(language ?? "");
    if (known !== undefined) return known;
    const inverted = new InvertedQuestions(language);
    for (const [number, question] of this.#questions) inverted.add(number, question);
    this.#byLanguage.set(language ?? "", inverted);
    return inverted;
  }
}

class InvertedQuestions {
  readonly #language: string | undefined;
  readonly #byTerm = new Map<string, Set<number>>();
  readonly #termsOf = new Map<number, readonly string[]>();

  constructor(language: string | undefined) {
    this.#language = language;
  }

  add(number: number, question: string): void {
    const terms = [...new Set(termsOf(question, this.#language))];
    this.#termsOf.set(number, terms);
    for (const term of terms) {
      const asked = this.#byTerm.get(term);
      if (asked === undefined) this.#byTerm.set(term, new Set([number]));
      else asked.add(number);
    }
  }

  remove(number: number): void {
    for (const term of this.#termsOf.get(number) ?? []) {
      const asked = this.#byTerm.get(term);
      asked?.delete(number);
      if (asked?.size === 0) this.#byTerm.delete(term);
    }
    this.#termsOf.delete(number);
  }

  /** The questions of which these terms say enough. */
  alike(terms: ReadonlySet<string>): number[] {
    const said = new Map<number, number>();
    for (const term of terms) {
      for (const number of this.#byTerm.get(term) ?? []) said.set(number, (said.get(number) ?? 0) + 1);
    }
    return [...said].flatMap(([number, count]) => {
      const all = this.#termsOf.get(number)?.length ?? 0;
      return count >= Math.min(LEAST_TERMS, all) && count >= LEAST_SHARE * all ? number : [];
    });
  }
}

/** Which kept answers a document may be about: by the words they are asked by, so that not all of them are asked again. */
import { languageOf } from "@threadlore/language";
import { termsOf } from "@threadlore/language/stems";
import { groupsOf } from "./related-words.ts";

/** What a passage must say, with its title, of a kept answer and its question, by how seldom terms are: so many of the rarest. */
const LEAST_RARE = 1.3;
/** So many passages nothing is known of yet are taken for ones that do not say a term. */
const UNSEEN = 50;
/** A text of fewer terms is short. */
const FEW_TERMS = 4;
/** What a word that names the same counts, of one that is the same. */
const RELATED = 0.6;

/** A piece of a document. */
export interface ReadPassage {
  readonly heading: string;
  readonly text: string;
}

/** The words of kept answers and of their questions, each under the answers that have it. */
export class KeptTerms {
  readonly #texts = new Map<number, string>();
  /** Per language of a document: what their words are in it. */
  readonly #byLanguage = new Map<string, InvertedTexts>();

  /** Notes what a kept answer and its question say; what they said before counts no more. */
  set(number: number, text: string): void {
    if (this.#texts.get(number) === text) return;
    this.remove(number);
    this.#texts.set(number, text);
    for (const inverted of this.#byLanguage.values()) inverted.add(number, text);
  }

  remove(number: number): void {
    if (!this.#texts.delete(number)) return;
    for (const inverted of this.#byLanguage.values()) inverted.remove(number);
  }

  get size(): number {
    return this.#texts.size;
  }

  /** The kept answers one passage at least of a document may be about. */
  concernedBy(title: string, passages: Iterable<ReadPassage>): Set<number> {
    const concerned = new Set<number>();
    for (const { heading, text } of passages) {
      const language = languageOf(text) ?? languageOf(title);
      const inverted = this.#invertedIn(language);
      for (const number of inverted.alike(markedTerms(`${title}\n${heading}\n${text}`, language))) {
        concerned.add(number);
      }
    }
    return concerned;
  }

  #invertedIn(language: string | undefined): InvertedTexts {
    const known = this.#byLanguage.get(language ?? "");
    if (known !== undefined) return known;
    const inverted = new InvertedTexts(language);
    for (const [number, text] of this.#texts) inverted.add(number, text);
    this.#byLanguage.set(language ?? "", inverted);
    return inverted;
  }
}

/** What a group of related words is called among terms. */
const GROUP = "~";

/** The terms of a text, and the groups of related words they stand in. */
function markedTerms(text: string, language: string | undefined): Set<string> {
  const terms = new Set(termsOf(text, language));
  for (const group of groupsOf([...terms], language)) terms.add(`${GROUP}${group}`);
  return terms;
}

class InvertedTexts {
  readonly #language: string | undefined;
  readonly #byTerm = new Map<string, Set<number>>();
  readonly #termsOf = new Map<number, readonly string[]>();
  /** Passages that were looked at, and how many of them have a term. */
  #seen = 0;
  readonly #holding = new Map<string, number>();

  constructor(language: string | undefined) {
    this.#language = language;
  }

  add(number: number, text: string): void {
    const terms = [...markedTerms(text, this.#language)];
    this.#termsOf.set(number, terms);
    for (const term of terms) {
      const those = this.#byTerm.get(term);
      if (those === undefined) this.#byTerm.set(term, new Set([number]));
      else those.add(number);
    }
  }

  remove(number: number): void {
    for (const term of this.#termsOf.get(number) ?? []) {
      const those = this.#byTerm.get(term);
      those?.delete(number);
      if (those?.size === 0) this.#byTerm.delete(term);
    }
    this.#termsOf.delete(number);
  }

  /** The answers of which these terms of a passage say enough. */
  alike(terms: ReadonlySet<string>): number[] {
    const said = new Map<number, number>();
    this.#seen++;
    const rarest = Math.log(this.#seen + UNSEEN);
    for (const term of terms) {
      const those = this.#byTerm.get(term);
      if (those === undefined) continue;
      const holding = (this.#holding.get(term) ?? 0) + 1;
      this.#holding.set(term, holding);
      const weight = Math.log((this.#seen + UNSEEN) / holding) * (term.startsWith(GROUP) ? RELATED : 1);
      for (const number of those) said.set(number, (said.get(number) ?? 0) + weight);
    }
    return [...said].flatMap(([number, weight]) => {
      // Of a short text a passage cannot say more than there is.
      const share = Math.min(1, (this.#termsOf.get(number)?.length ?? 0) / FEW_TERMS);
      return weight >= LEAST_RARE * share * rarest ? number : [];
    });
  }
}

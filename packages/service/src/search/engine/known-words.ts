import type { DatabaseSync, StatementSync } from "node:sqlite";
import { foldedWordsOf, languageOf } from "@threadlore/language";
import { compoundParts, writesCompounds } from "@threadlore/language/stems";
import { termsOfText } from "../analysis.ts";
import { Bitmap } from "../postings/bitmap.ts";
import { LANGUAGE_MARK } from "../postings/marks.ts";
import type { PostingsList } from "../postings/postings.ts";
import { addPostings, countWithin, idsWithin, type Scopes } from "../postings/scope.ts";
import type { TermReader } from "../postings/term-reader.ts";
import { editsFor, isCorrectable } from "../word-shape.ts";
import { type LongerWords, Vocabulary } from "./words.ts";

/** The passages a caller may see. */
export interface Seen {
  readonly passages: Bitmap;
  /** How many they are. */
  readonly size: number;
  /** Whether there are others. */
  readonly isLimited: boolean;
}

/** A term that passages hold which the caller may see. */
interface HeldTerm {
  readonly term: string;
  readonly list: PostingsList;
}

/** What is known of a word. */
interface FoundWord {
  readonly terms: readonly string[];
  /** Those of its terms that are held. */
  readonly known: readonly HeldTerm[];
  /** Passages that hold one of them. */
  readonly holding: number;
  readonly corrected?: string;
  /** What it counts, measured on a word that is held as it was asked. */
  readonly weight: number;
}

/** The languages of what somebody sees, the commonest first. */
interface SeenLanguages {
  readonly all: readonly string[];
  /** Those most of it is written in; never none, "" stands for texts without one. */
  readonly main: readonly string[];
}

/** A language that so much of what a caller sees is written in is one their words may be of. */
const MAIN_SHARE = 0.2;

/** What a word counts that is part of a compound, or whose parts are. */
const COMPOUND_WEIGHT = 0.5;
/** Words of which a word is the beginning or the end, each way; a part of more than these says nothing. */
const MAX_COMPOUNDS = 12;
/** Words that are looked at at a time. */
const LOOKED_AT = 200;
/** Longest time for which they are, milliseconds: as long as a search may take, which is out of time then and says so. */
const LOOKING_MS = 2_000;
/** A part of a compound has so many letters at least. */
const LEAST_PART = 5;

/** What a word counts that another one was taken for. */
const CORRECTED_WEIGHT = 0.9;

/** Words of so many letters are a letter away from too many others: only two letters the wrong way round tell. */
const SHORT = 4;

/** Passages that are read to see whether a word stands there as it is. */
const MAX_READ = 20;

/** What the index knows of words, over what one caller may see and nothing else. */
export class KnownWords {
  readonly #terms: TermReader;
  readonly #scopes: Scopes;
  readonly #vocabulary: Vocabulary;
  readonly #languages: StatementSync;
  readonly #texts: StatementSync;
  /** What somebody sees is written in; gone with the state of the index it was counted in. */
  readonly #languagesOf = new WeakMap<Seen, SeenLanguages>();

  constructor(sqlite: DatabaseSync, terms: TermReader, scopes: Scopes) {
    this.#terms = terms;
    this.#scopes = scopes;
    this.#vocabulary = new Vocabulary(sqlite);
    this.#languages = sqlite.prepare("SELECT term FROM terms WHERE term >= ? AND term < ? ORDER BY term");
    this.#texts = sqlite.prepare(
      "SELECT title || ' ' || heading || ' ' || text || ' ' || about AS text FROM passages JOIN documents ON number = document WHERE id = ?",
    );
  }

  /**
   * The languages a text's words are looked for in: its own, and those most of what the caller sees is written in. ""
   * stands for texts without one.
   */
  languagesFor(text: string, seen: Seen): readonly string[] {
    const { main } = this.#seenLanguages(seen);
    const own = languageOf(text, main[0] === "" ? undefined : main[0]);
    return [...new Set(own === undefined ? main : [own, ...main])];
  }

  #seenLanguages(seen: Seen): SeenLanguages {
    const known = this.#languagesOf.get(seen);
    if (known !== undefined) return known;
    const counted = this.#languages
      .all(LANGUAGE_MARK, `${LANGUAGE_MARK}\u{10ffff}`)
      .map((row) => {
        const mark = String(row["term"]);
        return {
          language: mark.slice(LANGUAGE_MARK.length),
          passages: this.#scopes.marked(mark).sizeWithin(seen.passages),
        };
      })
      .filter(({ passages }) => passages > 0)
      .toSorted((one, other) => other.passages - one.passages);
    const main = counted.filter(({ passages }) => passages >= seen.size * MAIN_SHARE).map(({ language }) => language);
    const languages = { all: counted.map(({ language }) => language), main: main.length === 0 ? [""] : main };
    this.#languagesOf.set(seen, languages);
    return languages;
  }

  /** In how many passages a term occurs. */
  holding(term: string, seen: Seen): number {
    const known = this.#terms.read(term);
    if (known === undefined) return 0;
    return seen.isLimited ? countWithin(known.list, seen.passages) : known.passages;
  }

  /** What a word is found by: its terms, else what it is a part of or has for parts, else the word it is nearest to. */
  find(word: string, terms: readonly string[], languages: readonly string[], seen: Seen): FoundWord {
    const own = this.#held(terms, seen);
    if (own.holding > 0 || terms.length === 0) return { terms, ...own, weight: 1 };
    const elsewhere = this.#inOtherLanguage(word, seen);
    if (elsewhere !== undefined)
      return { terms: [...new Set([...terms, ...elsewhere.terms])], ...elsewhere.held, weight: 1 };
    if (!isCorrectable(word)) return { terms, ...own, weight: 1 };
    const compound = this.#compounds(word, languages, seen);
    if (compound.length > 0) {
      const held = this.#held(compound, seen);
      if (held.holding > 0) return { terms: [...terms, ...compound], ...held, weight: COMPOUND_WEIGHT };
    }
    const corrected = this.#nearest(word, languages, seen);
    if (corrected === undefined) return { terms, ...own, weight: 1 };
    const meant = termsIn(corrected, languages);
    return { terms: [...terms, ...meant], ...this.#held(meant, seen), corrected, weight: CORRECTED_WEIGHT };
  }

  #held(terms: readonly string[], seen: Seen): { known: HeldTerm[]; holding: number } {
    const known: HeldTerm[] = [];
    let holding = 0;
    for (const term of terms) {
      const found = this.#terms.read(term);
      if (found === undefined) continue;
      const held = seen.isLimited ? countWithin(found.list, seen.passages) : found.passages;
      if (held === 0) continue;
      known.push({ term, list: found.list });
      holding = held;
    }
    if (known.length > 1) holding = countAny(known, seen);
    return { known, holding };
  }

  /** A word that stands as it is in something of a language few passages are in: by its terms there. */
  #inOtherLanguage(word: string, seen: Seen) {
    if (!this.#vocabulary.has(word)) return undefined;
    const { all } = this.#seenLanguages(seen);
    if (!this.#isSeen(word, all, seen)) return undefined;
    const terms = termsIn(word, all);
    return { terms, held: this.#held(terms, seen) };
  }

  /** Terms of the words that a word is the beginning or the end of, and of those it is made of. */
  #compounds(word: string, languages: readonly string[], seen: Seen): string[] {
    const terms = new Set<string>();
    for (const language of languages.filter(writesCompounds)) {
      const isKnown = (part: string): boolean => this.#vocabulary.has(part) && this.#isSeen(part, [language], seen);
      for (const part of compoundParts(word, language, isKnown)) {
        for (const term of termsIn(part, [language])) terms.add(term);
      }
      if (word.length < LEAST_PART) continue;
      for (const longer of [this.#vocabulary.beginningWith(word), this.#vocabulary.endingWith(word)]) {
        for (const one of this.#seenAmong(longer, language, seen))
          for (const term of termsIn(one, [language])) terms.add(term);
      }
    }
    return [...terms];
  }

  /**
   * Those of some words that the caller sees; none where they are more than `MAX_COMPOUNDS`. For whoever sees everything
   * the first of them are looked at. For anybody else all are: where one stopped among words that nobody shows them, the
   * answer would tell that there are so many.
   */
  #seenAmong(longer: LongerWords, language: string, seen: Seen): readonly string[] {
    const held: string[] = [];
    const until = performance.now() + LOOKING_MS;
    let lookedAt = 0;
    for (let words = longer.next(LOOKED_AT); ; words = longer.next(LOOKED_AT, words.at(-1))) {
      for (const word of words) {
        if (!this.#isSeen(word, [language], seen)) continue;
        if (held.length === MAX_COMPOUNDS) return [];
        held.push(word);
      }
      if (!seen.isLimited) return held;
      // In one order, whichever way they were found.
      if (words.length < LOOKED_AT) return held.toSorted();
      lookedAt += words.length;
      // The same words, the other way: never more work than twice the lesser one.
      if (lookedAt >= seen.size) return this.#writtenAmong(longer, language, seen);
      if (performance.now() > until) return [];
    }
  }

  /** What `#seenAmong` answers, from what the caller sees: that may be little where the vocabulary is large. */
  #writtenAmong(longer: LongerWords, language: string, seen: Seen): readonly string[] {
    const held = new Set<string>();
    const lookedAt = new Set<string>();
    for (const id of seen.passages.ids()) {
      for (const word of foldedWordsOf(this.#textOf(id))) {
        if (lookedAt.has(word)) continue;
        lookedAt.add(word);
        if (longer.has(word) && this.#isSeen(word, [language], seen)) held.add(word);
        if (held.size > MAX_COMPOUNDS) return [];
      }
    }
    return [...held].toSorted();
  }

  #textOf(passage: number): string {
    return String(this.#texts.get(passage)?.["text"] ?? "");
  }

  /** The word that is meant, where a word is known in none of its forms. */
  #nearest(word: string, languages: readonly string[], seen: Seen): string | undefined {
    const near = this.#vocabulary
      .near(word, editsFor(word))
      .map((one) => ({ ...one, held: this.#held(termsIn(one.word, languages), seen).holding }))
      .filter(({ word: other, held }) => held > 0 && (word.length > SHORT || isExchanged(word, other)))
      .toSorted(
        (one, other) =>
          one.edits - other.edits ||
          Number(other.word[0] === word[0]) - Number(one.word[0] === word[0]) ||
          other.held - one.held ||
          (one.word < other.word ? -1 : 1),
      );
    return near.find((one) => this.#isSeen(one.word, languages, seen))?.word;
  }

  /**
   * Whether a word stands as it is in something the caller sees: of what others wrote nobody is told, not even which form
   * of a word they used.
   */
  #isSeen(word: string, languages: readonly string[], seen: Seen): boolean {
    const { known } = this.#held(termsIn(word, languages), seen);
    if (!seen.isLimited) return known.length > 0;
    return known.some(({ list }) => {
      const ids = idsWithin(list, seen.passages, MAX_READ);
      return ids.some((id) => foldedWordsOf(this.#textOf(id)).includes(word));
    });
  }
}

function isExchanged(one: string, other: string): boolean {
  return [...one].toSorted().join("") === [...other].toSorted().join("");
}

/** A word's terms in each of the languages. */
export function termsIn(word: string, languages: readonly string[]): string[] {
  return [...new Set(languages.flatMap((language) => termsOfText(word, language)))];
}

function countAny(known: readonly HeldTerm[], seen: Seen): number {
  const any = new Bitmap();
  for (const { list } of known) addPostings(any, list);
  return any.sizeWithin(seen.passages);
}

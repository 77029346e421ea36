import { foldWord, isFunctionWord } from "@threadlore/language";
import { eachTerm } from "@threadlore/language/stems";
import { eachTermOf, isOfCharacters, termsOfText } from "../analysis.ts";
import { rarityOf } from "../postings/impact.ts";
import type { PostingsList } from "../postings/postings.ts";
import type { KnownWords, Seen } from "./known-words.ts";
import type { WeighedList } from "../postings/top-passages.ts";

/** A word of a question. */
export interface SearchedWord {
  /** Folded. */
  readonly word: string;
  /** What it was searched by: any of these; of a word of Chinese characters or kana, all of its pairs. */
  readonly terms: readonly string[];
  /** In how many passages the caller may see it occurs, in any of its forms. */
  readonly holding: number;
  /** The known word it was taken for, where none of what the caller may see holds it. */
  readonly corrected?: string;
}

/** A question as it is searched for. */
export interface Question {
  /** Every word that says something, each once, in the order they were asked. */
  readonly words: readonly SearchedWord[];
  readonly lists: readonly WeighedList[];
  /** What the lists are of: a term's place among what was asked; terms of one word have the same. */
  readonly places: ReadonlyMap<string, number>;
  /** What each place counts, as a whole number (`rarityOf`). */
  readonly rarities: readonly number[];
}

/** Most terms of one question that are searched for, words of it that are looked up, and characters that are read. */
const MAX_TERMS = 64;
const MAX_WORDS = 256;
const MAX_READ = 20_000;

/** A pair with kana in it is the end of a word and a particle as often as a part of one. */
const WITH_HIRAGANA = /[ぁ-ん]/;
const PARTICLE_WEIGHT = 0.4;

/** A word as it stands in a question, with what it is looked for by. */
interface Span {
  readonly written: string;
  readonly start: number;
  readonly end: number;
  readonly terms: string[];
}

/** Takes a text apart into what it is searched by, as far as the caller's collection knows it. Asks `inTime`. */
export function readQuestion(whole: string, known: KnownWords, seen: Seen, inTime: () => void): Question {
  const text = whole.slice(0, MAX_READ).toWellFormed();
  const languages = known.languagesFor(text, seen);
  const spans = spansOf(text, languages);
  const words: SearchedWord[] = [];
  const places = new Map<string, number>();
  const rarities: number[] = [];
  const lists: { readonly list: PostingsList; readonly weight: number }[] = [];
  const holdings = new Map<string, number>();
  const asked = new Set<string>();
  for (const { written, terms } of spans) {
    inTime();
    const word = foldWord(written);
    if (asked.has(word) || asked.size === MAX_WORDS) continue;
    asked.add(word);
    const found = known.find(word, terms, languages, seen);
    if (isOfCharacters(word)) for (const term of terms) holdings.set(term, found.holding);
    else
      words.push({
        word,
        terms: found.terms,
        holding: found.holding,
        ...(found.corrected !== undefined && { corrected: found.corrected }),
      });
    const fresh = found.known.filter(({ term }) => !places.has(term));
    if (fresh.length === 0 || lists.length + fresh.length > MAX_TERMS) continue;
    const damped = WITH_HIRAGANA.test(word) ? PARTICLE_WEIGHT : found.weight;
    const rarity = Math.max(1, Math.round(rarityOf(seen.size, found.holding) * damped));
    for (const { term, list } of fresh) {
      places.set(term, rarities.length);
      lists.push({ list, weight: rarity });
    }
    rarities.push(rarity);
  }
  return {
    words: [...words, ...wordsOfCharacters(text, languages[0], holdings, known, seen)],
    lists,
    places,
    rarities,
  };
}

/** The words of a text that say something, each with its terms in all of the languages. */
function spansOf(text: string, languages: readonly string[]): Span[] {
  const spans = new Map<string, Span>();
  for (const [index, language] of languages.entries()) {
    eachTermOf(text, language, (term, start, end) => {
      const place = `${start} ${end}`;
      const span = spans.get(place);
      if (span !== undefined) {
        if (!span.terms.includes(term)) span.terms.push(term);
      } else if (index === 0) spans.set(place, { written: text.slice(start, end), start, end, terms: [term] });
    });
  }
  const all = [...spans.values()].toSorted((one, other) => one.start - other.start || one.end - other.end);
  return all.length > 0 ? all : functionWords(text);
}

/** Where nothing else is asked, what says nothing elsewhere may name something: titles are found by it. */
function functionWords(text: string): Span[] {
  const spans: Span[] = [];
  eachTerm(text, undefined, { characters: "pairs" }, (_, start, end) => {
    const written = text.slice(start, end);
    spans.push({ written, start, end, terms: [foldWord(written)] });
  });
  return spans;
}

/** The words a dictionary finds among Chinese characters and kana, each held where the rarest of its pairs is. */
function wordsOfCharacters(
  text: string,
  language: string | undefined,
  holdings: ReadonlyMap<string, number>,
  known: KnownWords,
  seen: Seen,
): SearchedWord[] {
  if (holdings.size === 0) return [];
  const words = new Map<string, SearchedWord>();
  eachTerm(text, language, { characters: "words" }, (_, start, end) => {
    const word = foldWord(text.slice(start, end));
    if (!isOfCharacters(word) || words.has(word) || isFunctionWord(word, language)) return;
    words.set(
      word,
      askedCharacters(word, language, (term) => holdings.get(term) ?? known.holding(term, seen)),
    );
  });
  return [...words.values()];
}

/** A word of characters, held as often as the rarest of its pairs. */
export function askedCharacters(
  word: string,
  language: string | undefined,
  holding: (term: string) => number,
): SearchedWord {
  const terms = termsOfText(word, language ?? "");
  return { word, terms, holding: terms.length === 0 ? 0 : Math.min(...terms.map(holding)) };
}

import { seededRandom } from "@threadlore/testkit";
import type { Abstracts } from "./search-abstracts.ts";

/** A passage as a knowledge base has them: a title, and about a thousand characters. */
export interface Page {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Texts to search, and questions somebody who read them might ask. */
export interface SearchCorpus {
  readonly pages: readonly Page[];
  readonly questions: readonly string[];
}

/** Function words of English, the commonest first: about every second word of English is one of them. */
const FUNCTION_WORDS: readonly string[] = (
  "the of and to a in is that it was for on are with as at be this from i have or by one had not but what all were when " +
  "we there can an your which their if will each about how up out them then she many some so these would other into has " +
  "more her two like him time no make than been who its now find down did get come made may part over new take only know " +
  "where much before also around another because such here why most our after through just any again our under own same"
).split(" ");

const ONSETS = "b c d f g h j k l m n p r s t v w br cr dr fl gr pl pr sh sl st str th tr".split(" ");
const VOWELS = "a e i o u ai ea ou".split(" ");
const CODAS = ["", "", "", "l", "m", "n", "nd", "nt", "r", "rt", "s", "st", "t"];
const ENDINGS = ["", "", "", "", "", "", "s", "ed", "ing", "ation", "er", "ly", "ness", "able"];

/** Different words of the language, beside the function words. */
const VOCABULARY = 60_000;
const TOPICS = 250;
const TOPIC_WORDS = 150;
/** Share of the words of a passage that its topic gives. */
const TOPICAL = 0.25;
const WORDS_PER_PASSAGE = 115;

/**
 * As many passages as asked for, always the same. Where there are abstracts, every second passage is two halves of
 * abstracts put together, and the questions are those that people asked about them; all others are seeded text.
 */
export function generateCorpus(passages: number, abstracts: Abstracts | undefined): SearchCorpus {
  const random = seededRandom(11);
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value;
  const language = seededLanguage(random, pick);
  const halves = abstracts?.documents.map(halvesOf) ?? [];
  const pages = Array.from({ length: passages }, (_, index): Page => {
    if (halves.length === 0 || index % 2 === 0) return { id: `p${index}`, ...language.page() };
    const first = pick(halves);
    return { id: `p${index}`, title: first.title, text: `${first.beginning} ${pick(halves).end}` };
  });
  const questions =
    abstracts?.questions ?? Array.from({ length: QUESTIONS }, () => language.question(pick(pages).text));
  return { pages, questions };
}

function halvesOf({ title, text }: Abstracts["documents"][number]): { title: string; beginning: string; end: string } {
  const lines = text.replace(/\s+/g, " ").split(/(?<= \.) /);
  const middle = Math.ceil(lines.length / 2);
  return {
    title,
    beginning: lines.slice(0, middle).join(" ").slice(0, 550),
    end: lines.slice(middle).join(" ").slice(0, 550),
  };
}

/** Questions where nobody asked any. */
const QUESTIONS = 225;

/**
 * Text that is distributed as written language is: word frequencies fall by Zipf's law, about half of the words are
 * function words, and each passage has a topic whose words come again and again. A question is four to eight telling
 * words of one passage among function words.
 */
function seededLanguage(
  random: () => number,
  pick: <Value>(list: readonly Value[]) => Value,
): { page(): Omit<Page, "id">; question(text: string): string } {
  const vocabulary = wordsOfLanguage(pick);
  const ranked = [...FUNCTION_WORDS, ...vocabulary];
  const common = zipf(ranked.length);
  const within = zipf(TOPIC_WORDS);
  // Neither a topic's words are the commonest, nor are they words that hardly anybody uses.
  const topics = Array.from({ length: TOPICS }, () =>
    Array.from({ length: TOPIC_WORDS }, () => vocabulary[Math.floor(200 * 50 ** random())] ?? ""),
  );
  const functional = new Set(FUNCTION_WORDS);
  return {
    page() {
      const topic = pick(topics);
      const draw = (): string =>
        (random() < TOPICAL ? topic[indexOf(within, random())] : ranked[indexOf(common, random())]) ?? "";
      const title = Array.from({ length: 4 }, () => topic[indexOf(within, random())]).join(" ");
      return { title, text: sentences(Array.from({ length: WORDS_PER_PASSAGE }, draw), random) };
    },
    question(text) {
      const telling = (text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !functional.has(word));
      const words = Array.from({ length: 4 + Math.floor(random() * 5) }, () => pick(telling));
      return `What is the ${words.join(random() < 0.5 ? " " : " of ")} and how?`;
    },
  };
}

function wordsOfLanguage(pick: <Value>(list: readonly Value[]) => Value): string[] {
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    // The commoner a word, the shorter.
    const syllables = 1 + Math.floor(Math.log10(words.size + 10) / 2.4);
    let word = "";
    for (let syllable = 0; syllable < syllables; syllable++) word += pick(ONSETS) + pick(VOWELS) + pick(CODAS);
    words.add(word + pick(ENDINGS));
  }
  return [...words];
}

/** Sums of Zipf's frequencies, the last of them 1. */
function zipf(count: number): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) sums[rank] = sum += 1 / (rank + 2.7);
  return sums.map((value) => value / sum);
}

function indexOf(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 1) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sentences(words: readonly string[], random: () => number): string {
  let text = "";
  let begins = true;
  for (const word of words) {
    text += begins ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    begins = random() < 0.07;
    text += begins ? ". " : " ";
  }
  return `${text.trimEnd()}.`;
}

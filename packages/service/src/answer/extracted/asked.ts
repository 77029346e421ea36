/** A question as it is compared with sentences: which of its words say what is asked, and how much each says. */
import {
  foldedWordsOf,
  foldWord,
  isQuestionWord,
  isWrittenFunctionWord,
  languageOf,
  type Word,
  wordsOf,
} from "@threadlore/language";
import { stem } from "@threadlore/language/stems";
import { type AnswerKind, askedOf, momentsOf, namesOf, type Quantity, valuesOf } from "@threadlore/language/meaning";
import { amountsOf } from "./bounds.ts";

/** What is known of the words of a question in what the caller may see. */
export interface WordStatistics {
  /** Passages the caller may see. */
  readonly passages: number;
  /** In how many of them a folded word occurs, in any of its forms; an unknown one as the word it was meant to be. */
  readonly holding: (word: string) => number;
  /** The known word that an unknown one was most likely meant to be; undefined for a known one. */
  readonly correctionOf?: (word: string) => string | undefined;
}

/** A word of a question that says what is asked. */
export interface QuestionWord {
  /** Folded. */
  readonly word: string;
  /** As it stands in the question. */
  readonly written: string;
  /** How much it says: the rarer, the more. Above 0. */
  readonly weight: number;
  /** Whether any passage holds it. */
  readonly isKnown: boolean;
  /** What it is most likely meant to be, where no passage holds it. */
  readonly corrected: string | undefined;
  /** Whether it is a number or of a name: what must not be another one. */
  readonly isName: boolean;
  /** It and the word after it may also be written as one word: that word. */
  readonly joined: string | undefined;
  readonly place: WordPlace;
  /** Whether it is the noun that is asked for ("which team"). */
  readonly isAbout: boolean;
}

/** Where in its question a word stands. */
export interface WordPlace {
  /** From 0, the first word, to 1, the last. */
  readonly at: number;
  /** How many words after a question word; undefined where none stands before it. */
  readonly afterAsking: number | undefined;
}

/** A question as it is compared with sentences. */
export interface AskedQuestion {
  readonly text: string;
  /** ISO 639-1; undefined where it cannot be told. */
  readonly language: string | undefined;
  /** Each once, in order. */
  readonly words: readonly QuestionWord[];
  /** What all words weigh together; at least a little. */
  readonly total: number;
  readonly kind: AnswerKind;
  /** The noun it asks for ("which team": "team"), folded. */
  readonly about: string | undefined;
  /** Amounts it is about: a rule may be for them that names other ones. */
  readonly amounts: readonly Quantity[];
  /** Years that are named. */
  readonly years: ReadonlySet<number>;
  /** The numbers, dates and names in it: what an answer must say more than. */
  readonly said: ReadonlySet<string>;
}

/** What is compared of a question that is as long as a document. */
const MAX_QUESTION_LENGTH = 10_000;
const MAX_WORDS = 64;

/** A handful of passages says little about rarity: so many more keep one match from weighing next to nothing. */
const ADDED_PASSAGES = 200;

/** A character of Chinese or Japanese alone. */
const ONE_CHARACTER = /^\p{sc=Han}$/u;
const CHARACTER_WEIGHT = 0.4;

/** Letters of scripts that put spaces between words. */
const SPACED = /^[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]+$/u;

/** A number, and what has one in it. */
const NUMBER = /\p{N}/u;

/** Words of a question before this one count half. */
const EARLIER = 0.5;

/** So few words in capitals may be abbreviations. */
const LEAST_SHOUTED = 3;

/** A question that is written in capitals alone, in small letters: "HOW DO I …" names nobody called How. */
export function calmed(question: string): string {
  const read = question.slice(0, MAX_QUESTION_LENGTH);
  if (/\p{Ll}/u.test(read)) return question;
  const capital = read.split(/\s+/).filter((word) => /\p{Lu}/u.test(word)).length;
  return capital < LEAST_SHOUTED ? question : question.toLowerCase();
}

/**
 * Reads a question.
 * @param earlier the question before it, where this one leans on that
 */
export function understand(text: string, statistics: WordStatistics, earlier?: AskedQuestion): AskedQuestion {
  const read = text.slice(0, MAX_QUESTION_LENGTH);
  const language = languageOf(read) ?? earlier?.language;
  const written = wordsOf(read);
  const asking = askedOf(read, language);
  const names = namesIn(read, language);
  const words = new Map<string, QuestionWord>();
  const hasNumber = written.some(({ text: word }) => NUMBER.test(word));
  for (const { word, weight, ...rest } of earlier?.words ?? []) {
    // "And error 67?" asks about error 41 no longer.
    if (!hasNumber || !NUMBER.test(word)) words.set(word, { word, weight: weight * EARLIER, ...rest });
  }
  // A date need not say "year": what asks for one is not looked for.
  const isAsking = ({ text: word }: Word) => asking.kind === "time" && asking.asking.has(word);
  const saysSomething = (one: Word) =>
    !isWrittenFunctionWord(read.slice(one.start, one.end), language) && !isAsking(one);
  let lastAsking = -1;
  for (const [index, one] of written.entries()) {
    if (words.size === MAX_WORDS) break;
    const afterAsking = lastAsking < 0 ? undefined : index - lastAsking;
    if (isQuestionWord(one.text, language)) lastAsking = index;
    if (!saysSomething(one) || isMeasure(one, written[index - 1], language)) continue;
    const { text: word, start, end } = one;
    const holding = statistics.holding(word);
    const corrected = statistics.correctionOf?.(word);
    // The index has pairs of characters; one alone is mostly a part of a word, and says little.
    const isCharacter = holding === 0 && ONE_CHARACTER.test(word);
    const next = written[index + 1];
    const isJoinable = next !== undefined && SPACED.test(word) && SPACED.test(next.text) && saysSomething(next);
    words.set(word, {
      word,
      written: read.slice(start, end),
      weight: rarity(statistics.passages, holding) * (isCharacter ? CHARACTER_WEIGHT : 1),
      isKnown: (holding > 0 && corrected === undefined) || isCharacter,
      corrected,
      isName: NUMBER.test(word) || names.has(word),
      joined: isJoinable ? word + next.text : undefined,
      place: { at: written.length < 2 ? 1 : index / (written.length - 1), afterAsking },
      isAbout: asking.about === word,
    });
  }
  const weighed = withinKnown([...words.values()]);
  return {
    text,
    language,
    words: weighed,
    total: totalOf(weighed),
    kind: asking.kind,
    about: asking.about,
    amounts: amountsOf(read, language),
    years: new Set(momentsOf(read, language).flatMap(({ year }) => (year === undefined ? [] : [year]))),
    said: valuesOf(read, language),
  };
}

/** What says after a question word only which kind of answer is wanted: the answer itself says "six weeks" and "daily". */
const MEASURES: ReadonlySet<string> = new Set(
  (
    "big deep early far fast heavy high large late long many much often old quick quickly soon tall wide " +
    "alt früh frueh gross gross groß haufig hoch lange lang oft schnell spat viel viele weit " +
    "temps longtemps souvent tiempo veces frecuencia tanto tempo spesso lang vaak " +
    "долго часто много далеко быстро"
  ).split(" "),
);

function isMeasure({ text }: Word, before: Word | undefined, language: string | undefined): boolean {
  return before !== undefined && MEASURES.has(text) && isQuestionWord(before.text, language);
}

/** Where one question ends and the next begins: a question mark, or "and" before a word that asks. */
const BETWEEN_PARTS = /[?？؟]\s*|[,，、;]?\s(?:and|und|et|y|e|и|o|en|och|og)\s(?=(\S+))/giu;

/** Nobody asks more at once; each is compared with everything that was found. */
const MAX_PARTS = 4;

/**
 * The questions within one, at most four, each with its own words and kind: "When does it open, and who has the key?".
 * None where it is one question.
 */
export function partsOf(question: AskedQuestion): AskedQuestion[] {
  const pieces: string[] = [];
  let from = 0;
  for (const match of question.text.slice(0, MAX_QUESTION_LENGTH).matchAll(BETWEEN_PARTS)) {
    const next = match[1];
    if (next !== undefined && !isQuestionWord(foldWord(next), question.language)) continue;
    pieces.push(question.text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  pieces.push(question.text.slice(from, MAX_QUESTION_LENGTH));
  const parts = [...new Set(pieces)]
    .slice(0, MAX_PARTS)
    .map((piece) => partOf(question, piece))
    .filter(({ words }) => words.length > 0);
  return parts.length < 2 ? [] : parts;
}

function partOf(question: AskedQuestion, text: string): AskedQuestion {
  const said = new Set(foldedWordsOf(text));
  const words = question.words.filter(({ word }) => said.has(word));
  const { kind, about } = askedOf(text, question.language);
  return { ...question, text, words, total: totalOf(words), kind, about };
}

function totalOf(words: readonly QuestionWord[]): number {
  return Math.max(
    1e-6,
    words.reduce((sum, { weight }) => sum + weight, 0),
  );
}

function rarity(passages: number, holding: number): number {
  const all = passages + ADDED_PASSAGES;
  return Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));
}

/** A word nobody wrote yet says no more than the rarest that somebody did: it may be a slip, or another word for one. */
function withinKnown(words: readonly QuestionWord[]): QuestionWord[] {
  const known = words.filter(({ isKnown }) => isKnown).map(({ weight }) => weight);
  const most = known.length === 0 ? 1 : Math.max(...known);
  return words.map((word) => (word.isKnown ? word : { ...word, weight: Math.min(word.weight, most) }));
}

function namesIn(text: string, language: string | undefined): ReadonlySet<string> {
  return new Set(namesOf(text, language).flatMap((name) => foldedWordsOf(text.slice(name.start, name.end))));
}

/** The terms a word is recognised by in a text of a language: its own, and that of the word it was meant to be. */
export function termsFor({ word, written, corrected }: QuestionWord, language: string | undefined): readonly string[] {
  const terms = [stem(written, language)];
  if (terms[0] !== word) terms.push(word);
  if (corrected !== undefined) terms.push(stem(corrected, language));
  return terms;
}

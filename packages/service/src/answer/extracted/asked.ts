/** A question as it is compared with sentences: which of its words say what is asked, and how much each says. */
import { foldedWordsOf, isWrittenFunctionWord, languageOf, wordsOf } from "@threadlore/language";
import { stem } from "@threadlore/language/stems";
import { type AnswerKind, askedOf, momentsOf, valuesOf, namesOf } from "@threadlore/language/meaning";

/** What is known of the words of a question in what the caller may see. */
export interface WordStatistics {
  /** Passages the caller may see. */
  readonly passages: number;
  /** In how many of them a folded word occurs, in any of its forms. */
  readonly holding: (word: string) => number;
  /** The known word that an unknown one was most likely meant to be. */
  readonly correctionOf?: (word: string) => string | undefined;
}

/** A word of a question that says what is asked. */
export interface AskedWord {
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
}

/** A question as it is compared with sentences. */
export interface AskedQuestion {
  readonly text: string;
  /** ISO 639-1; undefined where it cannot be told. */
  readonly language: string | undefined;
  /** Each once, in order. */
  readonly words: readonly AskedWord[];
  /** What all words weigh together; at least a little. */
  readonly total: number;
  readonly kind: AnswerKind;
  /** The noun it asks for ("which team": "team"), folded. */
  readonly about: string | undefined;
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

/** Words of a question before this one count half. */
const EARLIER = 0.5;

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
  const words = new Map<string, AskedWord>();
  for (const { word, weight, ...rest } of earlier?.words ?? [])
    words.set(word, { word, weight: weight * EARLIER, ...rest });
  for (const [index, { text: word, start, end }] of written.entries()) {
    if (words.size === MAX_WORDS) break;
    if (isWrittenFunctionWord(read.slice(start, end), language)) continue;
    const holding = statistics.holding(word);
    const next = written[index + 1];
    words.set(word, {
      word,
      written: read.slice(start, end),
      weight: rarity(statistics.passages, holding),
      isKnown: holding > 0,
      corrected: holding > 0 ? undefined : statistics.correctionOf?.(word),
      isName: /\p{N}/u.test(word) || names.has(word),
      joined: next === undefined ? undefined : word + next.text,
    });
  }
  const weighed = withinKnown([...words.values()]);
  return {
    text,
    language,
    words: weighed,
    total: Math.max(
      1e-6,
      weighed.reduce((sum, { weight }) => sum + weight, 0),
    ),
    kind: asking.kind,
    about: asking.about,
    years: new Set(momentsOf(read, language).flatMap(({ year }) => (year === undefined ? [] : [year]))),
    said: valuesOf(read, language),
  };
}

function rarity(passages: number, holding: number): number {
  const all = passages + ADDED_PASSAGES;
  return Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));
}

/** A word nobody wrote yet says no more than the rarest that somebody did: it may be a slip, or another word for one. */
function withinKnown(words: readonly AskedWord[]): AskedWord[] {
  const known = words.filter(({ isKnown }) => isKnown).map(({ weight }) => weight);
  const most = known.length === 0 ? 1 : Math.max(...known);
  return words.map((word) => (word.isKnown ? word : { ...word, weight: Math.min(word.weight, most) }));
}

function namesIn(text: string, language: string | undefined): ReadonlySet<string> {
  return new Set(namesOf(text, language).flatMap((name) => foldedWordsOf(text.slice(name.start, name.end))));
}

/** The terms a word is recognised by in a text of a language: its own, and that of the word it was meant to be. */
export function termsFor({ word, written, corrected }: AskedWord, language: string | undefined): readonly string[] {
  const terms = [stem(written, language)];
  if (terms[0] !== word) terms.push(word);
  if (corrected !== undefined) terms.push(stem(corrected, language));
  return terms;
}

import { foldWord } from "./folding.ts";
import { functionWordsOf, KNOWN_LANGUAGES } from "./function-words.ts";
import {
  ALPHABETS,
  isScriptOfLanguages,
  LETTERS,
  ONE_LANGUAGE_SCRIPTS,
  type ScriptOfLanguages,
  scriptOf,
  type TellingLetters,
} from "./scripts.ts";

/** A language a text may be in. */
export interface LikelyLanguage {
  /** ISO 639-1 code; Norwegian is `no`, Chinese of either script `zh`. */
  readonly language: string;
  /** Its share of what speaks for any language, 0 to 1. 1 where the script alone decides. */
  readonly confidence: number;
}

/** A language is named from this share on. */
const MIN_CONFIDENCE = 0.4;

/** So many UTF-16 units of a long text are read, half of them from its middle. */
const MAX_READ = 1_200;

/** A hint decides between languages that are about as likely: it weighs as much as one rare function word. */
const HINT_WEIGHT = 1.5;

/**
 * The language of a text as an ISO 639-1 code, by its script, function words and letters of its own; `undefined` where
 * nothing tells, as for a name or a number. `hint` is what is likely beforehand, such as the language of the page or of
 * the person: it decides where the text leaves it open.
 */
export function languageOf(text: string, hint?: Hint): string | undefined {
  const read = readSample(text, hint, CLEAR_LEAD);
  if (read.scores === undefined) return read.language;
  const [best] = ranked(read.scores, read.script);
  return best !== undefined && best.confidence >= MIN_CONFIDENCE ? best.language : undefined;
}

/** The languages a text may be in, the likeliest first, at most five; empty where nothing tells. */
export function likelyLanguages(text: string, hint?: Hint): LikelyLanguage[] {
  const read = readSample(text, hint);
  if (read.scores !== undefined) return ranked(read.scores, read.script);
  return read.language === undefined ? [] : [{ language: read.language, confidence: 1 }];
}

/**
 * What a text says of its language: the language itself where its script alone tells, or nothing does.
 * @param enough lead of a language by its words that is taken to be clear
 */
function readSample(text: string, hint: Hint, enough = Number.POSITIVE_INFINITY) {
  const sample = sampleOf(text);
  const script = scriptOf(sample);
  if (script === undefined) return { language: told(hint) };
  const only = ONE_LANGUAGE_SCRIPTS[script];
  if (only !== undefined) return { language: only };
  if (script === "Hani") return { language: told(hint) === "ja" ? "ja" : "zh" };
  if (!isScriptOfLanguages(script)) return { language: undefined };
  const scores = new Scores(ALPHABETS[script]);
  const clear = addSigns(sample, script, scores, enough);
  if (clear !== undefined) return { language: clear };
  const likely = told(hint);
  if (likely !== undefined) scores.addFor(likely, HINT_WEIGHT);
  return { scores, script };
}

/** What is likely beforehand; as a function where it takes time to find out, and most texts tell enough themselves. */
export type Hint = string | (() => string | undefined) | undefined;

function told(hint: Hint): string | undefined {
  return typeof hint === "function" ? hint() : hint;
}

function sampleOf(text: string): string {
  if (text.length <= MAX_READ) return text;
  const middle = text.length >> 1;
  return `${text.slice(0, MAX_READ / 2)} ${text.slice(middle, middle + MAX_READ / 2)}`;
}

/** How much speaks for each language of a script. */
class Scores {
  readonly #languages: readonly string[];
  readonly #of: number[];
  /** Places of the languages that anything speaks for, in the order it was met: of equals the first is the likelier. */
  readonly #met: number[] = [];

  constructor(languages: readonly string[]) {
    this.#languages = languages;
    this.#of = languages.map(() => 0);
  }

  add(place: number, weight: number): void {
    const before = this.#of[place] as number;
    if (before === 0) this.#met.push(place);
    this.#of[place] = before + weight;
  }

  addFor(language: string, weight: number): void {
    const place = this.#languages.indexOf(language);
    if (place !== -1) this.add(place, weight);
  }

  /** Those that anything speaks for, the likeliest first. */
  sorted(): [language: string, score: number][] {
    return this.#met
      .map((place): [string, number] => [this.#languages[place] as string, this.#of[place] as number])
      .toSorted(([, one], [, other]) => other - one);
  }

  /** The language that so much more speaks for than for any other; undefined: none. */
  leader(lead: number): string | undefined {
    let first = -1;
    let top = 0;
    let second = 0;
    for (const place of this.#met) {
      const score = this.#of[place] as number;
      if (score > top) {
        first = place;
        second = top;
        top = score;
      } else if (score > second) second = score;
    }
    return top - second > lead ? this.#languages[first] : undefined;
  }
}

/** Kinship makes a word speak for several languages: the best one's lead counts, not its share of all. */
function confidenceOf(score: number, top: number, second: number): number {
  return Math.min(1, score / (top + second / 2));
}

/** What text without it cannot have: letters that only some languages write, or marks to compose. */
const BEYOND_PLAIN = /[¡¿·]|[[\p{L}\p{M}]--\p{ASCII}]/v;

/** Letters of plain text and a hint weigh no more together: with a larger lead they change nothing. */
const CLEAR_LEAD = 3.1;

/** Adds what a text's words and letters say. Answers the language, where the words alone are enough. */
function addSigns(sample: string, script: ScriptOfLanguages, scores: Scores, enough: number): string | undefined {
  const { evidence, letters } = (signs[script] ??= signsOf(script));
  const isPlain = !BEYOND_PLAIN.test(sample);
  const lower = isPlain ? sample.toLowerCase() : sample.normalize("NFC").toLowerCase();
  addWords(lower, evidence, scores);
  const clear = isPlain ? scores.leader(enough) : undefined;
  if (clear !== undefined) return clear;
  for (const { letters: telling, languages, weight, plain } of letters) {
    if (isPlain && (plain === undefined || !hasOne(lower, plain))) continue;
    if (telling.test(lower)) for (const language of languages) scores.addFor(language, weight);
  }
  return undefined;
}

const LETTER = /\p{L}/u;
const LETTER_OR_MARK = /[\p{L}\p{M}]/u;

/** Adds what each word says: a run of letters, with the marks on them. One call for each would take as long as the rest. */
function addWords(text: string, evidence: Signs["evidence"], scores: Scores): void {
  for (let start = -1, at = 0; at <= text.length; at++) {
    // Behind the end it is NaN, which is no letter.
    const code = text.charCodeAt(at);
    const isPart =
      code < 0x80
        ? (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
        : (start === -1 ? LETTER : LETTER_OR_MARK).test(text.charAt(at));
    if (isPart) {
      if (start === -1) start = at;
      continue;
    }
    if (start === -1) continue;
    const those = at - start > MAX_EVIDENCE ? undefined : evidence.get(text.slice(start, at));
    if (those !== undefined) for (const { place, weight } of those) scores.add(place, weight);
    start = -1;
  }
}

function hasOne(text: string, parts: readonly string[]): boolean {
  for (const part of parts) if (text.includes(part)) return true;
  return false;
}

function ranked(scores: Scores, script: ScriptOfLanguages): LikelyLanguage[] {
  const best = scores.sorted().slice(0, 5);
  const [first] = ALPHABETS[script];
  // Nothing speaks for any of them: the commonest of the script, where there is one by far.
  if (best.length === 0) {
    return script === "Latn" || first === undefined ? [] : [{ language: first, confidence: 0.5 }];
  }
  const [top, second] = [best[0]?.[1] ?? 0, best[1]?.[1] ?? 0];
  return best.map(([language, score]) => ({ language, confidence: confidenceOf(score, top, second) }));
}

interface Evidence {
  readonly language: string;
  readonly weight: number;
}

/** What tells the languages of a script apart. */
interface Signs {
  /** By word: for which languages it speaks, each by its place in the script's list. */
  readonly evidence: ReadonlyMap<string, readonly { readonly place: number; readonly weight: number }[]>;
  readonly letters: readonly TellingLetters[];
}

const signs: Partial<Record<ScriptOfLanguages, Signs>> = {};

/** Function words are not longer. */
const MAX_EVIDENCE = 16;

/** What a word says about the language, from the lists of function words: the fewer have it, the more. */
function signsOf(script: ScriptOfLanguages): Signs {
  const candidates = ALPHABETS[script];
  const evidence = new Map<string, { place: number; weight: number }[]>();
  for (const [word, those] of collectEvidence()) {
    const here = those.flatMap(({ language, weight }) => {
      const place = candidates.indexOf(language);
      return place === -1 ? [] : [{ place, weight }];
    });
    if (here.length > 0) evidence.set(word, here);
  }
  return { evidence, letters: LETTERS.filter(({ languages }) => languages.some((one) => candidates.includes(one))) };
}

function collectEvidence(): Map<string, Evidence[]> {
  const languages = new Map<string, Set<string>>();
  const folded = new Map<string, Set<string>>();
  for (const language of KNOWN_LANGUAGES) {
    for (const word of functionWordsOf(language)) {
      put(languages, word, language);
      // Without its accents nearly every syllable of Vietnamese is a word of another language.
      if (language !== "vi") put(folded, foldWord(word), language);
    }
  }
  const collected = new Map<string, Evidence[]>();
  for (const [word, those] of folded) collected.set(word, weighed(word, those, 0.6));
  for (const [word, those] of languages) {
    // As it is written it speaks for those that write it so, and less for those that put an accent there.
    const typed = [...(folded.get(word) ?? [])].filter((language) => !those.has(language));
    collected.set(word, [...weighed(word, those, 1), ...weighed(word, new Set(typed), 0.3)]);
  }
  return collected;
}

function put(map: Map<string, Set<string>>, word: string, language: string): void {
  const those = map.get(word) ?? new Set();
  map.set(word, those.add(language));
}

function weighed(word: string, languages: ReadonlySet<string>, factor: number): Evidence[] {
  const byLength = word.length === 1 ? 0.4 : word.length === 2 ? 0.8 : 1.2;
  const weight = (factor * byLength * 2) / (1 + languages.size);
  return [...languages].map((language) => ({ language, weight }));
}

/** Whether a sentence holds an answer of the kind that is asked, beyond what the question itself said. */
import { foldWord } from "../folding.ts";
import { isFunctionWord } from "../function-words.ts";
import { type CompiledLexicon, lexiconFor } from "./lexicon/all.ts";
import type { AnswerKind } from "./lexicon/types.ts";
import type { Moment } from "./moment.ts";
import { momentsOf } from "./moments.ts";
import { type Name, namesOf } from "./names.ts";
import { holdsPhrase, type Phrases } from "./phrases.ts";
import { modalityOf, polarityOf } from "./polarity.ts";
import { type Quantity, quantitiesOf } from "./quantities.ts";
import { type Token, tokensOf } from "./tokens.ts";
import { isMoney, isTimeUnit } from "./units.ts";

/** The values a question says itself, as `holds` takes them: numbers, years, dates and the words of names, folded. */
export function valuesOf(text: string, language?: string): Set<string> {
  const values = new Set<string>();
  for (const { value } of quantitiesOf(text, language)) values.add(String(value));
  for (const moment of momentsOf(text, language)) for (const part of partsOf(moment)) values.add(part);
  for (const { text: word } of tokensOf(text)) values.add(word);
  return values;
}

function partsOf({ year, month, day, weekday, hour, minute }: Moment): string[] {
  const parts: string[] = [];
  if (year !== undefined) parts.push(String(year));
  if (month !== undefined) parts.push(`month ${month}`);
  if (day !== undefined) parts.push(`day ${day}`);
  if (weekday !== undefined) parts.push(`weekday ${weekday}`);
  if (hour !== undefined) parts.push(`hour ${hour}:${minute ?? 0}`);
  return parts;
}

/**
 * How well a sentence holds an answer of a kind: 0 not at all, 1 surely. `except` are values that do not count, mostly
 * those of the question (`valuesOf`); `about` is the noun asked for (`askedOf`), which a counted noun may repeat.
 * `language` is a BCP 47 tag; by default it is told from the text.
 */
export function holds(
  text: string,
  kind: AnswerKind,
  language?: string,
  except: ReadonlySet<string> = new Set(),
  about?: string,
): number {
  const lexicon = lexiconFor(language, text);
  return RULES[kind]({ text, tokens: tokensOf(text), lexicon, except, about });
}

interface Scene {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly lexicon: CompiledLexicon;
  readonly except: ReadonlySet<string>;
  readonly about: string | undefined;
}

const RULES: Readonly<Record<AnswerKind, (scene: Scene) => number>> = {
  number: (scene) => best(quantitiesIn(scene), (quantity) => numberStrength(quantity, scene.about)),
  money: (scene) => best(quantitiesIn(scene), ({ unit }) => (isMoney(unit) ? 1 : unit === undefined ? 0.3 : 0.1)),
  duration: durationStrength,
  time: (scene) =>
    Math.max(
      best(newMoments(scene), momentStrength),
      best(quantitiesIn(scene), dayStrength),
      0.35 * found(scene, scene.lexicon.when),
    ),
  person: (scene) => nameStrength(scene, "person"),
  place: (scene) => nameStrength(scene, "place"),
  reason: (scene) => Math.max(0.9 * found(scene, scene.lexicon.because), 0.4 * found(scene, scene.lexicon.mayBecause)),
  manner: (scene) => Math.max(0.7 * found(scene, scene.lexicon.by), 0.3 * newWords(scene)),
  choice: choiceStrength,
  definition: (scene) => Math.max(0.8 * Number(DEFINES.test(scene.text)), 0.3 * newWords(scene)),
  thing: (scene) => Math.max(0.6 * Math.min(1, newNames(scene).length), 0.4 * newWords(scene)),
};

function best<T>(values: readonly T[], strengthOf: (value: T) => number): number {
  let strongest = 0;
  for (const value of values) strongest = Math.max(strongest, strengthOf(value));
  return strongest;
}

function found({ tokens }: Scene, phrases: Phrases<string>): number {
  return Number(holdsPhrase(phrases, tokens));
}

function quantitiesIn({ text, lexicon, except }: Scene): Quantity[] {
  return quantitiesOf(text, lexicon.language).filter(({ value }) => !except.has(String(value)));
}

function numberStrength({ unit }: Quantity, about: string | undefined): number {
  if (unit === "ordinal") return 0.3;
  if (unit !== undefined && about !== undefined && (unit.startsWith(about) || about.startsWith(unit))) return 1;
  return isTimeUnit(unit) ? 0.6 : 0.8;
}

function newMoments({ text, lexicon, except }: Scene): Moment[] {
  return momentsOf(text, lexicon.language).filter((moment) => partsOf(moment).some((part) => !except.has(part)));
}

function momentStrength({ year, month, hour, day }: Moment): number {
  return year !== undefined || hour !== undefined || (month !== undefined && day !== undefined) ? 1 : 0.8;
}

/** "from the fourth day on", "on the 25th"; less surely "within three days". */
function dayStrength({ unit }: Quantity): number {
  if (unit === "ordinal" || /^(?:st|nd|rd|th)$/.test(unit ?? "")) return 0.7;
  return isTimeUnit(unit) ? 0.4 : 0;
}

/** "daily", and "from 1990 to 1995", are durations too, less surely. */
function durationStrength(scene: Scene): number {
  const said = best(quantitiesIn(scene), ({ unit }) =>
    isTimeUnit(unit) ? 1 : unit === "times" ? 0.9 : unit === undefined ? 0.3 : 0.1,
  );
  if (said === 1) return 1;
  const between = newMoments(scene).length >= 2 ? 0.5 : 0;
  return Math.max(said, between, 0.3 * found(scene, scene.lexicon.when));
}

/** Scripts without capitals hide most names: there any new word may be one. */
const HIDING: ReadonlySet<string> = new Set(["ar", "fa", "he", "hi", "th", "ko", "zh", "ja", "de"]);

function nameStrength(scene: Scene, kind: "person" | "place"): number {
  const named = best(newNames(scene), (name) =>
    kind === "person" ? personStrength(scene, name) : placeStrength(scene, name),
  );
  const hidden = HIDING.has(scene.lexicon.language) ? 0.35 * newWords(scene) : 0;
  const noun = 0.25 * Number(scene.tokens.some((_, at) => hasNoun(scene, at, kind)));
  return Math.max(named, hidden, noun);
}

/** Words before the name of a place, of the languages that have them. */
const BEFORE_PLACE =
  /(?<![\p{L}])(?:in|at|near|to|from|en|à|au|aux|dans|a|desde|hacia|w|we|v|ve|do|z|в|во|из|на|у|i|på|til|fra|från|im|bei|nach|aus|di|ad|da|em|no|na|te|naar|uit|în|la|στην|στη|στο|في|إلى|من)\s(?:the\s|la\s|el\s|der\s|den\s|dem\s)?$/iu;
/** What ends the name of a place where names have such an end. */
const PLACE_END = /(?:市|県|州|町|村|区|省|县|郡|国|河|川|山|島|岛|城|寺)$/u;

function isPlaced({ text }: Scene, { start, text: name }: Name): boolean {
  return PLACE_END.test(name) || BEFORE_PLACE.test(text.slice(Math.max(0, start - 14), start));
}

function personStrength(scene: Scene, name: Name): number {
  if (name.text.includes("@")) return 0.9;
  if (/\p{N}/u.test(name.text)) return 0.3;
  if (isPlaced(scene, name)) return 0.4;
  return name.text.includes(" ") ? 0.9 : 0.7;
}

function placeStrength(scene: Scene, name: Name): number {
  if (/[@\p{N}]/u.test(name.text)) return 0.2;
  return isPlaced(scene, name) ? 0.9 : 0.45;
}

function hasNoun({ tokens, lexicon, except }: Scene, at: number, kind: AnswerKind): boolean {
  const token = tokens[at];
  if (token === undefined || except.has(token.text)) return false;
  const phrases = [lexicon.nouns.exact.get(token.text), lexicon.nouns.prefixed.get(token.text[0] ?? "")];
  return phrases.some(
    (list) =>
      list?.some(
        ({ key, parts }) => key === kind && parts.length === 1 && token.text.startsWith(parts[0]?.text ?? "-"),
      ) === true,
  );
}

function newNames({ text, lexicon, except }: Scene): Name[] {
  return namesOf(text, lexicon.language).filter(
    (name) => !except.has(name.text) && name.text.split(" ").some((word) => !except.has(foldWord(word))),
  );
}

/** 1 where a word that says something is not in the question; 0 for a mere repetition. */
function newWords({ tokens, lexicon, except }: Scene): number {
  return Number(
    tokens.some(
      ({ text }) =>
        !except.has(text) && !isFunctionWord(text, lexicon.language) && (text.length > 2 || lexicon.isUnspaced),
    ),
  );
}

function choiceStrength(scene: Scene): number {
  if (modalityOf(scene.text, scene.lexicon.language) !== undefined) return 0.8;
  return polarityOf(scene.text, scene.lexicon.language) === "no" ? 0.8 : 0.4;
}

/** What stands between a word and its meaning; told by signs and copulas of all languages together. */
const DEFINES =
  /\p{L}(?:: |\s[–—-]\s)|(?<![\p{L}])(?:is an?|are|was an?|means?|refers to|known as|called|stands for|defined as|ist (?:ein|eine|der|die|das)|sind|bedeutet|bezeichnet|steht für|est une?|sont|signifie|désigne|es une?|son|significa|se refiere|это|означает|называется|является|هو|هي|يعني|يقصد|è una?|é uma?|oznacza|jest|betekent|är en|betyder|means)(?![\p{L}])|とは|である|という|意味|是|指|称为|意思|이란|의미|है|หมายถึง|คือ/u;

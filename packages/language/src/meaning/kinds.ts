/**
 * What a question wants to hear: a number, a time, a person …, told by its question words, wherever they stand, by the
 * noun that goes with them, or by its nouns alone ("deadline for expenses?").
 */
import { type CompiledLexicon, lexiconFor } from "./lexicon/all.ts";
import type { AnswerKind } from "./lexicon/types.ts";
import { type Hit, hitAt, hitsIn, type Phrases } from "./phrases.ts";
import { isBroken, type Token, tokensOf } from "./tokens.ts";

/** What is asked. */
export interface Asked {
  readonly kind: AnswerKind;
  /** The noun the question asks for ("which team": "team"), folded; absent where none is named. */
  readonly about: string | undefined;
  /** The words that ask, folded: the question word, and the unit of time beside it ("which year"). */
  readonly asking: ReadonlySet<string>;
}

type Wanted = Omit<Asked, "asking">;

/** What is read of a question, in UTF-16 units. */
const MAX_QUESTION = 2_000;
/** How far a question word's noun may be away, and how many of its phrase's words are looked at. */
const MAX_SKIPPED = 8;
const WINDOW = 6;
/** Where the noun stands first, a verb is soon reached. */
const SHORT_WINDOW = 3;
/** "What is a sprint?": so many words after the copula are a name, more are a description. */
const MAX_DEFINED = 3;
const MAX_DEFINED_CHARACTERS = 8;

/** The kind of answer a question asks for. `language` is a BCP 47 tag; by default it is told from the question. */
export function kindOf(question: string, language?: string): AnswerKind {
  return askedOf(question, language).kind;
}

/** The kind of answer a question asks for, and the noun it names. `language` as for `kindOf`. */
export function askedOf(question: string, language?: string): Asked {
  const whole = question.slice(0, MAX_QUESTION);
  const lexicon = lexiconFor(language, whole);
  const text = asking(whole, lexicon);
  const scene: Scene = { text, tokens: tokensOf(text), lexicon };
  const main = mainHit(scene);
  const asked = main === undefined ? withoutQuestionWord(scene) : readHit(scene, main);
  return { ...asked, asking: askingWords(scene, main) };
}

/** So near to a question word stands what belongs to it. */
const NEAR = 4;

/** The question word with what it is asked in: "in which year", "how many days"; but not "the deadline". */
function askingWords({ tokens, lexicon }: Scene, main: AskHit | undefined): ReadonlySet<string> {
  if (main === undefined) return new Set();
  const units = hitsIn(lexicon.units, tokens).filter(
    ({ key, start, end }) => TIMES.has(key) && end > main.start - NEAR && start < main.end + NEAR,
  );
  const hits = [main, ...units];
  return new Set(hits.flatMap(({ start, end }) => tokens.slice(start, end).map(({ text }) => text)));
}

/** Where phrases overlap the longest one counts: 在哪一年 asks 哪一年, not 在哪; of equals the later one. */
function longestHits(phrases: Phrases<string>, tokens: readonly Token[]): AskHit[] {
  const all = tokens.flatMap((_, at) => hitAt(phrases, tokens, at) ?? []);
  const taken = new Set<number>();
  const kept = all
    .toSorted((one, other) => other.end - other.start - (one.end - one.start) || other.start - one.start)
    .filter(({ start, end }) => {
      for (let at = start; at < end; at++) if (taken.has(at)) return false;
      for (let at = start; at < end; at++) taken.add(at);
      return true;
    });
  return kept.toSorted((one, other) => one.start - other.start);
}

/** "什么是…的主要职能": what is described at length is not a word to be explained. */
function isDescribed({ tokens, lexicon }: Scene, { end }: AskHit): boolean {
  return lexicon.isUnspaced && tokens.length - end > MAX_DEFINED_CHARACTERS;
}

interface Scene {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly lexicon: CompiledLexicon;
}
type AskHit = Hit<string>;

/** The sentence that asks, where others stand around it: the first that ends in a question mark and has a question word. */
function asking(text: string, lexicon: CompiledLexicon): string {
  const opened = text.lastIndexOf("¿");
  if (opened > 0 && hitsIn(lexicon.asks, tokensOf(text.slice(opened))).length > 0) return text.slice(opened);
  const parts = text.split(/(?<=[?？؟。！\n])|(?<=\p{Ll}{2}[.!])\s/u).filter((part) => /\p{L}/u.test(part));
  if (parts.length < 2) return text;
  const asks = parts.filter((part) => /[?？؟]\s*$/u.test(part));
  return asks.find((part) => hitsIn(lexicon.asks, tokensOf(part)).length > 0) ?? asks[0] ?? text;
}

/** The question word that counts. */
function mainHit({ text, tokens, lexicon }: Scene): AskHit | undefined {
  const hits = longestHits(lexicon.asks, tokens).filter(
    (hit) => !isName(tokens, hit) && !isPart(tokens, hit, lexicon) && hit.key !== "choice",
  );
  if (hits.length === 0) return undefined;
  // "… of those who oppose what?": a question word at the very end asks, whatever went before.
  const final = hits.at(-1);
  if (final?.end === tokens.length && final.end - final.start < 3) return final;
  if (lexicon.words.asksLast === true) return lastAsking(hits);
  const [first, ...others] = hits;
  if (first === undefined || !CLAUSES.has(first.key) || first.start > 1) return first;
  // "When Anna left, who took over?": the clause before the comma only says when.
  const comma = tokens.findIndex((token, at) => at >= first.end && commaBefore(text, tokens[at - 1], token));
  return comma < 0 ? first : (others.find(({ start }) => start >= comma && start <= comma + 2) ?? first);
}

const CLAUSES: ReadonlySet<string> = new Set(["time", "place", "manner", "choice"]);

function commaBefore(text: string, left: Token | undefined, right: Token): boolean {
  return left !== undefined && /[,،，]/.test(text.slice(left.end, right.start));
}

/** Of several, the last; a word that is only there to be answered yes or no never wins over a question word. */
function lastAsking(hits: readonly AskHit[]): AskHit | undefined {
  return hits.findLast(({ key }) => key !== "before") ?? hits.at(-1);
}

/** とは asks at the end ("VPNとは?"); anywhere else it is the end of ことは. */
function isPart(tokens: readonly Token[], { key, start, end }: AskHit, { language }: CompiledLexicon): boolean {
  return language === "ja" && key === "before" && end - start === 2 && end < tokens.length;
}

/** "Doctor Who": a question word that is written like a name in the middle of a question. */
function isName(tokens: readonly Token[], { start }: AskHit): boolean {
  const raw = tokens[start]?.raw ?? "";
  // "ميكانيكا الكم": with an article it is a noun.
  if (raw.startsWith("ال")) return true;
  const before = tokens[start - 1];
  if (before === undefined || !/^\p{Lu}\p{Ll}/u.test(raw)) return false;
  return /^\p{Lu}\p{Ll}/u.test(before.raw) && start > 1;
}

function readHit(scene: Scene, hit: AskHit): Wanted {
  const { lexicon } = scene;
  if (hit.key === "count") return readCount(scene, hit);
  const isNounBefore = hit.key === "before";
  if (hit.key !== "which" && !isNounBefore) {
    const kind = hit.key as AnswerKind;
    if (kind === "person" && isDefined(scene, hit)) return { kind: "definition", about: undefined };
    if (kind === "definition" && isDescribed(scene, hit)) return { kind: "thing", about: undefined };
    if (kind !== "thing") return { kind, about: undefined };
    const named = nounAfter(scene, hit.end);
    const isNext =
      named?.kind !== undefined && hitAt(scene.lexicon.nouns, scene.tokens, overSkips(scene, hit.end)) !== undefined;
    return { kind: isNext && CALLED.has(named.kind ?? kind) ? (named.kind ?? kind) : kind, about: named?.about };
  }
  const noun = isNounBefore ? nounBefore(scene, hit.start) : (nounAfter(scene, hit.end) ?? headFinal(scene, hit));
  const isDefinition = !isNounBefore && lexicon.words.asksLast !== true && isDefined(scene, hit);
  if (isDefinition && noun?.kind !== undefined && NAMED.has(noun.kind)) return { kind: "definition", about: undefined };
  if (noun?.kind !== undefined) return { kind: noun.kind, about: noun.about };
  if (isDefinition || (isNounBefore && noun === undefined)) return { kind: "definition", about: undefined };
  return { kind: "thing", about: noun?.about };
}

/** 何 and क्या stand after their noun where nothing follows them. */
function headFinal(scene: Scene, hit: AskHit): Noun | undefined {
  return scene.lexicon.words.asksLast === true || scene.lexicon.isUnspaced ? nounBefore(scene, hit.start) : undefined;
}

/** "How many days" asks for a duration, "how many euros" for money. */
function readCount({ text, tokens, lexicon }: Scene, hit: AskHit): Wanted {
  for (let at = hit.end; at < Math.min(tokens.length, hit.end + 3); at++) {
    const token = tokens[at];
    if (token === undefined || isBroken(text, tokens[at - 1] ?? token, token)) break;
    const unit = hitAt(lexicon.units, tokens, at);
    if (unit !== undefined && TIMES.has(unit.key)) return { kind: "duration", about: token.text };
    if (unit !== undefined && /^[A-Z]{3}$/.test(unit.key)) return { kind: "money", about: token.text };
    const noun = hitAt(lexicon.nouns, tokens, at);
    if (noun?.key === "money") return { kind: "money", about: token.text };
    const isNamed = lexicon.language !== "de" && /^\p{Lu}/u.test(token.raw);
    if (!lexicon.skips.has(token.text) && !isNamed) return { kind: "number", about: token.text };
  }
  return { kind: "number", about: undefined };
}

const TIMES: ReadonlySet<string> = new Set(
  "second minute hour day workday week month quarter year decade century".split(" "),
);

interface Noun {
  readonly kind: AnswerKind | undefined;
  readonly about: string | undefined;
}

/** The noun after a question word: over articles and copulas, past "name of the", up to a preposition or verb. */
function nounAfter(scene: Scene, from: number): Noun | undefined {
  const { text, tokens, lexicon } = scene;
  if (lexicon.language === "ja" && !/^[\p{Script=Han}\p{Script=Katakana}]/u.test(tokens[from]?.raw ?? ""))
    return undefined;
  let at = overSkips(scene, from);
  for (let leaps = 0; leaps < 3; leaps++) {
    const link = linkAfter(scene, at);
    if (link === undefined) break;
    const next = overSkips(scene, link + 1, lexicon.stops);
    const after = tokens[next];
    if (after === undefined || lexicon.stops.has(after.text)) return { kind: undefined, about: tokens[link]?.text };
    at = next;
  }
  let plain: string | undefined;
  let found: Noun | undefined;
  for (
    let end = Math.min(
      tokens.length,
      at + (lexicon.words.isHeadLast === true || lexicon.isUnspaced ? WINDOW : SHORT_WINDOW),
    );
    at < end;
    at++
  ) {
    const token = tokens[at];
    const before = tokens[at - 1];
    if (token === undefined || (before !== undefined && at > from && isBroken(text, before, token))) break;
    const hit = hitAt(lexicon.nouns, tokens, at);
    if (hit !== undefined && !(lexicon.language === "zh" && hit.end - hit.start === 1 && at > from)) {
      found = { kind: hit.key, about: joined(tokens, hit) };
      if (lexicon.words.isHeadLast !== true) return found;
      at = hit.end - 1;
      continue;
    }
    if (found !== undefined || lexicon.stops.has(token.text)) break;
    plain = plainNoun(scene, token, plain);
  }
  if (lexicon.isUnspaced && found === undefined)
    plain = firstWord(text.slice(tokens[from]?.start ?? text.length), lexicon);
  return found ?? (plain === undefined ? undefined : { kind: undefined, about: plain });
}

function joined(tokens: readonly Token[], { start, end }: Hit<string>): string {
  const part = tokens.slice(start, end);
  const isTight = part.every((token, index) => index === 0 || token.start === part[index - 1]?.end);
  return part.map(({ text }) => text).join(isTight ? "" : " ");
}

/** Without a list of all nouns: the first word that is not a name; in German, where nouns are written like names, the first that is. */
function plainNoun({ lexicon }: Scene, token: Token, known: string | undefined): string | undefined {
  const isCapital = /^\p{Lu}/u.test(token.raw);
  if (lexicon.language === "de") return known !== undefined || !isCapital ? known : token.text;
  return known !== undefined || isCapital || token.text.length < 2 ? known : token.text;
}

/** `but` says what is not skipped although it may be: after "kind of" no "is" leads to the noun. */
function overSkips({ tokens, lexicon }: Scene, from: number, but?: ReadonlySet<string>): number {
  let at = from;
  const last = Math.min(tokens.length, from + MAX_SKIPPED);
  for (; at < last; at++) {
    const word = tokens[at]?.text ?? "";
    if (!lexicon.skips.has(word) || (but?.has(word) === true && !OF.has(word))) break;
  }
  return at;
}

const OF: ReadonlySet<string> = new Set("of von van de d del di des du da do".split(" "));

/** Where in the phrase that begins at a token a noun stands that leaves it to the next one. */
function linkAfter({ text, tokens, lexicon }: Scene, from: number): number | undefined {
  for (let at = from; at < Math.min(tokens.length, from + 3); at++) {
    const token = tokens[at];
    const before = tokens[at - 1];
    if (token === undefined || (at > from && before !== undefined && isBroken(text, before, token))) return undefined;
    const link = hitAt(lexicon.links, tokens, at);
    if (link !== undefined) return link.end - 1;
    if (lexicon.stops.has(token.text) || hitAt(lexicon.nouns, tokens, at) !== undefined) return undefined;
  }
  return undefined;
}

/** The noun right before a question word, at most one particle between. */
function nounBefore({ text, tokens, lexicon }: Scene, until: number): Noun | undefined {
  const hits = hitsIn(lexicon.nouns, tokens.slice(0, until));
  const noun = hits.findLast(({ end }) => end >= until - 1);
  if (noun !== undefined) return { kind: noun.key, about: joined(tokens, noun) };
  const links = hitsIn(lexicon.links, tokens.slice(0, until));
  const link = links.findLast(({ end }) => end >= until - 1);
  if (link !== undefined) {
    const owner = hits.findLast(({ end }) => end >= link.start - 2);
    const kind = owner !== undefined && NAMED.has(owner.key) ? owner.key : undefined;
    return { kind, about: joined(tokens, owner ?? link) };
  }
  if (until < 2 || !lexicon.isUnspaced) return undefined;
  const word = lastWord(text.slice(0, tokens[until]?.start ?? text.length), lexicon);
  // "VPNとは" asks what it is; "…に使った物とは" describes what it asks for.
  return word === undefined || until <= MAX_DEFINED_CHARACTERS ? undefined : { kind: undefined, about: word };
}

/** "Wie heißt der König", "в чем причина": the noun right behind says what is asked. */
const CALLED: ReadonlySet<string> = new Set(["person", "place", "reason"]);

/** "The name of the king": what bears a name. The name of a year or a price asks for neither. */
const NAMED: ReadonlySet<string> = new Set(["person", "place"]);

function wordsIn(text: string, { language }: CompiledLexicon): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: "word" });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

function firstWord(text: string, lexicon: CompiledLexicon): string | undefined {
  return wordsIn(text.slice(0, 24), lexicon).find((word) => !lexicon.skips.has(word) && !lexicon.stops.has(word));
}

function lastWord(text: string, lexicon: CompiledLexicon): string | undefined {
  return wordsIn(text.slice(-24), lexicon).findLast((word) => word.length > 1 || /\p{Script=Han}/u.test(word));
}

/** "What is a sprint?", "Who was Chopin?": a few words and nothing about them; "what is the …" asks for the thing. */
function isDefined({ tokens, lexicon, text }: Scene, hit: AskHit): boolean {
  const copula = tokens[hit.end - 1];
  const next = overSkips({ tokens, lexicon, text }, hit.end);
  if (copula === undefined || (next === hit.end && !lexicon.hasNoCopula)) return false;
  const rest = tokens.slice(next);
  if (rest.length === 0 || rest.length > MAX_DEFINED) return false;
  const isNamed = rest.every(({ raw }) => /^\p{Lu}/u.test(raw));
  // "ما هو لون الشعار" asks for a thing of a thing; "ما هو الذكاء الاصطناعي" for what it is.
  if (lexicon.hasNoCopula && rest.length > 1 && rest[0]?.raw.startsWith("ال") !== true) return false;
  if (hit.key === "person") return isNamed;
  if (rest.some(({ text: word }) => lexicon.stops.has(word))) return false;
  const skipped = tokens.slice(hit.end, next).map(({ text: word }) => word);
  const isThe = skipped.some((word) => lexicon.articles.has(word));
  return !isThe || (isNamed && lexicon.language !== "de");
}

/** No question word: a yes-or-no question, else what its nouns say. */
function withoutQuestionWord(scene: Scene): Wanted {
  const { text, tokens, lexicon } = scene;
  const comma = tokens.findIndex((token, at) => commaBefore(text, tokens[at - 1], token));
  const main = comma > 0 ? tokens.slice(comma) : tokens;
  const isChoice = hitsIn(lexicon.choice, tokens).length > 0 || hitsIn(lexicon.choice, main).length > 0;
  const hits = hitsIn(lexicon.nouns, tokens).filter(({ key }) => key !== "definition");
  if (isChoice && tokens.length > 1) return { kind: "choice", about: undefined };
  const noun = lexicon.words.asksLast === true ? hits.at(-1) : hits[0];
  if (noun !== undefined) return { kind: noun.key, about: joined(tokens, noun) };
  const last = lexicon.isUnspaced ? lastWord(text, lexicon) : tokens.at(-1)?.text;
  return { kind: "thing", about: tokens.length > 8 ? undefined : last };
}

/** Names in a claim that its passages do not hold. */
import { foldedWordsOf, foldWord, isFunctionWord } from "@threadlore/language";
import { namesOf } from "@threadlore/language/meaning";
import type { SaidValue } from "./numbers.ts";
import type { TextFacts } from "./text-facts.ts";

/** Titles, and what everybody abbreviates, name nobody. */
const NO_NAMES: ReadonlySet<string> = new Set(
  (
    "mr mrs ms miss dr prof sir frau herr herrn doktor madame monsieur mme mlle m señor senor señora senora sr sra don dona " +
    "hr it eu uk us usa un ok pdf id faq ceo cto cfo coo url tv pc pcs rh drh rrhh sms usb qr vat iva ust tva am pm no nb ps a b c d e f"
  ).split(" "),
);

/** What marks a name by its signs in a language that writes no capitals. */
const JAPANESE_NAME = /[「『《〈・·A-Z0-9@]/u;
const PERSON_AFTER = /^(?:さん|氏|先生|様|教授|博士|社長)/u;

/**
 * The names of a claim of which no passage holds a word. Names in another language are written otherwise: of a passage in
 * another one only what is spelled alike everywhere counts (addresses, codes).
 */
export function namesNotIn(claim: TextFacts, passages: readonly TextFacts[], known: readonly TextFacts[]): SaidValue[] {
  const { text, language } = claim;
  const isTranslated = passages.every((passage) => passage.language !== language);
  const labels = labelOf(text);
  const isHeld = (word: string) => [...passages, ...known].some((passage) => holdsWord(passage, word));
  const isHeldWhole = (address: string) =>
    [...passages, ...known].some((passage) => passage.text.toLowerCase().includes(address.toLowerCase()));
  return namesOf(text, language).flatMap(({ start, end }) => {
    const written = text.slice(start, end);
    if (start < labels || overlaps(claim, start, end)) return [];
    if (isTranslated && !/[0-9@]|\p{L}\.\p{L}/u.test(written)) return [];
    if (/^["“„«]/u.test(written) && !/\p{Ll}\p{Lu}|[0-9]/u.test(written)) return [];
    if (language === "ja" && !JAPANESE_NAME.test(written) && !PERSON_AFTER.test(text.slice(end))) return [];
    if (isAddress(written)) return isHeldWhole(written) ? [] : [{ start, end }];
    const missing = tellingWords(written, language, isFirst(text, start)).filter(({ word }) => !isHeld(word));
    const [first, last] = [missing[0], missing.at(-1)];
    if (first === undefined || last === undefined) return [];
    // Of several words those that are missing, of a code or an address all of it.
    return [/\s/.test(written) ? { start: start + first.start, end: start + last.end } : { start, end }];
  });
}

const isAddress = (written: string): boolean => /@|\p{L}\.\p{L}/u.test(written) && !/\s/.test(written);

/** Months and weekdays are told as times. */
function overlaps({ moments, quantities }: TextFacts, start: number, end: number): boolean {
  return (
    [
      ...moments.filter((moment) => moment.start < end && start < moment.end),
      ...quantities.filter((quantity) => quantity.start <= start && start < quantity.end),
    ].length > 0
  );
}

/** Where what stands before a colon ends: the title of an entry, which the model makes up. */
function labelOf(text: string): number {
  return /^[^:：.!?。]{1,60}[:：]\**\s/u.exec(text)?.[0].length ?? 0;
}

function isFirst(text: string, start: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text.slice(0, start));
}

interface NameWord extends SaidValue {
  readonly word: string;
}

/** The words of a name that only a name has, with where they stand in it. */
function tellingWords(written: string, language: string | undefined, isOpening: boolean): NameWord[] {
  const all = [...written.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index }): NameWord => ({
    word,
    start: index,
    end: index + word.length,
  }));
  const isGerman = language === "de";
  return all.filter(({ word, start }, at) => {
    // What a sentence begins with is written with a capital whatever it is: "Laut der Seite", "Ask Camille".
    if (isOpening && all.length > 1 && (at === 0 || (isGerman && capitalsOf(all) < 3))) return false;
    // German writes every noun so: "das Tool Kalmus".
    if (isGerman && at < all.length - 1 && !/\p{Ll}\p{Lu}/u.test(word)) return false;
    // "Anna Schmidt 8 weeks": the number is told as a number.
    if (/^\p{N}+$/u.test(word) && /\s/.test(written[start - 1] ?? "")) return false;
    const folded = foldWord(word);
    if (NO_NAMES.has(folded) || isFunctionWord(folded, language)) return false;
    return language === "ja" || /[\p{Lu}\p{N}]/u.test(word);
  });
}

const capitalsOf = (words: readonly NameWord[]): number => words.filter(({ word }) => /^\p{Lu}/u.test(word)).length;

/** Letters two words have to share at their beginning to be forms of one; more of them may follow. */
const MIN_STEM = 4;
/** What ends another form of a word: "Tariffs", "Odenthals", "German". */
const ENDING = /^(?:['’]?s|es|e|n|en|er|ern|em|a|as|o|os|an|ian|ish|ne|nes|ns|nen|ische?[nrs]?)$/u;

function holdsWord({ words, text }: TextFacts, word: string): boolean {
  if (/[^\p{Script=Latin}\p{N}]/u.test(word)) return text.includes(word);
  return foldedWordsOf(word).every((part) => words.has(part) || isFormOfAny(words, part)) || isInitials(text, word);
}

function isFormOfAny(words: ReadonlySet<string>, part: string): boolean {
  if (part.length < MIN_STEM || /[0-9]/.test(part)) return false;
  for (const word of words) {
    if (word.length < MIN_STEM) continue;
    if (
      (word.startsWith(part) && part.length > MIN_STEM) ||
      (part.startsWith(word) && ENDING.test(part.slice(word.length)))
    )
      return true;
    if (part.length > MIN_STEM && word.includes(part)) return true;
  }
  return false;
}

/** VPN is a virtual private network. */
function isInitials(text: string, word: string): boolean {
  if (!/^\p{Lu}{2,5}$/u.test(word)) return false;
  const initials = [...text.matchAll(/(?<![\p{L}\p{N}])\p{L}/gu)].map(([letter]) => letter.toUpperCase()).join("");
  return initials.includes(word);
}

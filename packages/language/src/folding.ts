/**
 * A word as it is compared: what is written in two ways and read as one becomes the same letters.
 *
 * In two steps, because stemmers need what comparing does not: `spellingOf` brings encodings, case and optional marks
 * together and leaves what tells words of a language apart ("für", "política"); `foldWord` drops accents as well.
 */

/**
 * How many UTF-16 units of a word count. No language writes longer words that anybody asks for; what is longer is data,
 * and comparing its beginning keeps memory and time bounded.
 */
export const MAX_WORD_LENGTH = 64;

const ASCII = /^\p{ASCII}*$/u;

/** Soft hyphens, joiners and marks of direction: they change how a word looks, not what it is. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

/** Apostrophes inside Cyrillic words, geresh and gershayim inside Hebrew ones. */
const INNER_MARKS = /['"’ʼ״׳]/g;

/** Letters with a stroke and the like have no decomposition. */
const LATIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ĸ: "k",
  ς: "σ",
};
const LATIN_LETTER = /[ßæœøđðłıþħŧĸς]/g;

/** Accents of Latin and Greek, after decomposition. */
const ACCENTS = /[\u0300-\u036f]+/g;

/** Points of Hebrew; harakat, tatweel and Koranic signs of Arabic. */
const OPTIONAL_MARKS = /[[\p{sc=Hebr}\p{scx=Arab}]&&[\p{M}\u0640]]+/gv;

/**
 * Letters that are typed one for the other: alef with hamza or madda, alef maqsura, ta marbuta, the Persian and the
 * Urdu kaf, ya and ha; ё, and Cyrillic vowels with a stress mark in them.
 */
const LOOSE_LETTERS: Readonly<Record<string, string>> = {
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ې: "ي",
  ک: "ك",
  ة: "ه",
  ہ: "ه",
  ھ: "ه",
  ۀ: "ه",
  ё: "е",
  ѐ: "е",
  ѝ: "и",
};
const LOOSE_LETTER = /[أإآٱىیېکةہھۀёѐѝ]/g;

/** The zero of every set of ten digits that is in use beside 0 to 9. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810,
];
const FOREIGN_DIGIT = /[^\P{Nd}0-9]/gu;

/**
 * A word as its language spells it: compatibility forms (full width, half-width kana, ligatures, Arabic presentation
 * forms) undone, lower case, digits 0 to 9, without invisible characters and without the marks that are written or left
 * out at will: stress marks and ё of Cyrillic, points of Hebrew, vowel signs of Arabic, the nukta of Hindi. Accents of
 * Latin and Greek stay, as do й, the voicing of kana and vowel signs of India: they make other words.
 *
 * In Turkish (`tr`, `az`) "I" becomes "ı".
 */
export function spellingOf(word: string, language?: string): string {
  const cut = word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word;
  const turkish = language === "tr" || language === "az";
  if (ASCII.test(cut)) return turkish ? cut.replaceAll("I", "ı").toLowerCase() : cut.toLowerCase();
  const composed = cut.replace(INVISIBLE, "").normalize("NFKC");
  const lower = (turkish ? composed.replaceAll("I", "ı").replaceAll("İ", "i") : composed).toLowerCase();
  // "İ" becomes "i" and a dot above it.
  const letters = lower.replaceAll("i̇", "i").normalize("NFC");
  return isLatinOrGreek(letters) ? letters : ofOtherScripts(letters);
}

/** A word as words are compared in any language: its spelling without accents. */
export function foldWord(word: string, language?: string): string {
  return withoutAccents(spellingOf(word, language));
}

/** What `foldWord` still takes away from a spelling: accents of Latin and Greek, "ß" for "ss", "ø" for "o". */
export function withoutAccents(spelling: string): string {
  if (ASCII.test(spelling) || !hasLatinOrGreek(spelling)) return spelling;
  const plain = spelling.normalize("NFD").replace(ACCENTS, "");
  return plain.replace(LATIN_LETTER, (letter) => LATIN_LETTERS[letter] ?? letter).normalize("NFC");
}

const OTHER_SCRIPT = /[\u0400-\u1dff\u2000-\uffff]/;

function isLatinOrGreek(text: string): boolean {
  return !OTHER_SCRIPT.test(text);
}

const LATIN_OR_GREEK = /[\u0080-\u03ff\u1e00-\u1fff]/;

function hasLatinOrGreek(text: string): boolean {
  return LATIN_OR_GREEK.test(text);
}

function ofOtherScripts(word: string): string {
  const plain = word
    .replace(FOREIGN_DIGIT, asciiDigit)
    .replace(INNER_MARKS, "")
    .replace(OPTIONAL_MARKS, "")
    .replace(LOOSE_LETTER, (letter) => LOOSE_LETTERS[letter] ?? letter);
  if (/[\u0400-\u052f]/.test(plain)) return plain.replace(ACCENTS, "");
  return /[\u0900-\u097f]/.test(plain) ? devanagari(plain) : plain;
}

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((one) => code >= one && code < one + 10);
  return zero === undefined ? digit : String(code - zero);
}

/** A nasal before a consonant is written as a letter or as a dot; the dot below is often left out. */
function devanagari(word: string): string {
  return word
    .normalize("NFD")
    .replaceAll("\u093c", "")
    .replaceAll("\u0901", "\u0902")
    .replace(/[ङञणन]\u094d(?=[क-भश-ह])|म\u094d(?=[प-भ])/g, "\u0902")
    .normalize("NFC");
}

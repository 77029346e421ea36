/** Languages that write compounds as one word. */
const COMPOUNDING = new Set(["de", "nl", "sv", "da", "no", "fi", "hu"]);

/** Whether a language writes compounds as one word. */
export function writesCompounds(language: string): boolean {
  return COMPOUNDING.has(language);
}

/** What stands between the parts of a compound, the longest first; none is tried last. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  de: ["ens", "es", "en", "er", "ns", "s", "n", "e"],
  nl: ["en", "er", "s", "e"],
  sv: ["s", "o", "u", "e"],
  da: ["s", "e", "er"],
  no: ["s", "e"],
  fi: ["n", "s"],
  hu: [],
};

/** Shorter pieces are endings more often than words. */
const MIN_PART = 3;

/** Longer words are not taken apart: the work grows with the square of the length. */
const MAX_COMPOUND = 48;

interface Split {
  readonly parts: readonly string[];
  /** Letters of the shortest part. */
  readonly shortest: number;
}

/**
 * The words a compound is made of, without the letters that link them: "Urlaubsantrag" gives "urlaub", "antrag". Fewest
 * parts first, then those whose shortest is longest. Empty where the word cannot be taken apart, or its language writes
 * no compounds. `isKnown` is asked about folded pieces of the word; what it knows as a whole is taken apart as well.
 */
export function compoundParts(
  word: string,
  language: string | undefined,
  isKnown: (word: string) => boolean,
): string[] {
  if (language === undefined || !COMPOUNDING.has(language)) return [];
  if (word.length < 2 * MIN_PART || word.length > MAX_COMPOUND) return [];
  const links = LINKS[language] ?? [];
  /** The best way to take apart what begins at a place. */
  const from: (Split | undefined)[] = [];
  for (let start = word.length - MIN_PART; start >= 0; start--) {
    for (let end = start + MIN_PART; end <= word.length; end++) {
      if (start === 0 && end === word.length) continue;
      const rest = end === word.length ? NOTHING : from[end];
      if (rest === undefined) continue;
      const part = knownPart(word.slice(start, end), end === word.length ? undefined : links, isKnown);
      if (part === undefined) continue;
      const split = { parts: [part, ...rest.parts], shortest: Math.min(part.length, rest.shortest) };
      if (isBetter(split, from[start])) from[start] = split;
    }
  }
  return [...(from[0]?.parts ?? [])];
}

const NOTHING: Split = { parts: [], shortest: Number.POSITIVE_INFINITY };

/** The word a piece stands for: itself, itself without a link, or with an "e" that was dropped ("Schul"). */
function knownPart(
  piece: string,
  links: readonly string[] | undefined,
  isKnown: (word: string) => boolean,
): string | undefined {
  if (isKnown(piece)) return piece;
  // The last part of a compound has no link.
  if (links === undefined) return undefined;
  for (const link of links) {
    const part = piece.endsWith(link) ? piece.slice(0, -link.length) : "";
    if (part.length >= MIN_PART && isKnown(part)) return part;
  }
  return isKnown(`${piece}e`) ? `${piece}e` : undefined;
}

function isBetter(split: Split, than: Split | undefined): boolean {
  if (than === undefined || split.parts.length !== than.parts.length) {
    return than === undefined || split.parts.length < than.parts.length;
  }
  return split.shortest > than.shortest;
}

/** Letters two terms share at least, one being the beginning or the end of the other. */
const MIN_SHARED = 4;
const MIN_SHARED_END = 5;

/**
 * Whether one term is the beginning or the end of the other, as a part of a compound is: "urlaub" and "urlaubsantrag".
 * At least four letters at the beginning, five at the end; two characters where words are written with characters.
 * Only in languages of compounds and in those that put no spaces between words.
 */
export function sharesStem(one: string, other: string, language: string | undefined): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (/^\p{sc=Han}/u.test(short)) return short.length >= 2 && (long.startsWith(short) || long.endsWith(short));
  if (language === undefined || !COMPOUNDING.has(language)) return false;
  if (short.length >= MIN_SHARED && long.startsWith(short)) return true;
  return short.length >= MIN_SHARED_END && long.endsWith(short);
}

/** What is compared of a text: its words. */
interface Words {
  readonly all: ReadonlySet<string>;
  /** Those with a digit, in order. Texts that differ in one figure differ in what they say. */
  readonly figures: string;
}

/** The share of the words of both that texts have in common from which on they say the same. */
const SAME_FROM = 0.9;

/** Tells texts that say nearly the same as one before: copies of one page would otherwise crowd out others. */
export class NearDuplicates {
  readonly #kept: Words[] = [];

  /** Whether a text says something new; if so, later ones are compared with it too. */
  isNew(text: string): boolean {
    const words = wordsOf(text);
    if (this.#kept.some((other) => nearlyTheSame(words, other))) return false;
    this.#kept.push(words);
    return true;
  }
}

function wordsOf(text: string): Words {
  const all = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return { all, figures: [...all].filter((word) => /\p{N}/u.test(word)).join(" ") };
}

function nearlyTheSame(one: Words, other: Words): boolean {
  if (one.figures !== other.figures) return false;
  const [fewer, more] = one.all.size < other.all.size ? [one.all, other.all] : [other.all, one.all];
  if (more.size === 0) return true;
  // Of the smaller set so many may be missing in the other: most texts are told apart by their first few words.
  let left = fewer.size - (SAME_FROM * (fewer.size + more.size)) / (1 + SAME_FROM);
  if (left < 0) return false;
  for (const word of fewer) if (!more.has(word) && --left < 0) return false;
  return true;
}

/** How many spellings are remembered before all are forgotten: some 4 MB. */
const MAX_REMEMBERED = 20_000;

/** Longer ones are rarely met twice. */
const MAX_LENGTH = 32;

/** A part of a text that is longer keeps the whole text in memory, as engines make it. */
const MAX_COPIED = 12;

/** Remembers what is made of a word: texts repeat most of theirs, and looking one up costs a tenth of folding it. */
export function remembering(make: (written: string) => string): (written: string) => string {
  const known = new Map<string, string>();
  return (written) => {
    const made = known.get(written);
    if (made !== undefined) return made;
    if (written.length > MAX_LENGTH) return make(written);
    const own = written.length > MAX_COPIED ? written.split("").join("") : written;
    const fresh = make(own);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(own, fresh);
    return fresh;
  };
}

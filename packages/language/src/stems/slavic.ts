/** Light stemming of Slavic languages: endings of cases go, and what changes before them is made one. */

/** Endings by their length, the longest first. */
type Endings = readonly (readonly [length: number, endings: ReadonlySet<string>])[];

function endingsOf(words: string): Endings {
  const all = words.split(" ");
  const lengths = [...new Set(all.map((one) => one.length))].toSorted((one, other) => other - one);
  return lengths.map((length) => [length, new Set(all.filter((one) => one.length === length))] as const);
}

/** Shorter than this a stem says nothing. */
const MIN_STEM = 3;

function withoutEnding(word: string, endings: Endings): string {
  for (const [length, those] of endings) {
    if (word.length - length >= MIN_STEM && those.has(word.slice(-length))) return word.slice(0, -length);
  }
  return word;
}

/** An "e" between the last two consonants. */
const FLEETING = /[^aeiouyáéíóúůýěąę]e[^aeiouyáéíóúůýěąę]$/;

/** A vowel that is there only where no ending follows: "wniosek", "wniosku". */
function withoutFleeting(stem: string): string {
  return stem.length > MIN_STEM && FLEETING.test(stem) ? stem.slice(0, -2) + stem.slice(-1) : stem;
}

/** Endings of nouns and adjectives as Dolamic and Savoy take them off ("Indexing and Stemming Approaches", 2009). */
const CZECH = endingsOf(
  "atech ětem etem atům ech ich ích ého ěmi emi ému ího ími ímu ách ata aty ých ama ami ové ovi ými em ém ím ům ám ým " +
    "mi ou a e i o u ů y á é í ý ě",
);

/** What a Czech noun or adjective shares in all cases, nearly: "dovolená" and "dovolené", "smlouva" and "smluv". */
export function stemCzech(word: string): string {
  return withoutFleeting(withoutEnding(word, CZECH))
    .replace(/čt$/, "ck")
    .replace(/št$/, "sk")
    .replace(/[cč]$/, "k")
    .replace(/[zž]$/, "h")
    .replace(/ů(?=[^aeiouyáéíóúůýě]$)/, "o");
}

/** Endings of the declensions of nouns and adjectives. Strokes and the like go with folding. */
const POLISH = endingsOf(
  "iami iach iego iemu ami ach owi ego emu ymi imi ych ich iom iem iej ów om em ej ym im ią ię ie ia iu io ii ą ę a e i " +
    "o u y",
);

/** What a Polish noun or adjective shares in all cases, nearly: "urlop", "urlopu" and "urlopami". */
export function stemPolish(word: string): string {
  return withoutFleeting(withoutEnding(word, POLISH)).replace(/dz$/, "g").replace(/rz$/, "r").replace(/c$/, "k");
}

/** Keys beside each other: rows of the keyboard, as English and Russian ones have them. */
const KEYBOARDS = [
  ["qwertyuiop", "asdfghjkl", "zxcvbnm"],
  ["йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"],
];

/** Words of five letters and more that say nothing of what is asked, in English, German, Spanish, French and Russian. */
const FUNCTION_WORDS = new Set(
  `about after again against also always another because been before being below between could does doing during
  either every from have having here itself many might much must only other ought shall should since some such than that
  their theirs them then there these they this those through under until upon very were what when where whether which
  while whom whose will with within without would your
  aber alle allem allen aller alles andere anderen auch beim dass damit dann darauf diese diesem diesen dieser dieses
  durch eine einem einen einer eines gegen gibt haben hatte hatten ihnen ihre ihrem ihren ihrer ihres immer jede jedem
  jeden jeder jedes kann keine können konnte mehr muss müssen nach nicht noch oder ohne schon sehr sein seine seinem
  seinen seiner sich sind sollte soll über unter viel viele vielen vom von waren wann warum wegen welche welchem welchen
  welcher welches wenn werde werden wessen wieso wird wurde wurden zwischen
  algún alguna algunas algunos ante antes aquel aquella aunque bajo cada como cómo cual cuál cuales cuáles cuando cuándo
  cuanta cuántas cuanto cuánto cuántos desde donde dónde durante ellas ellos entre eran esta está están estas este esto
  estos fuera fueron había habían hacia hasta mientras mucho muchos otra otras otro otros para pero porque puede pueden
  qué quién quiénes según sino sobre tanto también tener tiene tienen toda todas todo todos
  aucun aussi autre autres avant avec avoir cette ceux chaque combien comme comment contre dans depuis elle elles encore
  entre était étaient étant être faut leur leurs lorsque mais même moins notre nous pendant peut peuvent plus pour
  pourquoi quand quel quelle quelles quels sans selon sont sous tous tout toute toutes très vers votre vous
  была были было быть ведь вообще всегда всего где даже для другие другой если есть зачем здесь каким какая какие какими
  каких какого какое какой каком какому какую когда которая которого которое которой котором которую которые который
  которых кроме между может можно него некоторые нет однако около перед после потом потому почему при сколько скольких
  также такие такой только тогда того чего через чтобы этих этого этой этом`
    .split(/\s+/)
    .filter((word) => word.length >= 5),
);

/** Shortest word a typo is made in. */
const LEAST_LETTERS = 5;

/**
 * A text with so many typos: two letters swapped, one dropped, one doubled, or one replaced by that of a key beside it;
 * in words that say what is asked, each in another word as long as there is one.
 */
export function withTypos(text: string, count: number, random: () => number): string {
  const pick = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
  const words = text.split(/(?<![\p{L}\p{N}])(?=\p{L})|(?<=\p{L})(?![\p{L}\p{N}])/u);
  const eligible = [...words.keys()].filter((index) => isContent(words[index] ?? ""));
  let untouched = eligible;
  for (let made = 0; made < count; made++) {
    const at = pick(untouched.length > 0 ? untouched : eligible);
    if (at === undefined) break;
    words[at] = misspelt(words[at] ?? "", random);
    untouched = untouched.filter((index) => index !== at);
  }
  return words.join("");
}

function isContent(word: string): boolean {
  return word.length >= LEAST_LETTERS && /^\p{L}+$/u.test(word) && !FUNCTION_WORDS.has(word.toLowerCase());
}

/** A word with one typo. Never the same word: what would change nothing is tried elsewhere. */
function misspelt(word: string, random: () => number): string {
  for (;;) {
    const at = Math.floor(random() * word.length);
    const letter = word[at] ?? "";
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    const next = after.slice(0, 1);
    const keys = keysBeside(letter);
    const ways = [
      `${before}${next}${letter}${after.slice(1)}`,
      `${before}${after}`,
      `${before}${letter}${letter}${after}`,
      `${before}${keys[Math.floor(random() * keys.length)] ?? letter}${after}`,
    ];
    const made = ways[Math.floor(random() * ways.length)] ?? word;
    if (made !== word) return made;
  }
}

function keysBeside(letter: string): string[] {
  const lower = letter.toLowerCase();
  for (const rows of KEYBOARDS) {
    const row = rows.findIndex((keys) => keys.includes(lower));
    const column = rows[row]?.indexOf(lower) ?? -1;
    if (column < 0) continue;
    // A row begins half a key further to the right than the one above.
    const near = [rows[row]?.[column - 1], rows[row]?.[column + 1], rows[row - 1]?.[column], rows[row + 1]?.[column]];
    const keys = near.filter((key) => key !== undefined);
    return lower === letter ? keys : keys.map((key) => key.toUpperCase());
  }
  return [];
}

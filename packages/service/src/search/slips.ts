/** Which letters are written for one another by mistake: those of keys side by side, and those that sound alike. */

/** Rows of keys, as most keyboards of Latin and Cyrillic letters have them, each with how far it begins to the right. */
const KEYBOARDS: readonly (readonly (readonly [keys: string, from: number])[])[] = [
  [
    ["qwertyuiop", 0],
    ["asdfghjkl", 0.25],
    ["zxcvbnm", 0.75],
  ],
  [
    ["йцукенгшщзхъ", 0],
    ["фывапролджэ", 0.25],
    ["ячсмитьбю", 0.75],
  ],
];
/** Keys whose letters other keyboards exchange, and letters that sound alike. */
const ALIKE = "yz aq wz lm ck cs sz fv gj iy dt bp qk ei";
const VOWELS = ["aeiouy", "аеиоуыэюя"];
const BESIDE = 1.3;

const slips = new Set<string>();
const letters = new Set<string>();
const add = (one: string, other: string) => slips.add(one + other).add(other + one);
for (const rows of KEYBOARDS) {
  const keys = rows.flatMap(([row, from], y) => [...row].map((letter, x) => ({ letter, x: x + from, y })));
  for (const one of keys) {
    letters.add(one.letter);
    for (const other of keys) if (Math.hypot(one.x - other.x, one.y - other.y) < BESIDE) add(one.letter, other.letter);
  }
}
for (const [one = "", other = ""] of ALIKE.split(" ")) add(one, other);
for (const vowels of VOWELS) for (const one of vowels) for (const other of vowels) add(one, other);

/** Whether one letter is easily written for another; of keys that are not known here any may be. */
function isSlip(one: string, other: string): boolean {
  return slips.has(one + other) || !letters.has(one) || !letters.has(other);
}

/** What a letter costs that is not easily written for another. */
const FAR = 2;

/**
 * Slips by which one word is written for another, at most so many: a letter left out, written twice, exchanged with the
 * next or with one of a key beside it. A letter that no such slip explains counts as two. Undefined: more.
 */
export function slipsBetween(written: string, meant: string, most: number): number | undefined {
  if (Math.abs(written.length - meant.length) > most) return undefined;
  let [before, last] = [[] as number[], Array.from({ length: meant.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= written.length; row++) {
    const letter = written.charAt(row - 1);
    const extra = isExtra(written, row - 1) ? 1 : FAR;
    const next = [(last[0] as number) + extra];
    for (let at = 1; at <= meant.length; at++) {
      const wanted = meant.charAt(at - 1);
      const replaced = letter === wanted ? 0 : isSlip(letter, wanted) ? 1 : FAR;
      let cost = Math.min(
        (last[at] as number) + extra,
        (next[at - 1] as number) + 1,
        (last[at - 1] as number) + replaced,
      );
      const isExchanged = row > 1 && at > 1 && letter === meant[at - 2] && written[row - 2] === wanted;
      if (isExchanged) cost = Math.min(cost, (before[at - 2] as number) + 1);
      next.push(cost);
    }
    if (Math.min(...next) > most) return undefined;
    [before, last] = [last, next];
  }
  const cost = last[meant.length] as number;
  return cost > most ? undefined : cost;
}

/** Whether a letter is written twice, or beside another whose key is next to its own. */
function isExtra(written: string, at: number): boolean {
  const letter = written.charAt(at);
  return [written.charAt(at - 1), written.charAt(at + 1)].some((other) => other !== "" && isSlip(letter, other));
}

/** What a sentence says to a question of yes or no: that something may, must or does happen, or that it does not. */
import { modalityOf, polarityOf } from "@threadlore/language/meaning";

export type Stance = "yes" | "no";

/** Words of many languages that deny what follows them, and nothing else in the sentence. */
const WITHOUT =
  /(?<![\p{L}])(?:without|ohne|sans|sin|senza|sem|zonder|utan|uden|uten|bez|без|fără|ilman|nélkül|olmadan|tanpa|بدون|دون|ללא|בלי)(?![\p{L}])/giu;

/** Characters behind "without" in which the word it denies stands. */
const DENIED = 24;

/**
 * What a sentence says.
 * @param isAsked whether some text has a word of the question in it
 */
export function stanceOf(text: string, language: string | undefined, isAsked: (text: string) => boolean): Stance {
  const without = [...text.matchAll(WITHOUT)];
  const rest = without.length === 0 ? text : text.replace(WITHOUT, " ");
  const modality = modalityOf(rest, language);
  const isDenied = modality === "forbidden" || modality === "optional" || polarityOf(rest, language) === "no";
  const isWithout = without.some(({ index, 0: word }) =>
    isAsked(text.slice(index + word.length, index + word.length + DENIED)),
  );
  // "Nobody enters without a helmet": one denial undoes the other.
  return isDenied === isWithout ? "yes" : "no";
}

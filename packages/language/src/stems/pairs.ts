import { foldWord } from "../folding.ts";

/** Chinese characters and kana that folding leaves as they are. */
const PLAIN = /^[\u3005-\u3007\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u3400-\u4dbf\u4e00-\u9fff]+$/;

/** Two letters of hiragana are endings and particles nearly always. */
function isHiragana(code: number): boolean {
  return code >= 0x3041 && code <= 0x309f;
}

/** A character with what stands on it: voicing that is a character of its own in half width, variants. */
const CLUSTER = /.[\p{M}\uff9e\uff9f\p{Default_Ignorable_Code_Point}]*/gsu;

/**
 * Calls for every two characters side by side in a run, folded, with where they stand; for the character where it is
 * one. What is of hiragana alone is left out.
 */
export function eachPair(
  text: string,
  start: number,
  end: number,
  each: (term: string, start: number, end: number) => void,
): void {
  const run = text.slice(start, end);
  if (PLAIN.test(run)) eachPlainPair(run, start, each);
  else eachFoldedPair(run, start, each);
}

function eachPlainPair(run: string, start: number, each: (term: string, start: number, end: number) => void): void {
  let wasHiragana = isHiragana(run.charCodeAt(0));
  if (run.length === 1 && !wasHiragana) each(run, start, start + 1);
  for (let at = 1; at < run.length; at++) {
    const isOne = isHiragana(run.charCodeAt(at));
    if (!wasHiragana || !isOne) each(run.slice(at - 1, at + 1), start + at - 1, start + at + 1);
    wasHiragana = isOne;
  }
}

function eachFoldedPair(run: string, start: number, each: (term: string, start: number, end: number) => void): void {
  let before: { readonly text: string; readonly start: number } | undefined;
  let isAlone = true;
  let end = start;
  for (const { 0: cluster, index } of run.matchAll(CLUSTER)) {
    const text = foldWord(cluster);
    if (text === "") continue;
    end = start + index + cluster.length;
    if (before !== undefined) {
      isAlone = false;
      const isEnding = isHiragana(before.text.charCodeAt(0)) && isHiragana(text.charCodeAt(0));
      if (!isEnding) each(before.text + text, before.start, end);
    }
    before = { text, start: start + index };
  }
  if (before !== undefined && isAlone && !isHiragana(before.text.charCodeAt(0))) each(before.text, before.start, end);
}

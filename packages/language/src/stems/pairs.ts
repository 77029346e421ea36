import { foldWord } from "../folding.ts";

/** Chinese characters and kana that folding leaves as they are. */
const PLAIN = /^[\u3005-\u3007\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u3400-\u4dbf\u4e00-\u9fff]+$/;

/** Two letters of hiragana are endings and particles nearly always. */
function isHiragana(code: number): boolean {
  return code >= 0x3041 && code <= 0x309f;
}

/** A character with what stands on it: voicing that is a character of its own in half width, variants. */
const CLUSTER = /.[\p{M}\uff9e\uff9f\p{Default_Ignorable_Code_Point}]*/gsu;

/** Chinese characters: each is a word, or nearly one. */
const CHINESE = /^\p{sc=Hani}/u;

type EachTerm = (term: string, start: number, end: number) => void;

/**
 * Calls for every two characters side by side in a run, folded, with where they stand; for the character where it is
 * one. What is of hiragana alone is left out. `withSingles` calls for every Chinese character by itself as well.
 */
export function eachPair(text: string, start: number, end: number, withSingles: boolean, each: EachTerm): void {
  const run = text.slice(start, end);
  if (PLAIN.test(run)) eachPlainPair(run, start, withSingles, each);
  else eachFoldedPair(run, start, withSingles, each);
}

function eachPlainPair(run: string, start: number, withSingles: boolean, each: EachTerm): void {
  let wasHiragana = true;
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at);
    const isOne = isHiragana(code);
    if (at > 0 && !(wasHiragana && isOne)) each(run.slice(at - 1, at + 1), start + at - 1, start + at + 1);
    const isSingle = run.length === 1 ? !isOne : withSingles && code >= 0x3400;
    if (isSingle) each(run.charAt(at), start + at, start + at + 1);
    wasHiragana = isOne;
  }
}

function eachFoldedPair(run: string, start: number, withSingles: boolean, each: EachTerm): void {
  const clusters = Array.from(run.matchAll(CLUSTER), ({ 0: cluster, index }) => ({
    text: foldWord(cluster),
    start: start + index,
    end: start + index + cluster.length,
  })).filter(({ text }) => text !== "");
  for (const [at, one] of clusters.entries()) {
    const before = clusters[at - 1];
    const isOne = isHiragana(one.text.charCodeAt(0));
    if (before !== undefined && !(isOne && isHiragana(before.text.charCodeAt(0)))) {
      each(before.text + one.text, before.start, one.end);
    }
    const isSingle = clusters.length === 1 ? !isOne : withSingles && CHINESE.test(one.text);
    if (isSingle) each(one.text, one.start, one.end);
  }
}

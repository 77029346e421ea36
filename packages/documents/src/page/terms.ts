const WORD = /[\p{L}\p{N}]{3,}/gu;
/** Scripts written without spaces: two characters are a word there. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The words of a text that tell what it is about, in lower case. */
export function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (!UNSPACED.test(word)) terms.add(word);
    else for (let at = 0; at + 1 < word.length; at += 1) terms.add(word.slice(at, at + 2));
  }
  return terms;
}

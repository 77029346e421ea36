const INFLECTED = /^([\p{sc=Han}々]+)[ぁ-ん]+$/u;
const LONG_ENDING = /^([\p{sc=Katakana}ー]{3,})ー$/u;

/**
 * What stays of a Japanese word in all its forms: the kanji of a verb or an adjective ("食べました", "食べる"), and
 * katakana without a long vowel at the end, which is written or left out ("コンピューター", "コンピュータ").
 */
export function stemJapanese(word: string): string {
  return INFLECTED.exec(word)?.[1] ?? LONG_ENDING.exec(word)?.[1] ?? word;
}

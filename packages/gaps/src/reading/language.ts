import { foldedWordsOf, likelyLanguages } from "@threadlore/language";
import { stem } from "@threadlore/language/stems";
import { everydayWords, WITH_EVERYDAY_WORDS } from "../words/groups.ts";

/** From here on function words and letters tell the language of a question, and no other word does. */
const SURE = 0.75;

/**
 * The language of a question as an ISO 639-1 code. A few words without function words ("guest wifi code") leave it open:
 * then the language that most of them are everyday words of, and English where none tells, so that alike questions are
 * read alike.
 */
export function questionLanguage(text: string): string | undefined {
  const likely = likelyLanguages(text);
  const [first] = likely;
  if (first !== undefined && first.confidence >= SURE && !isShort(text)) return first.language;
  if (!/\p{sc=Latin}/u.test(text)) return first?.language;
  const words = foldedWordsOf(text);
  const scored = WITH_EVERYDAY_WORDS.map((language) => {
    const everyday = everydayWords(language);
    const stems = words.map((word) => stem(word, language));
    const known = stems.filter((one) => everyday.groupOfStem(one) !== undefined || everyday.isPlain(one)).length;
    return { language, score: known + 2 * (likely.find((one) => one.language === language)?.confidence ?? 0) };
  });
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
  if (best.score > 0 && (first === undefined || WITH_EVERYDAY_WORDS.includes(first.language) || isShort(text)))
    return best.language;
  return first?.language ?? "en";
}

/** So few words may as well be of a language that one of them happens to be a function word of. */
const FEW = 5;

function isShort(text: string): boolean {
  return foldedWordsOf(text).length <= FEW && !/[^\p{ASCII}]/u.test(text);
}

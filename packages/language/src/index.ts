export { foldWord, MAX_WORD_LENGTH, spellingOf } from "./folding.ts";
export { functionWordsOf, isFunctionWord, isQuestionWord, KNOWN_LANGUAGES } from "./function-words.ts";
export { languageOf, type LikelyLanguage, likelyLanguages } from "./languages.ts";
export { foldedWordsOf, type Word, wordsOf } from "./words.ts";

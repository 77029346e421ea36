export { beginningOf } from "./cut.ts";
export { foldWord, MAX_WORD_LENGTH, spellingOf } from "./folding.ts";
export {
  functionWordsOf,
  isFunctionWord,
  isQuestionWord,
  isWrittenFunctionWord,
  KNOWN_LANGUAGES,
} from "./function-words.ts";
export { type Hint, languageOf, type LikelyLanguage, likelyLanguages } from "./languages.ts";
export { eachWritten, likeness, plainForm } from "./likeness.ts";
export { type Sentence, sentencesOf } from "./sentences.ts";
export { foldedWordsOf, type Word, wordsOf } from "./words.ts";

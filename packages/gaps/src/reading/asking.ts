import { isQuestionWord, sentencesOf, wordsOf } from "@threadlore/language";

/** What a text asks, and what it tells beside that. */
export interface AskingPart {
  readonly main: string;
  readonly aside: string;
}

/** A question mark of any script. */
const ASKS = /[?？؟;⸮]["'”’»)\]]*\s*$/u;

/** How people ask without a question mark, in the languages whose everyday words are known. */
const WISHES =
  /\b(?:need to know|wonder(?:ing)?|looking for|look for|tell me|know (?:who|what|where|when|how|if|whether)|(?:any|some)(?:one|body) (?:know|tell)|trying to find|can(?:'t|not) find|suche|brauche|wei(?:ß|ss) jemand|kennt jemand|je cherche|quelqu'un (?:sait|peut)|j'aimerais savoir|busco|alguien sabe|necesito saber|quisiera saber)\b|教えて|知りたい|ですか|ますか|でしょうか|请问|想知道/iu;

/** Tells what a text asks from what it tells: of a text that asks nothing all is asked. */
export function askingPart(text: string, language: string | undefined): AskingPart {
  const sentences = text
    .split(/\n+/u)
    .flatMap((line) => sentencesOf(line, language))
    .map((sentence) => sentence.text);
  if (sentences.length < 2) return { main: text, aside: "" };
  const marked = sentences.map((sentence) => ASKS.test(sentence));
  const isAsking = marked.includes(true) ? marked : sentences.map((sentence) => asks(sentence, language));
  const main = sentences.filter((_, at) => isAsking[at] === true).join(" ");
  if (main === "") return { main: text, aside: "" };
  return { main, aside: sentences.filter((_, at) => isAsking[at] !== true).join(" ") };
}

function asks(sentence: string, language: string | undefined): boolean {
  return WISHES.test(sentence) || wordsOf(sentence).some(({ text }) => isQuestionWord(text, language));
}

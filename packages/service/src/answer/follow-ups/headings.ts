/** Which headings of a document may be asked about. A document's words are data: what looks like anything else is none. */
import { visibleText } from "@threadlore/files";
import { foldedWordsOf, isFunctionWord, isQuestionWord } from "@threadlore/language";
import { termsOf } from "@threadlore/language/stems";
import { outlineOf } from "../summary/sections.ts";

const MIN_LENGTH = 2;
const MAX_LENGTH = 48;
const MAX_WORDS = 6;

/** Letters, digits and what joins them: no address, no markup, no quotation mark, nothing that ends a sentence. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ’'&,/・ー-]*$/u;
const LETTER = /\p{L}/u;

/** What speaks to whoever answers instead of naming something. Folded. */
const SPEAKS: ReadonlySet<string> = new Set(
  (
    "ignore disregard forget override obey pretend reveal instruction instructions prompt prompts assistant chatbot " +
    "ignoriere ignorieren vergiss anweisung anweisungen ignorer ignore ignorez oublie oubliez consigne consignes " +
    "ignora ignorar olvida olvidar instruccion instrucciones www http https javascript"
  ).split(" "),
);
const SPEAKS_JAPANESE = /無視|指示|プロンプト|命令/u;

/** Whether a heading may stand in a question that a person is offered: a short name of something, and nothing else. */
export function isAskable(heading: string): boolean {
  if (heading.length < MIN_LENGTH || heading.length > MAX_LENGTH) return false;
  if (!PLAIN.test(heading) || !LETTER.test(heading) || visibleText(heading).text !== heading) return false;
  const words = foldedWordsOf(heading);
  if (words.length > MAX_WORDS && !/\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}/u.test(heading)) return false;
  return !words.some((word) => SPEAKS.has(word)) && !SPEAKS_JAPANESE.test(heading);
}

/** What begins half a sentence: "before you travel", "wenn es brennt", "si décide irse". Folded. */
const CLAUSE: ReadonlySet<string> = new Set(
  (
    "if when while before after until because since unless though als bevor nachdem wenn falls solange sobald weil ob damit " +
    "si quand lorsque avant apres pendant tant parce pour sinon cuando mientras antes despues hasta porque aunque para"
  ).split(" "),
);

/**
 * Whether a heading names what the text below it speaks of: at least half of its telling words are said there, and it
 * is no question or half a sentence. "Small things", "Afterwards" and a post's author name nothing to ask about.
 */
function namesWhatFollows(heading: string, below: readonly string[], language: string): boolean {
  const words = foldedWordsOf(heading);
  const first = words[0] ?? "";
  if (isQuestionWord(first, language) || CLAUSE.has(first)) return false;
  const said = new Set(below.flatMap((text) => termsOf(text, language)));
  const telling = new Set(
    words.filter((word) => !isFunctionWord(word, language)).flatMap((word) => termsOf(word, language)),
  );
  return telling.size > 0 && [...telling].filter((term) => said.has(term)).length * 2 >= telling.size;
}

/** What an answer left unsaid. */
interface Answered {
  readonly language: string;
  /** The answer's text. */
  readonly answer: string;
  /** What was asked so far in the conversation. */
  readonly questions: readonly string[];
}

/**
 * Headings of a document below which an answer quoted nothing and nobody asked, and that name what they stand above, those
 * that follow the quoted part first.
 */
export function headingsLeft(text: string, { language, answer, questions }: Answered): string[] {
  const { title, paragraphs } = outlineOf(text, language);
  const known = new Set([title, ...questions].flatMap((one) => termsOf(one, language)));
  const isKnown = (heading: string) => termsOf(heading, language).every((term) => known.has(term));
  const flat = answer.replace(/\s+/g, " ");
  const isQuoted = ({ units }: (typeof paragraphs)[number]) => units.some((unit) => flat.includes(unit.text));
  const sections = Map.groupBy(paragraphs, ({ heading }) => heading);
  const headings = [...sections.keys()];
  const quoted = headings.findIndex((heading) => sections.get(heading)?.some(isQuoted) === true);
  const turned = [...headings.slice(quoted + 1), ...headings.slice(0, Math.max(0, quoted))];
  return turned.filter((heading) => {
    const below = sections.get(heading) ?? [];
    if (!isAskable(heading) || isKnown(heading) || below.some(isQuoted)) return false;
    const texts = below.flatMap(({ units }) => units.map((unit) => unit.text));
    return namesWhatFollows(heading, texts, language);
  });
}

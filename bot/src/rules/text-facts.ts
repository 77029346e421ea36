import { addressee, isPromise, plain, TAGS, talkOf } from "./utterance.ts";

/** What a decision needs to know of a message's text. */
export type TextFacts = ReturnType<typeof textFacts>;

/** Texts longer than this are looked at up to here, characters. */
const MAX_LOOKED_AT = 4_000;

/** Looks at a message's text as Slack sends it (mrkdwn: `<@U…>`, `<https://…|label>`, `&gt;`). */
export function textFacts(
  text: string,
  { botUserId, botName, files = 0 }: { botUserId: string; botName?: string | undefined; files?: number },
) {
  const looked = text.slice(0, MAX_LOOKED_AT);
  const own = looked.replaceAll(new RegExp(`<@${botUserId.replaceAll(/\W/g, "")}(?:\\|[^<>]*)?>`, "g"), " ");
  const prose = proseOf(own);
  const sentences = sentencesOf(prose);
  const empty = own.trim() === "";
  // A sign for something left out is no word of anybody's: what has nothing else is not said in words.
  const talk = empty || prose.includes(LEFT_OUT) ? undefined : talkOf(prose, /[?？؟]/.test(prose));
  // The last thing said decides: people greet somebody by name and then ask everybody.
  const last = sentences.findLast((sentence) => plain(sentence) !== "");
  return {
    /** Nothing stands in it besides mentions of the bot. */
    empty,
    /** It reads like a question. Rather none too few than one too many: an uncalled answer annoys a whole channel. */
    question: sentences.some(isQuestion),
    /** It is thanks, a greeting or a nod, and nothing more. */
    smallTalk: talk === "nod" || (talk === "usage" && !isQuestion(prose.trim())),
    /** What such talk is answered with where the bot was spoken to; undefined: it is something else. */
    talk,
    /** It is no more than an address, or says that somebody will look for themselves: nothing to answer. */
    aside: !empty && (plain(prose.replaceAll(LEFT_OUT, " ")) === "" ? prose.includes(LEFT_OUT) : isPromise(prose)),
    /** It mentions a person or a user group other than the bot, or calls somebody by name. */
    mentionsOthers: /<@[UW]|<!subteam\^/.test(own) || (last !== undefined && addressee(last, botName).isToSomebody),
    /** How many files came with it. */
    files,
  };
}

/** Stands where code or an address was. */
const LEFT_OUT = "\uFFFC";

/** Without code, quotations, links, mentions and emoji: none of them makes a question. */
function proseOf(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, " ¶ ")
    .replaceAll(/`[^`\n]*`/g, ` ${LEFT_OUT} `)
    .replaceAll(/^(?:&gt;|>).*$/gm, " ")
    .replaceAll(/<[^<>]*>/g, ` ${LEFT_OUT} `)
    .replaceAll(/(?:https?:\/\/|www\.)\S+/g, ` ${LEFT_OUT} `)
    .replaceAll(/:[\w+-]{1,60}:/g, " ")
    .replaceAll(/&(?:amp|lt|gt);/g, " ");
}

/** Sentences with the mark they end in. */
function sentencesOf(prose: string): string[] {
  return prose
    .split(/(?<=[?？؟!.。…])\s+|[\n¶]+|(?<=[？。])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** One sentence that is put to others as a question about something. */
function isQuestion(sentence: string): boolean {
  const words = plain(addressee(sentence).rest.replaceAll(LEFT_OUT, " x "));
  if (words === "" || PLEASANTRIES.test(words)) return false;
  if (/[?？؟]["'”»）)\]]*$/.test(sentence)) return isLongEnough(words) && !TAGS.test(words);
  if (ENDINGS_UNSPACED.test(words) && words.length >= 5) return true;
  // Without the mark only beginnings that are hardly ever anything else.
  return words.split(" ").length >= 3 && BEGINNINGS.test(words);
}

/** "Really?" and "What?" are asked of the person before. Scripts without spaces count letters. */
function isLongEnough(words: string): boolean {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(words)) return words.length >= 5;
  return words.split(" ").length >= 3;
}

/** Asked of people, not of documents. */
const PLEASANTRIES =
  /^(?:(?:hi|hey|hello|hallo|salut|hola|ciao|morning|moin)\b.{0,30})?(?:how are (?:you|things|we)|how(?:'s| is) (?:it going|everyone|everybody|life)|what's (?:up|new)|how do you do|wie geht(?:'s| es)|comment (?:ça|ca|allez) |ça va|(?:¿)?(?:qué|que) tal|cómo est|come (?:va|stai|state)|tudo bem|hoe gaat)/u;

/** Questions in scripts without spaces, by what they end on. */
const ENDINGS_UNSPACED =
  /(?:ですか|ますか|でしょうか|ましたか|ませんか|ないか|のか|吗|嗎|什么|多少|哪里|几天|怎么办|怎么样)$/u;

const BEGINNINGS = new RegExp(
  `^(?:${[
    // English
    "how (?:do|does|did|can|could|should|would|to|many|much|long|often|is|are|come)",
    "what(?:'s| is| are| was| were| does| do| did| should| would| happens| happened| time| kind| version)",
    "where(?:'s| is| are| can| do| does| did| should)",
    "who(?:'s| is| are| can| knows| owns| do| does| should)",
    "why (?:is|are|do|does|did|was|were|can't|don't|doesn't|isn't)",
    "when (?:is|are|does|do|did|was|were|will|should|can) (?!\\w+ing )",
    "which \\w+ (?:is|are|do|does|should|can)",
    "(?:does|has) (?:anyone|anybody|someone|somebody) (?:know|knows|have|has|ever|tried)",
    "(?:is|are) there (?:a|an|any|some)",
    "(?:can|could|may) (?:anyone|anybody|someone|somebody|i|we)",
    // German
    "(?:wie|wo|wann|warum|wieso|weshalb|wer|wohin|woher) (?:ist|sind|kann|können|könnte|muss|müssen|soll|sollte|geht|macht|mache|bekomme|komme|finde|funktioniert|viel|viele|lange|oft|war|hat|haben|wird|werden|darf|weiß)",
    "(?:was|welche|welcher|welches) (?:ist|sind|muss|macht|bedeutet|passiert|heißt|kostet|gilt|soll)",
    "(?:weiß|kennt|hat) (?:jemand|wer|einer)",
    "gibt es (?:ein|eine|einen|irgend|schon)",
    // French
    "(?:comment|où|quand|pourquoi|combien) (?:on|faire|est|sont|peut|puis|puis-je|dois|je|ça|faut|de|doit)",
    "(?:quel|quelle|quels|quelles) (?:est|sont)",
    "(?:est ce que|qu'est ce que|qu'est ce qui)",
    "(?:qui) (?:sait|peut|est|connaît)",
    // Spanish
    "(?:cómo|dónde|cuándo|cuánto|cuántos|cuántas|cuál|quién|por qué|qué) (?:se|puedo|podemos|es|son|está|están|hago|hay|debo|días|hacer|sabe|significa|tengo)",
    "alguien sabe",
    // Italian
    "(?:come|dove|quando|perché|quanto|quanti|quale|chi|cosa|che cosa) (?:si|posso|possiamo|è|sono|faccio|devo|fare|sa|significa|funziona)",
    "qualcuno sa",
    // Portuguese
    "(?:como|onde|quando|por que|quanto|quantos|qual|quem|o que) (?:se|posso|podemos|é|são|está|faço|devo|fazer|sabe|significa|funciona)",
    "alguém sabe",
    // Dutch
    "(?:hoe|waar|wanneer|waarom|wie|wat) (?:kan|kun|moet|is|zijn|werkt|doe|vind|krijg|veel|lang|betekent|weet)",
    "weet iemand",
    // Polish
    "(?:jak|gdzie|kiedy|dlaczego|kto|ile|co) (?:mogę|można|się|jest|są|zrobić|wie|to|oznacza|działa)",
    "czy (?:ktoś|jest|można|mogę)",
    // Russian
    "(?:как|где|когда|почему|зачем|кто|куда|откуда) (?:мне|можно|нужно|надо|это|я|мы|найти|получить|оформить|взять|работает|отвечает|находится|сделать|изменить|подать)",
    "(?:сколько|какой|какая|какие|какое) (?:\\S+ )?(?:дней|стоит|нужно|мне|у|срок|является|правила)",
    "что (?:такое|делать|нужно|значит|означает)",
    "(?:есть ли|можно ли|кто нибудь знает|подскажите|кто знает)",
    // Arabic
    "(?:كيف|أين|اين|متى|لماذا|كم|هل|من أين|ما هو|ما هي|ماذا) (?:\\S+)",
  ].join("|")})(?![\\p{L}\\p{N}])`,
  "u",
);

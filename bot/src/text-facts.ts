/** What a decision needs to know of a message's text. */
export interface TextFacts {
  /** Nothing stands in it besides mentions of the bot. */
  readonly empty: boolean;
  /** It reads like a question. Rather none too few than one too many: an uncalled answer annoys a whole channel. */
  readonly question: boolean;
  /** It is thanks, a greeting or a nod, and nothing more. */
  readonly smallTalk: boolean;
  /** It mentions a person or a user group other than the bot. */
  readonly mentionsOthers: boolean;
  /** How many files came with it. */
  readonly files: number;
}

/** Texts longer than this are looked at up to here, characters. */
const LONGEST = 4_000;

/** Looks at a message's text as Slack sends it (mrkdwn: `<@U…>`, `<https://…|label>`, `&gt;`). */
export function textFacts(text: string, { botUserId, files = 0 }: { botUserId: string; files?: number }): TextFacts {
  const looked = text.slice(0, LONGEST);
  const own = looked.replaceAll(new RegExp(`<@${botUserId.replaceAll(/\W/g, "")}(?:\\|[^<>]*)?>`, "g"), " ");
  const prose = proseOf(own);
  return {
    empty: own.trim() === "",
    question: sentencesOf(prose).some(isQuestion),
    smallTalk: own.trim() !== "" && isSmallTalk(prose),
    mentionsOthers: /<@[UW]|<!subteam\^/.test(own),
    files,
  };
}

/** Without code, quotations, links, mentions and emoji: none of them makes a question. */
function proseOf(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, " ¶ ")
    .replaceAll(/`[^`\n]*`/g, " x ")
    .replaceAll(/^(?:&gt;|>).*$/gm, " ")
    .replaceAll(/<[^<>]*>/g, " x ")
    .replaceAll(/(?:https?:\/\/|www\.)\S+/g, " x ")
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

/** Letters and digits, lower case, one space between words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, " ")
    .trim();
}

/** One sentence that is put to others as a question about something. */
function isQuestion(sentence: string): boolean {
  const words = plain(sentence);
  if (words === "" || PLEASANTRIES.test(words)) return false;
  if (/[?？؟]["'”)\]]*$/.test(sentence)) return isLongEnough(words) && !TAGS.test(words);
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

/** A statement that asks for a nod. */
const TAGS =
  / (?:right|ok|okay|yes|no|correct|eh|innit|isn't it|doesn't it|aren't we|agreed|oder|ne|gell|nicht wahr|richtig|okay so|n'est ce pas|non|no es así|verdad|vero|né|toch)$/u;

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
  ].join("|")})(?![\\p{L}\\p{N}])`,
  "u",
);

/** Words of which thanks, greetings and nods are made. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  (
    "thanks thank you thx ty tysm cheers so much very a lot again great perfect awesome nice cool good brilliant lovely " +
    "excellent ok okay k kk got it makes sense understood noted will do lgtm done yes yep yeah yup no nope sure fine " +
    "hi hello hey morning afternoon evening night everyone all team there bye welcome sorry np ah oh wow lol haha +1 " +
    "that helps helpful helped that's the works worked for help this is amazing works " +
    "danke dir dankeschön vielen herzlichen dank besten super prima klasse top alles klar passt gut ja nein hallo moin guten tag " +
    "merci beaucoup parfait d'accord bonjour salut oui non bien reçu gracias muchas perfecto vale hola sí bueno " +
    "grazie mille perfetto ciao va bene obrigado obrigada perfeito olá bedankt dank je wel prima hoi dzięki dziękuję cześć"
  ).split(" "),
);

const MOST_SMALL_WORDS = 8;

/** Nothing but small words, or nothing but emoji. */
function isSmallTalk(prose: string): boolean {
  const words = plain(prose);
  if (words === "") return true;
  const each = words.split(" ");
  return each.length <= MOST_SMALL_WORDS && !prose.includes("?") && each.every((word) => SMALL_WORDS.has(word));
}

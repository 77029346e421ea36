/**
 * What kind of thing people say when it is no question: thanks, greetings, calls for help, promises to look, words to
 * somebody else. Closed lists in the languages people write to the bot in; whatever is in none of them counts as meant.
 */

/** Letters, marks and digits, lower case, one space between words; accents that are only written sometimes are gone. */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[’ʼ`´]/g, "'")
    .replaceAll(/[\u064B-\u0652\u0670\u0640]/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, " ")
    .trim();
}

/** Small talk with the bot: something to answer with a nod, or with how to use it. */
export type Talk = "nod" | "usage";

const MAX_SMALL_WORDS = 8;

const list = (...words: readonly string[]): ReadonlySet<string> => new Set(words.join(" ").split(/\s+/));

/** Words of which thanks and nods are made. */
const NODS = list(
  "thanks thank you thx ty tysm cheers so much very a lot again great perfect awesome nice cool good brilliant lovely",
  "excellent ok okay k kk got it makes sense understood noted will do lgtm done yes yep yeah yup no nope sure fine agreed",
  "everyone all there bye welcome sorry np ah oh wow lol haha same here me too exactly indeed right true ack",
  "that helps helpful helped that's the works worked for help your this is amazing works job bot",
  "danke dir euch ihnen dankeschön vielen herzlichen dank besten super prima klasse top alles klar passt gut ja nein genau stimmt",
  "verstanden erledigt gerne schön sehr schon mal toll für die hilfe das hilft",
  "merci beaucoup bien parfait d'accord oui non reçu super génial entendu compris pour ton aide votre l'aide c'est noté",
  "gracias muchas mil perfecto vale sí si no bueno entendido de acuerdo genial listo por la ayuda claro",
  "grazie mille perfetto va bene ottimo capito obrigado obrigada valeu perfeito entendi bedankt dank je wel dzięki dziękuję super",
  "спасибо большое огромное благодарю понятно понял поняла ясно ок окей хорошо отлично супер да нет ага угу ладно принято за помощь",
  "شكرا جزيلا لك لكم تمام حسنا طيب نعم لا ممتاز رائع مفهوم واضح اوكي أوكي على المساعدة",
);

/** Words of which greetings are made. */
const GREETINGS = list(
  "hi hello hey hiya howdy yo good morning afternoon evening day everyone all there team bot",
  "hallo moin servus guten tag morgen abend grüß gott",
  "bonjour bonsoir salut coucou hola buenos buenas días dias tardes noches",
  "ciao buongiorno salve olá ola oi bom dia hoi goedemorgen cześć",
  "привет здравствуйте здравствуй добрый доброе день утро вечер",
  "مرحبا أهلا اهلا السلام عليكم صباح مساء الخير سلام",
);

/** Words of a greeting that are none by themselves. */
const FILLERS = list("good day everyone all there team bot dia tag evening");

/** What people write who want to know what the bot is for. */
const HELP: ReadonlySet<string> = new Set(
  [
    "help, help me, help please, please help, usage, commands, what can you do, what can you help me with",
    "what do you do, how do you work, how does this work, how do i ask in a channel, who are you",
    "hilfe, was kannst du, was kannst du alles, wer bist du, wie funktionierst du",
    "aide, aidez moi, que peux tu faire, que sais tu faire, qui es tu",
    "ayuda, qué puedes hacer, que puedes hacer, quién eres",
    "aiuto, cosa sai fare",
    "ajuda, o que você faz",
    "помощь, помоги, что ты умеешь, кто ты",
    "مساعدة, ماذا تستطيع أن تفعل, من أنت",
    "ヘルプ, 助けて, 使い方, 何ができますか, 何ができるの, あなたは誰ですか",
    "帮助, 你能做什么, 你会做什么, 你是谁, 怎么用",
  ].flatMap((phrases) => phrases.split(", ")),
);

/** In scripts without spaces such messages are made of these, one after the other. */
const NODS_UNSPACED =
  /^(?:ありがとうございました|ありがとうございます|ありがとう|どうも|了解しました|了解です|了解|りょうかい|わかりました|分かりました|承知しました|助かりました|助かります|はい|いいえ|いえ|ok|okです|なるほど|お疲れ様です|お疲れ様でした|お疲れさまです|すごい|完璧|完璧です|谢谢您|谢谢你|谢谢|多谢|感谢|非常感谢|太好了|好的|好|收到|明白了|明白|知道了|了解了|懂了|辛苦了|没问题|对的|对|是的|不是|行|可以|嗯|哈+|赞|棒|啦|了|哦|呀|喔|ね|よ|です|\s)+$/u;
const GREETINGS_UNSPACED =
  /^(?:こんにちは|こんばんは|おはようございます|おはよう|もしもし|はじめまして|你好|您好|大家好|早上好|下午好|晚上好|早|嗨|哈喽|\s)+$/u;

/** Whether nothing but such words stand in it; `asked`: a question mark does. */
export function talkOf(prose: string, asked: boolean): Talk | undefined {
  const words = plain(prose);
  if (HELP.has(words)) return "usage";
  // A lone question mark asks what this is.
  if (words === "") return asked ? "usage" : "nod";
  if (asked) return undefined;
  if (GREETINGS_UNSPACED.test(words)) return "usage";
  if (NODS_UNSPACED.test(words)) return "nod";
  const each = words.split(" ");
  if (each.length > MAX_SMALL_WORDS) return undefined;
  if (each.every((word) => GREETINGS.has(word)) && each.some((word) => !FILLERS.has(word))) return "usage";
  return each.every((word) => NODS.has(word) || GREETINGS.has(word)) || /^[+＋±-]\s*\d{1,3}$/.test(prose.trim())
    ? "nod"
    : undefined;
}

/** Beginnings of what people say who go and look themselves, or tell that they will come back. */
const PROMISES = new RegExp(
  `^(?:(?:ok|okay|thanks|thx|hm+|great|cool|ah|danke|gut|merci|gracias|vale|спасибо|ок|شكرا)[ ,]+)*(?:${[
    "let me (?:check|look|see|try|ask|think|get back|come back|find out|double check|test|read)",
    "(?:i'll|i will|we'll|we will|i'm going to|i am going to|gonna|will) (?:check|look|try|ask|see|get back|come back|think|find out|test|read|ping|let you know|take a look|have a look|do that|do it|report back)",
    "(?:checking|looking|trying|testing|on it|brb|back in|one (?:sec|second|moment|minute)|give me a|just a (?:sec|second|moment|minute)|hold on|hang on|wait)(?:$| )",
    "(?:ich|wir) (?:schaue|schau|prüfe|gucke|guck|frage|frag|melde|versuche|probiere|teste|sehe|schauen|prüfen|fragen|melden|kümmere|lese)(?:$| )",
    "(?:lass mich|moment|einen moment|sekunde|bin gleich|mal sehen|ich komme (?:darauf|drauf) zurück|komme gleich)(?:$| )",
    "(?:je vais|on va|laisse moi|laissez moi|un instant|une seconde|attends|attendez|je regarde|je vérifie|je reviens|je demande)(?:$| )",
    "(?:voy a|vamos a|déjame|dejame|un momento|un segundo|espera|lo miro|lo reviso|ahora vuelvo|pregunto)(?:$| )",
    "(?:vado a|fammi|un attimo|controllo|chiedo|vou (?:ver|verificar|perguntar)|deixa eu|um momento)(?:$| )",
    "(?:сейчас|щас) (?:посмотрю|проверю|гляну|уточню|спрошу|вернусь)",
    "(?:посмотрю|проверю|гляну|уточню|спрошу|минутку|секунду|подождите|подожди|попробую)(?:$| )",
    "(?:سأتحقق|ساتحقق|سأتأكد|ساتاكد|سأسأل|سأعود|دعني|لحظة|دقيقة|سوف أتحقق)(?:$| )",
  ].join("|")})`,
  "u",
);
const PROMISES_UNSPACED =
  /(?:確認します|確認してみます|調べます|調べてみます|見てみます|聞いてみます|試してみます|少々お待ちください|ちょっと待って|待ってください|また(?:後で|あとで)|我(?:看看|看一下|查一下|查查|确认一下|问一下|问问|试试|试一下)|稍等|等一下|等等|回头(?:再)?说)/u;

/** Whether somebody says that they will look for themselves. */
export function isPromise(prose: string): boolean {
  if (/[?？؟]/.test(prose)) return false;
  const words = plain(prose);
  return PROMISES.test(words) || PROMISES_UNSPACED.test(words);
}

/** Words that stand before a comma and name nobody. */
const OPENERS = list(
  "so ok okay k hi hello hey also and but well actually sorry thanks thank great right yes yeah no nope now then btw quick",
  "however finally again currently today tomorrow yesterday please question ah oh hm hmm alright cool nice anyway first second",
  "next besides instead still maybe perhaps everyone everybody all team folks guys people bot otherwise interesting meanwhile",
  "frage also und aber gut ja nein danke bitte hallo moin entschuldigung sag ach äh na nun leute kollegen zusammen alle okay übrigens",
  "super genau stimmt klar vielleicht heute morgen gestern dann",
  "alors et mais bon oui non merci bonjour salut pardon donc sinon bien tous équipe question excusez",
  "y pero bueno sí si gracias hola perdón oye entonces vale todos equipo pregunta además",
  "allora ciao grazie scusa scusate buongiorno ragazzi e ma olá obrigado obrigada desculpa então pessoal mas",
  "ну а и да нет спасибо привет скажите подскажите коллеги ребята вопрос извините кстати хорошо ок тогда",
);

const NAME = "\\p{Lu}[\\p{L}\\p{M}'’-]+(?: \\p{Lu}[\\p{L}\\p{M}'’.-]+)?";
const NAMED_FIRST = new RegExp(
  `^(?:(?:hi|hey|hello|hallo|moin|salut|hola|ciao|привет)\\s+)?(${NAME})\\s*,\\s+\\S`,
  "iu",
);
const NAMED_LAST = new RegExp(`,\\s*(${NAME})\\s*[?!.…]*\\s*$`, "u");
const TITLES_UNSPACED = /^\s*[\p{L}\p{N}]{1,8}(?:さん|くん|ちゃん|様|さま|先生|先輩|老师|经理|总|哥|姐)[、,，:：\s]/u;
/** The Arabic call; to a group it calls nobody in particular. */
const CALLED = /^\s*يا\s+(?!جماعة|شباب|الجميع|زملاء)\p{L}/u;
const AT_NAME = /(?:^|[\s(])@(?!here\b|channel\b|everyone\b)[\p{L}\p{N}][\p{L}\p{N}._-]+/u;

/** What a statement ends on that only asks somebody to agree. */
export const TAGS =
  /(?:^| )(?:right|ok|okay|yes|no|correct|eh|innit|agreed|(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|must)n't (?:i|it|we|you|they|he|she|that|there|this)|won't (?:it|we|you|they)|can't (?:it|we|you|they)|oder|ne|gell|nicht wahr|richtig|okay so|n'est ce pas|non|no es así|verdad|vero|né|toch|правда|верно|да|так ведь|صح|أليس كذلك)$/u;

/** A sentence without the name it ends on, and whether it is put to somebody by name, other than `own`. */
export function addressee(sentence: string, own = ""): { readonly rest: string; readonly isToSomebody: boolean } {
  if (AT_NAME.test(sentence) || TITLES_UNSPACED.test(sentence) || CALLED.test(sentence)) {
    return { rest: sentence, isToSomebody: true };
  }
  const [, first] = NAMED_FIRST.exec(sentence) ?? [];
  const [whole, last] = NAMED_LAST.exec(sentence) ?? [];
  const isName = (name: string | undefined): boolean =>
    name !== undefined &&
    /^\p{Lu}/u.test(name) &&
    plain(own) !== plain(name) &&
    !OPENERS.has(plain(name).split(" ")[0] ?? "");
  if (isName(last) && whole !== undefined) {
    const rest = sentence.slice(0, -whole.length);
    // "in Oslo, Norway?" goes on with a place; after a tag it is always somebody.
    const isPlace = /(?:^|\s)\p{Lu}[\p{L}\p{M}-]*$/u.test(rest.trimEnd()) && !TAGS.test(plain(rest));
    if (!isPlace) return { rest: `${rest}?`, isToSomebody: true };
  }
  return { rest: sentence, isToSomebody: isName(first) && !isTopic(sentence) };
}

/** In German a question can begin with what it is about: "Urlaub, wie beantrage ich den?". */
function isTopic(sentence: string): boolean {
  const rest = sentence.slice(sentence.indexOf(",") + 1).trim();
  return (
    /^(?:wie|wo|wann|was|wer|wieso|warum|welche\p{L}*|gibt|gilt|kann ich|muss|darf|ist|sind)(?!\p{L})/iu.test(rest) &&
    !/(?:^| )(?:du|ihr|Sie|dir|dich|euch|Ihnen|kannst|hast|weißt)(?: |$|\?)/u.test(rest)
  );
}

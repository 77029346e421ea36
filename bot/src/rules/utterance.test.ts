import { describe, expect, it } from "vitest";
import { decide, type Entry, type ThreadFacts } from "./rules.ts";
import { addressee, isPromise, talkOf } from "./utterance.ts";
import { parseRules } from "./rules-file.ts";
import { textFacts } from "./text-facts.ts";

const RULES = parseRules("", { dmKey: false }).rules;

/** What the bot does with words: `answer`, a `nod`, how to ask (`usage`), or `silent`. */
function does(entry: Entry, text: string, thread?: ThreadFacts): string {
  const decision = decide(RULES, {
    entry,
    channel: { id: "C0TALK", kind: "public", shared: false },
    user: { id: "U0ADA", kind: "member" },
    text: textFacts(text, { botUserId: "U0SELF", botName: "threadlore" }),
    ...(thread !== undefined && { thread }),
  });
  return decision.kind === "answer" ? (decision.talk ?? "answer") : decision.kind === "refuse" ? "refuse" : "silent";
}

/** In a thread the bot answered in, without a mention: after others have spoken, or right after the answer to them. */
const amongOthers = (text: string): string =>
  does("follow_up", text, { own: true, onlyAsker: false, afterAnswer: false });
const rightAfter = (text: string): string => does("follow_up", text, { own: true, onlyAsker: true, afterAnswer: true });
const mentioned = (text: string): string => does("mention", `<@U0SELF> ${text}`);

describe("in its own thread, without a mention, the bot answers", () => {
  it.each([
    "And on a phone?",
    "How do I get that for contractors",
    "What about people in Bergen?",
    "Does that also hold for part-time staff?",
    "Does it apply in Oslo, Norway?",
    "Urlaub, wie beantrage ich den?",
    "What is the policy, Threadlore?",
    "thanks, and where do I find the form?",
    "Hi all, where can I see the balance?",
    "Und wie ist das in der Probezeit?",
    "wo finde ich das Formular",
    "Gilt das auch für Werkstudenten?",
    "Et pour les stagiaires, c'est pareil ?",
    "Où est-ce que je trouve le formulaire ?",
    "¿Y para los becarios también?",
    "cómo se pide el formulario",
    "アルバイトの場合はどうなりますか？",
    "フォームはどこにありますか",
    "那实习生怎么办？",
    "在哪里可以找到表格吗",
    "А для стажёров это тоже так?",
    "как мне получить форму",
    "وهل ينطبق ذلك على المتدربين؟",
    "كيف أحصل على النموذج",
  ])("anybody's question: %s", (text) => {
    expect(amongOthers(text)).toBe("answer");
  });

  it.each([
    "and on a phone",
    "I meant the one in Bergen",
    "the one from March",
    "Reisekosten",
    "und in Bergen",
    "et à Lyon",
    "la de marzo",
    "大阪のほう",
    "上海的那个",
    "в Берлине",
    "في دبي",
    "in Bergen?",
  ])("who asked, right after its answer: %s", (text) => {
    expect(rightAfter(text)).toBe("answer");
  });
});

describe("in its own thread, without a mention, the bot keeps out of", () => {
  it.each([
    "+1",
    "+1 :eyes:",
    "-1",
    "<https://wiki.example.com/leave>",
    "<https://wiki.example.com/leave|Leave>",
    "https://wiki.example.com/leave",
    "let me check and come back",
    "I'll look into it",
    "ok, let me ask HR",
    "checking",
    "one sec",
    "We agreed on thirty days, didn't we, Robin?",
    "That is the old page, isn't it, Mara Lind?",
    "Robin, can you look at this?",
    "@robin do you know more about it?",
    "<@U0ROBIN> do you know more about it?",
    "thanks!",
    "same here",
    "ich schaue mal nach",
    "Moment, ich frage nach",
    "danke dir, passt",
    "je vais vérifier",
    "merci beaucoup !",
    "voy a preguntar",
    "muchas gracias",
    "確認します",
    "ありがとうございます！",
    "田中さん、これ分かりますか？",
    "我查一下",
    "谢谢！",
    "好的，收到",
    "посмотрю и вернусь",
    "спасибо большое!",
    "سأتحقق من ذلك",
    "شكرًا جزيلاً!",
    "يا أحمد، هل تعرف؟",
    ":tada:",
    "👍",
  ])("%s", (text) => {
    expect(rightAfter(text)).toBe("silent");
    expect(amongOthers(text)).toBe("silent");
  });

  it.each([
    "We talked about this with the works council last year.",
    "It was changed in March.",
    "My lead said so, too.",
    "Das war letztes Jahr noch anders.",
    "C'était différent l'année dernière.",
    "Eso cambió en marzo.",
    "去年はそうではありませんでした。",
    "去年不是这样的。",
    "В прошлом году было иначе.",
    "كان ذلك مختلفا العام الماضي.",
  ])("what people tell each other: %s", (text) => {
    expect(amongOthers(text)).toBe("silent");
  });
});

describe("mentioned, the bot", () => {
  it.each([
    "thanks!",
    "thank you so much :pray:",
    "great, that helps",
    "good bot",
    "+1",
    "ok",
    "danke!",
    "vielen Dank für die Hilfe",
    "merci beaucoup",
    "muchas gracias",
    "ありがとうございます",
    "谢谢",
    "спасибо",
    "شكراً",
    "👍",
  ])("nods at: %s", (text) => {
    expect(mentioned(text)).toBe("nod");
  });

  it.each([
    "hi",
    "Hello!",
    "good morning",
    "help",
    "Help!",
    "what can you do?",
    "?",
    "hallo",
    "Hilfe",
    "bonjour",
    "aide",
    "hola",
    "ayuda",
    "こんにちは",
    "ヘルプ",
    "你好",
    "帮助",
    "привет",
    "помощь",
    "مرحبا",
    "مساعدة",
  ])("says how to ask: %s", (text) => {
    expect(mentioned(text)).toBe("usage");
  });

  it.each([
    "help with the VPN",
    "thanks, and in Bergen?",
    "hi, where is the printer",
    "annual leave",
    "VPN",
    "<https://wiki.example.com/leave>",
    "let me check whether I understood: thirty days",
    "Robin, who owns the billing service?",
    "We have thirty days, don't we?",
    "what do you think, Robin?",
    "ok?",
    "yes but which one",
    "Urlaub",
    "Hilfe beim Drucker",
    "bonjour, où est l'imprimante ?",
    "ayuda con la impresora",
    "有給休暇",
    "年假",
    "你好，年假有几天",
    "отпуск",
    "привет, где принтер",
    "الإجازة",
    "`ok`",
  ])("always answers what is no small talk: %s", (text) => {
    expect(mentioned(text)).toBe("answer");
  });
});

describe("the borders of the lists", () => {
  it("eight words can be a nod, nine say something", () => {
    expect(talkOf("thanks ".repeat(8), false)).toBe("nod");
    expect(talkOf("thanks ".repeat(9), false)).toBeUndefined();
  });

  it("who asks promises nothing", () => {
    expect(isPromise("Let me check")).toBe(true);
    expect(isPromise("Let me check where?")).toBe(false);
  });

  it("after a tag a name is somebody, after a place it is where that lies", () => {
    expect(addressee("It closes at five, OK, Ada?").isToSomebody).toBe(true);
    expect(addressee("Is there an office in Oslo, Norway?").isToSomebody).toBe(false);
  });
});

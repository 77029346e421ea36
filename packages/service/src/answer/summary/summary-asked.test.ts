import { languageOf } from "@threadlore/language";
import { describe, expect, it } from "vitest";
import { summaryAsked } from "./summary-asked.ts";

const asked = (question: string) => summaryAsked(question, languageOf(question));

/** Questions for a summary of what came along. */
const ALONG = [
  "Summarise this page",
  "summarize this",
  "Could you please summarise this page for me in three sentences?",
  "Summarize the attached file.",
  "Sum it up",
  "tl;dr",
  "TL;DR?",
  "Give me an overview",
  "Give me a quick overview of this document, please",
  "What are the main points of this page?",
  "what are the key takeaways",
  "What's this about?",
  "What is this page about?",
  "What does this document say?",
  "What is in the attached file?",
  "Describe this page",
  "Boil this down to five bullet points",
  "I have a meeting in five minutes. Summarise this page, please.",
  "Fasse diese Seite zusammen",
  "Fass das bitte kurz zusammen!",
  "Kannst du mir diese Seite in drei Sätzen zusammenfassen?",
  "Gib mir einen Überblick",
  "Gib mir eine kurze Zusammenfassung dieser Seite.",
  "Worum geht es hier?",
  "Worum geht es auf dieser Seite?",
  "Was steht in diesem Dokument?",
  "Was sind die wichtigsten Punkte?",
  "Das Wichtigste in Kürze",
  "Résume cette page",
  "Peux-tu résumer ce document en trois phrases, s’il te plaît ?",
  "Fais-moi un résumé de cette page",
  "De quoi parle cette page ?",
  "Quels sont les points principaux de ce document ?",
  "Donne-moi une vue d’ensemble",
  "Resume esta página",
  "¿Puedes resumir este documento, por favor?",
  "Hazme un resumen de esta página",
  "¿De qué trata esta página?",
  "¿Cuáles son los puntos principales de este texto?",
  "このページを要約して",
  "この文書を3行で要約してください。",
  "要約をお願いします",
  "このページの要点は？",
  "このページは何について書かれていますか？",
  "まとめてください",
  "总结一下这个页面",
  "请总结这篇文章",
  "这篇文章主要讲了什么？",
  "О чём эта страница?",
  "Кратко изложи этот документ",
  "Riassumi questa pagina",
  "Di cosa parla questo documento?",
  "Resuma esta página, por favor",
  "Faça um resumo deste documento",
];

/** Questions for a summary of something that is named. */
const NAMED: readonly (readonly [string, string])[] = [
  ["summarise the travel policy", "travel policy"],
  ["Summarize our travel policy in three bullet points.", "travel policy"],
  ["Can you give me an overview of the on-call handbook?", "on-call handbook"],
  ["What are the main points of the contract with Saudemar?", "contract with Saudemar"],
  ["Please sum up the expense rules", "expense rules"],
  ["tl;dr: release process", "release process"],
  ["What does the travel policy say?", "travel policy"],
  ["What is the security handbook about?", "security handbook"],
  ["Summarise “Leave and holidays”", "Leave and holidays"],
  ["I need a short summary of the incident report", "incident report"],
  ["overview: benefits", "benefits"],
  ["Fasse die Reiserichtlinie zusammen", "Reiserichtlinie"],
  ["Kannst du mir bitte unsere Urlaubsregelung zusammenfassen?", "Urlaubsregelung"],
  ["Gib mir einen Überblick über die Bereitschaft", "Bereitschaft"],
  ["Was sind die wichtigsten Punkte der Reiserichtlinie?", "Reiserichtlinie"],
  ["Was steht in der Reiserichtlinie?", "Reiserichtlinie"],
  ["Zusammenfassung: Einkauf", "Einkauf"],
  ["Résume la politique de voyage", "politique de voyage"],
  ["Peux-tu me faire un résumé de la charte de sécurité ?", "charte de sécurité"],
  ["Donne-moi un aperçu des congés", "congés"],
  ["Quels sont les points clés du règlement intérieur ?", "règlement intérieur"],
  ["Resume la política de viajes", "política de viajes"],
  ["Dame un resumen de las normas de gastos", "normas de gastos"],
  ["¿Cuáles son los puntos principales del manual de seguridad?", "manual de seguridad"],
  ["出張規程を要約してください", "出張規程"],
  ["休暇制度の概要を教えてください", "休暇制度"],
  ["経費精算の要点は何ですか？", "経費精算"],
  ["总结一下差旅政策", "差旅政策"],
  ["差旅政策的要点是什么？", "差旅政策"],
  ["Перескажи правила командировок", "правила командировок"],
  ["Riassumi la politica di viaggio", "politica di viaggio"],
  ["Resuma a política de viagens", "política de viagens"],
];

/** Questions for something else, though they look like it. */
const OTHERS = [
  "",
  "What does this page say about leave?",
  "What does the travel policy say about meals?",
  "According to this page, how many days of leave do I have?",
  "What should I do next, according to this page?",
  "Summarise the leave section of this page",
  "Summarise the travel policy and tell me how much dinner may cost",
  "Summarise this page. What does it say about leave?",
  "Who writes the weekly summary?",
  "Where is the summary of the incident?",
  "How do I write an executive summary?",
  "What are the main points of contact for IT?",
  "Who is the main point of contact?",
  "What is the overview dashboard called?",
  "When is the summary due?",
  "What is a summary?",
  "Was ist eine Zusammenfassung?",
  "C’est quoi, un résumé ?",
  "¿Qué es un resumen?",
  "What is annual leave?",
  "What is on-call about to change?",
  "What is new?",
  "Does this page mention parking?",
  "Translate this page",
  "Give me the overview dashboard",
  "Show me the main points table of the league",
  "What does the law say?",
  "What is Monday's meeting about?",
  "How long is this document?",
  "Who should I ask about travel costs?",
  "Explain the refund rule",
  "Was steht auf dieser Seite zu Urlaub?",
  "Was steht in der Reiserichtlinie zu Hotels?",
  "Was soll ich laut dieser Seite als Nächstes tun?",
  "Wer schreibt die Zusammenfassung?",
  "Wo finde ich die Übersicht der Feiertage?",
  "Worum muss ich mich kümmern?",
  "Was sind die Fristen?",
  "Que dit cette page sur les congés ?",
  "Qui rédige le résumé ?",
  "Que dois-je faire ensuite, d’après cette page ?",
  "Combien de jours de congé ai-je ?",
  "¿Qué dice esta página sobre las vacaciones?",
  "¿Quién escribe el resumen?",
  "Según esta página, ¿qué debo hacer ahora?",
  "このページによると、休暇は何日ですか？",
  "このページによると、次に何をすべき？",
  "概要はどこにありますか？",
  "要約を書くのは誰ですか？",
  "経費は何日以内に申請しますか？",
  "会社の住所は何ですか？",
  "这个页面说年假有多少天？",
  "谁写总结？",
  "Что на этой странице сказано об отпуске?",
  "Кто пишет обзор?",
  "Cosa dice questa pagina sulle ferie?",
  "O que diz esta página sobre férias?",
];

describe("a request for a summary", () => {
  it.each(ALONG)("of what came along: %s", (question) => {
    expect(asked(question)).toEqual({ about: undefined });
  });

  it.each(NAMED)("of what it names: %s", (question, about) => {
    expect(asked(question)).toEqual({ about });
  });

  it.each(OTHERS)("is not seen in: %s", (question) => {
    expect(asked(question)).toBeUndefined();
  });

  it("is understood whatever language the question was taken for", () => {
    for (const language of [undefined, "en", "de", "pt", "xx", "__proto__"]) {
      expect(summaryAsked("Resume esta página", language)).toEqual({ about: undefined });
      expect(summaryAsked("Fasse die Reiserichtlinie zusammen", language)).toEqual({ about: "Reiserichtlinie" });
    }
  });

  it("is a short one: a text that goes on is none", () => {
    expect(summaryAsked(`Summarise the ${"very ".repeat(100)}long policy`, "en")).toBeUndefined();
  });
});

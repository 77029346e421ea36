import { describe, expect, it } from "vitest";
import {
  functionWordsOf,
  isFunctionWord,
  isQuestionWord,
  isWrittenFunctionWord,
  KNOWN_LANGUAGES,
} from "./function-words.ts";
import { foldedWordsOf } from "./words.ts";

describe("function words", () => {
  it.each([
    ["en", "how many days of leave do I have", "days leave"],
    ["de", "Wie viele Tage Urlaub habe ich in welchem Jahr", "tage urlaub jahr"],
    ["fr", "Quand est-ce que l'université a été fondée", "universite fondee"],
    ["fr", "Combien d'heures faut-il", "heures faut"],
    ["es", "¿Cuántos días de vacaciones tengo?", "dias vacaciones"],
    ["es", "cuantos dias de vacaciones tengo", "dias vacaciones"],
    ["ru", "Сколько дней отпуска у меня", "дней отпуска"],
    ["ar", "متى تأسست الجامعة ومن أسسها", "تاسست الجامعه اسسها"],
    ["hi", "भारत की राजधानी क्या है", "भारत राजधानी"],
    ["tr", "Avustralya'nın başkenti neresidir, gidebilir miyim", "avustralya baskenti gidebilir"],
    ["ja", "東京タワーはいつ建てられましたか", "東京タワー 建て"],
    ["zh", "中国的首都是哪里", "中国 首都"],
    ["ko", "세종대왕은 언제 태어났습니까", "세종대왕은 태어났습니까"],
  ])("are told from what a question of %s is about: %s", (language, question, about) => {
    expect(
      foldedWordsOf(question)
        .filter((word) => !isFunctionWord(word, language))
        .join(" "),
    ).toBe(about);
  });

  it("of asking are a part of them", () => {
    for (const [word, language] of [
      ["who", "en"],
      ["wieviel", "de"],
      ["qui", "fr"],
      ["cuanto", "es"],
      ["сколько", "ru"],
      ["كم", "ar"],
      ["कितना", "hi"],
      ["midir", "tr"],
      ["誰", "ja"],
      ["多少", "zh"],
    ] as const) {
      expect([word, isQuestionWord(word, language), isFunctionWord(word, language)]).toEqual([word, true, true]);
    }
    expect(isQuestionWord("the", "en")).toBe(false);
  });

  it("are no names in capitals", () => {
    expect(["us", "US", "it", "IT", "won"].map((word) => isWrittenFunctionWord(word, "en"))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it("are none where the language is unknown", () => {
    expect(isFunctionWord("the", undefined)).toBe(false);
    expect(isFunctionWord("the", "xx")).toBe(false);
    expect(isFunctionWord("the", "constructor")).toBe(false);
    expect(functionWordsOf("xx")).toEqual([]);
  });

  it.each(KNOWN_LANGUAGES)("of %s are lower case, without blanks", (language) => {
    const words = functionWordsOf(language);
    expect(words.length).toBeGreaterThan(40);
    expect(words.filter((word) => word === "" || word !== word.toLowerCase())).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { languageOf, likelyLanguages } from "./languages.ts";

describe("the language of a text", () => {
  it.each([
    ["en", "How many days of leave do I have?"],
    ["de", "Wie viele Urlaubstage habe ich?"],
    ["fr", "Combien de jours de congé ai-je ?"],
    ["es", "cuantos dias de vacaciones tengo"],
    ["pt", "Quantos dias de férias eu tenho?"],
    ["it", "Quanti giorni di ferie ho?"],
    ["nl", "Hoeveel vakantiedagen heb ik?"],
    ["sv", "Hur många semesterdagar har jag?"],
    ["da", "Hvornår blev universitetet grundlagt?"],
    ["no", "Når ble universitetet grunnlagt?"],
    ["fi", "Kuinka monta lomapäivää minulla on?"],
    ["hu", "Hány nap szabadságom van?"],
    ["tr", "Üniversite ne zaman kuruldu?"],
    ["pl", "Ile dni urlopu mam?"],
    ["cs", "Kdy byla založena univerzita?"],
    ["ro", "Câte zile de concediu am?"],
    ["id", "Siapa yang menulis Laskar Pelangi?"],
    ["vi", "Tôi có bao nhiêu ngày nghỉ phép?"],
    ["ru", "Сколько дней отпуска у меня?"],
    ["uk", "Скільки днів відпустки я маю?"],
    ["el", "Πόσες μέρες άδειας έχω;"],
    ["he", "כמה ימי חופשה יש לי?"],
    ["ar", "كم يوم إجازة لدي؟"],
    ["fa", "چند روز مرخصی دارم؟"],
    ["hi", "मेरे पास कितनी छुट्टियाँ हैं?"],
    ["th", "ฉันมีวันลากี่วัน"],
    ["ja", "iPhoneの有給休暇は何日ですか"],
    ["zh", "我有多少天年假？"],
    ["ko", "휴가가 며칠 남았나요?"],
  ])("is %s: %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
  });

  it("is unknown where nothing tells", () => {
    for (const text of ["", "2024", "…", "McKinsey", "\ud800"]) expect(languageOf(text)).toBeUndefined();
  });

  it("goes by the hint where the text leaves it open, and by the text where it does not", () => {
    expect(languageOf("McKinsey", "de")).toBe("de");
    expect(languageOf("42", "de")).toBe("de");
    expect(languageOf("東京大学", "ja")).toBe("ja");
    expect(languageOf("東京大学")).toBe("zh");
    expect(languageOf("How many days of leave do I have?", "de")).toBe("en");
    expect(languageOf("Сколько дней?", "de")).toBe("ru");
  });

  it("comes with others that are as likely", () => {
    const likely = likelyLanguages("Hvor er det?");
    expect(likely.map((one) => one.language)).toEqual(expect.arrayContaining(["da", "no"]));
    expect(likely.every(({ confidence }) => confidence > 0 && confidence <= 1)).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { compoundParts, sharesStem, stem, termsIn, termsOf } from "./stems.ts";

describe("stems", () => {
  it.each([
    ["en", "policies policy"],
    ["en", "travelling travel travels"],
    ["en", "reimbursed reimbursement reimburse"],
    ["en", "approval approve approved"],
    ["en", "won win winning"],
    ["en", "women woman"],
    ["en", "paid pay paying"],
    ["de", "Häuser Haus Haeuser"],
    ["de", "Straße Strasse straßen"],
    ["de", "Müller Mueller"],
    ["fr", "remboursement remboursé rembourser"],
    ["es", "aprobación aprobacion aprobado"],
    ["pt", "políticas política"],
    ["it", "rimborsi rimborso"],
    ["nl", "boeken boek"],
    ["sv", "semesterdagar semesterdagarna"],
    ["fi", "talossa talo"],
    ["ru", "столицы столица столицей"],
    ["uk", "книги книга"],
    ["pl", "urlop urlopu urlopowi urlopami urlopów"],
    ["pl", "wniosek wniosku wnioskami"],
    ["pl", "umowa umowie umów umowami"],
    ["pl", "droga drodze dróg"],
    ["pl", "służbowy służbowego służbową"],
    ["cs", "smlouva smlouvy smlouvou smlouvách"],
    ["cs", "dovolená dovolené dovolenou"],
    ["cs", "zaměstnanec zaměstnance zaměstnancům"],
    ["cs", "stůl stolu stolech"],
    ["cs", "kniha knize knihami"],
    ["tr", "kitaplar kitaplarımız kitap"],
    ["hi", "किताबें किताब"],
    ["ar", "المدينة والمدينة مدينة بالمدينة"],
    ["ja", "食べる 食べ 食"],
    ["ja", "コンピューター コンピュータ"],
    ["ko", "학교에서는 학교를 학교"],
    ["el", "πολιτικές πολιτική"],
  ])("of %s are one: %s", (language, words) => {
    expect(new Set(words.split(" ").map((word) => stem(word, language))).size).toBe(1);
  });

  it("are the folded words where there is no stemmer", () => {
    expect(stem("Políticas", "xx")).toBe("politicas");
    expect(stem("Políticas", undefined)).toBe("politicas");
    expect(stem("things", "constructor")).toBe("things");
  });

  it.each([
    ["pl", "praca prawo urlop umowa firma forma hasło droga drzwi rok ręka miesiąc"],
    ["cs", "práce právo smlouva firma forma heslo dráha dveře rok ruka měsíc mzda"],
  ])("of %s keep words apart: %s", (language, words) => {
    const all = words.split(" ");
    expect(new Set(all.map((word) => stem(word, language))).size).toBe(all.length);
  });

  it("are never empty", () => {
    for (const language of ["en", "de", "ar", "tr", "ko", "ja", "pl", "cs"]) {
      for (const word of ["s", "ing", "ال", "ها", "의", "lar", "ー"]) expect(stem(word, language)).not.toBe("");
    }
  });
});

describe("terms", () => {
  it("are stems without function words, in order", () => {
    expect(termsOf("How are travel policies approved?", "en")).toEqual(["travel", "polici", "approv"]);
  });

  it("meet over a hyphen that is written or not", () => {
    expect(termsOf("Wi-Fi", "en")).toContain("wifi");
    expect(termsOf("wifi", "en")).toEqual(["wifi"]);
    expect(termsOf("e-mail", "en")).toContain(stem("email", "en"));
    expect(termsOf("2024-05-03", "en")).toEqual(["2024", "05", "03"]);
  });

  it.each([
    ["en", "2,500 pens", "2500 pen"],
    ["de", "2.500 Tage und 1.234.567,89", "2500 tag 1234567 89"],
    ["fr", "2\u202f500 jours, 12\u00a0500, 3 500", "2500 jour 12500 3500"],
    ["de", "2'500, 2’500", "2500 2500"],
    ["en", "1,50,000 rupees", "150000 rupe"],
    ["ja", "２，５００円", "2500 円"],
    ["ar", "٢٬٥٠٠", "2500"],
    ["en", "$2,500.50 for 25,000-pen", "2500 50 25000 25000pen pen"],
    ["en", "table 3 100 metres", "tabl 3100 3 100 metr"],
    ["en", "2.3.100, 2024.500, 0.500, 2024-05-01, 1.5.2024", "2 3 100 2024 500 0 500 2024 05 01 1 5 2024"],
    ["en", "192.168.100.200, 555 123 4567, v2.500, 1, 200", "192 168 100 200 555 123 4567 v2 500 1 200"],
    ["en", "1,234,5678 and 12,3456", "1 234 5678 12 3456"],
  ])("of numbers are one, however thousands are parted in %s: %s", (language, text, terms) => {
    expect(termsOf(text, language).join(" ")).toBe(terms);
  });

  it("stand where their words do", () => {
    const text = "Das WLAN im Büro";
    expect(termsIn(text, "de").map(({ term, start, end }) => [term, text.slice(start, end)])).toEqual([
      ["wlan", "WLAN"],
      ["buro", "Büro"],
    ]);
  });

  it("of a number stand where all of it does", () => {
    expect(termsIn("für 2.500 Euro", "de")).toEqual([
      { term: "2500", start: 4, end: 9 },
      { term: "euro", start: 10, end: 14 },
    ]);
  });

  it("of characters are words, pairs, both or grams", () => {
    expect(termsOf("中国的首都 GDP", "zh")).toEqual(["中国", "首都", "gdp"]);
    expect(termsOf("中国的首都 GDP", "zh", { characters: "pairs" })).toEqual(["中国", "国的", "的首", "首都", "gdp"]);
    expect(termsOf("首都", "zh", { characters: "both" })).toEqual(["首都", "首都"]);
    expect(termsOf("首都は", "ja", { characters: "grams" })).toEqual(["首", "首都", "都", "都は"]);
    expect(termsOf("猫、ﾈｺ、𠮟", "ja", { characters: "grams" })).toEqual(["猫", "ネコ", "𠮟"]);
    expect(termsOf("都、ที่บ้าน", "zh", { characters: "pairs" })).toEqual(["都", "ที่", "บ้าน"]);
  });

  it("of pairs are folded and stand where their characters do", () => {
    const places = (text: string) =>
      termsIn(text, "ja", { characters: "pairs" }).map(({ term, start, end }) => [term, text.slice(start, end)]);
    expect(places("ﾊﾟｿｺﾝ")).toEqual([
      ["パソ", "ﾊﾟｿ"],
      ["ソコ", "ｿｺ"],
      ["コン", "ｺﾝ"],
    ]);
    expect(places("葛\u{e0100}城")).toEqual([["葛城", "葛\u{e0100}城"]]);
    expect(places("𠮟る。こと")).toEqual([["𠮟る", "𠮟る"]]);
  });

  it("do not remember languages that are none", () => {
    expect(termsOf("words", "not-a-language")).toEqual(["words"]);
  });
});

describe("compounds", () => {
  const known = new Set(
    "urlaub antrag lohn abrechnung schule fest kranken haus krankenhaus versicherung arbeit zeit".split(" "),
  );
  const parts = (word: string, language = "de") => compoundParts(word, language, (one) => known.has(one)).join(" ");

  it("come apart in known words, without what links them", () => {
    expect(parts("urlaubsantrag")).toBe("urlaub antrag");
    expect(parts("lohnabrechnung")).toBe("lohn abrechnung");
    expect(parts("schulfest")).toBe("schule fest");
    expect(parts("arbeitszeit")).toBe("arbeit zeit");
  });

  it("come apart in few parts", () => {
    expect(parts("krankenhausversicherung")).toBe("krankenhaus versicherung");
  });

  it("stay whole where a part is unknown, or the language writes none", () => {
    expect(parts("urlaubsplanung")).toBe("");
    expect(parts("urlaubsantrag", "fr")).toBe("");
    expect(parts("a".repeat(1_000))).toBe("");
  });

  it("ask about so many pieces at most as a word of 48 letters has", () => {
    let asked = 0;
    compoundParts("x".repeat(48), "de", () => {
      asked++;
      return true;
    });
    expect(asked).toBeLessThan(15_000);
  });

  it("share a stem with their first and last part", () => {
    expect(sharesStem("urlaub", "urlaubsantrag", "de")).toBe(true);
    expect(sharesStem("lohnabrechnung", "abrechnung", "de")).toBe(true);
    expect(sharesStem("form", "information", "de")).toBe(false);
    expect(sharesStem("plan", "planet", "en")).toBe(false);
    expect(sharesStem("首都", "首都圏", "ja")).toBe(true);
  });
});

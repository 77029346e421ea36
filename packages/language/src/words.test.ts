import { describe, expect, it } from "vitest";
import { MAX_WORD_LENGTH } from "./folding.ts";
import { foldedWordsOf, wordsOf } from "./words.ts";

describe("words of a text", () => {
  it.each([
    ["Latin", "The leave policy, 2024.", "the leave policy 2024"],
    ["elisions", "L'eau d’été, dell'acqua", "l eau d ete dell acqua"],
    ["accents and letters with strokes", "Straße Müller Łódź smørrebrød Æon", "strasse muller lodz smorrebrod aeon"],
    ["Turkish", "İSTANBUL'da ışık", "istanbul da isik"],
    ["Vietnamese", "Đà Nẵng", "da nang"],
    ["full width, half-width kana, ligatures", "ＷｉＦｉ ﾊﾟｿｺﾝ ﬁle", "wifi パソコン file"],
    ["hyphens", "Wi-Fi e-mail", "wi fi e mail"],
    ["Russian", "Ёлка объём за́мок мой", "елка объем замок мой"],
    ["Ukrainian, whose apostrophe is inside a word", "п'ять об’єкт", "пять обєкт"],
    ["Greek", "ΆΘΗΝΑΣ Αθήνας", "αθηνασ αθηνασ"],
    ["Arabic", "كِتَابٌ الْمَدْرَسَةُ أحمد كتـــاب مستشفى", "كتاب المدرسه احمد كتاب مستشفي"],
    ["Persian", "کتاب‌های یک", "كتاب هاي يك"],
    ["Hebrew", 'שָׁלוֹם צה"ל', "שלום צהל"],
    ["Hindi", "हिन्दी हिंदी ज़मीन", "हिंदी हिंदी जमीन"],
    ["digits", "٣٤٥ ۳ ६७ ３", "345 3 67 3"],
    ["numbers with parted thousands", "60,000 euros, 1.500.000 €, 192.168.1.100", "60000 euros 1500000 192 168 1 100"],
    ["fractions and powers", "6½ km²", "6 km2"],
    ["Japanese", "東京都はどこですか。", "東京 都 は どこ です か"],
    ["Chinese", "中国的首都是哪里？", "中国 的 首都 是 哪里"],
    ["Korean", "학교에서 배운다", "학교에서 배운다"],
    ["Thai", "ภาษาไทย", "ภาษา ไทย"],
    ["several scripts", "iPhoneを使う方法 2024年", "iphone を 使う 方法 2024 年"],
    ["nothing", " …—!", ""],
  ])("are found and folded: %s", (_, text, words) => {
    expect(foldedWordsOf(text).join(" ")).toBe(words);
    expect(wordsOf(text).map((word) => word.text)).toEqual(foldedWordsOf(text));
  });

  it("stand where they say", () => {
    const text = "Die Straße, 東京へ行く。 ﬁn";
    expect(wordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(
      "Die Straße 東京 へ 行く ﬁn".split(" "),
    );
  });

  it("are the same whatever stands around a run of characters", () => {
    const run = "東京都はどこですか";
    const alone = foldedWordsOf(run);
    for (const between of ["、", "。\n", " and some words of another script between them, more than a few of them "]) {
      expect(foldedWordsOf([run, run, run].join(between)).filter((word) => !/[a-z]/.test(word))).toEqual([
        ...alone,
        ...alone,
        ...alone,
      ]);
    }
  });

  it("cover a run that is longer than what is cut at once", () => {
    const text = "東京都は".repeat(2_500);
    const words = wordsOf(text);
    expect(words.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  });
});

describe("hostile texts", () => {
  it.each([
    ["lone surrogates", "\ud800a\udc00 b\ud800", ["a", "b"]],
    ["zero-width joiners", "a\u200db \u200d", ["ab"]],
    ["marks of direction", "\u202eabc\u202c \u200f\u05d0\u200f", ["abc", "א"]],
    ["marks without a letter", "\u0301\u0301 a", ["a"]],
  ])("%s", (_, text, words) => {
    expect(foldedWordsOf(text)).toEqual(words);
  });

  it("one word of a million letters counts with its beginning", () => {
    for (const letter of ["a", "é", "ж", "ก", "の", "字"]) {
      const words = foldedWordsOf(letter.repeat(1_000_000));
      expect(words.every((word) => word.length <= MAX_WORD_LENGTH)).toBe(true);
    }
  });

  it("a million marks on one letter", () => {
    const [word] = foldedWordsOf(`a${"\u0301\u0323".repeat(500_000)}`);
    expect(word).toBe("a");
  });
});

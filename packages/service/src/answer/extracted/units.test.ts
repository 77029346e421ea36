import { describe, expect, it } from "vitest";
import { unitsOf } from "./quotable.ts";

const texts = (text: string) => unitsOf(text).map((unit) => unit.text);

describe("quotable units of a passage", () => {
  it("are sentences, over line ends and past abbreviations", () => {
    expect(texts("Ask Dr. Ames, e.g. by mail. She answers\nwithin a day! Really?")).toEqual([
      "Ask Dr. Ames, e.g. by mail.",
      "She answers within a day!",
      "Really?",
    ]);
  });

  it("are the entries of a list, also of one run together into a line", () => {
    expect(texts("Steps:\n- open the portal\n2. press Reset")).toEqual(["Steps:", "open the portal", "press Reset"]);
    expect(texts("Steps: - Open the portal. - Press Reset.")).toEqual(["Steps:", "Open the portal.", "Press Reset."]);
  });

  it("are entries with the indented lines they go on with, and nothing else", () => {
    expect(
      texts("- The lift is checked\n  every spring, and\n\tin autumn.\n- Stairs are not.\nThe rest is free."),
    ).toEqual(["The lift is checked every spring, and in autumn.", "Stairs are not.", "The rest is free."]);
    expect(texts("1. 窓を\n   開ける。\n2. 待つ。")).toEqual(["窓を開ける。", "待つ。"]);
  });

  it("are the rows of a table, each value behind its column's name", () => {
    expect(texts("| Plan | Price |\n| --- | ---: |\n| Team | 79 \\| 99 |\n| Solo | |")).toEqual([
      "Plan: Team, Price: 79 | 99",
      "Plan: Solo",
    ]);
  });

  it("are the rows of a table whose lines neither begin nor end with a bar, and no row of what is none", () => {
    expect(texts("Fields\n\nField | Default\n--- | ---\n\nkeep_days | 90\n- | 12\n\nUse a | b or not.")).toEqual([
      "Fields",
      "Field: keep_days, Default: 90",
      "Field: -, Default: 12",
      "Use a | b or not.",
    ]);
    expect(texts("Either a | b.\n---\nOr c.")).toEqual(["Either a | b. --- Or c."]);
  });

  it("are whole blocks of code", () => {
    expect(texts("Run this:\n```sh\na\nb\n```\nDone.")).toEqual(["Run this:", "a\nb", "Done."]);
  });

  it("carry the heading above them; a marked heading is no unit, a line that only looks like one is", () => {
    const units = unitsOf("## Leave ##\n\nTake it.\n\nOffice hours nine to five\n\nCome in.");
    expect(units.map(({ text, heading, isTitle }) => [text, heading, isTitle])).toEqual([
      ["Take it.", "Leave", false],
      ["Office hours nine to five", "Leave", true],
      ["Come in.", "Office hours nine to five", false],
    ]);
  });

  it("are cut where a sentence never ends", () => {
    const [unit] = texts("word ".repeat(1_000));
    expect(unit?.length).toBeLessThan(610);
    expect(unit).toMatch(/word …$/);
  });

  it.each([
    [
      "de",
      "Am 3. Mai, d. h. bald, kommt Dr. Ames auf den 2. Platz.\nWer noch? Niemand.",
      ["Am 3. Mai, d. h. bald, kommt Dr. Ames auf den 2. Platz.", "Wer noch?", "Niemand."],
    ],
    [
      "fr",
      "M. Le Pen vient p. ex. lundi. « Pourquoi ? » demande Mme Dupont.",
      ["M. Le Pen vient p. ex. lundi.", "« Pourquoi ? » demande Mme Dupont."],
    ],
    [
      "ru",
      "А. С. Пушкин, т. е. поэт, родился в 1799 г. в Москве. Кто ещё? Никто.",
      ["А. С. Пушкин, т. е. поэт, родился в 1799 г. в Москве.", "Кто ещё?", "Никто."],
    ],
    [
      "ar",
      "كم يوم إجازة لدي؟ لديك ثلاثون يوما. اطلبها مبكرا!",
      ["كم يوم إجازة لدي؟", "لديك ثلاثون يوما.", "اطلبها مبكرا!"],
    ],
    [
      "ja",
      "彼は「もう行く。」と言った。有給\n休暇は何日ですか？二十日です。",
      ["彼は「もう行く。」と言った。", "有給休暇は何日ですか？", "二十日です。"],
    ],
    ["zh", "我有多少天\n年假？二十天。请提前申请！", ["我有多少天年假？", "二十天。", "请提前申请！"]],
  ])("are sentences of %s", (language, text, sentences) => {
    expect(unitsOf(text, language).map((unit) => unit.text)).toEqual(sentences);
    expect(texts(text)).toEqual(sentences);
  });

  it("are the entries of lists with the marks of Chinese and Japanese", () => {
    const text = "手順：\n・開く\n●選ぶ\n①押す\n一、打开\n（1）选择\n２）送信\n３．確認";
    expect(unitsOf(text).map((unit) => [unit.text, unit.kind])).toEqual([
      ["手順：", "sentence"],
      ...["開く", "選ぶ", "押す", "打开", "选择", "送信", "確認"].map((entry) => [entry, "entry"]),
    ]);
    expect(texts("手順：①開く。②押す。")).toEqual(["手順：", "開く。", "押す。"]);
    expect(texts("二つある。（1）では足りない。ジョン・ケネディ。")).toEqual([
      "二つある。",
      "（1）では足りない。",
      "ジョン・ケネディ。",
    ]);
    for (const one of ["３．５倍になる。", "二、三日かかる。", "○○さんに聞く。"]) expect(texts(one)).toEqual([one]);
  });

  it("carry a title in any script above them, but no sentence", () => {
    const headings = (text: string) => unitsOf(text).map(({ heading }) => heading);
    expect(headings("■休暇\n\n二十日です。")).toEqual(["", "■休暇"]);
    expect(headings("休暇\n\n二十日です。\n\n一日です。")).toEqual(["", "休暇", "休暇"]);
    expect(headings("二十日です。\n\n一日です。")).toEqual(["", ""]);
    expect(headings("كم يوما؟\n\nثلاثون.")).toEqual(["", ""]);
  });

  it("leave out what holds neither letters nor digits", () => {
    expect(texts("***\n\n---\n\n- \n")).toEqual([]);
  });
});

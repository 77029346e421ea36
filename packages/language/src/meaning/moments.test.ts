import { describe, expect, it } from "vitest";
import { agrees, type Moment, sameMoment } from "./moment.ts";
import { momentsOf } from "./moments.ts";

const said = (text: string, language: string) =>
  momentsOf(text, language).map(({ start, end, ...moment }) => (end > start ? moment : undefined));
const MARCH_3 = { year: 2021, month: 3, day: 3 };

describe("momentsOf", () => {
  it.each<[string, string, Partial<Moment>[]]>([
    ["en", "on 3 March 2021", [MARCH_3]],
    ["en", "March 3rd, 2021", [MARCH_3]],
    ["en", "2021-03-03", [MARCH_3]],
    ["en", "in 1999", [{ year: 1999 }]],
    ["en", "3/4/2021", [{ year: 2021 }]],
    ["en", "3 PM", [{ hour: 15 }]],
    ["en", "the 19th century", [{ year: 1801, years: 100 }]],
    ["en", "the 1990s", [{ year: 1990, years: 10 }]],
    ["en", "44 BC", [{ year: -44 }]],
    ["en", "on Monday", [{ weekday: 1 }]],
    ["en", "you may go", []],
    ["en", "2015 people", []],
    ["en", "ISO 9001 and $1999", []],
    ["de", "am 3. März 2021", [MARCH_3]],
    ["de", "03.03.2021 um 15 Uhr", [MARCH_3, { hour: 15 }]],
    ["de", "im 19. Jahrhundert", [{ year: 1801, years: 100 }]],
    ["fr", "le 3 mars 2021 à 15 heures", [MARCH_3, { hour: 15 }]],
    ["fr", "au XIXe siècle", [{ year: 1801, years: 100 }]],
    ["fr", "à 15h30", [{ hour: 15, minute: 30 }]],
    ["es", "3 de marzo de 2021", [MARCH_3]],
    ["es", "el siglo XIX", [{ year: 1801, years: 100 }]],
    ["ru", "3 марта 2021 года", [MARCH_3]],
    ["ru", "в январе 1990 года", [{ year: 1990, month: 1 }]],
    ["ru", "XIX век", [{ year: 1801, years: 100 }]],
    ["ru", "10 лет", []],
    ["ja", "2021年3月3日", [MARCH_3]],
    ["ja", "令和3年", [{ year: 2021 }]],
    ["ja", "午後3時", [{ hour: 15 }]],
    ["ja", "10年間", []],
    ["ja", "1990年代", [{ year: 1990, years: 10 }]],
    ["zh", "二〇二一年三月三日", [MARCH_3]],
    ["zh", "下午3点", [{ hour: 15 }]],
    ["zh", "十九世纪", [{ year: 1801, years: 100 }]],
    ["zh", "公元前221年", [{ year: -221 }]],
    ["ar", "في 3 مارس 2021", [MARCH_3]],
    ["ar", "عام ١٩٩٠", [{ year: 1990 }]],
    ["ar", "القرن التاسع عشر", [{ year: 1801, years: 100 }]],
    ["tr", "3 Mart 2021", [MARCH_3]],
    ["hi", "३ मार्च २०२१", [MARCH_3]],
    ["ko", "2021년 3월 3일", [MARCH_3]],
    ["vi", "ngày 3 tháng 3 năm 2021", [MARCH_3]],
    ["pl", "3 marca 2021 roku", [MARCH_3]],
    ["it", "il 3 marzo 2021", [MARCH_3]],
    ["pt", "3 de março de 2021", [MARCH_3]],
    ["nl", "3 maart 2021", [MARCH_3]],
    ["sv", "den 3 mars 2021", [MARCH_3]],
    ["fi", "3. maaliskuuta 2021", [MARCH_3]],
    ["cs", "3. března 2021", [MARCH_3]],
    ["el", "3 Μαρτίου 2021", [MARCH_3]],
    ["uk", "3 березня 2021 року", [MARCH_3]],
    ["he", "3 במרץ 2021", [MARCH_3]],
    ["id", "3 Maret 2021", [MARCH_3]],
  ])("%s %s", (language, text, expected) => {
    expect(said(text, language)).toEqual(expected);
  });

  it.each([
    "1".repeat(1_000_000),
    "1/".repeat(500_000),
    "年".repeat(500_000),
    "1年".repeat(300_000),
    "March ".repeat(150_000),
    "a".repeat(1_000_000),
  ])(
    "reads anything, within bounds",
    (text) => {
      expect(momentsOf(text, "ja")).toBeInstanceOf(Array);
      expect(momentsOf(text, "en")).toBeInstanceOf(Array);
    },
    30_000,
  );
});

describe("agrees and sameMoment", () => {
  it.each([
    ["3 March 2021", "2021", true, false],
    ["3 March 2021", "March 3rd, 2021", true, true],
    ["3 March 2021", "4 March 2021", false, false],
    ["1995", "the 1990s", true, false],
    ["1995", "the 19th century", false, false],
    ["3 PM", "15:00", true, true],
    ["3 PM", "15:30", false, false],
    ["Monday", "2021", false, false],
  ])("%s, %s: %s, %s", (one, other, isAgreed, isSame) => {
    const [first] = momentsOf(one, "en");
    const [second] = momentsOf(other, "en");
    if (first === undefined || second === undefined) throw new Error("no moment");
    expect([agrees(first, second), sameMoment(first, second)]).toEqual([isAgreed, isSame]);
  });
});

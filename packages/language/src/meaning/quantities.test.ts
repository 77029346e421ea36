import { describe, expect, it } from "vitest";
import { quantitiesOf, sameQuantity } from "./quantities.ts";

const said = (text: string, language: string) =>
  quantitiesOf(text, language).map(
    ({ value, unit, approximate }) => `${approximate ? "~" : ""}${value}${unit === undefined ? "" : ` ${unit}`}`,
  );

describe("quantitiesOf", () => {
  it.each([
    ["en", "1,000 users and 12.5 percent", ["1000 people", "12.5 percent"]],
    ["en", "about 40 rooms for $3.5 million", ["~40 rooms", "3500000 USD"]],
    ["en", "one hundred and five days", ["105 day"]],
    ["en", "two and a half hours, half an hour, twice", ["2.5 hour", "0.5 hour", "2 times"]],
    ["en", "a quarter of an hour, a fortnight", ["0.25 hour", "14 day"]],
    ["en", "5 requests per minute", ["5 requests"]],
    ["en", "a dozen eggs", ["12 eggs"]],
    ["en", "a week", ["1 week"]],
    ["en", "10-15 people", ["10 people", "15 people"]],
    ["en", "20 paid working days", ["20 workday"]],
    ["en", "6½ sacks", ["6.5 sacks"]],
    ["en", "500 GB", ["500 gigabyte"]],
    ["de", "1.000 Tage und 12,5 %", ["1000 day", "12.5 percent"]],
    ["de", "1,5 Mio. Euro", ["1500000 EUR"]],
    ["de", "einundzwanzig Tage", ["21 day"]],
    ["de", "zweihundertfünfzig Personen", ["250 people"]],
    ["de", "eine halbe Stunde, eine Viertelstunde, eineinhalb Tage", ["0.5 hour", "15 minute", "1.5 day"]],
    ["de", "ein Haus", []],
    ["fr", "1 000 personnes", ["1000 people"]],
    ["fr", "quatre-vingt-dix-sept jours", ["97 day"]],
    ["fr", "soixante et onze euros", ["71 EUR"]],
    ["fr", "un quart d'heure, une demi-heure", ["0.25 hour", "0.5 hour"]],
    ["es", "dos mil quinientos euros", ["2500 EUR"]],
    ["es", "treinta y un días", ["31 day"]],
    ["es", "un diez por ciento", ["10 percent"]],
    ["de", "nach einem halben Tag oder einer halben Stunde", ["0.5 day", "0.5 hour"]],
    ["fr", "une demi-heure", ["0.5 hour"]],
    ["en", "one half of it, one and a half days", ["0.5", "1.5 day"]],
    ["ru", "двадцать один день", ["21 day"]],
    ["ru", "3,5 тыс. человек", ["3500 people"]],
    ["ru", "1 500 рублей", ["1500 RUB"]],
    ["ja", "2万5千人", ["25000 people"]],
    ["ja", "三十日間", ["30 day"]],
    ["ja", "約15メートル", ["~15 metre"]],
    ["ja", "５００円", ["500 JPY"]],
    ["zh", "百分之三十", ["30 percent"]],
    ["zh", "二十五个工作日", ["25 workday"]],
    ["zh", "3.5亿美元", ["350000000 USD"]],
    ["ar", "خمسة وعشرون يوما", ["25 day"]],
    ["ar", "٣٠٪", ["30 percent"]],
    ["ar", "ثلاثة آلاف دولار", ["3000 USD"]],
    ["hi", "३० दिन", ["30 day"]],
    ["hi", "12,34,567 रुपये", ["1234567 INR"]],
    ["it", "2,5 milioni di euro", ["2500000"]],
    ["pl", "1 500 zł", ["1500 PLN"]],
    ["ko", "3만 원", ["30000 KRW"]],
    ["tr", "yüzde 30", ["30 percent"]],
  ])("%s %s", (language, text, expected) => {
    expect(said(text, language)).toEqual(expected);
  });

  it.each([
    "see page 12",
    "version 2.3.1",
    "v2.3",
    "ISO 9001",
    "RFC 2616",
    "No. 5",
    "open 24/7",
    "+49 30 1234567",
    "555-123-4567",
    "on 2021-03-03",
    "in 1999",
    "at 15:00",
    "ENG-1234",
    "192.168.0.1",
    "room 12",
    "May 5",
  ])("counts nothing in %s", (text) => {
    expect(said(text, "en")).toEqual([]);
  });

  it.each([
    "1".repeat(1_000_000),
    ",".repeat(1_000_000),
    "1,".repeat(500_000),
    "a".repeat(1_000_000),
    "1 ".repeat(500_000),
    "二".repeat(500_000),
    "one ".repeat(250_000),
  ])(
    "reads anything, within bounds",
    (text) => {
      expect(quantitiesOf(text, "en")).toBeInstanceOf(Array);
      expect(quantitiesOf(text, "zh")).toBeInstanceOf(Array);
    },
    30_000,
  );
});

describe("sameQuantity", () => {
  it.each([
    ["two weeks", "14 days", true],
    ["90 min", "1.5 h", true],
    ["1,000", "one thousand", true],
    ["about 40 rooms", "41 rooms", true],
    ["40 rooms", "41 rooms", false],
    ["5 euros", "5 dollars", false],
    ["18 months", "1.5 years", true],
    ["30 days", "one month", false],
    ["20", "20 points", true],
  ])("%s, %s: %s", (one, other, expected) => {
    const [first] = quantitiesOf(one, "en");
    const [second] = quantitiesOf(other, "en");
    expect(first !== undefined && second !== undefined && sameQuantity(first, second)).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";
import { type Document, told } from "./conflict.harness.ts";

/** A question, what two documents say to it that differs without a contradiction, and what would contradict the first. */
type Case = readonly [question: string, one: Document, other: Document, contradiction: Document];

describe("what is worded alike and speaks of something else", () => {
  it.each<Case>([
    [
      "Are dogs allowed in the office?",
      ["Rules", "Dogs are allowed in the office."],
      ["More rules", "Dogs are not allowed in the laboratory."],
      ["More rules", "Dogs are not allowed in the office."],
    ],
    [
      "How long is the delivery time for standard orders?",
      ["Delivery", "The delivery time for standard orders is five days."],
      ["In a hurry", "The delivery time for express orders is one day."],
      ["In a hurry", "The delivery time for standard orders is two days."],
    ],
    [
      "¿Cuánto cuesta la entrada para niños?",
      ["Precios", "La entrada para niños cuesta 4 euros."],
      ["Visitas", "La entrada para adultos cuesta 9 euros."],
      ["Visitas", "La entrada para niños cuesta 5 euros."],
    ],
    [
      "大人の入場料はいくらですか",
      ["案内", "大人の入場料は800円です。"],
      ["お知らせ", "子どもの入場料は300円です。"],
      ["お知らせ", "大人の入場料は600円です。"],
    ],
  ])("%s", (question, one, other, contradiction) => {
    expect(told(question, one, other)).toBeUndefined();
    expect(told(question, one, contradiction)).toHaveLength(2);
  });
});

describe("the whole and a part of it", () => {
  it.each<Case>([
    [
      "How many questions does the safety test have?",
      ["Safety test", "The safety test has 40 questions."],
      ["Safety test, section A", "Section A of the safety test has 12 questions."],
      ["Courses", "The safety test has 30 questions."],
    ],
    [
      "¿Cuántas camas tiene el hospital San Telmo?",
      ["Hospital San Telmo", "El hospital San Telmo tiene 320 camas."],
      ["Planta infantil", "La planta infantil del hospital San Telmo tiene 28 camas."],
      ["Noticias", "El hospital San Telmo tiene 290 camas."],
    ],
    [
      "How many apartments are there in the Sonnenhof estate?",
      ["Sonnenhof", "There are 412 apartments in the Sonnenhof estate."],
      ["Repairs", "Of the apartments in the Sonnenhof estate 96 have new windows."],
      ["Repairs", "In the Sonnenhof estate there are 396 apartments."],
    ],
    [
      "What is the budget of the Heron project?",
      ["Heron project", "The budget of the Heron project is 240,000 euros."],
      ["Minutes", "The budget of the Heron project was approved; 85,000 euros of it are for tests."],
      ["Minutes", "The budget of the Heron project is 260,000 euros."],
    ],
  ])("%s", (question, one, other, contradiction) => {
    expect(told(question, one, other)).toBeUndefined();
    expect(told(question, one, contradiction)).toHaveLength(2);
  });
});

describe("the same in another manner", () => {
  it.each<Case>([
    [
      "How long does onboarding of a new supplier take?",
      ["Portal", "Onboarding of a new supplier takes six weeks."],
      ["Figures", "On average the onboarding of a new supplier took four weeks."],
      ["Figures", "The onboarding of a new supplier takes four weeks."],
    ],
    [
      "How long does the delivery of the kitchen take?",
      ["Studio", "The delivery of the kitchen takes at most ten weeks."],
      ["Voices", "The delivery of the kitchen took seven weeks."],
      ["Voices", "The delivery of the kitchen took twelve weeks."],
    ],
    [
      "How many pupils does the school of Althof have?",
      ["School", "The school of Althof has 430 pupils."],
      ["Chronicle", "In 1950 the school of Althof had 90 pupils."],
      ["Chronicle", "The school of Althof has 390 pupils."],
    ],
    [
      "Can I expense a taxi?",
      ["Travel", "You cannot expense a taxi."],
      ["Shifts", "After 22:00 you can expense a taxi."],
      ["Shifts", "You can expense a taxi."],
    ],
    [
      "How far is the depot from the airport?",
      ["Depot", "The depot is 5 miles from the airport."],
      ["Drivers", "From the airport the depot is 8 km away."],
      ["Drivers", "From the airport the depot is 11 km away."],
    ],
  ])("%s", (question, one, other, contradiction) => {
    expect(told(question, one, other)).toBeUndefined();
    expect(told(question, one, contradiction)).toHaveLength(2);
  });
});

it("whoever writes in the year that is asked about need not say it", () => {
  const plan: Document = ["Autumn meeting 2024", "The autumn meeting 2024 is held in Lisbon.", "2024-03-01T00:00:00Z"];
  const news = (year: number): Document => ["News", "The autumn meeting is held in Porto.", `${year}-05-01T00:00:00Z`];
  const asked = "Where is the autumn meeting 2024 held?";
  expect(told(asked, plan, news(2024))).toEqual(["Porto", "Lisbon"]);
  expect(told(asked, plan, news(2019))).toBeUndefined();
});

it("kilograms and grams are converted exactly", () => {
  const parcels = (weight: string): Document => ["Post", `A parcel weighs ${weight} at most.`];
  const asked = "How many grams may a parcel weigh at most?";
  expect(told(asked, parcels("20 kg"), ["Abroad", "A parcel weighs 20,000 grams at most."])).toBeUndefined();
  expect(told(asked, parcels("20 kg"), ["Abroad", "A parcel weighs 21,500 grams at most."])).toHaveLength(2);
});

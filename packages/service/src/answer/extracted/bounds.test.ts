import { describe, expect, it } from "vitest";
import { amountsOf, ruleFor } from "./bounds.ts";

const TABLE = ["up to 5,000 euros: line manager", "up to 50,000 euros: head of department", "above: two founders"];

describe("the rule an amount falls under", () => {
  it.each([
    ["en", "Who signs 3,000 euros?", TABLE, 0],
    ["en", "Who signs 5,000 euros?", TABLE, 0],
    ["en", "Who signs 20,000 euros?", TABLE, 1],
    ["en", "Who signs 60,000 euros?", TABLE, 2],
    [
      "en",
      "Who signs 60,000 euros?",
      ["Up to 5,000 euros you sign.", "More than 10,000 euros: the board.", "More than 50,000 euros: both founders."],
      2,
    ],
    [
      "en",
      "Is a parcel of 12 kg taken?",
      ["Parcels below 10 kg are taken.", "Above 10 kg a freight company is asked."],
      1,
    ],
    ["en", "Is a parcel of 12 kg taken?", ["Parcels below 100 euros are insured.", "Parcels weigh 12 kg."], undefined],
    ["de", "Wer unterschreibt 7.500 Euro?", ["bis zu 5.000 Euro: Teamleitung", "über 5.000 Euro: Geschäftsführung"], 1],
    ["fr", "Qui signe 800 euros ?", ["jusqu’à 500 euros : le chef", "à partir de 500 euros : la direction"], 1],
    ["es", "¿Quién firma 800 euros?", ["hasta 500 euros: el jefe", "más de 500 euros: la dirección"], 1],
    ["ja", "8000円は誰が承認しますか。", ["5000円まで：上司", "5000円以上：部長"], 1],
    ["en", "Who signs?", TABLE, undefined],
  ])("%s: %s", (language, question, rules, expected) => {
    const [amount] = amountsOf(question, language);
    expect(amount && ruleFor(amount, rules, language)).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";
import { fileText } from "../../retrieve.ts";
import { understand } from "../asked.ts";
import { candidatesOf } from "../candidates.ts";
import { wordFeatures } from "./word-signs.ts";

/** What is said and missing of the kinds of words of a question by the only sentence of a passage. */
function signsOf(question: string, title: string, sentence: string) {
  const asked = understand(question, { passages: 100, holding: () => 3 });
  const { source } = fileText({ id: title, type: "document", name: title }, "");
  const [candidate] = candidatesOf(asked, [{ source, heading: "", text: sentence, score: 1 }]);
  if (candidate === undefined) throw new Error("no candidate");
  return wordFeatures(asked, candidate);
}

describe("what is said of a question, by kinds of words", () => {
  it("tells a name that is missing from one that is there", () => {
    const sentence = "The treaty was signed by Norway in the old town hall.";
    expect(signsOf("Where did Norway sign the treaty?", "Treaties", sentence)["missing.name"]).toBe(0);
    expect(signsOf("Where did Sweden sign the treaty?", "Treaties", sentence)["missing.name"]).toBeGreaterThan(0);
  });

  it("tells what the sentence says itself from what only its title says", () => {
    const signs = signsOf("When does the bakery open?", "The bakery", "We open at seven.");
    expect(signs["above.any"]).toBeGreaterThan(signs["own.any"]);
    expect(signs["missing.any"]).toBe(0);
  });

  it("takes hyphens for nothing", () => {
    const signs = signsOf("Which wifi do guests use?", "Wi-Fi", "Guests use the wi-fi called Juniper.");
    expect(signs["own.about"]).toBeGreaterThan(0);
    expect(signs["missing.any"]).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { understand } from "./extracted/asked.ts";
import { decide } from "./extracted/decide.ts";
import { shortcomingOf } from "./extracted/shortcoming.ts";
import { tell } from "./extracted/telling.ts";
import { fittingCollection } from "./fitting.ts";
import { alsoIn } from "./retrieve.ts";
import type { Evidence } from "./source.ts";
import { wordingOf } from "./wording/wording-for.ts";

const DOCUMENTS = [
  {
    id: "expenses",
    title: "Expenses",
    text: "Alcohol is paid only as part of a team meal. Taxis are paid after 22:00.",
  },
  { id: "offers", title: "Buying things", text: "Three offers are needed from 5,000 euros on." },
];

describe("a misspelt question", () => {
  it.each([
    ["When is akcohol paid?", "Alcohol is paid only as part of a team meal", ["akcohol", "alcohol"]],
    [
      "From how many euros on are three ofers needed?",
      "Three offers are needed from 5,000 euros on",
      ["ofers", "offers"],
    ],
  ])("is answered as it was meant, and says how it was read: %s", async (text, answer, [written, read]) => {
    const { question, evidence } = await (await fittingCollection(DOCUMENTS)).see(text);
    const told = tell(question, decide(question, evidence), wordingOf("en"), "");
    expect(told.finding.corrected).toEqual([{ written, read }]);
    expect(JSON.stringify(told.paragraphs)).toContain(answer);
  });

  it("is not told of where nothing that is shown says what it was read as", async () => {
    const { question } = await (await fittingCollection(DOCUMENTS)).see("What is the price of tasis today?");
    expect(question.words).toContainEqual(expect.objectContaining({ word: "tasis", corrected: "taxis" }));
    const told = tell(question, { state: "nothing" }, wordingOf("en"), "Nothing.");
    expect([told.finding.corrected, told.paragraphs]).toEqual([[], ["Nothing."]]);
    expect(shortcomingOf(question, [])).toEqual({ is: "unmentioned", words: ["price", "tasis", "today"] });
  });

  it("is read as it stands where the text that came along says it so", () => {
    const statistics = { passages: 10, holding: () => 1, correctionOf: () => "alcohol" };
    const along = { source: { title: "Note" }, heading: "", text: "An akcohol is a kind of lamp.", score: 1 };
    const known = alsoIn(statistics, [along as Evidence]);
    expect(understand("What is an akcohol?", known).words.map(({ corrected }) => corrected)).toEqual([undefined]);
  });
});

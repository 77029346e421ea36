import { describe, expect, it } from "vitest";
import { fileText } from "../retrieve.ts";
import { understand } from "./asked.ts";
import { candidatesOf } from "./candidates.ts";
import { choose } from "./choosing.ts";
import { ranked } from "./weighing/ranking.ts";

/** What is quoted, by the titles of passages given best first. */
function quoted(question: string, passages: Readonly<Record<string, string>>): string[] {
  const asked = understand(question, { passages: 100, holding: () => 3 });
  const evidence = Object.entries(passages).map(([title, text], index) => ({
    source: fileText({ id: title, type: "document", name: title }, "").source,
    heading: "",
    text,
    score: 1 - 0.1 * index,
  }));
  return choose(asked, ranked(candidatesOf(asked, evidence))).map(({ text }) => text);
}

describe("what is quoted", () => {
  it("goes on with the sentence that refers to the one which says what is asked, before another source's", () => {
    const texts = quoted("What is the process called by which harbours evade silting?", {
      Dredging:
        "The harbours of the coast evade silting by a process that moves sand at night. This is called sluicing. Boats wait outside.",
      Silt: "Silting is measured by a process of the office, which harbours pay for.",
    });
    expect(texts.slice(0, 2)).toEqual([
      "The harbours of the coast evade silting by a process that moves sand at night.",
      "This is called sluicing.",
    ]);
  });

  it("is the sentence with the date, though another one says the unit that the question is asked in", () => {
    const texts = quoted("In which year did Ilmar Tamm die?", {
      Tamm: "In the years after these rumours neither Ilmar Tamm nor his rival won the prize. Ilmar Tamm died on 7 January 1943.",
    });
    expect(texts[0]).toBe("Ilmar Tamm died on 7 January 1943.");
  });
});

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

  it("are the rows of a table, each value behind its column's name", () => {
    expect(texts("| Plan | Price |\n| --- | ---: |\n| Team | 79 \\| 99 |\n| Solo | |")).toEqual([
      "Plan: Team, Price: 79 | 99",
      "Plan: Solo",
    ]);
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

  it("leave out what holds neither letters nor digits", () => {
    expect(texts("***\n\n---\n\n- \n")).toEqual([]);
  });
});

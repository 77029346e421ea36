import { describe, expect, it } from "vitest";
import { WordRuns } from "./votes.ts";

const words = (text: string) => text.split(" ");
const said = new WordRuns([words("beans want water at the root"), words("early in the day")]);

describe("the share of a block that a text has", () => {
  it("is all of what stands there, however it was cut", () => {
    expect(said.shareOf(words("beans want water at the root"))).toBe(1);
    expect(said.shareOf(words("want water at"))).toBe(1);
  });

  it("counts runs of three words", () => {
    expect(said.shareOf(words("want water at noon"))).toBe(0.5);
    expect(said.shareOf(words("water want at the"))).toBe(0);
    // Each of the words is there, next to each other they are not.
    expect(said.shareOf(words("root early in"))).toBe(0);
  });

  it("is half a vote for one or two words, unless they are a line of their own", () => {
    expect(said.shareOf(words("water"))).toBe(0.5);
    expect(said.shareOf(words("the day"))).toBe(0.5);
    expect(said.shareOf(words("day the"))).toBe(0);
    expect(said.shareOf(words("leeks"))).toBe(0);
    expect(new WordRuns([words("the root")]).shareOf(words("the root"))).toBe(1);
  });

  it("is nothing of no words", () => {
    expect(said.shareOf([])).toBe(0);
  });

  it("tells the runs of a long text apart from others", () => {
    const long = Array.from({ length: 100_000 }, (_, at) => `w${at}`);
    const known = new WordRuns([long]);
    expect(known.shareOf(long.slice(500, 2_500))).toBe(1);
    expect(known.shareOf(long.toReversed())).toBeLessThan(0.001);
  });
});

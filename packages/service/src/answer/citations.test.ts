import { describe, expect, it } from "vitest";
import { MarkRewriter, withoutMarks } from "./citations.ts";
import { blurbOf } from "./source.ts";

const KNOWN = new Set([1, 2, 3]);

function rewrite(pieces: readonly string[]): string {
  const rewriter = new MarkRewriter((number) => KNOWN.has(number));
  const out = [...pieces.flatMap((piece) => rewriter.push(piece)), ...rewriter.end()];
  return out.map((one) => ("text" in one ? one.text : `<${one.cited}>`)).join("");
}

describe("marks of a model", () => {
  it.each([
    ["Plain text stays.", "Plain text stays."],
    ["Leave is 27 days [1].", "Leave is 27 days <1>."],
    ["A[1]", "A <1>"],
    ["Two [1, 2] and [1][2]", "Two <1> <2> and <1> <2>"],
    ["Double [[3]] ends", "Double <3> ends"],
    ["Wide 【2】 and ［1］", "Wide <2> and <1>"],
    ["Unknown [9] vanishes [9].", "Unknown vanishes."],
    ["Half known [1, 9]", "Half known <1>"],
    ["A link [[1]](https://evil.test/x_(y)) is dropped", "A link <1> is dropped"],
    ["A link [2](https://evil.test) is dropped", "A link <2> is dropped"],
    ["An aside [1] (see page 2)", "An aside <1> (see page 2)"],
    ["Nested [see [2]]", "Nested [see <2>]"],
    ["Not marks: [x] [ ] [2026] a[i] [1 apple]", "Not marks: [x] [ ] [2026] a[i] [1 apple]"],
    ["Code\n```\nrows[1]\n```\nafter [1]", "Code\n```\nrows[1]\n```\nafter <1>"],
    ["Unfinished [1", "Unfinished [1"],
    ["Unfinished link [1](http://x", "Unfinished link <1>(http://x"],
    ["(see [1])", "(see <1>)"],
    ["Trailing ", "Trailing "],
  ])("rewrites %j", (text, expected) => {
    expect(rewrite([text])).toBe(expected);
  });

  it("gives the same result however the text is cut", () => {
    const text = "A[1] b 【2】, c [[3]](http://x/(y)) [9] d\n```js\nrows[1]\n```\nend [1, 2] (ok) [x] ``t`` [";
    const whole = rewrite([text]);
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        expect(rewrite([text.slice(0, first), text.slice(first, second), text.slice(second)])).toBe(whole);
      }
    }
    expect(rewrite([...text])).toBe(whole);
  });
});

describe("a text without its marks", () => {
  it.each([
    ["Leave is 27 days [[1]](https://x.test/a_(b)). More [[2]]() [[1]](https://x.test/c).", "Leave is 27 days. More."],
    ["Not marks: [[1]] [[1]](not a link) [[x]](y)", "Not marks: [[1]] [[1]](not a link) [[x]](y)"],
    ["Cut [[1]](https://x.test", "Cut [[1]](https://x.test"],
  ])("%j -> %j", (text, expected) => {
    expect(withoutMarks(text)).toBe(expected);
  });
});

describe("what is shown of a passage", () => {
  const before = Array.from({ length: 12 }, (_, at) => `Paragraph ${at} speaks of the garden and its paths.`);
  const answer = "The canteen opens at noon.";

  it("keeps its lines, which stand apart in the document too", () => {
    expect(blurbOf("willow\n\nTwo  drops of\tsoap.\n", "soap?")).toBe("willow\nTwo drops of soap.");
  });

  it("is, of a long one, whole sentences around the one that says most of what was asked", () => {
    const shown = blurbOf([...before, answer, ...before].join("\n\n"), "When does the canteen open?");
    expect(shown).toContain(answer);
    expect(shown.length).toBeLessThanOrEqual(305);
    const lines = shown.split("\n");
    expect([lines[0], lines.at(-1)]).toEqual(["…", "…"]);
    for (const line of lines.slice(1, -1)) expect([...before, answer]).toContain(line);
  });

  it("is its beginning where nothing in it was asked, and no more than that of one without an end", () => {
    expect(blurbOf(before.join(" "), "Wind?")).toMatch(/^Paragraph 0 .*paths\.\n…$/s);
    const endless = blurbOf("word ".repeat(500), "word?");
    expect(endless).toMatch(/^(?:word )+word\n…$/);
    expect(endless.length).toBeLessThanOrEqual(302);
    expect(blurbOf("庭".repeat(900), "庭").length).toBeLessThanOrEqual(302);
  });
});

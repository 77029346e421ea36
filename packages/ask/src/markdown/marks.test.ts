import { assert, integer, property, string, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { createMarkdown } from "./markdown.ts";
import { markAt } from "./marks.ts";

function blocks(text: string, size = text.length) {
  const markdown = createMarkdown();
  for (let at = 0; at < text.length; at += size) markdown.push(text.slice(at, at + size));
  return markdown.end();
}

describe("a citation mark", () => {
  const LINK = "https://wiki.example/x/Overtime_(2026)";
  const forms: [string, number[], string | undefined][] = [
    ["[1]", [1], undefined],
    ["[12]", [12], undefined],
    ["[1, 2]", [1, 2], undefined],
    ["[1,2 , 3]", [1, 2, 3], undefined],
    ["[[1]]", [1], undefined],
    ["[[1]]()", [1], undefined],
    ["[[4]](https://wiki.example/a)", [4], "https://wiki.example/a"],
    [`[[3]](${LINK})`, [3], LINK],
    ["[[3]](https://wiki.example/a_(b_(c)_d)_e)", [3], "https://wiki.example/a_(b_(c)_d)_e"],
    ["[[3]](https://wiki.example/with a space)", [3], "https://wiki.example/with a space"],
    ["【1】", [1], undefined],
    ["［1, 2］", [1, 2], undefined],
  ];
  for (const [text, numbers, link] of forms) {
    it(`${text} is one, whatever stands around it and however it arrives`, () => {
      const marks = numbers.map((number) => (link === undefined ? { number } : { number, link }));
      expect(markAt(text, 0, true)).toMatchObject({ end: text.length, node: { marks } });
      const whole = blocks(`Before ${text}. After ${text}`);
      expect(JSON.stringify(whole).split('"citation"')).toHaveLength(3);
      for (let size = 1; size < 9; size += 1) expect(blocks(`Before ${text}. After ${text}`, size)).toEqual(whole);
    });
  }

  for (const text of [
    "[]",
    "[ ]",
    "[x]",
    "[1](https://wiki.example)",
    "[1a]",
    "[-1]",
    "[1",
    "[[1",
    "[1,]",
    "[1234567]",
    "[^1]",
  ]) {
    it(`${text} is none`, () => {
      expect(markAt(text, 0, true)).toBeUndefined();
    });
  }

  it("takes half an address that a text was cut in with it, and leaves words behind it alone", () => {
    for (const half of ["(", "(ht", "(https://wiki.example/(a", "(https://wiki.example/休暇/Überst"]) {
      const text = `[[1]]${half}`;
      expect(markAt(text, 0, true)).toMatchObject({ end: text.length, node: { marks: [{ number: 1 }] } });
    }
    for (const words of [
      "(see there",
      "(https://wiki.example/a and more",
      "(https://wiki.example/a\nMore",
      "(休暇は",
    ]) {
      expect(markAt(`[[1]]${words}`, 0, true)).toMatchObject({ end: 5, node: { marks: [{ number: 1 }] } });
    }
  });

  it("has no address that another mark begins in", () => {
    expect(markAt("[[1]](https://wiki.example [[2]](https://wiki.example/b))", 0, true)).toMatchObject({
      end: 5,
      node: { marks: [{ number: 1 }] },
    });
  });

  it("leaves alone what is longer than any address, whether or not more is to come", () => {
    for (const complete of [true, false]) {
      expect(markAt(`[[1]](${"a".repeat(5_000)}`, 0, complete)).toMatchObject({
        end: 5,
        node: { marks: [{ number: 1 }] },
      });
    }
  });

  it("leaves nothing of half an address in an answer that was cut there", () => {
    expect(JSON.stringify(blocks("Thirty days [[1]](https://wiki.exa"))).toBe(
      JSON.stringify(blocks("Thirty days [[1]]")),
    );
  });

  it("is text inside code, inline and in blocks", () => {
    const text = "Code `a [[1]](https://wiki.example)` and\n\n```\nrows[1]\n```\n\n    rows[2]\n";
    expect(JSON.stringify(blocks(text))).not.toContain('"citation"');
  });

  it("is never shown half", () => {
    const text = "Yes [[3]](https://wiki.example/x_(y)). And `[2`, [4] or [a](b).";
    for (let end = 1; end < text.length; end += 1) {
      const shown = JSON.stringify(createMarkdown().push(text.slice(0, end)));
      expect(shown).not.toMatch(/\[\[|wiki(?!.example\/x_\(y\)"})/);
    }
  });

  it("never ends outside the text or before it begins", () => {
    const pieces = stringMatching(/^(\[|\]|\(|\)|1|, |a|【|】){0,20}$/);
    assert(
      property(pieces, string(), integer({ min: 0, max: 5 }), (text, rest, at) => {
        const whole = text + rest;
        for (const complete of [true, false]) {
          const mark = markAt(whole, at, complete);
          const end = typeof mark === "object" ? mark.end : at + 1;
          expect(end > at && end <= Math.max(whole.length, at + 1)).toBe(true);
        }
      }),
    );
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPrintedDictionaries } from "./python-literal.ts";

describe("printed Python dictionaries", () => {
  it("are read one after another until something else comes", () => {
    const text = `{'type': 'missing', 'loc': ('body', 'message'), 'input': {}} {'loc': ('body', 16), 'n': -1.5, 'b': True}  File "x.py"`;
    expect(readPrintedDictionaries(text)).toEqual([
      { type: "missing", loc: ["body", "message"], input: {} },
      { loc: ["body", 16], n: -1.5, b: true },
    ]);
  });

  it("keep quotes, escapes and one-element tuples apart", () => {
    const text = String.raw`{'a': ('body',), 'b': "it's", 'c': 'it\'s \\ "q"\n', 'd': None}`;
    expect(readPrintedDictionaries(text)).toEqual([{ a: ["body"], b: "it's", c: `it's \\ "q"\n`, d: null }]);
  });

  it("pass over values that are no literals", () => {
    const text = `{'ctx': {'error': ValueError('x, {y}')}, 'u': UUID('1-2'), 'msg': 'after'}`;
    expect(readPrintedDictionaries(text)).toEqual([{ ctx: { error: undefined }, u: undefined, msg: "after" }]);
  });

  it.each([
    "",
    "{",
    "{'a'",
    "{'a': 'b",
    "{'a': }",
    "{,}",
    "{'a': (1, }",
    "nothing",
    "{'a': 1}}{",
    `${"{'a': [".repeat(500)}`,
  ])("give up quietly on %j", (text) => {
    expect(() => readPrintedDictionaries(text)).not.toThrow();
  });

  it("never throw and always end", () => {
    const pieces = fc.constantFrom("{", "}", "(", ")", "[", "]", ",", ":", "'", '"', "\\", " ", "a", "1", "None");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(Array.isArray(readPrintedDictionaries(`{${parts.join("")}`))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("take time in proportion to the text", () => {
    const began = performance.now();
    readPrintedDictionaries(`{'input': '${"\\'x".repeat(500_000)}`);
    readPrintedDictionaries(`{'input': ${"[".repeat(500_000)}`);
    expect(performance.now() - began).toBeLessThan(1500);
  });
});

import * as fc from "fast-check";
import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { parseWireJson } from "./wire-json.ts";

describe("JSON as servers write it", () => {
  it("reads numbers no JSON has as null", () => {
    expect(parseWireJson('{"a": NaN, "b": [Infinity, -Infinity, 1], "c": -1}')).toEqual({
      a: null,
      b: [null, null, 1],
      c: -1,
    });
  });

  it("leaves the same words inside strings alone", () => {
    const text = String.raw`{"NaN": "NaN \"-Infinity\" \\", "b": NaN, "c": "\\\"Infinity"}`;
    expect(parseWireJson(text)).toEqual({
      NaN: String.raw`NaN "-Infinity" ${"\\"}`,
      b: null,
      c: String.raw`\"Infinity`,
    });
  });

  it("reads every JSON value as JSON.parse does, with a bare NaN beside it too", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseWireJson(text)).toEqual(JSON.parse(text));
        expect(parseWireJson(`[NaN, ${text}]`)).toEqual([null, JSON.parse(text)]);
      }),
    );
  });

  it.each(["{", "NaNa", "Infinityx", '{"a": NaN', '"Infinity', "-", "nan", "--Infinity"])("refuses %s", (text) => {
    expect(() => parseWireJson(text)).toThrow(SyntaxError);
  });

  it("takes time in proportion to the text, also for a hostile one", () => {
    const hostile = `[NaN, "${String.raw`\"`.repeat(2_000_000)}`;
    expect(ownTime(() => expect(() => parseWireJson(hostile)).toThrow(SyntaxError))).toBeLessThan(2000);
  });
});

import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { fromPlain, JsonTextError, readJson, writeJson } from "./ordered-json.ts";

describe("reading", () => {
  it("keeps the order of keys, also of those that look like integers", () => {
    const text = '{"default":1,"404":2,"200":3,"b":{"2":0,"1":0}}';
    expect(writeJson(readJson(text))).toBe(text);
  });

  it("agrees with JSON.parse on every kind of value", () => {
    const text = ' {"a" : [1, -0.5e3, true, false, null, "x\\n\\u00e9\\"", [], {}], "ä\u{1f600}": 12e-2 }\r\n\t';
    expect(JSON.parse(writeJson(readJson(text)))).toEqual(JSON.parse(text));
  });

  it("keeps the last of equal keys at the first one's place", () => {
    expect(writeJson(readJson('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
  });

  it("keeps integers beyond what a number can hold", () => {
    expect(writeJson(readJson("[12345678901234567890,-9007199254740993,1e2]"))).toBe(
      "[12345678901234567890,-9007199254740993,100]",
    );
  });

  it("reads NaN and infinities, and writes them as null", () => {
    expect(writeJson(readJson('{"a":NaN,"b":[Infinity,-Infinity],"c":1e999}'))).toBe(
      '{"a":null,"b":[null,null],"c":null}',
    );
  });

  it("makes a key of __proto__ and changes no prototype", () => {
    const value = readJson('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(writeJson(value)).toBe('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const plain: unknown = JSON.parse(writeJson(value));
    expect(Object.keys(Object(plain))).toEqual(["__proto__", "constructor"]);
    expect("polluted" in {}).toBe(false);
    expect(writeJson(fromPlain(JSON.parse('{"__proto__":{"polluted":1}}')))).toBe('{"__proto__":{"polluted":1}}');
  });

  const broken = [
    "",
    " ",
    "{",
    "[",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    "[1,]",
    "[,1]",
    "[1 2]",
    "{a:1}",
    "{'a':1}",
    '{"a" 1}',
    "01",
    "1.",
    ".5",
    "+1",
    "-",
    "1e",
    "tru",
    "nul",
    '"',
    '"a',
    '"\\x"',
    '"\\u12"',
    '"a\nb"',
    "1 1",
    "[1]]",
    "\ufeff1",
    "\u00a01",
    "\\",
  ];
  it.each(broken)("refuses %j, as JSON.parse does", (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(() => readJson(text)).toThrow(JsonTextError);
  });

  it("says where the text is broken", () => {
    expect(() => readJson('{"a":1,}')).toThrow('The JSON is broken at character 8, near "}"');
    expect(() => readJson('{"a":')).toThrow("The JSON ends too early");
  });

  it("refuses what nests deeper than allowed, however deep it is", () => {
    expect(readJson(`${"[".repeat(64)}${"]".repeat(64)}`)).toBeDefined();
    for (const depth of [65, 100_000]) {
      expect(() => readJson("[".repeat(depth))).toThrow("nests deeper than 64 levels");
    }
    let plain: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) plain = { plain };
    expect(() => fromPlain(plain)).toThrow("nests deeper than 64 levels");
  });

  it("reads 10 MB in linear time", () => {
    const text = `[${`{"key":"a text that is \\"quoted\\"","n":[1.5,2]},`.repeat(200_000).slice(0, -1)}]`;
    expect(ownTime(() => expect(readJson(text)).toHaveLength(200_000))).toBeLessThan(5_000);
    expect(() => readJson(`"${"\\".repeat(1_000_000)}`)).toThrow(JsonTextError);
    expect(readJson(`"${"\\n".repeat(5_000_000)}"`)).toHaveLength(5_000_000);
    expect(() => readJson(`"${"\\n".repeat(5_000_000)}`)).toThrow(JsonTextError);
    expect(readJson("1".repeat(1_000_000))).toBe(Infinity);
  });
});

import * as fc from "fast-check";
import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { readPrintedDictionaries } from "./python-literal.ts";

/** A text as Python prints it: `repr`, or `ascii`, in which every other character is an escape. */
function pythonString(text: string, isAscii: boolean): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const named: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", [quote]: `\\${quote}` };
  const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
  const characters = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const isPrinted =
      code >= 0x20 && code !== 0x7f && (code < 0x7f || (!isAscii && /[\p{L}\p{N}\p{S}]/u.test(character)));
    if (named[character] !== undefined) return named[character];
    if (isPrinted) return character;
    return code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  });
  return `${quote}${characters.join("")}${quote}`;
}

const word = fc.stringMatching(/^[a-z_]{1,8}$/);

/** Values as Python prints them, in each other. */
const { printed } = fc.letrec<{ printed: string; list: string[] }>((tie) => ({
  list: fc.array(tie("printed"), { maxLength: 3 }),
  printed: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom("None", "True", "nan", "-inf", "...", "set()", "1e+300", "(1+2j)", "<class 'x.Y'>"),
    fc.integer().map(String),
    fc.string({ unit: "binary" }).map((text) => pythonString(text, false)),
    fc.string().map((text) => `b${pythonString(text, true)}`),
    fc.string().map((text) => `re.compile(r${pythonString(text, true)}, re.IGNORECASE)`),
    fc.tuple(word, word).map(([kind, name]) => `<${kind} object ${name} at 0x7f3a>`),
    fc.tuple(word, tie("printed")).map(([kind, value]) => `<${kind}.A: ${value}>`),
    tie("list").map((values) => `[${(values as string[]).join(", ")}]`),
    tie("list").map((values) => `(${(values as string[]).map((value) => `${value},`).join(" ")})`),
    tie("list").map((values) => `{${["1", ...(values as string[])].join(", ")}}`),
    fc.tuple(word, tie("list")).map(([name, values]) => `${name}(${(values as string[]).join(", ")})`),
    fc
      .tuple(word, tie("printed"))
      .map(([name, value]) => `UploadFile(filename='${name}', headers=Headers({'x': ${value}}))`),
    fc.tuple(word, tie("printed")).map(([name, value]) => `{'${name}': ${value}, ('a', 1): ${value}}`),
  ),
}));

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

  it.each([
    "nan",
    "-inf",
    "1e400",
    "b'\\x00it\\'s'",
    'b"don\'t"',
    "datetime.datetime(2026, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)",
    "Decimal('1')",
    "<object object at 0x7f3a>",
    "<Status.OPEN: 'it is open'>",
    "<Bar: don't>",
    "<function f at 0x7f> <a",
    "'\\ud800 \\U0001f600 \\x41'",
    "(1+2j)",
    "{1, 'a', (2,)}",
    "set()",
    "frozenset({1})",
    "deque([1, 2], maxlen=3)",
    "...",
    "UploadFile(filename='a', size=1, headers=Headers({'x': \"it's\"}))",
    "re.compile('[(')",
    "array([[1., 2.], [3., 4.]])",
    "'cut in the middle",
    "[[[",
    "object with words don't",
    "{'type': 'x', 'loc': 5",
  ])("keep place and message of every error when one echoes %s", (echoed) => {
    const issue = (n: number, input: string) =>
      `{'type': 't', 'loc': ('body', ${n}), 'msg': "It isn't ${n}", 'input': ${input}, 'ctx': {'error': ${input}}}`;
    const text = `${issue(0, echoed)}\n  ${issue(1, "None")} ${issue(2, echoed)}  File "/srv/x.py", line 7`;
    const read = readPrintedDictionaries(text).filter(({ msg }) => msg !== undefined);
    expect(read.map(({ loc, msg }) => [loc, msg])).toEqual([0, 1, 2].map((n) => [["body", n], `It isn't ${n}`]));
  });

  it("keep place and message whatever is echoed", () => {
    const piece = fc.constantFrom(
      ..."{}()[]<>,:'\"\\ ab1.=".split(""),
      "nan",
      "None",
      "b'",
      "\\x4",
      "\\ud800",
      "\ud800",
      "0x7f",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        const text = `{'type': 't', 'loc': ('body', 'q'), 'msg': 'Wrong', 'input': ${parts.join("")}}`;
        expect(readPrintedDictionaries(text)[0]).toMatchObject({ loc: ["body", "q"], msg: "Wrong" });
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [String.raw`'\xfc'`, "ü"],
    [String.raw`'\u00fc'`, "ü"],
    [String.raw`'\U0001f600 \ud83d\ude00'`, "😀 😀"],
    [String.raw`'\x4'`, "x4"],
    [String.raw`'\a\0'`, "a0"],
  ])("decode the escape %s", (escape, text) => {
    expect(readPrintedDictionaries(`{'msg': ${escape}}`)).toEqual([{ msg: text }]);
  });

  it("are read whole whatever value Python prints between them", () => {
    const issue = fc.record({
      loc: fc.array(fc.oneof(word, fc.nat())),
      msg: fc.string({ unit: "binary" }),
      input: printed,
    });
    fc.assert(
      fc.property(fc.array(issue, { minLength: 1, maxLength: 4 }), fc.boolean(), (issues, isAscii) => {
        const text = (value: string) => pythonString(value, isAscii);
        const texts = issues.map(({ loc, msg, input }) => {
          const path = loc.map((step) => (typeof step === "number" ? String(step) : text(step)));
          const tuple = path.length === 1 ? `(${path[0]},)` : `(${path.join(", ")})`;
          return `{'type': 't', 'loc': ${tuple}, 'msg': ${text(msg)}, 'input': ${input}, 'ctx': {'error': ${input}}}`;
        });
        const read = readPrintedDictionaries(`${texts.join(" ")}  File "/srv/x.py", line 7, in f`);
        expect(read.map(({ loc, msg }) => ({ loc, msg }))).toEqual(issues.map(({ loc, msg }) => ({ loc, msg })));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["opens", "<_.A: <_.A: re.compile(r'<<', re.IGNORECASE)>>"],
    ["closes", "<a.A: {1, <_.A: re.compile(r'>', re.IGNORECASE)>}>"],
  ])("end where the next error begins, whatever brackets an object %s in what it prints", (_, input) => {
    const error = (msg: string, echoed: string) =>
      `{'type': 't', 'loc': ('body', 'a'), 'msg': '${msg}', 'input': ${echoed}, 'ctx': {'error': ${echoed}}}`;
    const text = `${error("One", input)} ${error("Two", "<a.A: {'a': b'>', ('a', 1): b'>'}>")}  File "x.py"`;
    expect(readPrintedDictionaries(text).map(({ msg }) => msg)).toEqual(["One", "Two"]);
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
    const taken = ownTime(() => {
      readPrintedDictionaries(`{'input': '${"\\'x".repeat(500_000)}`);
      readPrintedDictionaries(`{'input': ${"[".repeat(500_000)}`);
    });
    expect(taken).toBeLessThan(1500);
  });
});

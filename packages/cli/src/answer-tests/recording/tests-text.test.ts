import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../exit-codes.ts";
import { parseTests } from "../tests-file.ts";
import { type AskedQuestion, newTests } from "./candidates.ts";
import { additionTo } from "./tests-text.ts";

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Questions that a careless writer of YAML would spoil. */
const ODD = [
  "- yes: no #1 'x'",
  "&a *b",
  "!!int 3",
  "no",
  "0.380",
  '%TAG ? : | > @ ` { [ ] }, "quoted" \\n \\',
  "two\nlines\r\nand\ttabs \u0000\u0007\u001b[31m\u0085\u2028\u2029\u{7f}",
  "# not a comment",
  "--- \n...",
  "Wie viele Urlaubstage habe ich, 😀👩‍👩‍👧?",
  "כמה ימי חופשה יש לי \u202Eabc\u202C?",
  "有給休暇は何日ですか？",
  "<<: {a: b}",
  `${"a: 'b' #c ".repeat(363)}end?`,
];

const candidate = (ask: string, over: Partial<AskedQuestion> = {}): AskedQuestion => ({
  from: "good",
  ask,
  cites: ["a"],
  ...over,
});

describe("what is added to a file of tests", () => {
  it("is read as it was meant, whatever a question or a name holds", () => {
    const tests = newTests(
      ODD.map((ask, at) => candidate(ask, { cites: at % 2 === 0 ? [ask] : [`x ${ask}`, "second"] })),
      [],
      "",
    );
    expect(tests).toHaveLength(ODD.length);
    const text = additionTo("", "q.yaml", { tests, failing: NOTHING });
    const read = parseTests(text, "q.yaml");
    expect(read.map(({ ask }) => ask)).toEqual(tests.map(({ ask }) => ask));
    expect(new Set(read.map(({ ask }) => ask))).toEqual(new Set(ODD));
    expect(read.map(({ expected }) => expected.cites)).toEqual(tests.map(({ cites }) => [cites]));
    // oxlint-disable-next-line no-control-regex -- it is these signs that are looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028-\u202E]/);
  });

  it("is read as it was meant, of questions of any signs", () => {
    const random = seededRandom(7);
    const signs = [..."aé日😀\u0000\n\r\t\u2028\u202E\uFEFF:-#'\"\\&*!|>%@`{}[],? ", "\uD800", "~"];
    for (let round = 0; round < 300; round += 1) {
      const asks = Array.from({ length: 5 }, () =>
        Array.from({ length: Math.floor(random() * 20) }, () => signs[Math.floor(random() * signs.length)]).join(""),
      );
      const tests = newTests(
        asks.map((ask) => candidate(`${ask}?${round}`)),
        [],
        "",
      );
      const read = parseTests(additionTo("", "q.yaml", { tests, failing: NOTHING }), "q.yaml");
      expect(read.map(({ ask }) => ask)).toEqual(tests.map(({ ask }) => ask));
    }
  });

  it.each([
    ["a list under tests", "# mine\ntests:\n  - ask: One?   # why\n    says: [a]\n"],
    ["a list that is not indented", "defaults: { says_not: x }\ntests:\n- One?\n"],
    ["a bare list", "- One?\n-   ask: Two?\n"],
    ["no end of the last line", "tests:\n    - One?"],
    ["lines as of Windows", "tests:\r\n  - ask: One?\r\n    says: |\r\n      block\r\n"],
    ["nothing but a comment", "# begun, with nothing in it\n"],
    ["a mark of its coding", "\uFEFFtests:\n  - One?\n"],
  ])("stands behind %s, which stays byte for byte", (_what, before) => {
    const tests = newTests([candidate("Three?"), candidate("Four?", { from: "open", cites: [] })], [], before);
    const failing = new Map([[tests[1]?.id ?? "", "must refuse\nand does not"]]);
    const after = before + additionTo(before, "q.yaml", { tests, failing });
    expect(after.startsWith(before)).toBe(true);
    const own = before.startsWith("# begun") ? [] : parseTests(before, "q.yaml");
    const read = parseTests(after, "q.yaml");
    expect(read.slice(0, own.length)).toEqual(own);
    expect(read.slice(own.length).map(({ ask }) => ask)).toEqual(["Three?"]);
    expect(after).toContain("# Not as it should be now: must refuse and does not");
    expect(after).toContain('#   ask: "Four?"');
    const lineEnd = before.includes("\r\n") ? /(?<!\r)\n/ : /\r/;
    expect(after).not.toMatch(lineEnd);
    // Recorded again there is nothing new, be it a test or a comment.
    expect(newTests([candidate("three ?"), candidate("Four?")], read, after)).toEqual([]);
  });

  it.each([
    ["a list in brackets", "tests: [One?]\n"],
    ["tests before something else", "tests:\n  - One?\ndefaults: { says_not: x }\n"],
    ["an end of the document", "tests:\n  - One?\n...\n"],
  ])("is nowhere behind %s, which is said", (_what, before) => {
    const tests = newTests([candidate("Three?")], [], before);
    expect(() => additionTo(before, "q.yaml", { tests, failing: NOTHING })).toThrow(
      new UsageError(
        "Nothing can be added behind the tests of q.yaml: they must be the last thing in it, as a list with a dash before each.",
      ).message,
    );
  });

  it("has each question once, by the first source, in an order that the questions decide", () => {
    const some = [
      candidate("B?", { from: "pins", cites: ["pin"] }),
      candidate("b ?", { from: "gaps", cites: ["gap"] }),
      candidate("A?", { cites: ["z"] }),
      candidate("a?", { cites: ["y"] }),
      candidate("Mine?"),
    ];
    const own = parseTests("- MINE?\n", "q.yaml");
    const made = newTests(some, own, "");
    expect(made.map(({ id, ask, cites }) => [id.split("-")[0], ask, cites])).toEqual([
      ["good", "A?", ["y", "z"]],
      ["gaps", "b ?", ["gap"]],
    ]);
    expect(newTests(some.toReversed(), own, "")).toEqual(made);
  });
});

import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { junitOf } from "./junit.ts";
import { type TestRecord, testRun, type TestRun } from "./record.ts";

const RECORD: TestRecord = {
  id: "a",
  name: "a",
  ask: "a?",
  outcome: "passed",
  before: "passed",
  problems: [],
  error: null,
  answer: "",
  nothing_found: false,
  cites: [],
  causes: [],
  settings: { persona: null, document_sets: [], sources: [], tags: [], changed_since: null, key: null },
  expectation: "",
  since: "2026-11-26T10:00:00.000Z",
  runs: 1,
  ms: 1_234,
};

const gone = { kind: "gone", document_id: "d", title: "<Leave> & \u0007more", words: "is gone" } as const;

const RUN: TestRun = testRun({
  ok: false,
  exit_code: 13,
  server: "https://knowledge.example.com/api?a=1&b=2",
  file: "tests/questions.yaml",
  began_at: "2026-11-27T10:00:00.000Z",
  ms: 5_000,
  compared_with: "2026-11-26T10:00:00.000Z",
  counts: {},
  earlier: [],
  tests: [
    RECORD,
    {
      ...RECORD,
      name: 'Is "5 < 6" & ]]> \uD800 ok?\nreally',
      outcome: "failed",
      answer: "No\u0000\u202E\uFFFE, <b>never</b>",
      problems: [{ kind: "says", expected: ["yes"], words: 'must say "yes"' }],
      causes: [gone],
    },
    { ...RECORD, causes: [{ ...gone, kind: "changed", words: "was changed" }] },
    { ...RECORD, outcome: "error", error: { cause: "unavailable", message: "It did not answer." } },
    { ...RECORD, outcome: "not_asked", error: { cause: "interrupted", message: "Stopped." } },
    { ...RECORD, outcome: "skipped", error: { cause: "skipped", message: "not yet" } },
  ],
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly inner: Element[];
  text: string;
}

/** Reads XML; a tag that is not closed, or closed by another, is refused. */
function parsed(xml: string): Element {
  const root: Element = { name: "", attributes: {}, inner: [], text: "" };
  const open = [root];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const element: Element = { name, attributes, inner: [], text: "" };
        open.at(-1)?.inner.push(element);
        open.push(element);
      },
      ontext: (text) => {
        const last = open.at(-1);
        if (last !== undefined) last.text += text;
      },
      onclosetag: (name, isImplied) => {
        expect([open.pop()?.name, isImplied && !xml.includes("/>")]).toEqual([name, false]);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  expect(open).toEqual([root]);
  const [only] = root.inner;
  if (only === undefined) throw new Error("No element.");
  return only;
}

/** What Jenkins' schema (junit-10 of its xunit plugin) lets an element hold: attributes, those it must have, elements. */
const SCHEMA: Readonly<Record<string, { may: string; must: string; inner: string }>> = {
  testsuites: { may: "name time tests failures errors", must: "", inner: "testsuite" },
  testsuite: {
    may: "name tests failures errors group time skipped timestamp hostname id package file log url",
    must: "name tests failures errors",
    inner: "testsuite properties testcase system-out system-err",
  },
  properties: { may: "", must: "", inner: "property" },
  property: { may: "name value", must: "name value", inner: "" },
  testcase: {
    may: "name time classname group",
    must: "name",
    inner: "skipped error failure system-out system-err",
  },
  failure: { may: "type message", must: "", inner: "" },
  error: { may: "type message", must: "", inner: "" },
  skipped: { may: "type message", must: "", inner: "" },
  "system-out": { may: "", must: "", inner: "" },
};

function violations({ name, attributes, inner }: Element): string[] {
  const schema = SCHEMA[name];
  if (schema === undefined) return [`${name} is no element`];
  const has = (list: string, word: string): boolean => list.split(" ").includes(word);
  return [
    ...Object.keys(attributes)
      .filter((one) => !has(schema.may, one))
      .map((one) => `${name} has ${one}`),
    ...schema.must
      .split(" ")
      .filter((one) => one !== "" && attributes[one] === undefined)
      .map((one) => `${name} lacks ${one}`),
    ...inner.filter((one) => !has(schema.inner, one.name)).map((one) => `${name} holds ${one.name}`),
    ...(attributes["time"] === undefined || /^\d+\.\d{3}$/.test(attributes["time"])
      ? []
      : [`${name} has a wrong time`]),
    ...inner.flatMap(violations),
  ];
}

describe("JUnit's XML", () => {
  const xml = junitOf(RUN, false);
  const root = parsed(xml);
  const cases = root.inner[0]?.inner.filter(({ name }) => name === "testcase") ?? [];

  it("is as Jenkins' schema has it, whatever names and answers hold", () => {
    expect(violations(root)).toEqual([]);
    expect([...xml].filter((sign) => (sign < " " && sign !== "\n") || !sign.isWellFormed())).toEqual([]);
    expect(cases[1]?.attributes["name"]).toBe('Is "5 < 6" & ]]> \uFFFD ok? really');
    expect(root.inner[0]?.inner[0]?.inner[0]?.attributes).toEqual({ name: "server", value: RUN.server });
  });

  it("tells wrong answers from questions that could not be asked, and counts both", () => {
    expect(cases.map(({ inner }) => inner.map(({ name }) => name).join())).toEqual([
      "",
      "failure",
      "system-out",
      "error",
      "error",
      "skipped",
    ]);
    expect(root.attributes).toMatchObject({ tests: "6", failures: "1", errors: "2", time: "5.000" });
    expect(root.inner[0]?.attributes).toMatchObject({ name: "questions.yaml", skipped: "1" });
  });

  it("says of a failure what was expected, what came, which document did it, and since when", () => {
    const [failure] = cases[1]?.inner ?? [];
    expect(failure?.attributes).toEqual({ message: 'must say "yes"', type: "says" });
    expect(failure?.text.split("\n")).toEqual([
      "asked: a?",
      'expected: must say "yes"',
      "answered: No, <b>never</b>",
      "cited: nothing",
      "because: <Leave> & more is gone",
      "since: the run of 2026-11-26 10:00 UTC",
    ]);
  });

  it("has changed documents as failures where that is asked for", () => {
    const strict = parsed(junitOf(RUN, true));
    expect(violations(strict)).toEqual([]);
    expect(strict.attributes).toMatchObject({ failures: "2", errors: "2" });
  });
});

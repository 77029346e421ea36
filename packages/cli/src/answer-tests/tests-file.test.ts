import { describe, expect, it } from "vitest";
import { UsageError } from "../exit-codes.ts";
import { parseTests } from "./tests-file.ts";

function problemsOf(text: string): readonly string[] {
  try {
    parseTests(text, "q.yaml");
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
  return [];
}

describe("a file of tests", () => {
  it("is read with its short forms, its alternatives and its defaults", () => {
    const tests = parseTests(
      `defaults:
  document_sets: Handbook
  says_not: [draft]
tests:
  - How long is probation?
  - id: hotel
    ask: What is the limit for a hotel night?
    says: [[160 euros, 160 EUR], night]
    cites: expenses.md
    document_sets: []
    tags: { team: [hr, it], year: 2026 }
    persona: 0
    changed_since: 30d
    key: hr
  - ask: Who won?
    refuses: true
    skip: until the reorganisation
`,
      "q.yaml",
    );
    expect(tests).toEqual([
      {
        id: "How long is probation?",
        name: "How long is probation?",
        ask: "How long is probation?",
        line: 5,
        expected: { says: [], saysNot: ["draft"], cites: [], citesNot: [] },
        settings: { documentSets: ["Handbook"], sources: [], tags: [] },
      },
      {
        id: "hotel",
        name: "hotel: What is the limit for a hotel night?",
        ask: "What is the limit for a hotel night?",
        line: 6,
        expected: {
          says: [["160 euros", "160 EUR"], ["night"]],
          saysNot: ["draft"],
          cites: [["expenses.md"]],
          citesNot: [],
        },
        settings: {
          documentSets: [],
          sources: [],
          tags: ["team=hr", "team=it", "year=2026"],
          persona: "0",
          changedSince: "30d",
          key: "hr",
        },
      },
      expect.objectContaining({
        expected: expect.objectContaining({ refuses: true }),
        skip: "until the reorganisation",
      }),
    ]);
  });

  it("may be a bare list, with the line ends and the mark of Windows, in any script", () => {
    const text = "\uFEFF- ask: 有給休暇は何日ですか\r\n  says: ２０日\r\n- كم عدد أيام الإجازة؟\r\n";
    expect(parseTests(text, "q.yaml").map(({ ask, line, expected }) => [ask, line, expected.says])).toEqual([
      ["有給休暇は何日ですか", 1, [["２０日"]]],
      ["كم عدد أيام الإجازة؟", 3, []],
    ]);
  });

  it("takes everything for the text it is, also what YAML has other words for", () => {
    const [test] = parseTests("- ask: yes\n  says: [0.380, 007, 1e3, true, null, 2026-01-31]\n", "q.yaml");
    expect(test?.expected.says.flat()).toEqual(["0.380", "007", "1e3", "true", "null", "2026-01-31"]);
  });

  it("takes long questions", () => {
    const ask = "word ".repeat(8_000).trim();
    expect(parseTests(`- ask: ${ask}\n`, "q.yaml")[0]?.ask).toBe(ask);
  });

  it("reads ten thousand tests", () => {
    const text = Array.from({ length: 10_000 }, (_, n) => `- ask: Question ${n}?\n  says: ${n}\n`).join("");
    expect(parseTests(text, "q.yaml")).toHaveLength(10_000);
  });
});

describe("what is wrong with a file of tests is told", () => {
  it.each([
    [
      "tests:\n  - aks: x\n",
      [
        "q.yaml line 2: tests → 1 → ask: must be the question, as a text",
        "q.yaml line 2: tests → 1 → aks: is no field of a test; did you mean `ask`?",
      ],
    ],
    [
      "tests:\n  - ask: x\n    must_say: y\n",
      ["q.yaml line 3: tests → 1 → must_say: is no field of a test; did you mean `says`?"],
    ],
    ["tests:\n  - ask: x\n    says: ''\n", ["q.yaml line 3: tests → 1 → says → 1 → 1: must not be empty"]],
    ["tests:\n  - ask: x\n    refuses: maybe\n", ["q.yaml line 3: tests → 1 → refuses: must be true or false"]],
    [
      "- ask: x\n- ask: x\n",
      ["q.yaml line 2: a test before it, in line 1, has this question too; give it an `id` of its own"],
    ],
    [
      "- ask: x\n  id: a\n- ask: y\n  id: a\n",
      ["q.yaml line 3: a test before it, in line 1, has this id too; give it an `id` of its own"],
    ],
    [
      "- ask: x\n  refuses: true\n  cites: a.md\n",
      ["q.yaml line 1: `refuses` and `cites` cannot both be: what says nothing cites nothing"],
    ],
    ["- ask: x\n  tags: team\n", ["q.yaml line 2: 1 → tags → 1: must be written as key=value"]],
    [
      "- ask: x\n  changed_since: 2026-13-45\n",
      ["q.yaml line 2: 1 → changed_since: must be 7d, 2w, 12h, or a date such as 2026-01-31"],
    ],
    ["tests: []\n", ["q.yaml line 1: tests: must hold a test"]],
    ["questions:\n  - x\n", expect.arrayContaining(["q.yaml line 1: questions: is no field of a test"])],
    ["", ["q.yaml: the file: must hold `tests:`, a list"]],
    ["tests: {\n", [expect.stringMatching(/^q\.yaml line \d: is not YAML: /)]],
    ["- ask: x\n  ask: y\n", ["q.yaml line 2: is not YAML: Map keys must be unique"]],
    ["- ask: *nobody\n", [expect.stringMatching(/^q\.yaml: Unresolved alias/)]],
  ] as const)("%j", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it("without a word of a key that was pasted in place of its name", () => {
    const key = `tl_${"S3CRET".repeat(6)}`;
    expect(problemsOf(`- ask: x\n  key: ${key}\n`)).toEqual([expect.stringContaining("must be the name of a key")]);
    expect(problemsOf(`- ask: x\n  key: ${key}\n`).join("")).not.toContain("S3CRET");
  });

  it("with the first of many problems, and how many more there are", () => {
    const problems = problemsOf(Array.from({ length: 50 }, (_, n) => `- ask: Q${n}\n  saz: x\n`).join(""));
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe("… and 30 more.");
  });

  it("where aliases of aliases would fill the memory, or it is nested without end", () => {
    const bomb = ["a0: &a0 [x, x]", ...Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)];
    expect(problemsOf(bomb.join("\n"))).toEqual([expect.stringContaining("Excessive alias count")]);
    expect(problemsOf("[".repeat(200_000))).toEqual(["q.yaml: is nested too deeply to be a file of tests."]);
  });
});

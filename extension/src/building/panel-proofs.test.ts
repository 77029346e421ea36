import { describe, expect, it } from "vitest";
import { isThere, type NamedTest, read, testsIn } from "./proofs.harness.ts";

const PROOFS = "docs/panel-proofs.md";

/** What a test file imports that starts this browser. */
const STARTS = {
  Chromium: ["testing/chromium.ts", "in-browser/scripted-panel.harness.ts", "browsers.harness.ts"],
  Firefox: ["testing/firefox.ts", "browsers.harness.ts"],
} as const;

interface Row {
  readonly what: string;
  readonly tests: Record<keyof typeof STARTS, readonly NamedTest[]>;
}

/** The rows of the document's tables, but for their heads. */
function rowsOf(text: string): Row[] {
  const lines = text.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:what people|:?-)/.test(line));
  return lines.map((line) => {
    const [, what = "", chromium = "", firefox = ""] = line.split(/(?<!\\)\|/);
    return {
      what: what.trim(),
      tests: { Chromium: testsIn(chromium, PROOFS), Firefox: testsIn(firefox, PROOFS) },
    };
  });
}

describe("what people look for in the panel", () => {
  const rows = rowsOf(read(PROOFS));

  it("is a list", () => {
    expect(rows.length).toBeGreaterThan(15);
  });

  it.each(rows)("is shown in both browsers, by tests that start them: $what", ({ tests }) => {
    for (const browser of ["Chromium", "Firefox"] as const) {
      expect(tests[browser].length, browser).toBeGreaterThan(0);
      for (const test of tests[browser]) {
        expect(isThere(test), `${test.file}: ${test.title}`).toBe(true);
        const source = read(test.file);
        expect(
          STARTS[browser].some((file) => source.includes(`${file}"`)),
          `${test.file} starts no ${browser}.`,
        ).toBe(true);
      }
    }
  });
});

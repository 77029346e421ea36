import { describe, expect, it } from "vitest";
import { isThere, type NamedTest, read, testsIn } from "./proofs.harness.ts";

const PAGE = "extension/PRIVACY.md";
const PROOFS = "docs/privacy-proofs.md";

/** Every sentence of the page, in order: paragraphs alone, without the words in bold they begin with. */
function sentencesOf(page: string): string[] {
  const paragraphs = page.split(/\n{2,}/).filter((one) => !/^[#|]/.test(one));
  return paragraphs.flatMap((one) =>
    one
      .replaceAll(/\s+/g, " ")
      .trim()
      .replace(/^\*\*.+?\.\*\* /, "")
      .split(/(?<=[.!?]) (?=[A-Z“])/),
  );
}

interface Proof {
  readonly sentence: string;
  readonly tests: readonly NamedTest[];
}

/** A sentence as a quotation, and below it links to its tests. */
function proofsOf(text: string): Proof[] {
  const [, ...parts] = text.split(/^> /m);
  return parts.map((part) => ({
    sentence: part.slice(0, part.indexOf("\n")),
    tests: testsIn(part, PROOFS),
  }));
}

describe("the page on privacy", () => {
  const proofs = proofsOf(read(PROOFS));

  it("says nothing that no test proves, and nothing is proved that it does not say", () => {
    const sentences = sentencesOf(read(PAGE));
    expect(sentences.length).toBeGreaterThan(30);
    const proved = proofs.map(({ sentence }) => sentence);
    expect(proved, `Each sentence of ${PAGE} stands in ${PROOFS} with its tests below it.`).toEqual(sentences);
  });

  it.each(proofs)("is proved by tests that are there: $sentence", ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const test of tests) expect(isThere(test), `${test.file}: ${test.title}`).toBe(true);
  });
});

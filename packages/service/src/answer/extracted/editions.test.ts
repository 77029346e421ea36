import { describe, expect, it } from "vitest";
import { understand } from "./asked.ts";
import { type Document, evidenceOf } from "./conflict/conflict.harness.ts";
import { decide } from "./decide.ts";

/** The texts that are quoted for a question, with the number of their document. */
function quoted(asked: string, ...documents: readonly Document[]): string[] {
  const evidence = documents.map((document, index) => evidenceOf(index, document));
  const decision = decide(understand(asked, { passages: documents.length, holding: () => 1 }), evidence);
  return decision.state === "quote" ? decision.quotes.map(({ source, text }) => `${source.documentId}: ${text}`) : [];
}

const OLD = ["Leave policy (2023 edition)", "Leave is requested in Workday two weeks before.", "2023-01-10"] as const;
const NEW = ["Leave policy", "Leave is requested in Workday three weeks before.", "2025-01-08"] as const;

describe("of two editions that say the same sentence", () => {
  it("the newer one is quoted, and not the older one", () => {
    const expected = (at: number) => [`d${at}: Leave is requested in Workday three weeks before.`];
    expect(quoted("How is leave requested in Workday?", OLD, NEW)).toEqual(expected(1));
    expect(quoted("How is leave requested in Workday?", NEW, OLD)).toEqual(expected(0));
  });

  it("the older one is quoted where it is asked for, and where neither is known to be newer", () => {
    expect(quoted("How was leave requested in Workday in 2023?", OLD, NEW).join()).toContain("two weeks");
    const undated = [OLD, NEW].map(([title, text]): Document => [title, text, null]);
    expect(quoted("How is leave requested in Workday?", ...undated).join()).toContain("two weeks");
  });

  it("both are quoted where they are of documents that are called otherwise", () => {
    const other: Document = [
      "Rules for contractors",
      "Leave is requested in Workday three weeks before.",
      "2025-01-08",
    ];
    expect(quoted("How is leave requested in Workday?", OLD, other).join()).toContain("two weeks");
  });
});

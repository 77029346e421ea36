import { describe, expect, it } from "vitest";
import { evidenceOf as found } from "../answer/extracted/conflict/conflict.harness.ts";
import { work } from "./comparing.ts";
import { readKept } from "./otherwise-signs.ts";

/** What documents say otherwise than a kept answer: which of them, and the sentence of each side. */
function otherwise(question: string, kept: string, ...texts: readonly string[]) {
  const [own, ...others] = [kept, ...texts].map((text, number) => {
    const evidence = found(0, [number === 0 ? question : `Notes ${number}`, text]);
    return { ...evidence, source: { ...evidence.source, documentId: String(number), number } };
  });
  const reading = readKept(question, kept, { passages: 100, holding: () => 3 });
  return work({ reading, kept: own === undefined ? [] : [own], others }).otherwise.map(({ number, says, keptSays }) => [
    number,
    says,
    keptSays,
  ]);
}

describe("what is compared with a kept answer", () => {
  it("each says otherwise for itself, with the sentence that does and the one it is about", () => {
    const told = otherwise(
      "How many people have to be aboard the Gannet?",
      "Ask Nora about the tanks. Two people have to be aboard the Gannet.",
      "The Gannet is blue. At least four people have to be aboard the Gannet.",
      "Two people have to be aboard the Gannet, as ever.",
      "Five people have to be aboard the Gannet at night.",
    );
    expect(told.map(([number]) => number)).toContain(1);
    expect(told.map(([number]) => number)).not.toContain(2);
    expect(told[0]).toEqual([
      1,
      "At least four people have to be aboard the Gannet.",
      "Two people have to be aboard the Gannet.",
    ]);
  });

  it("says nothing where there is nothing to compare", () => {
    expect(otherwise("Who signs?", "Nora signs.")).toEqual([]);
  });
});

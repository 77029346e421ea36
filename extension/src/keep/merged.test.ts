import { describe, expect, it } from "vitest";
import { ADDITION_LIMITS, type KeptAdditions } from "./additions.ts";
import { mergedAdditions } from "./merged.ts";

const added = (more: Partial<KeptAdditions> = {}): KeptAdditions => ({ tags: [], highlights: [], ...more });
const marked = (...texts: string[]) => texts.map((text) => ({ text }));

describe("what two windows add to one page", () => {
  it("is what one of them wrote where the other wrote elsewhere", () => {
    const since = added({ title: "Shed", tags: ["garden", "old"], note: "Ask Rui." });
    const here = { ...since, note: "Ask Mia.", tags: ["garden", "code"] };
    const there = { ...since, title: "The shed", tags: ["garden", "old", "board"] };
    expect(mergedAdditions(since, here, there)).toEqual(
      added({ title: "The shed", tags: ["garden", "board", "code"], note: "Ask Mia." }),
    );
  });

  it.each([
    ["both wrote a note", undefined, "From here.", "From there.", "From there.\n\nFrom here."],
    [
      "one wrote on in what the other took over",
      "Begun.",
      "Begun. And more.",
      "Begun. And more. And still more.",
      "Begun. And more. And still more.",
    ],
    ["one took it away and the other wrote on", "Begun.", undefined, "Begun. And more.", "Begun. And more."],
    ["the other took it away and one wrote on", "Begun.", "Begun. And more.", undefined, "Begun. And more."],
    ["one left it alone", "Begun.", "Begun.", undefined, undefined],
  ])("loses nothing of a note where %s", (_, since, here, there, both) => {
    const noted = (note: string | undefined) => added(note === undefined ? {} : { note });
    expect(mergedAdditions(noted(since), noted(here), noted(there))).toEqual(noted(both));
  });

  it("clashes where both gave another title, or notes that are too long for one", () => {
    const titled = (title: string) => added({ title });
    expect(mergedAdditions(titled("Shed"), titled("Mine"), titled("Theirs"))).toEqual({
      field: "title",
      text: "Theirs",
    });
    expect(mergedAdditions(titled("Shed"), titled("Same"), titled("Same"))).toEqual(titled("Same"));
    const long = (letter: string) => added({ note: letter.repeat(ADDITION_LIMITS.note) });
    expect(mergedAdditions(added(), long("a"), long("b"))).toEqual({ field: "note", text: long("b").note });
  });

  it("keeps a highlight that came meanwhile, and lets those go that either took away", () => {
    const since = added({ highlights: marked("one", "two", "three") });
    const here = added({ highlights: marked("two", "three") });
    const there = added({ highlights: marked("one", "two", "new") });
    expect(mergedAdditions(since, here, there)).toEqual(added({ highlights: marked("two", "new") }));
  });
});

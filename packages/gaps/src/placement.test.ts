import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { figuresIn, groupedOften, trueGaps } from "./evaluation.harness.ts";
import { createPlacement, hiddenTraits, traitsOf } from "./index.ts";

const asked = (question: string) => ({ traits: traitsOf(question) });
const hide = (term: string) => createHmac("sha256", "a secret").update(term).digest("hex");

describe("a placement", () => {
  it("grows with the questions it is told, and forgets gaps", () => {
    const placement = createPlacement([{ gap: 1, ...asked("Where is the spare key of the boat house?") }]);
    placement.add({ gap: 2, ...asked("Which tyre pressure has the yellow forklift?") });
    expect(placement.placeOf(asked("boat house, where's the spare key?"))).toEqual({ gap: 1, also: [] });
    placement.forget(1);
    expect(placement.placeOf(asked("boat house, where's the spare key?")).gap).toBeUndefined();
    expect(placement.size).toBe(1);
  });

  it("knows the questions of a gap that was merged into another", () => {
    const placement = createPlacement([
      { gap: "a", ...asked("Where is the spare key of the boat house?") },
      { gap: "b", ...asked("Which tyre pressure has the yellow forklift?") },
    ]);
    placement.merge("a", "b");
    expect(placement.placeOf(asked("where's the boat house's spare key?")).gap).toBe("b");
    expect(placement.size).toBe(2);
  });

  it("names gaps a question may be of, but for its own", () => {
    const placement = createPlacement([
      { gap: 1, ...asked("Where is the spare key of the boat house?") },
      { gap: 2, ...asked("Which tyre pressure has the yellow forklift?") },
    ]);
    const shed = asked("I am locked out: who keeps a key to the boat shed?");
    expect(placement.placeOf(shed).gap).toBeUndefined();
    expect(placement.maybeOf(shed)).toEqual([1]);
    expect(placement.maybeOf(shed, 1)).toEqual([]);
    expect(placement.maybeOf(asked("When is the staff party?"))).toEqual([]);
  });

  it("leaves out traits of another version", () => {
    const traits = { ...traitsOf("Where is the spare key?"), version: 0 };
    const placement = createPlacement([{ gap: 1, traits }]);
    expect(placement.size).toBe(0);
    expect(placement.placeOf(asked("Where is the spare key?")).gap).toBeUndefined();
  });

  it("places hidden questions as it does those that are told", () => {
    const hidden = (words: string) => ({ traits: hiddenTraits(traitsOf(words), hide) });
    const open = createPlacement<string>();
    const closed = createPlacement<string>();
    for (const { id, asked: questions } of trueGaps("asked")) {
      for (const words of questions) {
        const place = open.placeOf(asked(words));
        expect(closed.placeOf(hidden(words))).toEqual(place);
        open.add({ gap: place.gap ?? id, ...asked(words) });
        closed.add({ gap: place.gap ?? id, ...hidden(words) });
      }
    }
  });

  it("groups the questions whose gaps are known", () => {
    const { asked: come } = groupedOften(trueGaps("asked"), 1).together();
    console.log(figuresIn(come));
    expect(come.joined).toBeGreaterThan(0);
  });
});

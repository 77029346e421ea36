import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { gapOf, hiddenTraits, traitsOf } from "./index.ts";

const known = (gap: string, question: string) => ({ gap, traits: traitsOf(question) });

const KNOWN = [
  known("keys", "Where is the spare key of the boat house?"),
  known("forms", "Who signs the travel form for Norway?"),
];

describe("the gap of a question", () => {
  it("is that of the question that asks for the same thing in nearly the same words", () => {
    expect(gapOf({ traits: traitsOf("the boat house's spare keys, where?") }, KNOWN)).toBe("keys");
    expect(gapOf({ traits: traitsOf("Who invented the telescope?") }, KNOWN)).toBeUndefined();
    expect(gapOf({ traits: traitsOf("?") }, KNOWN)).toBeUndefined();
  });

  it("is found as well when nobody can read its words", () => {
    const hide = (term: string) => createHmac("sha256", "a secret").update(term).digest("hex");
    const hidden = KNOWN.map(({ gap, traits }) => ({ gap, traits: hiddenTraits(traits, hide) }));
    const asked = hiddenTraits(traitsOf("Boat house: where are the spare keys?"), hide);
    expect(JSON.stringify([asked, hidden])).not.toMatch(/boat|norw/i);
    expect(gapOf({ traits: asked }, hidden)).toBe("keys");
  });
});

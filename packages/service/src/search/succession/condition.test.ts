import { describe, expect, it } from "vitest";
import { conditionOf, mayAnswer, originFor } from "./condition.ts";

const data = { id: "a", epoch: "1", lastChange: 9 };

describe("what an index is to a database", () => {
  it.each([
    ["sound", originFor(data), 9],
    ["sound", originFor(data), 0],
    ["missing", undefined, 0],
    ["ahead", originFor(data), 10],
    ["other_rules", "a 1 0", 9],
    ["other_data", originFor({ id: "b", epoch: "1" }), 9],
    ["other_data", originFor({ id: "a", epoch: "2" }), 9],
    // Of another state of the data: by which rules says nothing any more.
    ["other_data", "a 2 0", 99],
  ])("is %s, made of %s up to change %i", (condition, origin, applied) => {
    expect(conditionOf({ origin, applied }, data)).toBe(condition);
  });

  it("may answer where all it finds stands in the documents", () => {
    const all = ["sound", "missing", "other_rules", "other_data", "ahead", "damaged"] as const;
    expect(all.filter(mayAnswer)).toEqual(["sound", "other_rules"]);
  });
});

import { describe, expect, it } from "vitest";
import { beginningOf } from "./cut.ts";

describe("the beginning of a text", () => {
  it("is all of it where it is short", () => {
    expect(beginningOf("abc", 3)).toBe("abc");
    expect(beginningOf("", 0)).toBe("");
  });

  it("ends before a character that would be halved", () => {
    expect(beginningOf("a😀b", 2)).toBe("a");
    expect(beginningOf("a😀b", 3)).toBe("a😀");
    expect(beginningOf("😀".repeat(10), 7)).toBe("😀😀😀");
  });
});

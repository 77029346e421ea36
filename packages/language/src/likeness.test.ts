import { describe, expect, it } from "vitest";
import { eachWritten, likeness, plainForm } from "./likeness.ts";

const like = (one: string, other: string) => likeness(plainForm(one), plainForm(other));

describe("words that are compared without a table of their language", () => {
  it.each([
    ["policy", "policies"],
    ["Kündigung", "Kündigungen"],
    ["выдаются", "выдают"],
    ["compra", "compras"],
    ["회의는", "회의를"],
    ["tatili", "tatilden"],
  ])("are nearly the same in the forms %s and %s", (one, other) => {
    expect(like(one, other)).toBeGreaterThan(0.8);
  });

  it("are a part of a compound, at its beginning and at its end", () => {
    expect(like("Urlaub", "Urlaubsantrag")).toBeGreaterThan(0.4);
    expect(like("Antrag", "Urlaubsantrag")).toBeGreaterThan(0.4);
    expect(like("Urlaub", "Urlaubsantrag")).toBeLessThan(like("Antrag", "Anträge"));
  });

  it("are the same with and without the article Arabic writes in one with them", () => {
    expect(like("والكتاب", "كتاب")).toBe(1);
    expect(like("للمنارة", "المنارة")).toBe(1);
  });

  it.each([
    ["form", "platform"],
    ["1887", "18870"],
    ["cat", "catalogue"],
    ["station", "stadium"],
    ["", "anything"],
  ])("are not taken for each other: %s and %s", (one, other) => {
    expect(like(one, other)).toBe(0);
  });

  it("are pairs of characters where no blanks part them, and numbers without what groups them", () => {
    const written: string[] = [];
    eachWritten("食堂は12,000円", (word) => written.push(word));
    expect(written).toEqual(expect.arrayContaining(["食堂", "12000", "円"]));
  });
});

import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { Stretches } from "./stretches.ts";

describe("stretches of texts", () => {
  it("have the numbers that a map of strings would give them, however many there are", () => {
    const random = seededRandom(4);
    const letters = "abcdéß漢字\ud83d\ude00";
    const stretches = new Stretches();
    const numbers = new Map<string, number>();
    for (let round = 0; round < 30_000; round++) {
      const text = Array.from({ length: 12 }, () => letters[Math.floor(random() * letters.length)]).join("");
      const start = Math.floor(random() * 6);
      const end = start + Math.floor(random() * 7);
      const written = text.slice(start, end);
      if (!numbers.has(written)) numbers.set(written, numbers.size);
      expect(stretches.numberOf(text, start, end)).toBe(numbers.get(written));
    }
    expect(stretches.size).toBe(numbers.size);
    expect(numbers.size).toBeGreaterThan(9_000);
    for (const [written, number] of numbers) expect(stretches.textOf(number)).toBe(written);
  });
});

import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { toldApart } from "./classifier.ts";

const random = seededRandom(5);

/** So many requests of so many milliseconds, give or take a third, which begin after so large a share of it. */
const took = (count: number, ms: number, begins: number) =>
  Array.from({ length: count }, () => {
    const whole = ms * (0.67 + 0.67 * random());
    return { whole, first: whole * begins };
  });

describe("how well times tell two things apart", () => {
  it("is guessing where they are the same, and almost always right where one takes twice as long", () => {
    expect(toldApart(took(400, 10, 0.9), took(400, 10, 0.9))).toBeLessThan(0.56);
    expect(toldApart(took(400, 10, 0.9), took(400, 20, 0.9))).toBeGreaterThan(0.95);
    expect(toldApart(took(400, 20, 0.9), took(400, 10, 0.9))).toBeGreaterThan(0.95);
  });

  it("is known where the same whole time is otherwise divided", () => {
    expect(toldApart(took(400, 10, 0.9), took(400, 10, 0.5))).toBeGreaterThan(0.8);
    expect(toldApart(took(400, 10, 0.5), took(400, 10, 0.9))).toBeGreaterThan(0.8);
  });
});

import { describe, expect, it } from "vitest";
import { Allowance } from "./allowance.ts";

describe("an allowance", () => {
  it("lets each take twice a second's turns at once, then as many as time brings", () => {
    let now = 0;
    const allowance = new Allowance(10, () => now);
    const taken = (who: string, times: number): number =>
      Array.from({ length: times }, () => allowance.take(who)).filter((wait) => wait === 0).length;
    expect(taken("one", 50)).toBe(20);
    expect(taken("other", 5)).toBe(5);
    expect(allowance.take("one")).toBe(1);
    now += 500;
    expect(taken("one", 50)).toBe(5);
    now += 60_000;
    expect(taken("one", 50)).toBe(20);
  });

  it("keeps no more in mind than it can: who was not seen for longest begins anew", () => {
    const allowance = new Allowance(1, () => 0);
    const emptied = (who: string): number => [1, 2, 3].map(() => allowance.take(who)).at(-1) ?? 0;
    expect(emptied("first")).toBe(1);
    expect(emptied("second")).toBe(1);
    for (let number = 2; number < 10_001; number++) allowance.take(`address ${number}`);
    expect(allowance.take("second")).toBe(1);
    expect(allowance.take("first")).toBe(0);
  });
});

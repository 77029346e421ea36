import { describe, expect, it } from "vitest";
import { RateLimits } from "./rate-limits.ts";

describe("limits of calls", () => {
  it("let one message a second into a channel, and say how long to wait", () => {
    const limits = new RateLimits();
    const post = (channel: string, now: number) => limits.count("chat.postMessage", "post", channel, now);
    expect(post("C1", 0)).toBeUndefined();
    expect(post("C2", 1)).toBeUndefined();
    expect(post("C1", 400)).toBe(1);
    expect(post("C1", 1_000)).toBeUndefined();
  });

  it("let as many calls in a minute as the tier has, refused ones not counted", () => {
    const limits = new RateLimits();
    const call = (name: string, tier: 1 | 2 | 3 | 4, now: number) => limits.count(name, tier, "", now);
    for (let each = 0; each < 20; each += 1) expect(call("pins.list", 2, each * 1_000)).toBeUndefined();
    expect(call("pins.list", 2, 30_000)).toBe(30);
    expect(call("pins.list", 2, 59_500)).toBe(1);
    expect(call("pins.add", 2, 59_500)).toBeUndefined();
    expect(call("pins.list", 2, 60_000)).toBeUndefined();
    for (const [tier, most] of [
      [1, 1],
      [3, 50],
      [4, 100],
    ] as const) {
      const passed = Array.from({ length: 101 }, () => call(`tier ${tier}`, tier, 0)).filter(
        (one) => one === undefined,
      );
      expect(passed).toHaveLength(most);
    }
  });
});

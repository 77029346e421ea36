import { describe, expect, it } from "vitest";
import { benchMarkdown } from "./markdown.ts";
import { SHAPES } from "./markdown-shapes.ts";

describe("a shape", () => {
  it.each(SHAPES)("of $name has the length asked for", ({ text }) => {
    expect(text(2_000)).toHaveLength(2_000);
    expect(text(4_000).startsWith(text(2_000).slice(0, 1_500))).toBe(true);
  });
});

// Awaited here, where no time limit counts: it may install a browser first.
const { groups } = await benchMarkdown({ length: 400, rounds: 1, mostMs: 60_000, examples: 40, attacks: 5 });

describe.runIf(groups.length > 0)("the bench of live markdown", () => {
  it("measures every contestant in every shape", () => {
    expect(groups).toHaveLength(SHAPES.length + 1);
    for (const { rows } of groups.slice(0, -1)) {
      expect(rows).toHaveLength(6);
      for (const { figures } of rows) expect(figures["ms"]).toBeGreaterThan(0);
    }
  });

  it("asks each what it makes of the specification and of hostile texts", () => {
    const rows = Object.fromEntries((groups.at(-1)?.rows ?? []).map(({ name, figures }) => [name, figures]));
    expect(rows["threadlore"]).toEqual({
      "as specified": expect.any(Number),
      "streamed as in one piece": 40,
      "scripts run": 0,
      "script links": 0,
      requests: 0,
    });
    // The one that shows pictures and links as they come is seen to.
    expect(rows["streaming-markdown"]?.["requests"]).toBeGreaterThan(0);
    expect(rows["streaming-markdown"]?.["script links"]).toBeGreaterThan(0);
  });
});

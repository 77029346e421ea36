import { expect, it } from "vitest";
import { seedRegressions } from "./regressions.ts";

it("of 100 regressions behind answers at least 95 are found and rightly named, and nothing else alarms", async () => {
  const { rows, missed } = await seedRegressions(100, 60);
  console.log(missed.join("\n"));
  const { found = 0, "cause named": named = 0 } = rows.find(({ name }) => name === "all regressions")?.figures ?? {};
  expect(found).toBeGreaterThanOrEqual(95);
  expect(named).toBeGreaterThanOrEqual(95);
  expect(rows.at(-1)?.figures).toEqual({ runs: 102, "false alarms": 0 });
});

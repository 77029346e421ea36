import { expect, it } from "vitest";
import { mixQuestions } from "./deployed-mixes.harness.ts";

it("every question of a mix of cuts, silences and restarts ends whole or in one plain sentence, and none is asked twice", async () => {
  const { whole, told } = await mixQuestions(30, 20_261_122);
  expect(whole).toBeGreaterThan(told);
}, 120_000);

import { expect, it } from "vitest";
import { mixQuestions } from "./deployed-mixes.harness.ts";

it("500 questions in mixes of cuts, silences and restarts end whole or in one plain sentence, and none is asked twice", async () => {
  const { whole, told } = await mixQuestions(500, Date.now());
  expect(whole).toBeGreaterThan(told);
});

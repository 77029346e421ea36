import { expect, it } from "vitest";
import { benchAssistants } from "./assistants.ts";

it("the bench of assistants asks one and several at once, and all are answered", async () => {
  const { groups } = await benchAssistants({ passages: 40, questions: 3, runs: 1, askers: 5 });
  const [one, crowd] = groups;
  expect(one?.rows.map(({ figures }) => Number.isFinite(figures["p95 ms more"]))).toEqual([true, true, true]);
  expect(crowd?.rows.map(({ figures }) => figures["answered"])).toEqual([5, 5]);
});

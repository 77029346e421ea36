import { expect, it } from "vitest";
import { keptPairs } from "../../testing/kept-pairs.ts";
import { useTowns } from "../../testing/running-bot.ts";
import { readDigests } from "./read-digests.harness.ts";

const open = useTowns((one) => one.expectNoRefusals());

it("owners of answers that documents of a program contradict are asked where whoever reads the digest says so, and hardly anybody else", async () => {
  const { pressed, inVainPressed, falsely, kept } = await readDigests(open, keptPairs().slice(40, 56));
  expect(pressed.length).toBeGreaterThan(0);
  expect(inVainPressed).toEqual([]);
  expect(falsely.length / kept).toBeLessThanOrEqual(0.05);
}, 300_000);

import { expect, it } from "vitest";
import { keptPairs } from "../../testing/kept-pairs.ts";
import { useTowns } from "../../testing/running-bot.ts";
import { readDigests } from "./read-digests.harness.ts";

const open = useTowns((one) => one.expectNoRefusals());

it.each([
  ["that were looked at", false],
  ["by which nothing was chosen", true],
])(
  "of answers %s that documents of a program contradict, six in ten reach their owners, by rules and by who reads the digest",
  async (_which, keptBack) => {
    const read = await readDigests(open, keptPairs({ keptBack }));
    const { contradicted, reached, pressed, inVainPressed, falsely, kept, rows, inVain, weeks } = read;
    console.log(
      `${reached} of ${contradicted} contradicted answers reached their owners, ${pressed.length} of them by a press; ` +
        `${falsely.length} of ${kept} falsely; ${weeks} digests showed ${rows}, ${inVain} in vain`,
    );
    expect(inVainPressed).toEqual([]);
    expect(reached / contradicted).toBeGreaterThanOrEqual(0.6);
    expect(falsely.length / kept).toBeLessThanOrEqual(0.05);
  },
  1_800_000,
);

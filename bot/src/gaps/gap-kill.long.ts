import { expect, it } from "vitest";
import { gapKillLoop } from "./gap-kill.harness.ts";

it.each([
  ["at the server", true, 15],
  ["in the bot's own store", false, 16],
])(
  "150 kills, with gaps %s: each question is noted once, and each asker told once",
  async (_where, isAtServer, seed) => {
    const report = await gapKillLoop({ kills: 150, seed, isAtServer });
    expect(report).toEqual({ asked: 150, miscounted: [], mistold: [], misanswered: [] });
  },
);

import { testWithPostgres } from "@threadlore/testkit/postgres";
import { expect, it } from "vitest";
import { stillKillLoop } from "./still-kill.harness.ts";

it("100 kills: three of five contradicted answers reach their owners, hardly any other one does, and each is asked once", async () => {
  const { contradicted, reached, falsely, misasked, kept } = await stillKillLoop({ kills: 100, seed: 13 });
  console.log(
    `${reached} of ${contradicted} contradicted answers reached their owners, ${falsely.length} of ${kept} falsely`,
  );
  expect(misasked).toEqual([]);
  expect(reached / contradicted).toBeGreaterThanOrEqual(0.6);
  expect(falsely.length / kept).toBeLessThanOrEqual(0.05);
});

it.each([
  ["that were looked at", false, 15],
  ["by which nothing was chosen", true, 17],
])(
  "100 kills: of contradicted answers %s, whose newer documents somebody pins, three of five reach their owners",
  async (_which, keptBack, seed) => {
    const wish = { kills: 100, seed, pinned: true, keptBack };
    const { contradicted, reached, falsely, misasked, kept, byHand } = await stillKillLoop(wish);
    const { offered, inVain, pressed } = byHand;
    console.log(
      `${reached} of ${contradicted} contradicted answers reached their owners, ${pressed.size} of them by a press; ` +
        `${falsely.length} of ${kept} falsely; ${offered.length} times somebody was asked what a message changes, ` +
        `${inVain.length} times in vain`,
    );
    expect(misasked).toEqual([]);
    expect(new Set(offered).size).toBe(offered.length);
    expect(reached / contradicted).toBeGreaterThanOrEqual(0.6);
    expect(falsely.length / kept).toBeLessThanOrEqual(0.05);
  },
);

await testWithPostgres((postgres) => {
  it("two bots on one database, one of them killed 60 times, ask each owner once", async () => {
    const database = await postgres.createDatabase();
    const { misasked, reached } = await stillKillLoop({ kills: 60, seed: 14, database });
    expect([misasked, reached > 0]).toEqual([[], true]);
  });

  it("two bots on one database, one of them killed 40 times, ask whoever pins once, and each owner once", async () => {
    const database = await postgres.createDatabase();
    const { misasked, byHand } = await stillKillLoop({ kills: 40, seed: 16, every: 3, pinned: true, database });
    expect([misasked, byHand.offered]).toEqual([[], [...new Set(byHand.offered)]]);
  });
});

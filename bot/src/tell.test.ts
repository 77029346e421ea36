import { openStore } from "@threadlore/inbox";
import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { isSaidNow } from "./tell.ts";

it("the same is said to somebody once a minute, and in each thread, since nobody sees in one what stands in another", async () => {
  const store = await openStore(":memory:");
  afterThisTest(() => store.close());
  let now = 1_000_000;
  const says = (threadTs?: string, user = "U1") =>
    isSaidNow({ store, now: () => now }, { channel: "C1", user, threadTs }, "asked already");
  expect([await says("1.1"), await says("1.1"), await says("2.2"), await says("2.2")]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([await says(), await says(), await says("1.1", "U2")]).toEqual([true, false, true]);
  now += 59_999;
  expect(await says("1.1")).toBe(false);
  now += 1;
  expect(await says("1.1")).toBe(true);
});

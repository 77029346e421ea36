import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore, type Store } from "./open.ts";

let store: Store;
beforeEach(async () => {
  store = await openStore(":memory:");
  for (let at = 1; at <= 1_200; at += 1) await store.trace("T:C:1", { at, words: "seen" });
});
afterEach(() => store.close());

it("keeps what comes while much that is old is deleted", async () => {
  const order: string[] = [];
  const forgetting = store.forgetBefore(5_000).then((count) => order.push(`forgot ${count}`));
  await store.trace("T:C:2", { at: 9_000, words: "new" }).then(() => order.push("kept"));
  await forgetting;
  expect(order).toEqual(["kept", "forgot 1200"]);
  expect(await store.traceOf("T:C:1")).toEqual([]);
  expect(await store.traceOf("T:C:2")).toHaveLength(1);
});

it("leaves the rest for the next time when it is to end", async () => {
  const stop = new AbortController();
  const forgetting = store.forgetBefore(5_000, stop.signal);
  while ((await store.traceOf("T:C:1")).length === 1_200) continue;
  stop.abort();
  const forgotten = await forgetting;
  expect(forgotten).toBeGreaterThan(0);
  expect(await store.traceOf("T:C:1")).toHaveLength(1_200 - forgotten);
  expect(await store.forgetBefore(5_000)).toBe(1_200 - forgotten);
});

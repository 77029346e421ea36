import { openStore } from "@threadlore/inbox";
import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { changeRef, findShown, keepShown } from "./offers.ts";

const AGAINST = { document_id: "slack:T:C:1.1", says: "Three are needed.", kept_says: "Two are needed." };

it("keeps the ids of two documents and no word of either, and forgets them with what is old", async () => {
  const store = await openStore("sqlite::memory:");
  afterThisTest(() => store.close());
  const ref = changeRef("crews", AGAINST);
  await keepShown({ store }, ref, { kept: AGAINST.document_id, newer: "crews" });
  expect(await store.recall(`changes-shown:${ref}`)).toBe('{"kept":"slack:T:C:1.1","newer":"crews"}');
  expect(await findShown({ store }, ref)).toEqual({ kept: AGAINST.document_id, newer: "crews" });
  for (const word of ["Three", "Two", "needed"]) expect(ref).not.toContain(word);
  expect(changeRef("crews", { ...AGAINST, says: "Five are needed." })).not.toBe(ref);
  expect(changeRef("other", AGAINST)).not.toBe(ref);
  // Another document of its id came.
  expect(changeRef("crews (pair 2)", AGAINST)).toBe(ref);
  await store.forgetBefore(Date.now() + 60_000);
  expect(await findShown({ store }, ref)).toBeUndefined();
});

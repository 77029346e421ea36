import { openStore } from "@threadlore/inbox";
import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { claimDatabase } from "./whose-database.ts";

it("a database is one workspace's, also after what is old was forgotten, until that one uninstalls its app", async () => {
  const store = await openStore(":memory:");
  afterThisTest(() => store.close());
  const [here, there] = [
    { teamId: "T1", teamName: "Düne" },
    { teamId: "T2", teamName: "港" },
  ];
  await claimDatabase(store, here);
  await claimDatabase(store, { ...here, teamName: "Called otherwise" });
  await store.forgetBefore(Date.now() + 1_000);
  await expect(claimDatabase(store, there)).rejects.toThrow(/another workspace, Düne \(T1\).*港 \(T2\).*set another/s);
  await store.forgetEverything();
  await claimDatabase(store, there);
});

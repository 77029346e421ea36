import { openStore, type Store } from "@threadlore/inbox";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { newSecret } from "./sealing.ts";
import { createVault } from "./vault.ts";

const config = {
  accountSecrets: [newSecret()],
  server: { baseUrl: "https://knowledge.example.com", allowPlainHttp: false },
} as never;

describe("an account that is ended while it is connected", () => {
  it("by another instance is not there afterwards, whichever came first", async () => {
    const store = await openStore("sqlite::memory:");
    afterThisTest(() => store.close());
    const open = (given: Store) => createVault({ config, store: given, team: "T1", now: Date.now });
    const there = open(store);
    // What the other instance does comes between what this one read and what it writes.
    const here = open({
      ...store,
      saveAccount: async (record) => {
        expect(await there.remove("U1")).toBeUndefined();
        await store.saveAccount(record);
      },
    });
    const ticket = await here.begin("U1");
    const facts = { accountId: "1", name: "Ada", isAdmin: false };
    expect(await here.keep("U1", "on_TESTtoken", { ticket, ...facts } as never)).toBeUndefined();
    expect(await there.of("U1")).toBeUndefined();
  });
});

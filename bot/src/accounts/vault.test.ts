import { type AccountRecord, openStore, type Store } from "@threadlore/inbox";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { createSealer, newSecret } from "./sealing.ts";
import { createVault } from "./vault.ts";

const ORIGIN = "https://knowledge.example.com";
const config = {
  accountSecrets: [newSecret()],
  server: { baseUrl: ORIGIN, allowPlainHttp: false },
} as never;
const { accountSecrets } = config as { accountSecrets: string[] };
const FACTS = { accountId: "1", name: "ada@example.com", isAdmin: false };
const TOKEN = "on_TESTtoken";

async function place() {
  const store = await openStore("sqlite::memory:");
  afterThisTest(() => store.close());
  const open = (given: Store) => createVault({ config, store: given, team: "T1", now: () => 1_000.4 });
  const vault = open(store);
  const connect = async (user: string) => vault.keep(user, TOKEN, { ...FACTS, ticket: await vault.begin(user) });
  return { store, open, vault, connect };
}

describe("an account that is ended while it is connected", () => {
  it("by another instance is not there afterwards, whichever came first", async () => {
    const { store, open, vault: there } = await place();
    // What the other instance does comes between what this one read and what it writes.
    const here = open({
      ...store,
      saveAccount: async (...given) => {
        expect(await there.remove("U1")).toBeUndefined();
        return store.saveAccount(...given);
      },
    });
    expect(await here.keep("U1", TOKEN, { ...FACTS, ticket: await here.begin("U1") })).toBeUndefined();
    expect(await there.of("U1")).toBeUndefined();
  });
});

describe("whoever writes to the database and has not the secret", () => {
  const CHANGES: readonly (readonly [string, Partial<AccountRecord>])[] = [
    ["a person", { holder: "T1:U2" }],
    ["a workspace", { holder: "T2:U1" }],
    ["the id of a connection", { id: "0a1b" }],
    ["whose account it is at the server", { facts: { ...FACTS, accountId: "2" } }],
    ["what the account is called", { facts: { ...FACTS, name: "eve@example.com" } }],
    ["what it may", { facts: { ...FACTS, isAdmin: true } }],
    ["how it was connected", { facts: { ...FACTS, byLink: true } }],
    ["when it was connected", { connectedAt: 2_000 }],
  ];

  it.each(CHANGES)("makes no key of it by changing %s", async (_, change) => {
    const { store, vault, connect } = await place();
    await connect("U1");
    const [row] = await store.allAccounts();
    if (row === undefined) throw new Error("unreachable");
    await store.deleteAccount(row.id);
    const changed = { ...row, ...change };
    await store.saveAccount(changed);
    const [, user = ""] = changed.holder.split(":");
    // Of another workspace there is none to be seen here.
    expect([undefined, false]).toContain((await vault.of(user))?.isGood);
    await expect(vault.opened(`own:${changed.id}`, user)).rejects.toThrow(/sealed with another|somebody else/);
  });

  it("brings nobody to another's account, and nothing back to one that was refused", async () => {
    const { vault, connect } = await place();
    const account = await connect("U1");
    const key = account?.key ?? "own:none";
    await expect(vault.opened(key, "U2")).rejects.toThrow("somebody else's");
    expect(await vault.opened(key, "U1")).toMatchObject({ apiKey: TOKEN });
    await vault.refused(key);
    await expect(vault.opened(key, "U1")).rejects.toThrow("does not accept");
  });
});

describe("what the version before sealed", () => {
  it("opens, and is bound to all that stands beside it from then on", async () => {
    const { store, vault } = await place();
    const sealed = createSealer(accountSecrets).seal(TOKEN, ["T1:U1", ORIGIN]);
    await store.saveAccount({ holder: "T1:U1", id: "0a1c", sealed, facts: FACTS, connectedAt: 7 });
    expect(await vault.opened("own:0a1c", "U1")).toMatchObject({ apiKey: TOKEN });
    const [row] = await store.allAccounts();
    if (row === undefined) throw new Error("unreachable");
    expect(row.sealed).not.toBe(sealed);
    expect(await vault.of("U1")).toMatchObject({ isGood: true });
    await store.saveAccount({ ...row, facts: { ...FACTS, accountId: "2" } });
    expect(await vault.of("U1")).toMatchObject({ isGood: false });
  });
});

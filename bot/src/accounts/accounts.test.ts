import { openStore } from "@threadlore/inbox";
import { afterThisTest, type DeployedServer, startDeployedServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { createAddress, createServers } from "../knowledge-server/servers.ts";
import { DEPLOYED_PROFILE } from "@threadlore/client";
import { createAccounts } from "./accounts.ts";
import { newSecret } from "./sealing.ts";

/** A deployed server, and a store that several bots share. */
async function place(settings: Parameters<typeof startDeployedServer>[0] = {}) {
  const server = await startDeployedServer(settings);
  const store = await openStore(":memory:");
  afterThisTest(async () => {
    await store.close();
    await server.close();
  });
  const secret = newSecret();
  /** The accounts as one bot has them. */
  const bot = (accountSecrets: readonly string[] = [secret], baseUrl = server.url, now = Date.now) => {
    const config = {
      accountSecrets,
      keys: { channel: server.keys.scoped, dm: undefined, ingest: undefined },
      server: { baseUrl, allowPlainHttp: false, profile: DEPLOYED_PROFILE },
    };
    const address = createAddress(config);
    const servers = createServers(config, { address, admit: async () => {} });
    return createAccounts({ config, store, team: "T", address, servers, now, freshMs: 0 });
  };
  return { server, store, secret, bot };
}

const questions = ({ log }: DeployedServer): number => log.filter(({ path }) => path.includes("send-chat")).length;

describe("accounts at a deployed server", () => {
  it("are taken with a person's token, and not with a program's, a wrong one, or one of the bot's", async () => {
    const { server, bot } = await place();
    const accounts = bot();
    expect(await accounts.connect("U", server.keys.member)).toMatchObject({ account: { isGood: true } });
    const words = async (key: string): Promise<unknown> => Reflect.get(await accounts.connect("U", key), "words");
    expect(await words(server.keys.service)).toContain("belongs to a program");
    expect(await words("on_WRONG00000000000")).toContain("does not accept");
    expect(await words(server.keys.scoped)).toContain("a key of mine");
    const narrow = server.addKey({ user: "narrow", permissions: [] });
    expect(await words(narrow)).toContain("may not ask");
    await server.down();
    expect(await words(server.keys.admin)).toContain("cannot be reached");
    // What was connected before is there still.
    expect(await accounts.of("U")).toMatchObject({ name: server.account(server.keys.member).email, isGood: true });
  });

  it("are never asked as nobody in particular, where the server lets everybody in", async () => {
    const { server, bot } = await place({ allowAnonymous: true });
    const accounts = bot();
    expect(await accounts.connect("U", "on_WRONG00000000000")).toMatchObject({
      words: expect.stringContaining("does not accept"),
    });
    await accounts.connect("U", server.keys.member);
    const key = (await accounts.of("U"))?.key ?? "own:none";
    const { client } = await accounts.server(key, "U");
    server.revoke(server.keys.member);
    await expect(async () => {
      for await (const _ of client.streamMessage({ message: "Who am I?" }));
    }).rejects.toThrow("does not accept");
    // Nor is anything asked while nobody says whose the token is.
    await server.down();
    await expect(accounts.admit(key, "U")).rejects.toThrow();
    expect(questions(server)).toBe(0);
  });

  it("open with the secret before, are sealed anew by use, and then open without it", async () => {
    const { server, store, secret, bot } = await place();
    await bot().connect("U", server.keys.member);
    const next = newSecret();
    expect(await bot([next]).of("U")).toMatchObject({ isGood: false });
    const key = (await bot([next, secret]).of("U"))?.key ?? "own:none";
    expect(await bot([next]).of("U")).toMatchObject({ isGood: true });
    await expect(bot([secret]).server(key, "U")).rejects.toThrow("sealed with another secret");
    const [row] = await store.allAccounts();
    if (row === undefined) throw new Error("unreachable");
    // In somebody else's row it opens for nobody.
    await store.saveAccount({ ...row, holder: "T:OTHER", id: "moved" });
    expect(await bot([next]).of("OTHER")).toMatchObject({ isGood: false });
  });

  it("are for the server they were given for, and no token is sent to another", async () => {
    const { server, bot } = await place();
    await bot().connect("U", server.keys.member);
    const elsewhere = await startDeployedServer();
    afterThisTest(() => elsewhere.close());
    const moved = bot(undefined, elsewhere.url);
    const account = await moved.of("U");
    expect(account).toMatchObject({ isGood: false });
    await expect(moved.server(account?.key ?? "own:none", "U")).rejects.toThrow("another server");
    expect(JSON.stringify(elsewhere.log)).not.toContain(server.keys.member);
  });

  it("that were disconnected stay away, also from a process that was paused as it tried the token", async () => {
    const { server, store, bot } = await place();
    const [one, other] = [bot(), bot()];
    const ticket = await one.begin("U");
    await other.remove("U");
    const late = { name: "late", accountId: "late", isAdmin: false, ticket };
    expect(await one.keep("U", server.keys.member, late)).toBeUndefined();
    await one.connect("U", server.keys.member);
    const key = (await one.of("U"))?.key ?? "own:none";
    expect(await other.remove("U")).toEqual({ key, toEnd: undefined });
    await one.refused(key);
    await expect(one.server(key, "U")).rejects.toThrow("not connected any more");
    expect(await store.allAccounts()).toEqual([]);
  });
});

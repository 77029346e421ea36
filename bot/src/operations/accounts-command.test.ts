import { join } from "node:path";
import { openStore } from "@threadlore/inbox";
import { startDeployedServer, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { createVault } from "../accounts/vault.ts";
import { newSecret } from "../accounts/sealing.ts";
import { run } from "../program.ts";
import { readConfig } from "../settings/config.ts";

describe("threadlore-bot accounts", () => {
  it("lists whose accounts are connected without a token, and forgets one person's with what is noted of it", async () => {
    const server = await startDeployedServer();
    const env = {
      SLACK_BOT_TOKEN: "xoxb-TEST",
      SLACK_APP_TOKEN: "xapp-TEST",
      THREADLORE_URL: server.url,
      THREADLORE_KEY: server.keys.member,
      ACCOUNTS_SECRET: newSecret(),
      DATABASE_URL: `sqlite:${join(temporaryFolder(), "bot.db")}`,
    };
    const command = async (...args: string[]): Promise<{ code: number; out: string }> => {
      let out = "";
      const write = (text: string): void => void (out += text);
      const io = { env, folder: ".", out: write, err: write, interrupted: new AbortController().signal };
      const code = await run(["accounts", ...args], io, () => Promise.reject(new Error("this command runs no bot")));
      return { code, out };
    };
    expect(await command("list")).toEqual({ code: 0, out: "Nobody has connected an account.\n" });
    const config = await readConfig({ env, folder: "." });
    const store = await openStore(config.database);
    const vault = createVault({ config, store, team: "T1", now: Date.now });
    for (const user of ["U1", "U2"]) {
      // Nothing of what a server calls an account reaches the terminal but what one sees.
      const facts = { name: `\u001b]0;owned\u0007${user}@example.com\u202e\n`, accountId: user, isAdmin: false };
      const account = await vault.keep(user, `on_TESTsecretOf${user}`, { ...facts, ticket: await vault.begin(user) });
      await store.conversations.set(`T1:D:1:${account?.key}`, { chatSessionId: user });
    }
    const [first] = await store.allAccounts();
    await store.close();
    const listed = await command("list");
    expect(listed.out).toMatch(/^U1 {2}\]0;ownedU1@example\.com {2}since \d{4}-\d\d-\d\d\nU2 {2}/);
    expect(listed.out + (await command("list", "--json")).out).not.toContain("TESTsecret");
    expect(await command("forget", "U1")).toMatchObject({ code: 0, out: expect.stringContaining("is forgotten") });
    expect(await command("forget", "U1")).toMatchObject({
      code: 2,
      out: expect.stringContaining("connected no account"),
    });
    const after = await openStore(config.database);
    expect((await after.allAccounts()).map(({ holder }) => holder)).toEqual(["T1:U2"]);
    expect(await after.conversations.get(`T1:D:1:own:${first?.id}`)).toBeUndefined();
    // A key that the server gave to the bot, of which that cannot be told.
    const byLink = createVault({ config, store: after, team: "T1", now: Date.now });
    const link = { name: "U3", accountId: "U3", isAdmin: false, byLink: true, ticket: await byLink.begin("U3") };
    await byLink.keep("U3", "on_TESTbyLink", link);
    await after.close();
    await server.close();
    expect(await command("forget", "U3")).toMatchObject({ code: 0, out: expect.stringContaining("End it there") });
    expect((await command("list")).out).not.toContain("U3");
  });
});

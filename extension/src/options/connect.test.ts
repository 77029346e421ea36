import { freshBrowser } from "../testing/fake-browser.ts";
import { afterThisTest, type DeployedServer, startDeployedServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { readKeys, readSettings } from "../settings/settings.ts";
import { connect, type ShownFinding } from "./connect.ts";
import { readChoices, switchMemoryOff } from "./server-choices.ts";

async function start(...settings: Parameters<typeof startDeployedServer>): Promise<DeployedServer> {
  await freshBrowser();
  const server = await startDeployedServer(...settings);
  afterThisTest(() => server.close());
  return server;
}

/** Fills the form in, saves it, and gives what is shown, by what was looked at. */
async function save(baseUrl: string, askKey: string): Promise<ReadonlyMap<string, ShownFinding>> {
  const outcome = await connect({ baseUrl, askKey, ingestKey: "", keyStorage: "local" });
  if (outcome.kind !== "tried") throw new Error(`It was not tried: ${outcome.kind}`);
  return new Map(outcome.findings.map((finding) => [finding.what, finding]));
}

describe("setting a service up", () => {
  it("by an address without /api finds it below, saves that, and says just that", async () => {
    const server = await start();
    const found = await save(server.origin, server.keys.admin);
    expect(found.get("base URL")).toMatchObject({ ok: true, foundAt: server.url });
    expect(await readSettings()).toMatchObject({ baseUrl: server.url, ingestionPath: "/onyx-api/ingestion" });
    expect((await readKeys())?.askKey).toBe(server.keys.admin);
    // What is said is true of what is saved: nothing is left to be put right.
    expect([...found.values()].filter(({ ok }) => ok === false)).toEqual([]);
    expect([...found.values()].filter(({ fix }) => /base URL|profile/.test(fix))).toEqual([]);
  });

  it("by its address is said to be in order", async () => {
    const server = await start();
    const found = await save(server.url, server.keys.admin);
    expect(found.get("base URL")).toMatchObject({ ok: true });
    expect(found.get("base URL")).not.toHaveProperty("foundAt");
  });

  it("with a wrong key is said not to work, with nothing else to think about", async () => {
    const server = await start();
    const found = await save(server.url, "onyx_pat_TESTwrong");
    expect(found.get("key")).toMatchObject({ ok: false });
    expect(found.has("permission to ask")).toBe(false);
  });

  it("with a wrong key that admits visitors is said not to know the key, although it answers", async () => {
    const server = await start({ allowAnonymous: true });
    const found = await save(server.url, "onyx_pat_TESTwrong");
    expect(found.get("key")).toMatchObject({ ok: false });
    expect(found.get("key")?.evidence).toContain("does not know this key");
  });

  it("that fails whatever is asked is not said to be in order", async () => {
    const server = await start();
    server.faults.database = "down";
    const found = await save(server.url, server.keys.member);
    expect(found.get("server")).toMatchObject({ ok: false });
    expect(found.get("server")?.evidence).toContain("failed (500)");
    expect(found.get("key")?.ok).not.toBe(true);
  });

  it.each([
    ["nothing but a website", (server: DeployedServer) => server.faults.missing.push(/.*/)],
    ["a gateway with nothing behind it", (server: DeployedServer) => (server.settings.frontEnd = "down")],
  ])("where there is %s is not said to be in order", async (_, break_) => {
    const server = await start();
    break_(server);
    server.faults.missing.push("/health");
    const found = await save(server.origin, server.keys.member);
    expect(found.get("base URL")?.ok).not.toBe(true);
  });

  it("with a service account's key says whose it is, and switches its memory off by one press", async () => {
    const server = await start();
    const found = await save(server.url, server.keys.service);
    expect(found.get("key")).toMatchObject({ ok: true });
    // It is said beside the key, in words for whoever uses it, and not as something that does not work.
    expect(found.has("memory")).toBe(false);
    expect((await readChoices()).account).toMatchObject({ isService: true, memory: "on" });
    expect(await switchMemoryOff()).toBe(true);
    expect((await readChoices()).account).toMatchObject({ memory: "off" });
    expect(server.account(server.keys.service).personalization).toMatchObject({
      use_memories: false,
      enable_memory_tool: false,
    });
  });

  it("with a key that may not switch the memory off says that it is on still", async () => {
    const server = await start();
    await save(server.url, server.keys.scoped);
    expect(await switchMemoryOff()).toBe(false);
    expect((await readChoices()).account).toMatchObject({ memory: "on" });
  });
});

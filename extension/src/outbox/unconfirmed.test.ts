import { freshBrowser } from "../testing/fake-browser.ts";
import { afterThisTest, type DeployedServer, startDeployedServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";
import { readLedger } from "./ledger.ts";
import { enqueue, readOutbox, sendNow } from "./outbox.ts";
import type { NewEntry } from "./outbox-entry.ts";
import { sendOutbox } from "./send-outbox.ts";
import { changeSettings, storeKeys } from "../settings/settings.ts";

async function start(key: "admin" | "member" = "admin"): Promise<DeployedServer> {
  const server = await startDeployedServer();
  afterThisTest(() => server.close());
  await freshBrowser();
  await changeSettings({ baseUrl: server.url, pairId: 1, ingestionPath: "/onyx-api/ingestion" });
  await storeKeys({ askKey: server.keys[key] });
  return server;
}

function page(
  server: DeployedServer,
  name: string,
  more: Partial<NewEntry> = {},
  text = `What ${name} says.`,
): NewEntry {
  const document = {
    id: `web_${name}`,
    semantic_identifier: `Page ${name}`,
    sections: [{ text, link: `https://example.com/${name}` }],
    metadata: {},
    doc_updated_at: "2026-11-20T08:00:00Z",
  };
  return {
    origin: server.origin,
    documentId: `web_${name}`,
    title: `Page ${name}`,
    link: `https://example.com/${name}`,
    addresses: [],
    hash: text,
    characters: text.length,
    pairId: 1,
    document: JSON.stringify(document),
    ...more,
  };
}

/** Sends what is due at this moment, and gives when to look again. */
const LATER = Date.now() + 3_600_000;
const run = (now = LATER) => sendOutbox(() => now);
const kept = async () => (await readLedger()).map(({ title }) => title).toSorted();

describe("a page the service has answered for and not indexed", () => {
  it("is no kept page: it waits as one that is not found yet, and is sent again ever more seldom until it is", async () => {
    const server = await start();
    server.faults.embedder = "down";
    await enqueue(page(server, "plan"));
    let now = LATER;
    const pauses: number[] = [];
    for (let times = 1; times <= 3; times++) {
      const { arrived, nextAt = 0 } = await run(now);
      expect(arrived).toEqual([]);
      expect(await readOutbox()).toMatchObject([{ state: "waiting", unconfirmed: { since: LATER, times } }]);
      pauses.push(nextAt - now);
      now = nextAt;
    }
    expect(pauses).toEqual([30_000, 60_000, 120_000]);
    expect(await kept()).toEqual([]);
    server.faults.embedder = "up";
    expect((await run(now)).arrived.map(({ title }) => title)).toEqual(["Page plan"]);
    expect(await kept()).toEqual(["Page plan"]);
    expect(await readOutbox()).toEqual([]);
    expect([...server.index.values()].map(({ content }) => content)).toEqual(["What plan says."]);
  });

  it("is sent again by itself after a restart of the browser, and at once when it is told to", async () => {
    const server = await start();
    server.faults.embedder = "down";
    await enqueue(page(server, "plan"));
    await run();
    server.faults.embedder = "up";
    expect((await run(LATER + 10_000)).arrived).toEqual([]);
    // All that is known of it stands in the database, where the next start of the worker finds it.
    expect(await transact("readonly", (store) => settled(store("outbox").count()))).toBe(1);
    await sendNow(undefined, LATER + 10_000);
    expect((await run(LATER + 10_000)).arrived).toHaveLength(1);
  });

  it("is kept where the service had it already, as somebody else has kept it", async () => {
    const server = await start();
    await enqueue(page(server, "plan"));
    await run();
    await freshBrowser();
    await changeSettings({ baseUrl: server.url, pairId: 1, ingestionPath: "/onyx-api/ingestion" });
    await storeKeys({ askKey: server.keys.admin });
    await enqueue(page(server, "plan"));
    expect((await run()).arrived).toHaveLength(1);
    expect(server.log.filter(({ path }) => path === "/search")).toHaveLength(1);
  });

  it("is kept where only the reply to it was lost", async () => {
    const server = await start();
    let isCut = false;
    server.faults.cut = ({ path }) => {
      if (isCut || !path.includes("ingestion")) return undefined;
      isCut = true;
      return { at: "before-head" };
    };
    await enqueue(page(server, "plan"));
    expect((await run()).arrived).toEqual([]);
    expect(await readOutbox()).toMatchObject([{ problem: { kind: "unreachable" } }]);
    expect((await run(LATER + 60_000)).arrived).toHaveLength(1);
    expect(server.index.size).toBe(1);
  });

  it("is not taken for its older state: what it says now must be found", async () => {
    const server = await start();
    await enqueue(page(server, "plan"));
    await run();
    server.faults.embedder = "down";
    await enqueue(page(server, "plan", {}, "The release is put off until the second of April, and nobody knows why."));
    expect((await run()).arrived).toEqual([]);
    expect(await readOutbox()).toMatchObject([{ unconfirmed: { times: 1 } }]);
    // What is known of it is what was found before.
    expect(await readLedger()).toMatchObject([{ hash: "What plan says.", times: 1 }]);
    server.faults.embedder = "up";
    expect((await run(LATER + 60_000)).arrived).toHaveLength(1);
    expect([...server.index.values()].map(({ content }) => content)).toEqual([
      "The release is put off until the second of April, and nobody knows why.",
    ]);
  });

  it("stops, with the reason, where the service refuses it the next time", async () => {
    const server = await start();
    server.faults.embedder = "down";
    await enqueue(page(server, "plan"));
    await run();
    server.faults.ingestion = "missing";
    await run(LATER + 60_000);
    expect(await readOutbox()).toMatchObject([{ state: "stopped", problem: { kind: "takes-none", status: 501 } }]);
  });

  it("holds no other page up", async () => {
    const server = await start();
    server.faults.embedder = (document) => document === "web_plan";
    await enqueue(page(server, "plan"));
    await enqueue(page(server, "garden"), Date.now() + 1);
    expect((await run()).arrived.map(({ title }) => title)).toEqual(["Page garden"]);
  });

  it("of a private window is held in memory, and leaves nothing behind once it is found", async () => {
    const server = await start();
    server.faults.embedder = "down";
    await enqueue(page(server, "plan", { isPrivate: true }));
    await run();
    expect(await readOutbox()).toMatchObject([{ isPrivate: true, unconfirmed: { times: 1 } }]);
    expect(await transact("readonly", (store) => settled(store("outbox").count()))).toBe(0);
    server.faults.embedder = "up";
    expect((await run(LATER + 60_000)).arrived).toHaveLength(1);
    expect(await readOutbox()).toEqual([]);
    expect(await readLedger()).toEqual([]);
  });

  it("300 pages while the service loses every third: all are found once it is well, without anybody's doing", async () => {
    const server = await start();
    server.faults.embedder = (_, number) => number % 3 === 2;
    let now = LATER;
    for (const half of [0, 150]) {
      for (let index = half; index < half + 150; index++) await enqueue(page(server, `page-${index}`));
      now = (await run(now)).nextAt ?? now;
    }
    expect(server.index.size).toBeLessThan(300);
    server.faults.embedder = "up";
    for (let rounds = 0; rounds < 9 && (await readOutbox()).length > 0; rounds++) now = (await run(now)).nextAt ?? now;
    expect(await readOutbox()).toEqual([]);
    expect(server.index.size).toBe(300);
    expect(await kept()).toHaveLength(300);
  }, 60_000);
});

describe("a service that takes no pages", () => {
  it.each([
    ["says so", (server: DeployedServer) => (server.faults.ingestion = "missing"), 501],
    ["knows no such path", (server: DeployedServer) => server.faults.missing.push("/onyx-api/ingestion"), 404],
  ])("%s: the page stops with that reason, and is not sent for ever", async (_, break_, status) => {
    const server = await start();
    break_(server);
    await enqueue(page(server, "plan"));
    await run();
    expect(await readOutbox()).toMatchObject([{ state: "stopped", problem: { kind: "takes-none", status } }]);
  });

  it("from this key says that the key may not", async () => {
    const server = await start("member");
    await enqueue(page(server, "plan"));
    await run();
    expect(await readOutbox()).toMatchObject([{ state: "stopped", problem: { kind: "not-permitted", status: 403 } }]);
  });
});

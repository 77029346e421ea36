import { freshBrowser } from "../testing/fake-browser.ts";
import { afterThisTest, type DeployedServer, startDeployedServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { fakeBrowser } from "wxt/testing/fake-browser";
import { readLedger } from "../outbox/ledger.ts";
import { tryService } from "../options/connect.ts";
import { NO_CHOICES, readChoices } from "../options/server-choices.ts";
import { enqueue, readOutbox } from "../outbox/outbox.ts";
import { serviceAccess, type ServiceAccess } from "../panel/connection/service-access.ts";
import { PAUSE } from "../outbox/pause.ts";
import { sendOutbox } from "../outbox/send-outbox.ts";
import { readConnection, readSettings, rememberAddress, storeKeys } from "./settings.ts";

/** A deployed server whose address IT has set, as people write it, and an admin's key for it. */
async function start(written: (server: DeployedServer) => string = ({ origin }) => origin): Promise<DeployedServer> {
  const server = await startDeployedServer();
  afterThisTest(() => server.close());
  await freshBrowser();
  await fakeBrowser.storage.managed.set({ baseUrl: written(server), pairId: 1, ingestionPath: "/onyx-api/ingestion" });
  await storeKeys({ askKey: server.keys.admin });
  return server;
}

/** The service as a panel that opens now sees it. */
async function panel(): Promise<ServiceAccess> {
  const [settings, connection] = await Promise.all([readSettings(), readConnection()]);
  if (connection === undefined) throw new Error("It is not set up.");
  return serviceAccess(connection, settings);
}
const stands = async (access: ServiceAccess) => access.key.look(0, new AbortController().signal);
const tools = async (access: ServiceAccess) => access.searchTools(new AbortController().signal);
const withKey = (server: DeployedServer) =>
  server.log.filter(({ key }) => key !== undefined).map(({ to, path }) => `${to} ${path}`);
const healthCalls = (server: DeployedServer) => server.log.filter(({ path }) => path.endsWith("/health")).length;

/** Keeps a page, and sends it an hour later. */
async function keep(server: DeployedServer): Promise<void> {
  const document = { id: "web_plan", semantic_identifier: "Plan", sections: [{ text: "The plan." }], metadata: {} };
  await enqueue({
    origin: server.origin,
    documentId: "web_plan",
    title: "Plan",
    link: "https://example.com/plan",
    addresses: [],
    hash: "plan",
    characters: 9,
    pairId: 1,
    document: JSON.stringify(document),
  });
  await send();
}
const send = () => sendOutbox(() => Date.now() + 3_600_000);
const kept = async () => (await readLedger()).map(({ title }) => title);

describe("an address that IT has set", () => {
  it.each([
    ["without /api", ({ origin }: DeployedServer) => origin],
    ["with a slash too many", ({ url }: DeployedServer) => `${url}/`],
    ["as it is", ({ url }: DeployedServer) => url],
  ])("%s: works for who-am-I, tools and kept pages, and is looked for once", async (_, written) => {
    const server = await start(written);
    const access = await panel();
    expect(await stands(access)).toMatchObject({ isThere: true });
    expect(await stands(access)).not.toHaveProperty("failure");
    expect((await tools(access)).ids).toHaveLength(1);
    await keep(server);
    expect(await kept()).toEqual(["Plan"]);
    const looked = healthCalls(server);
    const later = await panel();
    await Promise.all([stands(later), tools(later)]);
    expect(healthCalls(server)).toBe(looked);
    expect(withKey(server).filter((call) => call.startsWith("pages"))).toEqual([]);
    expect(await readConnection()).toMatchObject({ baseUrl: server.url, isFound: true });
    expect((await readSettings()).baseUrl).toBe(written(server));
  });

  it("without /api: the tools alone are looked up where it answers", async () => {
    const server = await start();
    expect((await tools(await panel())).ids).toHaveLength(1);
    expect(withKey(server)).toEqual(["service /tool"]);
  });

  it("of a server that is away: is not remembered, and found once it is back", async () => {
    const server = await start();
    await server.down();
    const access = await panel();
    expect(await stands(access)).toMatchObject({ isThere: false, failure: { code: "unavailable" } });
    expect(await readConnection()).toMatchObject({ baseUrl: server.origin, isFound: false });
    await server.up();
    expect(await stands(access)).not.toHaveProperty("failure");
    expect(await readConnection()).toMatchObject({ baseUrl: server.url, isFound: true });
  });

  it("of a website: is said to be one, gets no key, and is looked at again the next time", async () => {
    const server = await start(({ origin }) => `${origin}/welcome`);
    const access = await panel();
    const { failure, isThere } = await stands(access);
    expect(failure?.message).toBe(
      `There is a website at ${server.origin}/welcome, and no service, neither there nor with /api at the end.`,
    );
    expect([failure?.code, isThere]).toEqual(["website", false]);
    expect(await tools(access)).toEqual({ ids: [], off: "unknown" });
    expect(withKey(server)).toEqual([]);
    expect(await readConnection()).toMatchObject({ isFound: false });
  });

  it("where the service has moved below it: is looked for again", async () => {
    const server = await start();
    await rememberAddress(server.origin, `${server.origin}/old`);
    const access = await panel();
    expect(await stands(access)).toMatchObject({ failure: { code: "website" } });
    expect(await stands(access)).not.toHaveProperty("failure");
    expect(await readConnection()).toMatchObject({ baseUrl: server.url });
  });

  it("without health: is used where a key is known, and the worker learns of it", async () => {
    const server = await start();
    server.faults.missing.push("/health");
    expect(await stands(await panel())).not.toHaveProperty("failure");
    await keep(server);
    expect(await kept()).toEqual(["Plan"]);
  });

  it("lets pages go that were refused where it is not, also with another reason than that", async () => {
    const server = await start();
    await keep(server);
    expect(await readOutbox()).toMatchObject([{ problem: {} }]);
    await stands(await panel());
    expect(await readOutbox()).toMatchObject([{ state: "waiting", attempts: 0 }]);
    expect((await readOutbox())[0]?.problem).toBeUndefined();
    expect(await PAUSE.read()).toBeUndefined();
    await send();
    expect(await kept()).toEqual(["Plan"]);
  });

  it("T10 is no other origin's, whatever stands in the storage, and no other address's", async () => {
    const server = await start();
    await rememberAddress(server.origin, "https://evil.example/api");
    expect(await readConnection()).toMatchObject({ baseUrl: server.origin, isFound: false });
    await rememberAddress(`${server.origin}/other`, server.url);
    expect(await readConnection()).toMatchObject({ baseUrl: server.origin, isFound: false });
  });
});

describe("the settings page, where IT has set an address without /api,", () => {
  it("reads from the service what there is to choose from", async () => {
    const server = await start();
    expect((await readChoices()).pairs).toBeDefined();
    expect(withKey(server).filter((call) => call.startsWith("pages"))).toEqual([]);
    expect(await readConnection()).toMatchObject({ baseUrl: server.url, isFound: true });
  });

  it("takes nothing for known of a service that does not tell its health and answers no key", async () => {
    const server = await start();
    server.faults.missing.push(/^\/(?!tool)/);
    expect(await readChoices()).toEqual(NO_CHOICES);
    expect(await readConnection()).toMatchObject({ isFound: false });
  });

  it("says where the service was found, and nothing that IT would have to put right", async () => {
    const server = await start();
    const found = new Map((await tryService()).map((finding) => [finding.what, finding]));
    expect(found.get("base URL")).toMatchObject({ ok: true, foundAt: server.url });
    expect([...found.values()].filter(({ ok }) => ok === false)).toEqual([]);
    await rememberAddress(server.origin, `${server.origin}/old`);
    expect((await tryService()).find(({ what }) => what === "base URL")).toMatchObject({ foundAt: server.url });
    expect(await readConnection()).toMatchObject({ baseUrl: server.url, isFound: true });
    expect((await readSettings()).baseUrl).toBe(server.origin);
  });
});

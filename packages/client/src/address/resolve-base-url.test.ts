import {
  afterThisTest,
  closedPort,
  startDeployedServer,
  startFaultServer,
  type FaultServer,
  type Script,
} from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import {
  AbortedError,
  InvalidRequestError,
  UnavailableError,
  UnsupportedError,
  WrongBaseUrlError,
} from "../errors/errors.ts";
import { addressWords, resolveBaseUrl } from "./resolve-base-url.ts";

const servers: FaultServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(script: Script): Promise<FaultServer> {
  const server = await startFaultServer(script);
  servers.push(server);
  return server;
}

const healthy = { json: { success: true, message: "ok", data: null } };
const unknownRoute = { status: 404, json: { detail: "404: Not Found" } };
const page = { headers: { "content-type": "text/html" }, body: "<!doctype html><title>Chat</title>" };

/** A service under one path, a website everywhere else. */
const serviceUnder =
  (prefix: string, other = page): Script =>
  ({ path }) =>
    path === `${prefix}/health` ? healthy : other;

describe("finding the base URL", () => {
  it.each([
    ["", "", "/api", ""],
    ["", "/", "/api", "/api"],
    ["/api", "/api", "/api", "/api"],
    ["/api", "/api/", "", ""],
    ["/team", "/team", "/team/api", "/team/api"],
  ])("under %s: typed %s", async (_, typed, prefix, found) => {
    const server = await serve(serviceUnder(prefix === "/api" && found === "" ? "" : prefix));
    const { baseUrl } = await resolveBaseUrl({ baseUrl: `${server.url}${typed}` });
    expect(baseUrl).toBe(`${server.url}${found}`);
  });

  it("never sends a key or a body", async () => {
    const server = await serve([page, healthy]);
    await resolveBaseUrl({ baseUrl: server.url });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /health", "GET /api/health"]);
    expect(server.requests.every(({ headers, text }) => headers["authorization"] === undefined && text === "")).toBe(
      true,
    );
  });

  it.each([
    ["a website", page, WrongBaseUrlError],
    ["a login redirect", { status: 307, headers: { location: "/auth/login" } }, WrongBaseUrlError],
    ["another service", unknownRoute, UnsupportedError],
  ])("says what each address is when none is the service: %s", async (_, reply, type) => {
    const server = await serve([reply]);
    const { baseUrl, tried } = await resolveBaseUrl({ baseUrl: server.url });
    expect(baseUrl).toBeUndefined();
    expect(tried.map((address) => address.baseUrl)).toEqual([server.url, `${server.url}/api`]);
    for (const { error } of tried) expect(error).toBeInstanceOf(type);
  });

  it("takes no other JSON for health", async () => {
    const server = await serve([{ json: { success: false } }, { json: { status: "ok" } }]);
    expect((await resolveBaseUrl({ baseUrl: server.url })).baseUrl).toBeUndefined();
  });

  it("does not wait for a server that is not there", async () => {
    const { tried } = await resolveBaseUrl({ baseUrl: await closedPort() });
    for (const { error } of tried) expect(error).toBeInstanceOf(UnavailableError);
    const silent = await serve([{ stall: "before-head" }]);
    const began = performance.now();
    await resolveBaseUrl({ baseUrl: silent.url, timeoutMs: 50 });
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it("throws for what can be no base URL, and when stopped", async () => {
    await expect(resolveBaseUrl({ baseUrl: "host" })).rejects.toThrow(InvalidRequestError);
    const server = await serve([healthy]);
    await expect(resolveBaseUrl({ baseUrl: server.url, signal: AbortSignal.abort() })).rejects.toThrow(AbortedError);
  });
});

describe("what an address turned out to be", () => {
  const seen = async (baseUrl: string) => {
    const resolved = await resolveBaseUrl({ baseUrl });
    return { ...resolved, words: addressWords(resolved) };
  };

  it("the service, with or without the /api a person typed", async () => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    expect(await seen(`${server.url}/`)).toMatchObject({
      state: "found",
      given: server.url,
      baseUrl: server.url,
      likely: server.url,
      words: `The service answers at ${server.url}.`,
    });
    expect(await seen(server.origin)).toMatchObject({
      state: "elsewhere",
      given: server.origin,
      baseUrl: server.url,
      likely: server.url,
      words: `The service answers at ${server.url}. At ${server.origin} there is a website.`,
    });
    expect(server.log.filter(({ key }) => key !== undefined)).toEqual([]);
  });

  it("no service at all: a website, or another one's path", async () => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    expect(await seen(`${server.origin}/team`)).toMatchObject({
      state: "not_a_service",
      baseUrl: undefined,
      words: `There is a website at ${server.origin}/team, and no service, neither there nor with /api at the end.`,
    });
    const other = await serve([{ json: { status: "ok" } }]);
    expect(await seen(other.url)).toMatchObject({ state: "not_a_service", likely: other.url });
  });

  it("nothing that answers, told by the address that is no website", async () => {
    const nothing = await closedPort();
    expect(await seen(nothing)).toMatchObject({
      state: "unreachable",
      likely: nothing,
      words: expect.stringContaining("nothing listens there"),
    });
    const gateway = { status: 502, headers: { "content-type": "text/html" }, body: "<h1>502 Bad Gateway</h1>" };
    const down = await serve(({ path }) => (path.startsWith("/api/") ? gateway : page));
    expect(await seen(down.url)).toMatchObject({
      state: "unreachable",
      likely: `${down.url}/api`,
      words: expect.stringContaining("cannot reach the service behind it (502)"),
    });
  });

  it("a server that does not say, which can be the service", async () => {
    const bare = await serve(({ path }) => (path.startsWith("/api/") ? unknownRoute : page));
    expect(await seen(bare.url)).toMatchObject({ state: "no_health", likely: `${bare.url}/api`, baseUrl: undefined });
    const guarded = await serve([{ status: 403, json: { detail: "Unauthorized" } }]);
    const { state, likely, words } = await seen(guarded.url);
    expect([state, likely]).toEqual(["no_health", guarded.url]);
    expect(words).not.toContain("accept this key");
  });
});

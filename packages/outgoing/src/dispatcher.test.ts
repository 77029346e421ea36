import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createAuthority, afterThisFile, closedPort } from "@threadlore/testkit";
import { fetch } from "undici";
import { describe, expect, it } from "vitest";
import { createDispatcher } from "./dispatcher.ts";
import { startProxy, startSecureServer, startWordServer } from "./outgoing.harness.ts";
import { readProxies } from "./proxies.ts";

const known = getCACertificates("default");
const authority = createAuthority("Harbour Test Authority");
setDefaultCACertificates([...known, authority.cert]);
afterThisFile(() => setDefaultCACertificates(known));
const certified = authority.issue("knowledge.test");

const CREDENTIALS = "anna:pass:word";
const withCredentials = (url: string) => url.replace("://", "://anna:pass%3Aword@");

async function get(address: string, env: Record<string, string>, timeoutMs?: number): Promise<string> {
  const dispatcher = createDispatcher(readProxies(env), timeoutMs);
  try {
    const reply = await fetch(address, { dispatcher, headers: { "x-own": "yes" } });
    return `${reply.status} ${await reply.text()}`;
  } finally {
    void dispatcher.destroy();
  }
}

/** What a call failed for, from the error inside of fetch's own. */
async function failure(address: string, env: Record<string, string>, timeoutMs?: number): Promise<unknown> {
  const error: unknown = await get(address, env, timeoutMs).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.cause : error;
}

describe("a call through a proxy", () => {
  it("is a tunnel where it is encrypted: the proxy reads neither request nor answer", async () => {
    const server = await startSecureServer(certified, ["Hello ", "there."]);
    const proxy = await startProxy({ routes: { "knowledge.test:443": server.port }, credentials: CREDENTIALS });
    expect(await get("https://knowledge.test/a?b=c", { HTTPS_PROXY: withCredentials(proxy.url) })).toBe(
      "200 Hello there.",
    );
    expect(proxy.asked).toEqual([{ method: "CONNECT", target: "knowledge.test:443", status: 200 }]);
    expect(server.asked).toMatchObject([{ url: "/a?b=c", headers: { host: "knowledge.test", "x-own": "yes" } }]);
    // What was for the proxy stays there.
    expect(server.front.received().toLowerCase()).not.toContain("proxy-");
  });

  it("is a request to the proxy where it is not", async () => {
    const server = await startWordServer();
    const proxy = await startProxy({ routes: { "knowledge.test:8080": server.port }, credentials: CREDENTIALS });
    const env = { HTTP_PROXY: withCredentials(proxy.url) };
    expect(await get("http://knowledge.test:8080/a?b=c", env)).toBe("200 Hello.");
    expect(proxy.asked).toEqual([{ method: "GET", target: "http://knowledge.test:8080/a?b=c", status: 200 }]);
    expect(server.asked).toMatchObject([{ url: "/a?b=c", headers: { host: "knowledge.test:8080", "x-own": "yes" } }]);
    expect(Object.keys(server.asked[0]?.headers ?? {})).not.toContain("proxy-authorization");
  });

  it("goes to a proxy that is spoken to encrypted itself", async () => {
    const server = await startSecureServer(certified);
    const proxy = await startProxy({ routes: { "knowledge.test:443": server.port } }, authority.issue("127.0.0.1"));
    expect(await get("https://knowledge.test/", { HTTPS_PROXY: proxy.url })).toBe("200 Hello.");
    const stranger = await startProxy({ routes: {} }, createAuthority("Nobody").issue("127.0.0.1"));
    expect(await failure("https://knowledge.test/", { HTTPS_PROXY: stranger.url })).toMatchObject({
      code: "PROXY_UNTRUSTED",
    });
  });

  it("does not happen for this machine, nor for what NO_PROXY names", async () => {
    const server = await startWordServer();
    const proxy = await startProxy({ routes: {}, refuse: 403 });
    expect(await get(`http://127.0.0.1:${server.port}/`, { HTTP_PROXY: proxy.url })).toBe("200 Hello.");
    expect(await get(`http://localhost:${server.port}/`, { HTTP_PROXY: proxy.url })).toBe("200 Hello.");
    // There is no such name, so it was looked for without the proxy.
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: ".invalid" };
    expect(await failure("https://knowledge.invalid/", env)).toMatchObject({ syscall: "getaddrinfo" });
    expect(proxy.asked).toEqual([]);
  });

  it("says nothing to who shows a certificate of somebody else in the tunnel", async () => {
    const stranger = await startSecureServer(createAuthority("Nobody").issue("knowledge.test"));
    const other = await startSecureServer(authority.issue("other.test"));
    for (const [server, code] of [
      [stranger, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
      [other, "ERR_TLS_CERT_ALTNAME_INVALID"],
    ] as const) {
      const proxy = await startProxy({ routes: { "knowledge.test:443": server.port } });
      expect(await failure("https://knowledge.test/", { HTTPS_PROXY: proxy.url })).toMatchObject({ code });
      expect(server.front.received()).toBe("");
    }
  });

  it("breaks off in the middle where the proxy cuts it", async () => {
    const server = await startSecureServer(
      certified,
      Array.from({ length: 100 }, () => "x".repeat(10_000)),
    );
    const proxy = await startProxy({ routes: { "knowledge.test:443": server.port }, cutAfterBytes: 200_000 });
    expect(await failure("https://knowledge.test/", { HTTPS_PROXY: proxy.url })).toMatchObject({
      code: "UND_ERR_SOCKET",
    });
  });
});

describe("a proxy that lets nothing through", () => {
  const target = "https://knowledge.test/";

  it.each([
    [{ refuse: 403 }, "PROXY_REFUSES", "does not let this machine through to knowledge.test:443 (403)"],
    [{ refuse: 502 }, "PROXY_FAILED", "does not get through to knowledge.test:443 (502)"],
    [{}, "PROXY_FAILED", "does not get through to knowledge.test:443 (502)"],
    [{ credentials: CREDENTIALS }, "PROXY_WANTS_PASSWORD", "wants a name and a password (407)"],
    [{ isSilent: true }, "PROXY_SILENT", "did not answer within 0.2 s"],
  ])("%j is told as what it is", async (behaviour, code, words) => {
    const proxy = await startProxy({ routes: {}, ...behaviour });
    const error = await failure(target, { HTTPS_PROXY: proxy.url }, 200);
    expect(error).toMatchObject({ code, what: `the proxy 127.0.0.1:${proxy.port} (HTTPS_PROXY) ${words}` });
  });

  it("is told where the password is wrong, without it", async () => {
    const proxy = await startProxy({ routes: {}, credentials: CREDENTIALS });
    const error = await failure(target, { https_proxy: proxy.url.replace("://", "://anna:wrong-canary@") });
    expect(error).toMatchObject({
      what: `the proxy 127.0.0.1:${proxy.port} (https_proxy) does not take the name and the password in https_proxy (407)`,
    });
    expect(`${String(error)}${JSON.stringify(error)}`).not.toMatch(/canary|Basic/);
  });

  it("is told where there is none, for both kinds of calls", async () => {
    const { port } = new URL(await closedPort());
    const env = { HTTPS_PROXY: `127.0.0.1:${port}`, HTTP_PROXY: `127.0.0.1:${port}` };
    expect(await failure(target, env)).toMatchObject({
      code: "PROXY_UNREACHABLE",
      message: `the proxy 127.0.0.1:${port} (HTTPS_PROXY) cannot be reached (ECONNREFUSED). Check HTTPS_PROXY, and whether the proxy runs`,
    });
    expect(await failure("http://knowledge.test/", env)).toMatchObject({
      code: "PROXY_UNREACHABLE",
      what: expect.stringContaining("(HTTP_PROXY)"),
    });
  });

  it("is told where the setting names none", async () => {
    expect(await failure(target, { HTTPS_PROXY: "socks5://p.test" })).toMatchObject({ code: "PROXY_SETTING" });
    expect(await failure("http://knowledge.test/", { HTTP_PROXY: "socks5://p.test" })).toMatchObject({
      code: "PROXY_SETTING",
    });
  });
});

import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { keyHeader, NAME, openSocket, ownAddress, send, startNetwork } from "./network.harness.ts";

/** As a proxy on this machine sends it on. */
const from = (address: string, more: Record<string, string> = {}) => ({
  host: NAME,
  "x-forwarded-for": address,
  "x-forwarded-proto": "https",
  ...more,
});
const PROXY = { trustedProxies: ["127.0.0.0/8"] };

describe("T38 behind a proxy", async () => {
  const { port, publicUrl } = await startNetwork(PROXY, {}, "file");

  it("tells people the proxy's address, also where the proxy calls by another", async () => {
    expect(publicUrl).toBe(`https://${NAME}`);
    const path = "/.well-known/oauth-protected-resource/mcp";
    const headers = from("192.0.2.1", { host: `10.0.0.7:${port}`, "x-forwarded-host": NAME });
    expect((await send(port, path, { headers })).body).toMatchObject({ resource: `https://${NAME}/mcp` });
  });

  it("T22 answers by no other name than its own, whatever the proxy calls it", async () => {
    const calls: Record<string, string>[] = [
      { host: `127.0.0.1:${port}` },
      { host: "evil.test" },
      { "x-forwarded-host": "evil.test" },
    ];
    for (const more of calls) {
      expect((await send(port, "/health", { headers: from("192.0.2.1", more) })).status).toBe(403);
    }
  });

  it("does not guess who asks where two headers name two", async () => {
    const headers = from("192.0.2.1", { forwarded: "for=192.0.2.2" });
    const refused = await send(port, "/health", { headers });
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.objectContaining({ error_code: "FORWARDING_UNCLEAR" }),
    ]);
  });

  it("is this machine's for this machine's own commands", async () => {
    const reply = await send(port, "/me", { headers: { host: `127.0.0.1:${port}`, ...keyHeader() } });
    expect(reply.status).toBe(200);
  });

  it.skipIf(ownAddress === undefined)(
    "T37 takes no keys past its proxy, where they would travel in the clear",
    async () => {
      const past = { host: ownAddress, headers: { host: NAME, ...keyHeader() } };
      const refused = await send(port, "/me", past);
      expect(refused.body).toMatchObject({ error_code: "PROXY_ONLY" });
      // Whoever watches whether it is up sends no key.
      expect((await send(port, "/health", past)).status).toBe(200);
    },
  );

  it("T23 pairs nobody from elsewhere, and no code is voided from there", async () => {
    const origin = `chrome-extension://${"a".repeat(32)}`;
    const body = JSON.stringify({ code: "WRNG-CODE" });
    const headers = { origin, "content-type": "application/json", "content-length": String(body.length) };
    const refused = await send(port, "/pairing", { method: "POST", body, headers: from("192.0.2.1", headers) });
    expect(refused.body).toMatchObject({ error_code: "PAIRING_IS_LOCAL" });
    const local = await send(port, "/pairing", {
      method: "POST",
      body,
      headers: { ...headers, host: `localhost:${port}` },
    });
    expect(local.body).toMatchObject({ error_code: "PAIRING_CODE_INVALID" });
  });

  it("T21 lets extensions that were given a key in, without one no more than before, and never a page", async () => {
    const origin = `moz-extension://01234567-89ab-cdef-0123-456789abcdef`;
    const ask = (headers: Record<string, string>) => send(port, "/me", { headers: from("192.0.2.1", headers) });
    expect((await ask({ origin, ...keyHeader() })).status).toBe(200);
    expect((await ask({ origin })).status).toBe(403);
    expect((await ask({ origin: "https://evil.test", ...keyHeader() })).status).toBe(403);
    expect((await ask({ "sec-fetch-site": "cross-site", ...keyHeader() })).status).toBe(403);
    const local = { host: `localhost:${port}`, origin, ...keyHeader() };
    expect((await send(port, "/me", { headers: local })).status).toBe(403);
  });
});

describe("T39 one who asks too much", async () => {
  const limits = { keylessEach: 10, keyedEach: 25, connectionsEach: 8 };
  const { port } = await startNetwork(PROXY, { limits }, "file");
  const ask = async (address: string, key?: string, path = "/me"): Promise<number> =>
    (await send(port, path, { headers: from(address, key === undefined ? {} : keyHeader(key)) })).status;
  const many = (times: number, asking: () => Promise<number>): Promise<number[]> =>
    Promise.all(Array.from({ length: times }, asking));

  it("without a key waits, and nobody else does, nor a right key from the same address", async () => {
    const statuses = await many(40, () => ask("192.0.2.1", undefined, "/version"));
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(30);
    expect(statuses).toContain(429);
    expect(await ask("192.0.2.2", undefined, "/version")).toBe(200);
    expect(await ask("192.0.2.1", "tl_TESTowner")).toBe(200);
    // One who has one address of IPv6 has all that begin with it.
    const several = await Promise.all(
      Array.from({ length: 40 }, (_, at) => ask(`2001:db8::${at}`, undefined, "/version")),
    );
    expect(several).toContain(429);
  });

  it("T23 with wrong keys waits, and neither others nor right keys from the same address do", async () => {
    const statuses = await many(30, () => ask("192.0.2.3", "tl_TESTwrong"));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses).toContain(429);
    expect(await ask("192.0.2.4", "tl_TESTwrong")).toBe(401);
    expect(await many(10, () => ask("192.0.2.3", "tl_TESTowner"))).toEqual(Array.from({ length: 10 }, () => 200));
  });

  it("with one key waits too, and is told for how long", async () => {
    const headers = from("192.0.2.5", keyHeader());
    const replies = await Promise.all(Array.from({ length: 120 }, () => send(port, "/me", { headers })));
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(20);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map((reply) => reply.headers["retry-after"]))).toEqual(new Set(["1"]));
  });
});

describe.skipIf(ownAddress === undefined)("T39 one address", async () => {
  const { port } = await startNetwork({ plainHttp: true }, { limits: { connectionsEach: 8 } }, "file");

  it("has so many connections, and others have theirs", async () => {
    const held = await Promise.all(Array.from({ length: 8 }, () => openSocket(port, ownAddress)));
    const ninth = await openSocket(port, ownAddress);
    expect(String((await once(ninth, "data"))[0])).toContain("Too many connections from your address");
    expect((await send(port, "/health")).status).toBe(200);
    held[0]?.destroy();
    await expect
      .poll(async () => (await send(port, "/health", { host: ownAddress }).catch(() => undefined))?.status)
      .toBe(200);
  });
});

describe.skipIf(ownAddress === undefined)("T39 connections beyond those of one address", () => {
  it("are told so, stay a moment only, and are closed without a word where they are many", async () => {
    const { port } = await startNetwork({ plainHttp: true }, { limits: { connectionsEach: 2 } });
    const held = await Promise.all([openSocket(port, ownAddress), openSocket(port, ownAddress)]);
    const beyond = await Promise.all(
      Array.from({ length: 80 }, async () => {
        const socket = await openSocket(port, ownAddress);
        const said: string[] = [];
        socket.on("data", (data) => said.push(String(data)));
        await Promise.race([once(socket, "end"), once(socket, "close")]);
        return { socket, reply: said.join("") };
      }),
    );
    const told = beyond.filter(({ reply }) => reply.includes("Too many connections from your address"));
    expect(told.length).toBeGreaterThanOrEqual(16);
    expect(beyond.some(({ reply }) => reply === "")).toBe(true);
    // A client that does not close its own end learns with the next thing it says that the other is gone.
    const last = told.at(-1)?.socket;
    const isGone = () => {
      if (last?.destroyed === false) last.write("x");
      return last?.destroyed;
    };
    await expect.poll(isGone, { timeout: 3_000 }).toBe(true);
    expect(held.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });
});

describe("a thousand connections", () => {
  it("through a proxy, and nobody is turned away", { timeout: 30_000 }, async () => {
    const { port } = await startNetwork(PROXY);
    const begin = `GET /health HTTP/1.1\r\nHost: ${NAME}\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n`;
    const sockets = await Promise.all(Array.from({ length: 1_000 }, () => openSocket(port)));
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([]);
    expect((await send(port, "/me", { headers: from("192.0.2.8", keyHeader()) })).status).toBe(200);
    const last = sockets.at(-1);
    last?.write(begin);
    expect(String(last && (await once(last, "data"))[0])).toContain(" 200 OK");
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([]);
  });
});

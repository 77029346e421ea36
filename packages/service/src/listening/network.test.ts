import { once } from "node:events";
import { createServer } from "node:net";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { serve } from "../serve.ts";
import { bindingError } from "./ports.ts";
import { keyHeader, NAME, openSocket, ownAddress, send, sendRaw, startNetwork } from "./network.harness.ts";
import { ListeningError } from "./plan.ts";

const PLAIN = { plainHttp: true };

describe("a service that cannot listen as it is told", () => {
  const startOn = (listen: string[], port = 0): Promise<unknown> =>
    serve({ database: ":memory:", port, network: { listen, hosts: [NAME], ...PLAIN } }).catch(
      (error: unknown) => error,
    );

  it("T37 does not start with keys in the clear, without names, or with callers who have none", async () => {
    const refused = serve({ database: ":memory:", settings: { anonymous: true }, network: { listen: ["0.0.0.0:0"] } });
    await expect(refused).rejects.toMatchObject({ name: "ListeningError", problems: { length: 3 } });
  });

  it("says that an address is none of this machine's, and which are", async () => {
    const refused = await startOn(["198.51.100.77:0"]);
    expect(refused).toBeInstanceOf(ListeningError);
    expect(String(refused)).toContain("198.51.100.77 is no address of this machine. It has ");
  });

  it("says whose port is taken", async () => {
    const other = createServer().listen(0, "0.0.0.0");
    await once(other, "listening");
    afterThisTest(() => other.close());
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(String(await startOn([`0.0.0.0:${port}`]))).toContain(`Port ${port} of 0.0.0.0 is taken by another program`);
  });

  it("says what a port of the system's own programs needs", () => {
    const error = bindingError(Object.assign(new Error("no"), { code: "EACCES" }), "0.0.0.0", 443);
    expect(error.message).toContain("Choose one from 1024 on, put a proxy before it, or give the right");
  });
});

describe("T22 a service with names", async () => {
  const { port } = await startNetwork(PLAIN, {}, "file");
  const statusOf = async (head: string): Promise<string> => {
    const reply = await sendRaw(port, `${head.replaceAll("PORT", String(port))}\r\nConnection: close\r\n\r\n`);
    return reply.split(" ", 2)[1] ?? "";
  };

  it.each([
    [`GET /health HTTP/1.1\r\nHost: ${NAME}:PORT`, "200"],
    [`GET /health HTTP/1.1\r\nHost: ${NAME}`, "200"],
    [`GET /health HTTP/1.1\r\nHost: ${NAME.toUpperCase()}.`, "200"],
    ["GET /health HTTP/1.1\r\nHost: localhost:PORT", "200"],
    ["GET /health HTTP/1.1\r\nHost: evil.test:PORT", "403"],
    [`GET /health HTTP/1.1\r\nHost: ${NAME}.evil.test`, "403"],
    ["GET /health HTTP/1.1\r\nHost: 198.51.100.1:PORT", "403"],
    [`GET /health HTTP/1.1\r\nHost: ${NAME}\r\nHost: ${NAME}`, "403"],
    ["GET /health HTTP/1.1", "400"],
    ["GET /health HTTP/1.0", "403"],
    [`GET /health HTTP/1.0\r\nHost: ${NAME}`, "200"],
    [`GET http://${NAME}/health HTTP/1.1\r\nHost: ${NAME}`, "400"],
    [`GET http://evil.test/health HTTP/1.1\r\nHost: ${NAME}`, "400"],
    [`CONNECT ${NAME}:443 HTTP/1.1\r\nHost: ${NAME}`, ""],
    [`GET /health HTTP/1.1\r\nHost: ${NAME}\r\nUpgrade: websocket\r\nConnection: Upgrade`, "200"],
    [`GET /health HTTP/1.1\r\nHost: ${NAME}\r\nX-Much: ${"a".repeat(17_000)}`, "431"],
    // Nobody is believed who is no proxy that was named.
    [`GET /health HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: ${NAME}\r\nForwarded: host=${NAME}`, "403"],
  ])("T22 %j: %s", async (head, status) => {
    expect(await statusOf(head)).toBe(status);
  });

  it.skipIf(ownAddress === undefined)(
    "T22 answers from elsewhere to its names and to the very address it came to",
    async () => {
      const from = (host: string) => send(port, "/health", { host: ownAddress, headers: { host } });
      expect((await from(`${ownAddress}:${port}`)).status).toBe(200);
      expect((await from(NAME)).status).toBe(200);
      for (const host of [
        `127.0.0.1:${port}`,
        `localhost:${port}`,
        `[::1]:${port}`,
        `${ownAddress}:1`,
        `0.0.0.0:${port}`,
      ]) {
        expect([host, (await from(host)).status]).toEqual([host, 403]);
      }
    },
  );

  it("answers a client that ends its side once it has asked", async () => {
    const socket = await openSocket(port);
    socket.end(`GET /health HTTP/1.1\r\nHost: ${NAME}\r\nConnection: close\r\n\r\n`);
    const [reply] = (await once(socket, "data")) as [Buffer];
    expect(String(reply)).toContain(" 200 OK");
  });

  it("has a body sent once it is asked for, and not where the request is refused", async () => {
    const head = (host: string): string =>
      `POST /chat/send-chat-message HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${keyHeader().authorization}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 17\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
    const waiting = await openSocket(port);
    waiting.write(head(NAME));
    expect(String((await once(waiting, "data"))[0])).toContain("100 Continue");
    expect(await sendRaw(port, head("evil.test"))).toMatch(/^HTTP\/1.1 403 /);
    const large = head(NAME).replace("Content-Length: 17", "Content-Length: 170000000");
    expect(await sendRaw(port, large)).toMatch(/^HTTP\/1.1 413 /);
  });

  it("tells where it is by its name, and to this machine by how it was called", async () => {
    const path = "/.well-known/oauth-protected-resource/mcp";
    const resourceOf = async (host: string): Promise<unknown> =>
      ((await send(port, path, { headers: { host } })).body as { resource: string }).resource;
    expect(await resourceOf(`${NAME}:${port}`)).toBe(`http://${NAME}:${port}/mcp`);
    expect(await resourceOf(`localhost:${port}`)).toBe(`http://localhost:${port}/mcp`);
    const refused = await send(port, "/mcp", { method: "POST" });
    expect(refused.headers["www-authenticate"]).toBe(`Bearer resource_metadata="http://${NAME}:${port}${path}"`);
  });

  it("has its tools asked by a name of its own", async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search", arguments: { query: "lift" } },
    });
    const headers = {
      host: NAME,
      ...keyHeader(),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "content-length": String(body.length),
    };
    const reply = await send(port, "/mcp", { method: "POST", headers, body });
    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).not.toMatch(/isError\W+true|HOST_NOT_ALLOWED/);
  });
});

describe("a service on every address of both kinds", () => {
  it("takes who comes by IPv4 for what they are: this machine, and a proxy that is trusted", async () => {
    const { port } = await startNetwork({ listen: ["[::]"], trustedProxies: ["127.0.0.1"] });
    expect((await send(port, "/me", { headers: { host: `127.0.0.1:${port}`, ...keyHeader() } })).status).toBe(200);
    const path = "/.well-known/oauth-protected-resource/mcp";
    const headers = { host: NAME, "x-forwarded-for": "192.0.2.1" };
    expect((await send(port, path, { headers })).body).toEqual(
      expect.objectContaining({ resource: `https://${NAME}/mcp` }),
    );
    const six = await send(port, "/health", { host: "::1", headers: { host: `[::1]:${port}` } }).catch(() => undefined);
    // Where there is IPv6 at all.
    expect([200, undefined]).toContain(six?.status);
  });
});

describe("T39 a body that does not come along", () => {
  it("is ended, and so is nothing of who sends at a fair pace", async () => {
    const { port } = await startNetwork(PLAIN, { limits: { leastRate: 10_000, stretchMs: 200 } });
    const head = `POST /chat/send-chat-message HTTP/1.1\r\nHost: ${NAME}\r\nAuthorization: ${keyHeader().authorization}\r\n`;
    const slow = await sendRaw(port, `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`);
    expect(slow).toMatch(/^HTTP\/1.1 408 /);
    expect((await send(port, "/me", { headers: keyHeader() })).status).toBe(200);
  });
});

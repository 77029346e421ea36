import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { getRequestListener } from "@hono/node-server";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { inPieces, LeastPace, type SlowPart } from "./pace.ts";
import { isOpensslMissing, makeAuthority } from "./tls/certificates.harness.ts";

/** A server whose requests are held to 10,000 bytes a second, over a fifth of a second each; `pair`: with TLS. */
async function start(
  answer: RequestListener,
  pair?: { cert: string; key: string },
): Promise<{ open(): Promise<Socket>; ended: SlowPart[] }> {
  const ended: SlowPart[] = [];
  const pace = new LeastPace(10_000, 200, (part) => ended.push(part));
  const listener: RequestListener = (incoming, outgoing) => {
    pace.watch(incoming, outgoing);
    answer(incoming, outgoing);
  };
  const tls = pair && { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(() => {
    pace.stop();
    server.closeAllConnections();
    server.close();
  });
  const to = { port: (server.address() as AddressInfo).port, host: "127.0.0.1" };
  return {
    ended,
    open: async () => {
      const socket = pair === undefined ? connect(to) : connectSecurely({ ...to, rejectUnauthorized: false });
      socket.on("error", () => undefined);
      afterThisTest(() => socket.destroy());
      await once(socket, pair === undefined ? "connect" : "secureConnect");
      return socket;
    },
  };
}

const HEAD = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n";
const echoLength: RequestListener = async (incoming, outgoing) => {
  let length = 0;
  // It broke off where it was ended.
  for await (const bytes of incoming) length += (bytes as Buffer).length;
  outgoing.end(String(length));
};
const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const LARGE = 64_000_000;
const largeReply = (): RequestListener =>
  getRequestListener(() => inPieces(new Response(new Uint8Array(LARGE))), { overrideGlobalObjects: false });
/** Each with a certificate, where it needs one. */
const WAYS: { way: string; pair?: () => { cert: string; key: string } }[] = [{ way: "plainly" }];
if (!isOpensslMissing) WAYS.push({ way: "over TLS", pair: () => makeAuthority().issue("a", ["a"]) });
const quietly =
  (listener: RequestListener): RequestListener =>
  (...given) =>
    void (async () => listener(...given))().catch(() => undefined);

describe("T39 what does not come along", () => {
  it("is ended: a body that arrives by a few bytes", async () => {
    const { open, ended } = await start(quietly(echoLength));
    const socket = await open();
    socket.write(HEAD);
    const trickle = setInterval(() => socket.write("a"), 20);
    afterThisTest(() => clearInterval(trickle));
    let reply = "";
    socket.on("data", (bytes) => (reply += String(bytes)));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(reply).toMatch(/^HTTP\/1.1 408 [^]*REQUEST_TOO_SLOW/);
    expect(ended).toEqual(["body"]);
  });

  it.each(WAYS)("is ended: a reply that is not read, and what it holds goes with it, $way", async ({ pair }) => {
    let unsent: () => number = () => -1;
    const large = largeReply();
    const { open, ended } = await start((incoming, outgoing) => {
      unsent = () => (incoming.socket.destroyed ? 0 : incoming.socket.writableLength);
      large(incoming, outgoing);
    }, pair?.());
    const socket = await open();
    socket.pause();
    socket.write(GET);
    await expect.poll(() => unsent(), { interval: 5 }).toBeGreaterThan(10_000);
    await expect.poll(() => ended, { timeout: 10_000 }).toEqual(["reply"]);
    expect(unsent()).toBe(0);
  });

  it.each(WAYS)("is no reply that is read slowly, but all the while, $way", async ({ pair }) => {
    const { open, ended } = await start(largeReply(), pair?.());
    const socket = await open();
    let came = 0;
    socket.on("data", (bytes: Buffer) => {
      came += bytes.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    socket.write(GET);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect([ended, socket.destroyed]).toEqual([[], false]);
    expect(came).toBeLessThan(LARGE);
  });

  it("is nothing that waits for this side: a body nobody has begun to read, an answer that is thought about", async () => {
    const { open, ended } = await start((incoming, outgoing) => {
      setTimeout(() => quietly(echoLength)(incoming, outgoing), 700);
    });
    const socket = await open();
    socket.write(HEAD + "a".repeat(100_000));
    const [reply] = (await once(socket, "data")) as [Buffer];
    expect(String(reply)).toContain("200 OK");
    expect(ended).toEqual([]);
  });

  it("is nothing that comes at a fair pace, and a reply that is read late but read", async () => {
    const { open, ended } = await start(quietly(echoLength));
    const socket = await open();
    socket.write(HEAD);
    for (let sent = 0; sent < 20; sent++) {
      socket.write("a".repeat(5_000));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    const [reply] = (await once(socket, "data")) as [Buffer];
    expect(String(reply)).toContain("100000");
    expect(ended).toEqual([]);
  });
});

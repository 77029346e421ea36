import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { LeastPace, type SlowPart } from "./pace.ts";

/** A server whose requests are held to 10,000 bytes a second, over a fifth of a second each. */
async function start(answer: RequestListener): Promise<{ open(): Promise<Socket>; ended: SlowPart[] }> {
  const ended: SlowPart[] = [];
  const pace = new LeastPace(10_000, 200, (part) => ended.push(part));
  const server = createServer((incoming, outgoing) => {
    pace.watch(incoming, outgoing);
    answer(incoming, outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(() => {
    pace.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    ended,
    open: async () => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      afterThisTest(() => socket.destroy());
      await once(socket, "connect");
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

  it("is ended: a reply that is not read, and what it holds goes with it", async () => {
    let unsent: () => number = () => -1;
    const { open, ended } = await start((_, outgoing) => {
      unsent = () => (outgoing.socket?.destroyed === false ? outgoing.socket.writableLength : 0);
      outgoing.end(Buffer.alloc(64_000_000));
    });
    const socket = await open();
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => unsent(), { interval: 5 }).toBeGreaterThan(1_000_000);
    await expect.poll(() => ended, { timeout: 10_000 }).toEqual(["reply"]);
    expect(unsent()).toBe(0);
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

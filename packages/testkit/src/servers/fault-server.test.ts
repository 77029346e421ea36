import { connect } from "node:net";
import { text as allText } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { closedPort, startFaultServer, type FaultServer, type Script } from "./fault-server.ts";

let server: FaultServer | undefined;

async function started(script: Script): Promise<FaultServer> {
  server = await startFaultServer(script);
  return server;
}

afterEach(() => server?.close());

const long = "x".repeat(2000);

async function readUntilBroken(response: Response): Promise<{ text: string; broken: boolean }> {
  let text = "";
  try {
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
}

describe("well-behaved replies", () => {
  it("answers and records method, path, headers and body", async () => {
    const { url, requests } = await started([{ status: 201, headers: { "x-kind": "test" }, json: { fine: true } }]);
    const response = await fetch(`${url}/a?b=c`, { method: "PUT", headers: { "X-Key": "k" }, body: "hello" });
    expect(response.status).toBe(201);
    expect(response.headers.get("x-kind")).toBe("test");
    expect(await response.json()).toEqual({ fine: true });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: "PUT", path: "/a?b=c", text: "hello" });
    expect(requests[0]?.headers["x-key"]).toBe("k");
  });

  it("gives replies in turn and repeats the last", async () => {
    const { url } = await started([{ status: 503 }, { status: 200 }]);
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) statuses.push((await fetch(url)).status);
    expect(statuses).toEqual([503, 200, 200]);
  });

  it("asks a function with the request and its number", async () => {
    const { url } = await started((request, attempt) => ({ body: `${attempt} ${request.text}` }));
    await fetch(url, { method: "POST", body: "one" });
    expect(await (await fetch(url, { method: "POST", body: "two" })).text()).toBe("1 two");
  });

  it("reads a request body that is sent in chunks", async () => {
    const { url, requests } = await started([{}]);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("first "));
        controller.enqueue(new TextEncoder().encode("second"));
        controller.close();
      },
    });
    await fetch(url, { method: "POST", body, duplex: "half" } as RequestInit);
    expect(requests[0]?.text).toBe("first second");
  });

  it.each(["length", "chunked", "close"] as const)("frames a body by %s", async (framing) => {
    const { url } = await started([{ body: long, framing }]);
    expect(await (await fetch(url)).text()).toBe(long);
  });
});

describe("faults", () => {
  it("drops the connection after so many bytes of the body", async () => {
    const { url } = await started([{ body: long, drop: { at: 500, of: "body" } }]);
    expect(await readUntilBroken(await fetch(url))).toEqual({ text: long.slice(0, 500), broken: true });
  });

  it("ends a chunked body without its last chunk", async () => {
    const { url } = await started([{ body: long, framing: "chunked", drop: { at: 500, of: "body" } }]);
    expect(await readUntilBroken(await fetch(url))).toEqual({ text: long.slice(0, 500), broken: true });
  });

  it("drops inside the head", async () => {
    const { url } = await started([{ body: long, drop: { at: 9, of: "response" } }]);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });

  it("resets after some bytes of the request, and counts the attempt", async () => {
    const faulty = await started([{ resetAfterRequestBytes: 20 }, { body: "second" }]);
    const failed = await fetch(faulty.url, { method: "POST", body: long }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ cause: { code: expect.stringMatching(/ECONNRESET|EPIPE|UND_ERR_SOCKET/) } });
    expect(faulty).toMatchObject({ attempts: 1, requests: [] });
    expect(await (await fetch(faulty.url)).text()).toBe("second");
  });

  it("stays silent before the head until the caller gives up, and tells when that was", async () => {
    const { url, received } = await started([{ stall: "before-head" }]);
    const controller = new AbortController();
    const pending = fetch(url, { signal: controller.signal }).catch((error: unknown) => error);
    const request = await received(1);
    controller.abort();
    expect(await pending).toMatchObject({ name: "AbortError" });
    expect((await request.closed) - request.arrivedAt).toBeLessThan(1000);
  });

  it("stays silent after the head", async () => {
    const { url } = await started([{ body: long, stall: "after-head" }]);
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    expect(await readUntilBroken(response)).toEqual({ text: "", broken: true });
  });

  it("stays silent in the middle of the body", async () => {
    const { url } = await started([{ body: long, framing: "chunked", stall: { afterBody: 700 } }]);
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await readUntilBroken(response)).toEqual({ text: long.slice(0, 700), broken: true });
  });

  it("trickles", async () => {
    const { url } = await started([{ body: "abcdef", trickle: { bytes: 2, everyMs: 20 } }]);
    const begun = performance.now();
    expect(await (await fetch(url)).text()).toBe("abcdef");
    expect(performance.now() - begun).toBeGreaterThan(50);
  });

  it("sends a reply twice", async () => {
    const { port } = await started([{ body: "again", duplicate: true, closeAfter: true }]);
    const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"));
    expect((await allText(socket)).match(/again/g)).toHaveLength(2);
  });

  it("refuses connections on a closed port", async () => {
    const failed = await fetch(await closedPort()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ cause: { code: "ECONNREFUSED" } });
  });

  it("fails a TLS handshake at once, and counts no request", async () => {
    const faulty = await started([{}]);
    const failed = await fetch(faulty.url.replace("http:", "https:")).catch((error: unknown) => error);
    expect(failed).toMatchObject({ cause: { code: expect.stringMatching(/SSL/) } });
    expect(faulty.attempts).toBe(0);
  });

  it("closes open connections when it is closed", async () => {
    const faulty = await startFaultServer([{ stall: "before-head" }]);
    const pending = fetch(faulty.url).catch(() => "broken");
    const request = await faulty.received(1);
    await faulty.close();
    expect(await pending).toBe("broken");
    expect(await request.closed).toBeGreaterThan(0);
    expect(faulty.openConnections).toBe(0);
  });
});

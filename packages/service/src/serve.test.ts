import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { quickest, startScriptedModel } from "@threadlore/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PortTakenError, type RunningService, serve, type ServeOptions } from "./serve.ts";
import { temporaryFolder } from "./service.harness.ts";
import { DatabaseError } from "./store/sqlite/database-error.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(options: Partial<ServeOptions> = {}): Promise<RunningService & { port: number }> {
  const running = await serve({ database: ":memory:", port: 0, ...options });
  cleanups.push(() => running.close());
  return { ...running, port: Number(new URL(running.url).port) };
}

function databasePath(): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  return `${folder.path}/data/service.db`;
}

async function open(port: number, host = "127.0.0.1"): Promise<Socket> {
  const socket = connect(port, host);
  cleanups.push(() => socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Sends raw bytes and answers the head of the reply. */
async function raw(port: number, request: string): Promise<string> {
  const socket = await open(port);
  socket.write(request);
  let reply = "";
  for await (const bytes of socket) {
    reply += String(bytes);
    if (reply.includes("\r\n\r\n")) break;
  }
  return reply;
}

describe("serve", () => {
  it("makes the first key once, writes it for its owner only, and keeps it valid", async () => {
    const database = databasePath();
    const first = await start({ database });
    expect(first.firstKey).toMatch(/^tl_/);
    expect(first.keyFile).toBe(`${database}.key`);
    expect(readFileSync(`${database}.key`, "utf8").trim()).toBe(first.firstKey);
    expect(statSync(`${database}.key`).mode & 0o777).toBe(0o600);
    await first.close();
    const second = await start({ database });
    expect(second.firstKey).toBeUndefined();
    const headers = { authorization: `Bearer ${first.firstKey}` };
    expect((await fetch(`${second.url}/me`, { headers })).status).toBe(200);
  });

  it("makes every file beside the database readable by its owner only, an older one too", async () => {
    const database = databasePath();
    const first = await start({ database });
    await first.close();
    chmodSync(`${database}.lock`, 0o644);
    await start({ database });
    const folder = dirname(database);
    const modes = readdirSync(folder).map((name) => [name, (statSync(`${folder}/${name}`).mode & 0o777).toString(8)]);
    expect(modes.map(([name]) => name)).toContain("service.db.lock");
    expect(modes.filter(([, mode]) => mode !== "600")).toEqual([]);
  });

  it("writes no key file when it was given a key", async () => {
    const database = databasePath();
    const running = await start({ database, apiKey: "tl_TESTown" });
    expect(running.firstKey).toBeUndefined();
    expect(existsSync(`${database}.key`)).toBe(false);
  });

  it.each([
    ["GET http://127.0.0.1:PORT/health HTTP/1.1", "400"],
    ["OPTIONS * HTTP/1.1", "400"],
    ["TRACE /health HTTP/1.1", "405"],
    ["GET /health HTTP/1.1", "200"],
  ])("takes paths as targets and nothing else: %s -> %s", async (line, status) => {
    const { port } = await start();
    const head = `${line}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    expect((await raw(Number(port), head.replace("PORT", String(port)))).split(" ")[1]).toBe(status);
  });

  it("answers on 127.0.0.1 and, where there is one, on ::1, and nowhere else", async () => {
    const { port } = await start();
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    expect((await fetch(`http://localhost:${port}/health`)).status).toBe(200);
    const elsewhere = connect(port, "127.0.0.2");
    await expect(once(elsewhere, "connect")).rejects.toThrow("ECONNREFUSED");
  });

  it("3B two services on one db: the second refuses, and says so in plain words", async () => {
    const database = databasePath();
    const first = await start({ database });
    const refused = await serve({ database, port: 0 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DatabaseError);
    expect(String(refused)).toContain("Another Threadlore service already works with");
    expect((await fetch(`${first.url}/health`)).status).toBe(200);
    await first.close();
    await start({ database });
  });

  it("says so when the database's folder cannot be made", async () => {
    const file = databasePath().replace("/data/", "/");
    writeFileSync(file, "a file");
    const refused = await serve({ database: `${file}/sub/service.db`, port: 0 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DatabaseError);
    expect(String(refused)).toContain("Does its folder exist");
  });

  it("names the port that is taken, and leaves the database free", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    cleanups.push(() => other.close());
    const address = other.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const database = databasePath();
    const refused = await serve({ database, port }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PortTakenError);
    expect(String(refused)).toContain(`Port ${port} on this machine is taken`);
    await start({ database });
  });

  it("closes at once although connections are kept open, and frees its port", async () => {
    let port = 0;
    const closing = async (): Promise<number> => {
      const service = await start();
      ({ port } = service);
      await fetch(`${service.url}/health`);
      const began = performance.now();
      await service.close();
      await service.close();
      return performance.now() - began;
    };
    expect(await quickest(2_000, closing)).toBeLessThan(2_000);
    await start({ port });
  });

  it("closes within half a second although connections were opened and never used, or a body was left unread", async () => {
    const closing = async (): Promise<number> => {
      const { port, url, close } = await start();
      await open(port);
      await (await fetch(`${url}/health`, { method: "POST", body: "x".repeat(1_000_000) })).text();
      const began = performance.now();
      await close();
      return performance.now() - began;
    };
    expect(await quickest(500, closing)).toBeLessThan(500);
  });

  it("refuses in plain words what still arrives over an open connection while it closes", async () => {
    const replyWhileClosing = async (): Promise<string> => {
      const { port, close } = await start({ apiKey: "tl_TESTown" });
      const socket = await open(port);
      let reply = "";
      socket.on("data", (bytes) => (reply += String(bytes)));
      const ended = once(socket, "close");
      const closing = close();
      // Its database closes at once, and what is open a tenth of a second later.
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.write(`GET /me HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer tl_TESTown\r\n\r\n`);
      await Promise.all([closing, ended]);
      return reply;
    };
    // On a machine too busy for that tenth, the connection is gone before it is asked.
    const reply = await vi.waitFor(
      async () => (await replyWhileClosing()) || Promise.reject(new Error("It was gone before it was asked.")),
      { timeout: 20_000 },
    );
    expect(reply).toContain(" 503 Service Unavailable");
    expect(reply).toContain("The service is stopping. Try again once it runs.");
  });

  it("lets an answer that is being sent end before it closes its connection", async () => {
    const model = await startScriptedModel([{ text: Array.from({ length: 20 }, () => "word "), everyMs: 60 }]);
    cleanups.push(() => model.close());
    const closing = async (): Promise<number> => {
      const { url, close } = await start({ apiKey: "tl_TESTown", model: { baseUrl: model.url, name: "scripted" } });
      const reply = await fetch(`${url}/chat/send-chat-message`, {
        method: "POST",
        headers: { authorization: "Bearer tl_TESTown", "content-type": "application/json" },
        body: JSON.stringify({ message: "Where is the lift?" }),
      });
      const began = performance.now();
      const [answer] = await Promise.all([reply.text(), close()]);
      expect(answer).toContain("The service is shutting down");
      return performance.now() - began;
    };
    expect(await quickest(1_000, closing)).toBeLessThan(1_000);
  });

  it("keeps documents over a restart and indexes what was still queued", async () => {
    const database = databasePath();
    const first = await start({ database, apiKey: "tl_TESTown" });
    const headers = { authorization: "Bearer tl_TESTown", "content-type": "application/json" };
    for (let index = 0; index < 20; index++) {
      const document = { id: `d${index}`, semantic_identifier: "x", sections: [{ text: "words ".repeat(2_000) }] };
      await fetch(`${first.url}/service-api/ingestion`, {
        method: "POST",
        headers,
        body: JSON.stringify({ document }),
      });
    }
    await first.close();
    const second = await start({ database, apiKey: "tl_TESTown" });
    await second.service.drain();
    const listed = (await (await fetch(`${second.url}/service-api/ingestion`, { headers })).json()) as {
      status: string;
    }[];
    expect(listed).toHaveLength(20);
    expect(listed.every(({ status }) => status === "indexed")).toBe(true);
  });
});

describe("a start", () => {
  it("loads neither the model library nor the PDF reader", () => {
    const watched = `
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { serve } = await import(${JSON.stringify(new URL("serve.ts", import.meta.url).href)});
      await (await serve({ database: ":memory:", port: 0, model: { baseUrl: "http://127.0.0.1:9/v1", name: "m" } })).close();
      console.log(JSON.stringify(loaded));`;
    const program = `import { registerHooks } from "node:module";${watched}`;
    const child = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
    const loaded = JSON.parse(child.stdout) as string[];
    expect(loaded.some((url) => url.endsWith("/answer/by-model/model.ts"))).toBe(true);
    expect(loaded.filter((url) => /\/node_modules\/(?:openai|unpdf)\//.test(url))).toEqual([]);
  });
});

describe("T22 names that were pointed at this machine", () => {
  const foreign = [
    "localhost",
    "rebind.test:PORT",
    "127.0.0.1.nip.test:PORT",
    "evil.test",
    "localhost.evil.test:PORT",
    "127.0.0.1:PORT@evil.test",
    "",
    "0.0.0.0:PORT",
    "localhost:PORT, evil.test",
    "localhost:1",
    "[::]:PORT",
    "2130706433:PORT",
  ];
  it.each(foreign)("refuses Host %j on every path and method, before anything else", async (host) => {
    const { port } = await start();
    for (const line of ["GET /health", "OPTIONS /health", "GET /nowhere", "POST /service-api/ingestion"]) {
      const reply = await raw(port, `${line} HTTP/1.1\r\nHost: ${host.replace("PORT", String(port))}\r\n\r\n`);
      expect(reply).toMatch(/^HTTP\/1\.1 40[03] /);
    }
  });

  it.each(["127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT", "LOCALHOST:PORT"])("answers Host %j", async (host) => {
    const { port } = await start();
    const reply = await raw(port, `GET /health HTTP/1.1\r\nHost: ${host.replace("PORT", String(port))}\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("refuses two Hosts, no Host, and a foreign name in the request line", async () => {
    const { port } = await start();
    const own = `Host: 127.0.0.1:${port}`;
    for (const head of [
      `GET /health HTTP/1.1\r\n${own}\r\nHost: evil.test`,
      "GET /health HTTP/1.1",
      "GET /health HTTP/1.0",
      `GET http://evil.test/health HTTP/1.1\r\nHost: evil.test`,
    ]) {
      expect(await raw(port, `${head}\r\n\r\n`)).toMatch(/^HTTP\/1\.[01] 40[03] /);
    }
  });
});

describe("3B slow loris, 10k sockets", () => {
  it("ends a connection whose headers never end", async () => {
    const { port } = await start({ limits: { headersMs: 200, requestMs: 400 } });
    const socket = await open(port);
    socket.write("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    const trickle = setInterval(() => socket.write("a"), 50);
    cleanups.push(() => clearInterval(trickle));
    const began = performance.now();
    socket.resume();
    await once(socket, "close");
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("ends a connection whose body never ends, and stores nothing of it", async () => {
    const { port, url } = await start({ apiKey: "tl_TESTown", limits: { headersMs: 200, requestMs: 400 } });
    const socket = await open(port);
    const head = [
      "POST /service-api/ingestion HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Authorization: Bearer tl_TESTown",
      "Content-Type: application/json",
      "Content-Length: 1000",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n{"document"`);
    const began = performance.now();
    socket.resume();
    await once(socket, "close");
    expect(performance.now() - began).toBeLessThan(5_000);
    const headers = { authorization: "Bearer tl_TESTown" };
    expect(await (await fetch(`${url}/service-api/ingestion`, { headers })).json()).toEqual([]);
  });

  it("lets an answer stream for longer than a request may take to arrive", async () => {
    const model = await startScriptedModel([{ text: Array.from({ length: 20 }, () => "word "), everyMs: 60 }]);
    cleanups.push(() => model.close());
    const { url, service } = await start({
      apiKey: "tl_TESTown",
      model: { baseUrl: model.url, name: "scripted" },
      limits: { headersMs: 100, requestMs: 200 },
    });
    const headers = { authorization: "Bearer tl_TESTown", "content-type": "application/json" };
    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    await post("/service-api/ingestion", {
      document: { semantic_identifier: "Lift", sections: [{ text: "The lift." }] },
    });
    await service.drain();
    const began = performance.now();
    const answer = await (await post("/chat/send-chat-message", { message: "Where is the lift?" })).text();
    expect(performance.now() - began).toBeGreaterThan(1_000);
    expect(answer).toContain('"type":"stop"');
  });

  it("has room for a known number of connections, and again once they are gone", async () => {
    const { port } = await start({ limits: { connections: 8 } });
    const held = await Promise.all(Array.from({ length: 8 }, () => open(port)));
    const ended = Promise.race(held.map(async (socket) => once(socket.resume(), "close")));
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await ended;
    // The longest unused one made room, and no other.
    expect(held.filter((socket) => socket.destroyed)).toHaveLength(1);
    for (const socket of held) socket.destroy();
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  });
});

/** A file system of 4 MB; undefined where the tests may not make one (they need root on Linux). */
function smallDisk(): string | undefined {
  const folder = temporaryFolder();
  const disk = `${folder.path}/disk`;
  mkdirSync(disk);
  const mounted =
    process.getuid?.() === 0 && spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "none", disk]).status === 0;
  cleanups.push(() => {
    if (mounted) spawnSync("umount", [disk]);
    folder.remove();
  });
  if (!mounted) console.log("skipped: no file system of its own to fill; the limit of a database is tested instead.");
  return mounted ? disk : undefined;
}

describe("3B disk full (data, WAL, temp), on a real file system", () => {
  it("answers 507 while there is no room, keeps what it has, and goes on once there is", async () => {
    const disk = smallDisk();
    if (disk === undefined) return;
    const database = `${disk}/service.db`;
    const { url, service } = await start({ database, apiKey: "tl_TESTown", logLevel: "silent" });
    const headers = { authorization: "Bearer tl_TESTown", "content-type": "application/json" };
    const send = async (id: string): Promise<number> => {
      const document = { id, semantic_identifier: id, sections: [{ text: `${id} words `.repeat(2_000) }] };
      const body = JSON.stringify({ document });
      return (await fetch(`${url}/service-api/ingestion`, { method: "POST", headers, body })).status;
    };
    const list = async (): Promise<{ document_id: string; status: string }[]> =>
      (await (await fetch(`${url}/service-api/ingestion`, { headers })).json()) as {
        document_id: string;
        status: string;
      }[];
    expect(await send("before")).toBe(200);
    await service.drain();
    const ballast = `${disk}/ballast`;
    try {
      writeFileSync(ballast, Buffer.alloc(4_000_000));
    } catch {
      // Full is what it is meant to be.
    }
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++) statuses.push(await send(`during-${index}`));
    expect(statuses.at(-1)).toBe(507);
    const kept = statuses.filter((status) => status === 200).length;
    expect(await list()).toHaveLength(1 + kept);
    rmSync(ballast);
    expect(await send("after")).toBe(200);
    await service.drain();
    const listed = await list();
    expect(listed).toHaveLength(2 + kept);
    await expect.poll(async () => (await list()).every(({ status }) => status === "indexed")).toBe(true);
  });
});

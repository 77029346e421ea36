import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Admission } from "./http/admission.ts";
import { streamedOf } from "./chat.harness.ts";
import { addKey } from "./http/keys.ts";
import { type RunningService, serve, type ServeOptions } from "./serve.ts";
import { OWNER_KEY, temporaryFolder } from "./service.harness.ts";
import { Database } from "./store/sqlite/database.ts";
import { fillDatabase } from "./ten-thousand.harness.ts";

const OTHER_KEY = "tl_TESTother";
const EDITOR_KEY = "tl_TESTeditor";
let folder: ReturnType<typeof temporaryFolder>;
let running: RunningService;
beforeAll(async () => {
  folder = temporaryFolder();
  const database = `${folder.path}/load.db`;
  await fillDatabase(database);
  const db = new Database(database);
  db.transact(addKey(OTHER_KEY, { name: "other", role: "ordinary" }, 0));
  db.transact(addKey(EDITOR_KEY, { name: "editor", role: "editor" }, 0));
  db.close();
  running = await serve({ database, port: 0, apiKey: OWNER_KEY, logLevel: "silent" });
}, 60_000);
afterAll(async () => {
  await running.close();
  folder.remove();
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function ask(index: number, key = OWNER_KEY): Promise<"answered" | "busy" | string> {
  const stream = index % 2 === 0;
  const reply = await fetch(`${running.url}/chat/send-chat-message`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ message: `What about v${index}p1?`, stream }),
  });
  const text = await reply.text();
  if (reply.status === 503) {
    const isWhole = Number(reply.headers.get("retry-after")) >= 1 && text.includes("The service is busy");
    return isWhole ? "busy" : text;
  }
  const answer = stream ? streamedOf({ status: reply.status, headers: reply.headers, text }) : JSON.parse(text);
  const isWhole = stream ? answer.types.at(-1) === "stop" : answer.error_msg === null;
  return isWhole && answer.answer.includes("opens at 3 bar") ? "answered" : text;
}

describe("many askers at once", () => {
  it.each([64, 256])(
    "3B %i askers: each gets a whole answer or a 503 with Retry-After, others are not kept",
    async (askers) => {
      let left = askers;
      const crowd = Array.from({ length: askers }, async (_, index) => {
        const outcome = await ask(index).catch((error: unknown) => String(error));
        left--;
        return outcome;
      });
      const answered = async (work: Promise<unknown>) => ({ outcome: await work, before: left });
      const health = answered(fetch(`${running.url}/health`).then(({ status }) => status));
      const other = answered(ask(3, OTHER_KEY));
      const outcomes = await Promise.all(crowd);
      expect(outcomes.filter((outcome) => outcome !== "answered" && outcome !== "busy")).toEqual([]);
      expect(outcomes.filter((outcome) => outcome === "answered").length).toBeGreaterThanOrEqual(64);
      // Both were answered while most of the crowd still waited.
      expect(await health).toMatchObject({ outcome: 200 });
      expect(await other).toMatchObject({ outcome: "answered" });
      expect((await other).before).toBeGreaterThan(16);
      expect(await ask(5)).toBe("answered");
    },
  );
});

describe("turns", () => {
  const never = new AbortController().signal;
  const limits = { running: 1, waitingEach: 3, waiting: 5, waitMs: 60_000, isLong: true };

  it("are taken by callers one after the other, however often each asks", async () => {
    const admission = new Admission(limits);
    const order: string[] = [];
    const work = async (caller: string): Promise<void> => {
      const leave = await admission.enter(caller, never);
      order.push(caller);
      leave();
    };
    const first = await admission.enter("a", never);
    const all = [work("a"), work("a"), work("a"), work("b"), work("c")];
    first();
    await Promise.all(all);
    expect(order).toEqual(["a", "b", "c", "a", "a"]);
  });

  it("are refused where too many wait, for one caller and in all, and given up with the request", async () => {
    const admission = new Admission(limits);
    const leave = await admission.enter("a", never);
    const gone = new AbortController();
    const waiting = ["a", "a"].map((caller) => admission.enter(caller, never));
    const given = admission.enter("a", gone.signal);
    await expect(admission.enter("a", never)).rejects.toMatchObject({ status: 503, headers: { "Retry-After": "1" } });
    waiting.push(admission.enter("b", never), admission.enter("c", never));
    await expect(admission.enter("d", never)).rejects.toMatchObject({ status: 503 });
    gone.abort();
    await expect(given).rejects.toMatchObject({ status: 503 });
    waiting.push(admission.enter("d", never));
    leave();
    // Each leaves when it was its turn.
    await Promise.all(waiting.map(async (one) => (await one)()));
    (await admission.enter("a", never))();
  });

  it("are left for others by a caller whose work does not end", async () => {
    const admission = new Admission({ ...limits, running: 3, runningEach: 2 });
    const held = [await admission.enter("a", never), await admission.enter("a", never)];
    const order: string[] = [];
    const third = admission.enter("a", never).then((leave) => [order.push("a"), leave] as const);
    (await admission.enter("b", never))();
    (await admission.enter("b", never))();
    expect(order).toEqual([]);
    held[0]?.();
    const [, leave] = await third;
    const last = await admission.enter("b", never);
    for (const one of [leave, last, held[1]]) one?.();
    // Whoever is alone goes on as before: two at a time.
    const again = await Promise.all([admission.enter("a", never), admission.enter("a", never)]);
    for (const one of again) one();
  });

  it("are over when the service closes", async () => {
    const closing = new AbortController();
    const admission = new Admission(limits, closing.signal);
    const leave = await admission.enter("a", never);
    const waiting = [admission.enter("a", never), admission.enter("b", never)];
    closing.abort();
    for (const one of await Promise.allSettled(waiting)) expect(one).toMatchObject({ reason: { status: 503 } });
    leave();
  });

  it("come before other long work, which waits for them between two steps, but not for long", async () => {
    const admission = new Admission({ ...limits, patienceMs: 60_000 });
    await admission.quiet();
    const leave = await admission.enter("a", never);
    let isQuiet = false;
    const quiet = admission.quiet().then(() => (isQuiet = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isQuiet).toBe(false);
    leave();
    await quiet;
    // This question does not end, and the work goes on.
    const hasty = new Admission({ ...limits, patienceMs: 20 });
    const stay = await hasty.enter("b", never);
    await hasty.quiet();
    stay();
  });

  it("are not waited for longer than was said", async () => {
    const admission = new Admission({ ...limits, waitMs: 20 });
    const leave = await admission.enter("a", never);
    await expect(admission.enter("b", never)).rejects.toMatchObject({ status: 503 });
    leave();
    (await admission.enter("b", never))();
  });
});

async function start(options: Partial<ServeOptions> = {}): Promise<RunningService> {
  const service = await serve({ database: ":memory:", port: 0, apiKey: OWNER_KEY, ...options });
  cleanups.push(() => service.close());
  return service;
}

async function open({ url }: RunningService): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  cleanups.push(() => socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

const me = async ({ url }: RunningService) =>
  (await fetch(`${url}/me`, { headers: { authorization: `Bearer ${OWNER_KEY}` } })).status;

describe("3B slow loris, 10k sockets: room for who has a key", () => {
  it("300 unused connections without a key keep nobody out", async () => {
    const service = await start({ limits: { connections: 100 } });
    expect(await me(service)).toBe(200);
    const held: Socket[] = [];
    for (let index = 0; index < 300; index++) held.push(await open(service));
    for (let round = 0; round < 5; round++) expect(await me(service)).toBe(200);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect(held.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(300);
  });

  it("where all connections are in use, one more is told to come back, and health still answers", async () => {
    const service = await start({ limits: { connections: 3 } });
    const head = [
      "POST /chat/send-chat-message HTTP/1.1",
      `Host: 127.0.0.1:${new URL(service.url).port}`,
      `Authorization: Bearer ${OWNER_KEY}`,
      "Content-Type: application/json",
      "Content-Length: 100",
      "Expect: 100-continue",
    ];
    const busy = await Promise.all(Array.from({ length: 3 }, () => open(service)));
    for (const socket of busy) {
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      await once(socket, "data");
    }
    const refused = await fetch(`${service.url}/version`);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ error_code: "TOO_MANY_CONNECTIONS" });
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    for (const socket of busy) socket.destroy();
    await expect.poll(async () => (await fetch(`${service.url}/version`)).status).toBe(200);
  });

  /** Begins requests whose body never comes, and waits until each was looked at. */
  async function beginWithoutEnd(service: RunningService, count: number, heads: readonly (readonly string[])[]) {
    const host = `Host: 127.0.0.1:${new URL(service.url).port}`;
    const body = ["Content-Type: application/json", "Content-Length: 100", "Expect: 100-continue"];
    for (let index = 0; index < count; index++) {
      const [line = "", ...more] = heads[index % heads.length] ?? [];
      const socket = await open(service);
      socket.write(`${[line, host, ...more, ...body].join("\r\n")}\r\n\r\n`);
      await once(socket, "data");
    }
  }

  /** Statuses of five requests with a right key, each over a connection of its own. */
  async function answersOf(service: RunningService): Promise<number[]> {
    const statuses: number[] = [];
    for (let round = 0; round < 5; round++) {
      const headers = { authorization: `Bearer ${OWNER_KEY}`, connection: "close" };
      const reply = await fetch(`${service.url}/me`, { headers });
      await reply.text();
      statuses.push(reply.status);
    }
    return statuses;
  }

  const CHAT = "POST /chat/send-chat-message HTTP/1.1";

  it("what strangers began to send and do not end keeps nobody out", async () => {
    const service = await start({ limits: { connections: 20 }, settings: { anonymous: true } });
    const origin = "Origin: chrome-extension://abcdefghijklmnopabcdefghijklmnop";
    await beginWithoutEnd(service, 20, [["POST /pairing HTTP/1.1", origin], [CHAT]]);
    expect(await answersOf(service)).toEqual([200, 200, 200, 200, 200]);
  });

  it("what one caller began to send and does not end keeps no other caller out", async () => {
    const database = `${folder.path}/begun.db`;
    const db = new Database(database);
    db.transact(addKey(OTHER_KEY, { name: "other", role: "ordinary" }, 0));
    db.close();
    const service = await start({ database, limits: { connections: 20 } });
    await beginWithoutEnd(service, 20, [[CHAT, `Authorization: Bearer ${OTHER_KEY}`]]);
    expect(await answersOf(service)).toEqual([200, 200, 200, 200, 200]);
  });

  it("documents one caller began to send and does not end keep no other caller out", async () => {
    const head = [
      "POST /service-api/ingestion HTTP/1.1",
      `Host: 127.0.0.1:${new URL(running.url).port}`,
      `Authorization: Bearer ${EDITOR_KEY}`,
      "Content-Type: application/json",
      "Content-Length: 100",
    ];
    for (let index = 0; index < 40; index++) (await open(running)).write(`${head.join("\r\n")}\r\n\r\n{`);
    const document = { id: "d", semantic_identifier: "D", source: "file", sections: [{ text: "T" }], metadata: {} };
    const reply = await fetch(`${running.url}/service-api/ingestion`, {
      method: "POST",
      headers: { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ document }),
      signal: AbortSignal.timeout(5_000),
    });
    expect(reply.status).toBe(200);
  });

  it("an unused connection is kept for longer than a request may have to wait", async () => {
    const service = await start();
    const reply = await fetch(`${service.url}/health`);
    expect(reply.headers.get("keep-alive")).toBe("timeout=75");
  });
});

describe("a question that waits", () => {
  it("is stored and told of before it is answered, in a stream", async () => {
    // A model that says nothing takes all places there are.
    const { promise: silence, resolve: end } = Promise.withResolvers<void>();
    cleanups.push(end);
    const model = createServer((_, reply) => void silence.then(() => reply.end()));
    model.listen(0, "127.0.0.1");
    await once(model, "listening");
    cleanups.push(() => model.close());
    const { port } = model.address() as AddressInfo;
    const service = await start({ model: { baseUrl: `http://127.0.0.1:${port}/v1`, name: "silent" } });
    const post = (message: string): Promise<Response> =>
      fetch(`${service.url}/chat/send-chat-message`, {
        method: "POST",
        headers: { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ message, stream: true }),
        signal: leaving.signal,
      });
    const leaving = new AbortController();
    const asked = await Promise.all(Array.from({ length: 40 }, (_, index) => post(`Who is number ${index}?`)));
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
    const packets: string[] = [];
    const last = asked.at(-1)?.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (packets.length < 2) {
      const { value = "" } = (await last?.read()) ?? {};
      packets.push(...value.split("\n\n").filter((packet) => packet !== ""));
    }
    expect(packets[0]).toContain('"chat_session_id"');
    expect(packets[1]).toContain('"reserved_assistant_message_id"');
    const headers = { authorization: `Bearer ${OWNER_KEY}` };
    const sessions = await fetch(`${service.url}/chat/get-user-chat-sessions`, { headers });
    expect(((await sessions.json()) as { sessions: unknown[] }).sessions).toHaveLength(40);
    leaving.abort();
  });
});

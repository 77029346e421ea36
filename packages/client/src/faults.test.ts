import {
  closedPort,
  cutBody,
  ownStream,
  replayFetch,
  startFaultServer,
  type FaultServer,
  type Reply,
  type Script,
} from "@threadlore/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAdminClient } from "./admin.ts";
import { createClient, type Client, type ClientOptions } from "./client.ts";
import { AbortedError, ClientError, PartialAnswerError, RateLimitError, type Outcome } from "./errors/errors.ts";
import { PlacedPacket, type Packet } from "./models.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(script: Script): Promise<FaultServer> {
  const server = await startFaultServer(script);
  cleanups.push(() => server.close());
  return server;
}

const clientOf = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl, apiKey: "tl_TEST_canary", retries: { baseMs: 5 }, ...options });
const adminOf = (baseUrl: string) => createAdminClient({ baseUrl, apiKey: "tl_TEST_canary", retries: { baseMs: 5 } });

const message = { message: "Where are the bicycles kept?" };
const document = { semantic_identifier: "Bicycles", sections: [{ text: "In the shed." }], metadata: {} };
const answer = { answer: "In the shed.", message_id: 7 };

/** Every operation, with whether doing it twice is as good as doing it once, and a body that satisfies it. */
const operations = [
  ["chat, streamed", false, undefined, async (url: string) => readAll(clientOf(url).streamMessage(message))],
  ["chat, complete", false, answer, (url: string) => clientOf(url).sendMessage(message)],
  ["ingestion without id", false, { already_existed: false }, (url: string) => clientOf(url).ingest({ document })],
  [
    "ingestion with id",
    true,
    { already_existed: false },
    (url: string) => clientOf(url).ingest({ document: { ...document, id: "d1" } }),
  ],
  [
    "swap",
    true,
    { success: true, message: "Done", data: null },
    (url: string) => adminOf(url).swapCredential({ new_credential_id: 1, connector_id: 2, access_type: "public" }),
  ],
  ["validate", true, { methods: [] }, (url: string) => adminOf(url).validateTool({ definition: {} })],
] as const;

const chunkedStream = (name: string): Reply => {
  const { headers, body } = ownStream(name).response;
  return { headers: { "content-type": headers["content-type"] ?? "" }, framing: "chunked", body };
};
const success = (body: unknown): Reply => (body === undefined ? chunkedStream("plain") : { json: body });

interface Read {
  packets: Packet[];
  text: string;
  error: unknown;
}

async function readAll(stream: AsyncIterable<Packet>): Promise<void> {
  const { error } = await read(stream);
  if (error !== undefined) throw error;
}

async function read(stream: AsyncIterable<Packet>): Promise<Read> {
  const packets: Packet[] = [];
  const result = (error?: unknown) => ({ packets, text: textOf(packets), error });
  try {
    for await (const packet of stream) packets.push(packet);
    return result();
  } catch (error) {
    return result(error);
  }
}

function textOf(packets: readonly Packet[]): string {
  const objects = packets.map((packet) => PlacedPacket.safeParse(packet).data?.obj);
  return objects.map((obj) => (obj?.type === "message_delta" ? obj.content : "")).join("");
}

async function failure(promise: Promise<unknown>): Promise<ClientError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ClientError) return error;
  throw new Error("The call did not fail with a typed error", { cause: error });
}

const outcomeOfError = (error: unknown) => (error instanceof ClientError ? error.outcome : String(error));
const outcomeOf = async (promise: Promise<unknown>): Promise<Outcome> => (await failure(promise)).outcome;

/** A client over a fetch of our own, on fake time. `at` records when each request was sent, in ms since the start. */
function onFakeTime(reply: (attempt: number) => Response | Promise<Response>, options: Partial<ClientOptions> = {}) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  const began = performance.now();
  const at: number[] = [];
  const fetch = async () => reply(at.push(Math.round(performance.now() - began)) - 1);
  const client = createClient({ baseUrl: "https://service.test/api", apiKey: "tl_TEST_canary", fetch, ...options });
  return { client, at };
}

const jsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

/** A body that gives these chunks, one per interval, then stays open. */
function trickle(chunks: readonly string[], everyMs: number): Response {
  const left = chunks.values();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = left.next();
      await new Promise((resolve) => setTimeout(resolve, done === true ? 1e8 : everyMs));
      if (value !== undefined) controller.enqueue(new TextEncoder().encode(value));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

describe("3A refused, DNS, TLS failure", () => {
  it.each([
    ["refused", closedPort],
    ["an unknown name", async () => "https://no-such-host.invalid"],
    ["no TLS", async () => (await serve([{}])).url.replace("http:", "https:")],
  ])("3A refused, DNS, TLS failure: %s ends as unavailable, and nothing was sent", async (_, address) => {
    const baseUrl = await address();
    for (const [, , , call] of operations) {
      expect(await failure(call(baseUrl))).toMatchObject({ outcome: "unavailable", maybeProcessed: false });
    }
  });

  it("3A refused, DNS, TLS failure: tried again twice, after up to 0.5 s and 1 s", async () => {
    const random = vi.spyOn(Math, "random").mockReturnValue(0.999);
    const refused = Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }),
    });
    const { client, at } = onFakeTime(() => Promise.reject(refused));
    const outcome = outcomeOf(client.sendMessage(message));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await outcome).toBe("unavailable");
    expect(at[0]).toBe(0);
    expect(at).toHaveLength(3);
    expect(at[1]).toBeGreaterThan(490);
    expect(at[1]).toBeLessThanOrEqual(501);
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThan(990);
    random.mockRestore();
  });

  it("3A refused, DNS, TLS failure: a server that comes up between two tries is reached", async () => {
    let attempts = 0;
    const refused = Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }),
    });
    const fetch = async () => (++attempts < 3 ? Promise.reject(refused) : jsonResponse(200, answer));
    const client = clientOf("https://service.test", { fetch });
    expect(await client.sendMessage(message)).toMatchObject(answer);
  });

  it("3A refused, DNS, TLS failure: an address that swallows connections is given up within 20 s", async () => {
    const swallowed = Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error("x"), { code: "UND_ERR_CONNECT_TIMEOUT" }),
    });
    const connect = () => new Promise<Response>((_, reject) => setTimeout(() => reject(swallowed), 10_000));
    const { client } = onFakeTime(connect);
    const outcome = outcomeOf(client.sendMessage(message));
    let over = false;
    void outcome.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(20_600);
    expect(over).toBe(true);
    expect(await outcome).toBe("unavailable");
  });
});

describe("3A reset after request, before headers", () => {
  it.each(operations)("3A reset after request, before headers: %s", async (_, repeatable, body, call) => {
    const stubborn = await serve([{ resetAfterRequestBytes: 200 }]);
    const error = await failure(call(stubborn.url));
    expect(error).toMatchObject({ outcome: "unavailable", maybeProcessed: true });
    expect(stubborn.attempts).toBe(repeatable ? 3 : 1);

    const recovering = await serve([{ resetAfterRequestBytes: 200 }, success(body)]);
    const outcome = await call(recovering.url).then(() => "ok", outcomeOfError);
    expect(outcome).toBe(repeatable ? "ok" : "unavailable");
    expect(recovering.attempts).toBe(repeatable ? 2 : 1);
  });
});

describe("3A 429 with Retry-After", () => {
  const forms: [string, Record<string, string>, object][] = [
    ["seconds", { "retry-after": "5" }, {}],
    ["milliseconds", { "retry-after-ms": "5000" }, {}],
    ["a date", { "retry-after": "Sat, 21 Nov 2026 10:00:05 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT" }, {}],
    ["the body's seconds", {}, { retry_after_seconds: 5 }],
    ["the body's moment", { date: "Sat, 21 Nov 2026 10:00:00 GMT" }, { reset_at: "2026-11-21T10:00:05+00:00" }],
  ];

  it.each(forms)(
    "3A 429 with Retry-After: %s are sat out, whatever this machine's clock says",
    async (_, headers, body) => {
      for (const clockOff of [0, 3_600_000, -3_600_000]) {
        const { client, at } = onFakeTime((attempt) =>
          attempt === 0 ? jsonResponse(429, body, headers) : jsonResponse(200, answer),
        );
        vi.setSystemTime(Date.parse("2026-11-21T10:00:00Z") + clockOff);
        const sent = client.sendMessage(message);
        await vi.advanceTimersByTimeAsync(5001);
        expect(await sent).toMatchObject(answer);
        expect(at).toEqual([0, 5000]);
        vi.useRealTimers();
      }
    },
  );

  it("3A 429 with Retry-After: a wait longer than a server may be silent is no silence", async () => {
    const timeouts = { firstByteMs: 10_000, slowFirstByteMs: 10_000 };
    const { client, at } = onFakeTime(
      (attempt) => (attempt === 0 ? jsonResponse(429, {}, { "retry-after": "30" }) : jsonResponse(200, answer)),
      { timeouts },
    );
    const sent = client.sendMessage(message);
    sent.catch(() => {});
    await vi.advanceTimersByTimeAsync(30_001);
    expect(await sent).toMatchObject(answer);
    expect(at).toEqual([0, 30_000]);
  });

  it("3A 429 with Retry-After: more than a minute is shown, not waited out", async () => {
    const server = await serve([
      { status: 429, headers: { "retry-after": "7200" }, json: { scope: "user", error_code: "RATE_LIMITED" } },
    ]);
    for (const [, , , call] of operations) {
      const error = await failure(call(server.url));
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ outcome: "rate_limited", code: "RATE_LIMITED", scope: "user" });
      const retryAt = error instanceof RateLimitError ? (error.retryAt?.getTime() ?? 0) : 0;
      expect(Math.abs(retryAt - Date.now() - 7_200_000)).toBeLessThan(5000);
    }
    expect(server.attempts).toBe(operations.length);
  });

  it("3A 429 with Retry-After: all concurrent calls share the wait", async () => {
    const { client, at } = onFakeTime((attempt) =>
      attempt === 0 ? jsonResponse(429, {}, { "retry-after": "30" }) : jsonResponse(200, answer),
    );
    const first = client.sendMessage(message);
    await vi.advanceTimersByTimeAsync(1000);
    const later = Array.from({ length: 5 }, () => client.sendMessage(message));
    await vi.advanceTimersByTimeAsync(28_000);
    expect(at).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1001);
    await Promise.all([first, ...later]);
    expect(at).toEqual([0, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it("3A 429 with Retry-After: the wait ends at once when the caller stops it", async () => {
    const server = await serve([{ status: 429, headers: { "retry-after": "30" } }]);
    const controller = new AbortController();
    const outcome = outcomeOf(clientOf(server.url).sendMessage(message, { signal: controller.signal }));
    await server.received(1);
    setTimeout(() => controller.abort(), 30);
    expect(await outcome).toBe("aborted");
    expect(server.attempts).toBe(1);
  });
});

describe("3A 429 without", () => {
  it.each(operations)(
    "3A 429 without: %s backs off twice, then says rate_limited",
    async (_, _repeatable, body, call) => {
      const stubborn = await serve([{ status: 429, json: { detail: "Too Many Requests" } }]);
      expect(await failure(call(stubborn.url))).toMatchObject({ outcome: "rate_limited", retryAt: undefined });
      expect(stubborn.attempts).toBe(3);
      const relenting = await serve([{ status: 429 }, { status: 429 }, success(body)]);
      await call(relenting.url);
      expect(relenting.attempts).toBe(3);
    },
  );
});

describe("3A 500/502/504", () => {
  it.each(operations)("3A 500/502/504: %s", async (_, repeatable, _body, call) => {
    for (const status of [500, 502, 504]) {
      const server = await serve([{ status, headers: { "content-type": "text/html" }, body: "<html>oops</html>" }]);
      expect(await failure(call(server.url))).toMatchObject({ outcome: "unavailable", maybeProcessed: true, status });
      expect(server.attempts).toBe(repeatable ? 3 : 1);
    }
  });
});

describe("3A 503, 408, 425", () => {
  it.each(operations)("3A 503, 408, 425: %s is sent again", async (_, _repeatable, body, call) => {
    for (const status of [503, 408, 425]) {
      const relenting = await serve([{ status }, { status, headers: { "retry-after": "0" } }, success(body)]);
      await call(relenting.url);
      expect(relenting.attempts).toBe(3);
    }
    const stubborn = await serve([{ status: 503, headers: { "retry-after": "61" } }]);
    expect(await outcomeOf(call(stubborn.url))).toBe("unavailable");
    expect(stubborn.attempts).toBe(1);
  });
});

describe("3A 401/403", () => {
  it("3A 401/403: 50 parallel calls fail at once, with one prompt for the origin and the key kept", async () => {
    let allowed = false;
    const server = await serve(() => (allowed ? { json: answer } : { status: 401, json: { detail: "Invalid token" } }));
    const prompts: string[] = [];
    const client = clientOf(server.url, { onAuthFailure: (origin) => prompts.push(origin) });
    const calls = Array.from({ length: 50 }, () => outcomeOf(client.sendMessage(message)));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["auth"]));
    expect(server.attempts).toBe(50);
    expect(prompts).toEqual([server.url]);

    allowed = true;
    await client.sendMessage(message);
    expect(server.requests.at(-1)?.headers["authorization"]).toBe("Bearer tl_TEST_canary");
    allowed = false;
    await outcomeOf(client.sendMessage(message));
    expect(prompts).toEqual([server.url, server.url]);
  });

  it.each(operations)("3A 401/403: %s is not sent again", async (_, _repeatable, _body, call) => {
    for (const [status, detail] of [
      [401, "x"],
      [403, "Access denied. User is not authenticated."],
      [403, "Access denied"],
    ] as const) {
      const server = await serve([{ status, json: { detail } }]);
      expect(await outcomeOf(call(server.url))).toBe("auth");
      expect(server.attempts).toBe(1);
    }
  });

  it("3A 401/403: a missing permission is no reason to sign in again", async () => {
    const server = await serve([{ status: 403, json: { error_code: "INSUFFICIENT_PERMISSIONS", detail: "No." } }]);
    const prompts: string[] = [];
    const client = clientOf(server.url, { onAuthFailure: (origin) => prompts.push(origin) });
    expect(await failure(client.ingest({ document }))).toMatchObject({ name: "PermissionError" });
    expect(prompts).toEqual([]);
  });
});

describe("3A 404/409/422", () => {
  const bodies = [
    { detail: [{ loc: ["body", "message"], msg: "Field required", type: "missing" }] },
    { detail: "x".repeat(50_000) },
    { detail: { deep: "object" } },
    "not json at all",
    "{",
    "",
  ];
  it.each(operations)(
    "3A 404/409/422: %s is never sent again and ends as invalid, whatever the body",
    async (_, _r, _b, call) => {
      for (const status of [404, 409, 422]) {
        for (const body of bodies) {
          const server = await serve([{ status, body: typeof body === "string" ? body : JSON.stringify(body) }]);
          const error = await failure(call(server.url));
          expect(error).toMatchObject({ outcome: "invalid", status });
          expect(error.message.length).toBeLessThan(2200);
          expect(server.attempts).toBe(1);
        }
      }
    },
  );

  it("3A 404/409/422: a 422 names loc, msg and type", async () => {
    const server = await serve([{ status: 422, json: bodies[0] }]);
    expect(await failure(clientOf(server.url).sendMessage(message))).toMatchObject({
      issues: [{ loc: ["body", "message"], msg: "Field required", type: "missing" }],
    });
  });
});

describe("3A drop mid-stream", () => {
  it.each(["plain", "data-frames", "surrogate-escapes"])(
    "3A drop mid-stream: cut at every byte, the text is a beginning and the answer partial: %s",
    async (name) => {
      const { body } = ownStream(name).response;
      const whole = await read(
        createClient({
          baseUrl: "https://service.test",
          apiKey: "",
          fetch: replayFetch(ownStream(name)),
        }).streamMessage(message),
      );
      const stopAt = Buffer.from(body).indexOf('"stop"');
      const partial: unknown[] = [];
      const finished: string[] = [];
      for (let at = 0; at <= body.length; at++) {
        const lost = new TypeError("terminated");
        const chunks = cutBody(body.subarray(0, at), { seed: at, most: 200 }).values();
        const stream = new ReadableStream<Uint8Array>({
          pull(controller) {
            const { value, done } = chunks.next();
            if (done === true) controller.error(lost);
            else controller.enqueue(value.bytes);
          },
        });
        const fetch = async () => new Response(stream, { headers: { "content-type": "text/event-stream" } });
        const { text, error } = await read(
          createClient({ baseUrl: "https://service.test", apiKey: "", fetch }).streamMessage(message),
        );
        expect(whole.text.startsWith(text)).toBe(true);
        if (at >= stopAt && error === undefined) finished.push(text);
        else partial.push(error);
      }
      expect(partial.length).toBeGreaterThan(stopAt);
      expect(partial.every((error) => error instanceof PartialAnswerError && error.cause instanceof TypeError)).toBe(
        true,
      );
      expect(new Set(finished)).toEqual(new Set([whole.text]));
    },
  );

  it.each(["close", "reset"] as const)(
    "3A drop mid-stream: over a socket, by %s, it is not sent again",
    async (how) => {
      const { body } = ownStream("plain").response;
      const stopAt = Buffer.from(body).indexOf('"stop"');
      for (let at = 0; at < stopAt; at += 53) {
        const server = await startFaultServer([{ ...chunkedStream("plain"), drop: { at, of: "body", how } }]);
        const { error } = await read(clientOf(server.url).streamMessage(message));
        // A reset can overtake the head; then no answer had begun.
        expect(["partial", ...(how === "reset" ? ["unavailable"] : [])]).toContain(
          error instanceof ClientError ? error.outcome : error,
        );
        expect(server.attempts).toBe(1);
        await server.close();
      }
    },
  );
});

describe("3A clean EOF without a stop packet", () => {
  it("3A clean EOF without a stop packet: partial, with everything that came", async () => {
    const server = await serve([chunkedStream("no-stop")]);
    const { text, error } = await read(clientOf(server.url).streamMessage(message));
    expect(text).toBe(ownStream("no-stop").expected.text);
    expect(error).toMatchObject({ name: "PartialAnswerError", outcome: "partial" });
  });

  it("3A clean EOF without a stop packet: an error line is reason enough", async () => {
    const server = await serve([chunkedStream("error-after-deltas")]);
    const { packets, error } = await read(clientOf(server.url).streamMessage(message));
    expect(error).toBeUndefined();
    expect(packets.at(-1)).toMatchObject({ error: "The connection to the model was lost." });
  });
});

describe("3A malformed JSON / unknown packet / oversized event", () => {
  const streamed = (body: string): Reply => ({
    headers: { "content-type": "text/event-stream" },
    framing: "chunked",
    body,
  });
  const delta = (content: string) =>
    `data: ${JSON.stringify({ placement: { turn_index: 0 }, obj: { type: "message_delta", content } })}\n\n`;
  const stop = 'data: {"placement": {"turn_index": 0}, "obj": {"type": "stop"}}\n\n';

  it("3A malformed JSON: protocol after the text so far", async () => {
    const server = await serve([streamed(`${delta("kept")}data: {"pla\n\n${delta("lost")}${stop}`)]);
    expect(await read(clientOf(server.url).streamMessage(message))).toMatchObject({
      text: "kept",
      error: { outcome: "protocol" },
    });
  });

  it("3A unknown packet: kept, and the answer goes on", async () => {
    const server = await serve([streamed(`${delta("a")}data: {"type": "from_the_future"}\n\n${delta("b")}${stop}`)]);
    const { text, packets, error } = await read(clientOf(server.url).streamMessage(message));
    expect({ text, error }).toEqual({ text: "ab", error: undefined });
    expect(packets).toContainEqual({ unknown: { type: "from_the_future" } });
  });

  it("3A oversized event: protocol after the text so far", async () => {
    const server = await serve([streamed(`${delta("kept")}${delta("x".repeat(5000))}${stop}`)]);
    const client = clientOf(server.url, { limits: { maxPacketLength: 2000 } });
    expect(await read(client.streamMessage(message))).toMatchObject({ text: "kept", error: { outcome: "protocol" } });
  });
});

describe("3A 200 text/html or ndjson", () => {
  it.each(operations)("3A 200 text/html or ndjson: a page is a wrong base URL for %s", async (_, _r, _b, call) => {
    for (const type of ["text/html; charset=utf-8", "text/event-stream", "application/json"]) {
      const server = await serve([
        { headers: { "content-type": type }, body: "<!DOCTYPE html><title>Sign in</title>" },
      ]);
      const error = await failure(call(server.url));
      expect(error).toMatchObject({ name: "WrongBaseUrlError", outcome: "protocol", host: `127.0.0.1:${server.port}` });
      expect(error.message).toContain("/api");
    }
  });

  it("3A 200 text/html or ndjson: line JSON is read under any content type", async () => {
    for (const type of ["application/x-ndjson", "application/json", "text/plain"]) {
      const server = await serve([{ ...chunkedStream("plain"), headers: { "content-type": type } }]);
      const { text, error } = await read(clientOf(server.url).streamMessage(message));
      expect({ text, error }).toEqual({ text: ownStream("plain").expected.text, error: undefined });
    }
  });

  it("3A 200 text/html or ndjson: a text of another kind is named with its type and host", async () => {
    const server = await serve([{ headers: { "content-type": "text/plain" }, body: "upstream gone" }]);
    const { error } = await read(clientOf(server.url).streamMessage(message));
    expect(error).toMatchObject({
      outcome: "protocol",
      message: expect.stringMatching(/127\.0\.0\.1:\d+.*text\/plain/),
    });
    expect(await outcomeOf(clientOf(server.url).sendMessage(message))).toBe("protocol");
  });
});

describe("3A half-open TCP, silent server", () => {
  it("3A half-open TCP, silent server: no head within 60 s", async () => {
    const { client, at } = onFakeTime(() => new Promise(() => {}));
    const outcome = failure(readAll(client.streamMessage(message)));
    await vi.advanceTimersByTimeAsync(60_001);
    expect(await outcome).toMatchObject({ outcome: "unavailable", maybeProcessed: true });
    expect(at).toEqual([0]);
  });

  it("3A half-open TCP, silent server: 300 s for complete answers and ingestion", async () => {
    const { client } = onFakeTime(() => new Promise(() => {}));
    let over = 0;
    const calls = [client.sendMessage(message), client.ingest({ document: { ...document, id: "d1" } })].map((call) =>
      failure(call).finally(() => over++),
    );
    await vi.advanceTimersByTimeAsync(299_000);
    expect(over).toBe(0);
    await vi.advanceTimersByTimeAsync(2000);
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ outcome: "unavailable" });
  });

  const session = '{"chat_session_id": "s"}\n';
  const heartbeat = '{"placement": {"turn_index": 0, "tab_index": 0}, "obj": {"type": "chat_heartbeat"}}\n';

  it.each([
    ["45 s once a heartbeat was seen", [session, heartbeat], 47_000],
    ["300 s where none was", [session], 301_000],
  ])("3A half-open TCP, silent server: silence after the answer began ends it, %s", async (_, chunks, after) => {
    const { client } = onFakeTime(() => trickle(chunks, 1000));
    const result = read(client.streamMessage(message));
    let over = false;
    void result.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(after - 1000);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1500);
    expect(over).toBe(true);
    expect(await result).toMatchObject({ error: { outcome: "partial", cause: { name: "UnavailableError" } } });
  });

  it("3A half-open TCP, silent server: ten minutes in all", async () => {
    const { client } = onFakeTime(() => trickle([session, ...Array.from({ length: 100 }, () => heartbeat)], 10_000));
    const result = read(client.streamMessage(message));
    await vi.advanceTimersByTimeAsync(600_001);
    const { error, packets } = await result;
    expect(error).toMatchObject({ outcome: "partial" });
    expect(packets.length).toBeGreaterThan(55);
  });

  it("3A half-open TCP, silent server: keep-alive comments are signs of life", async () => {
    const { client } = onFakeTime(() =>
      trickle(
        Array.from({ length: 45 }, () => ": still here\n\n"),
        10_000,
      ),
    );
    const result = read(client.streamMessage(message));
    let over = false;
    void result.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(450_000);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(150_001);
    expect(await result).toMatchObject({ error: { outcome: "unavailable" } });
  });

  it("3A half-open TCP, silent server: a reader that takes its time is no silence of the server", async () => {
    const { client } = onFakeTime(() => trickle([session, heartbeat, heartbeat], 1000));
    const iterator = client.streamMessage(message)[Symbol.asyncIterator]();
    for (let taken = 0; taken < 3; taken++) {
      const next = iterator.next();
      await vi.advanceTimersByTimeAsync(1000);
      expect((await next).done).toBe(false);
      await vi.advanceTimersByTimeAsync(120_000);
    }
    const last = failure(iterator.next());
    await vi.advanceTimersByTimeAsync(100_000);
    expect(await last).toMatchObject({ outcome: "partial" });
  });

  it("3A half-open TCP, silent server: over a socket, before the head and in the middle", async () => {
    const silent = await serve([{ stall: "before-head" }]);
    const timeouts = { firstByteMs: 80, slowFirstByteMs: 80, idleMs: 80, quietIdleMs: 80 };
    expect(await outcomeOf(readAll(clientOf(silent.url, { timeouts }).streamMessage(message)))).toBe("unavailable");
    const stalling = await serve([{ ...chunkedStream("plain"), stall: { afterBody: 300 } }]);
    expect(await read(clientOf(stalling.url, { timeouts }).streamMessage(message))).toMatchObject({
      error: { outcome: "partial" },
    });
    const half = await serve([{ json: answer, stall: { afterBody: 5 } }]);
    expect(await outcomeOf(clientOf(half.url, { timeouts }).sendMessage(message))).toBe("unavailable");
    await expect.poll(() => silent.openConnections + stalling.openConnections + half.openConnections).toBe(0);
  });
});

describe("3A slow loris", () => {
  it("3A slow loris: bytes without a complete event are no progress", async () => {
    const heartbeat = '{"placement": {"turn_index": 0, "tab_index": 0}, "obj": {"type": "chat_heartbeat"}}\n';
    const { client } = onFakeTime(() => trickle([heartbeat, ...'{"placement": {"turn_index"'], 10_000));
    const result = read(client.streamMessage(message));
    let over = false;
    void result.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(54_000);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(over).toBe(true);
    expect(await result).toMatchObject({ error: { outcome: "partial" } });
  });
});

describe("3A abort by user", () => {
  /** Packets of a stream that stays open after its first delta; aborts after it and reports what came. */
  async function abortMidStream(client: Client, server: FaultServer) {
    const controller = new AbortController();
    let abortedAt = 0;
    let after = 0;
    let error: unknown;
    try {
      for await (const packet of client.streamMessage(message, { signal: controller.signal })) {
        if (abortedAt > 0) after++;
        if (abortedAt > 0 || textOf([packet]) === "") continue;
        abortedAt = performance.now();
        setTimeout(() => {
          abortedAt = performance.now();
          controller.abort();
        });
      }
    } catch (thrown) {
      error = thrown;
    }
    const closedAt = await server.requests[0]?.closed;
    return { error, after, tookMs: performance.now() - abortedAt, closedAfterMs: (closedAt ?? Number.NaN) - abortedAt };
  }

  const firstDelta = Buffer.from(ownStream("plain").response.body).indexOf("message_delta") + 80;

  it("3A abort by user: the socket is closed within 100 ms, nothing comes afterwards, and the server's run is stopped", async () => {
    const server = await serve((request) =>
      request.path.includes("/stop-")
        ? { json: { message: "Chat session stopped" } }
        : { ...chunkedStream("plain"), stall: { afterBody: firstDelta } },
    );
    const { error, after, tookMs, closedAfterMs } = await abortMidStream(clientOf(server.url), server);
    expect(error).toBeInstanceOf(AbortedError);
    expect(after).toBe(0);
    expect(tookMs).toBeLessThan(100);
    expect(closedAfterMs).toBeLessThan(100);
    const stop = await server.received(2);
    expect(stop.path).toMatch(/^\/chat\/stop-chat-session\/[0-9a-f-]{36}$/);
    expect(stop.headers["authorization"]).toBe("Bearer tl_TEST_canary");
  });

  it("3A abort by user: a server without a stop operation may have one the next time", async () => {
    const server = await serve((request) =>
      request.path.includes("/stop-")
        ? { status: 404, json: { detail: "404: Not Found" } }
        : { ...chunkedStream("plain"), stall: { afterBody: firstDelta } },
    );
    const client = clientOf(server.url);
    await abortMidStream(client, server);
    await server.received(2);
    await abortMidStream(client, server);
    await server.received(4);
    expect(server.requests.filter(({ path }) => path.includes("/stop-"))).toHaveLength(2);
  });

  it("3A abort by user: leaving the loop closes the socket and stops the run; a finished answer needs no stop", async () => {
    const server = await serve((request) =>
      request.path.includes("/stop-") ? {} : { ...chunkedStream("plain"), stall: { afterBody: firstDelta } },
    );
    for await (const packet of clientOf(server.url).streamMessage(message)) if (textOf([packet]) !== "") break;
    await server.requests[0]?.closed;
    expect((await server.received(2)).path).toContain("/stop-");

    const finished = await serve([chunkedStream("plain")]);
    for await (const packet of clientOf(finished.url).streamMessage(message))
      if ("obj" in packet && PlacedPacket.parse(packet).obj.type === "stop") break;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(finished.attempts).toBe(1);
  });

  it("3A abort by user: a run of a known session is stopped also before its first packet", async () => {
    const chat_session_id = "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f";
    const server = await serve(({ path }) => (path.includes("/stop-") ? {} : { stall: "before-head" }));
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const outcome = outcomeOf(readAll(clientOf(server.url).streamMessage({ ...message, chat_session_id }, options)));
    await server.received(1);
    controller.abort();
    expect(await outcome).toBe("aborted");
    expect(await server.received(2)).toMatchObject({ path: `/chat/stop-chat-session/${chat_session_id}` });
  });

  it("3A abort by user: an end whose reason leaves the run to others closes the connection and stops nothing", async () => {
    const chat_session_id = "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f";
    const server = await serve(({ path }) => (path.includes("/stop-") ? {} : { stall: "before-head" }));
    const [left, stopped] = [new AbortController(), new AbortController()];
    for (const [controller, reason] of [
      [left, Object.assign(new Error("taken over"), { leaveRunning: true })],
      [stopped, undefined],
    ] as const) {
      const options = { signal: controller.signal };
      const outcome = outcomeOf(readAll(clientOf(server.url).streamMessage({ ...message, chat_session_id }, options)));
      await server.received(server.requests.length + 1);
      controller.abort(reason);
      expect(await outcome).toBe("aborted");
    }
    // The second end's stop is the third request: the first end sent none.
    await server.received(3);
    expect(server.requests.map(({ path }) => path.includes("/stop-"))).toEqual([false, false, true]);
  });

  it("3A abort by user: before, during and between the tries of every operation", async () => {
    const silent = await serve([{ stall: "before-head" }]);
    const busy = await serve([{ status: 503, headers: { "retry-after": "20" } }]);
    for (const url of [silent.url, busy.url]) {
      const client = clientOf(url);
      const admin = adminOf(url);
      for (const delayMs of [-1, 40]) {
        const controller = new AbortController();
        if (delayMs < 0) controller.abort();
        else setTimeout(() => controller.abort(new Error("enough")), delayMs);
        const options = { signal: controller.signal };
        const calls = [
          readAll(client.streamMessage(message, options)),
          client.sendMessage(message, options),
          client.ingest({ document }, options),
          admin.swapCredential({ new_credential_id: 1, connector_id: 1 }, options),
          admin.validateTool({ definition: {} }, options),
        ];
        for (const error of await Promise.all(calls.map(failure))) expect(error).toBeInstanceOf(AbortedError);
      }
    }
    await expect.poll(() => silent.openConnections).toBe(0);
  });

  it("3A abort by user: nothing is sent for a call stopped before it began", async () => {
    const server = await serve([{ json: answer }]);
    expect(await outcomeOf(clientOf(server.url).sendMessage(message, { signal: AbortSignal.abort() }))).toBe("aborted");
    expect(server.attempts).toBe(0);
  });

  it("3A abort by user: a fetch that ignores the signal keeps nobody waiting", async () => {
    const controller = new AbortController();
    const client = clientOf("https://service.test", { fetch: () => new Promise(() => {}) });
    setTimeout(() => controller.abort(), 10);
    expect(await outcomeOf(client.sendMessage(message, { signal: controller.signal }))).toBe("aborted");
  });
});

describe("3A clock skew, suspend", () => {
  it("3A clock skew, suspend: a wall clock that jumps changes no timer", async () => {
    const { client } = onFakeTime(() => new Promise(() => {}));
    const outcome = outcomeOf(readAll(client.streamMessage(message)));
    let over = false;
    void outcome.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(30_000);
    vi.setSystemTime(Date.now() + 86_400_000);
    await vi.advanceTimersByTimeAsync(10_000);
    vi.setSystemTime(Date.now() - 2 * 86_400_000);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1001);
    expect(await outcome).toBe("unavailable");
  });

  it("3A clock skew, suspend: after a sleep the idle limit fires when its timer does", async () => {
    const heartbeat = '{"placement": {"turn_index": 0, "tab_index": 0}, "obj": {"type": "chat_heartbeat"}}\n';
    const { client } = onFakeTime(() => trickle([heartbeat, heartbeat, heartbeat], 15_000));
    const result = read(client.streamMessage(message));
    await vi.advanceTimersByTimeAsync(46_000);
    // The machine sleeps: monotonic time goes on, timers do not.
    const real = performance.now.bind(performance);
    const jump = vi.spyOn(performance, "now").mockImplementation(() => real() + 3_600_000);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(await result).toMatchObject({ error: { outcome: "partial" } });
    jump.mockRestore();
  });
});

import { freshBrowser } from "../testing/fake-browser.ts";
import { createService, type Service } from "@threadlore/service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";
import { exportLedger, findKept, readLedger, addressKey } from "./ledger.ts";
import { enqueue, OUTBOX_LIMITS, OutboxFullError, readOutbox, sendNow, takeBack, UNDO_MS } from "./outbox.ts";
import type { NewEntry } from "./outbox-entry.ts";
import { PAUSE } from "./pause.ts";
import { sendOutbox } from "./send-outbox.ts";
import { changeSettings, storeKeys } from "../settings/settings.ts";

const ORIGIN = "http://127.0.0.1:8411";
const KEY = ["tl", "TESTowner"].join("_");
/** When everything queued by a test may be sent. */
const LATER = Date.now() + 3_600_000;

function entry(name: string, more: Partial<NewEntry> = {}): NewEntry {
  const document = {
    id: `web_${name}`,
    semantic_identifier: name,
    sections: [{ text: `About ${name}.` }],
    source: "web",
  };
  return {
    origin: ORIGIN,
    documentId: `web_${name}`,
    title: name,
    link: `https://example.com/${name}`,
    addresses: [],
    hash: "0",
    characters: 10,
    pairId: 1,
    document: JSON.stringify(document),
    ...more,
  };
}

describe("the outbox", () => {
  let service: Service;
  /** Requests that were sent, and what answers them. */
  let sent: Request[];
  let answer: (request: Request) => Promise<Response>;
  const send = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, { ...init, redirect: "manual" });
    sent.push(request.clone());
    return answer(request);
  }) as typeof fetch;
  const run = (now = LATER) => sendOutbox(() => now, send);
  const status = (code: number, body: unknown, headers: Record<string, string> = {}) => {
    answer = async () => Response.json(body, { status: code, headers });
  };

  beforeEach(async () => {
    await freshBrowser();
    service = createService({ database: ":memory:", apiKey: KEY });
    sent = [];
    answer = (request) => service.fetch(request);
    await changeSettings({ baseUrl: ORIGIN, pairId: 1 });
    await storeKeys({ askKey: KEY });
  });
  afterEach(() => service.close());

  it("sends nothing for ten seconds, in which a page can be taken back", async () => {
    const queued = await enqueue(entry("a"));
    expect((await run(queued.queuedAt + UNDO_MS - 1)).nextAt).toBe(queued.queuedAt + UNDO_MS);
    expect(sent).toEqual([]);
    expect(await takeBack(queued.key)).toBe(true);
    expect(await takeBack(queued.key)).toBe(false);
    await run();
    expect(sent).toEqual([]);
  });

  it("moves what was sent into the ledger, which can be exported", async () => {
    const key = await addressKey("https://www.example.com/a?utm_source=x#part");
    await enqueue(entry("a", { addresses: [key] }));
    expect((await run()).arrived.map(({ title }) => title)).toEqual(["a"]);
    expect(await readOutbox()).toEqual([]);
    expect(await findKept(ORIGIN, "https://www.example.com/a")).toMatchObject({ title: "a", times: 1 });
    expect(await findKept("https://other.example", "https://www.example.com/a")).toBeUndefined();
    const exported: unknown = JSON.parse(await exportLedger());
    expect(exported).toMatchObject({ sent: [{ documentId: "web_a", sentAt: expect.stringMatching(/Z$/) }] });
    expect(JSON.stringify(exported)).not.toContain(key);
  });

  it("holds one copy of a page: the newest, in one record however often it is sent", async () => {
    await enqueue(entry("a", { hash: "1" }));
    await enqueue(entry("a", { hash: "2" }));
    expect(await readOutbox()).toHaveLength(1);
    await run();
    await enqueue(entry("a", { hash: "3" }));
    await run();
    expect(await readLedger()).toMatchObject([{ hash: "3", times: 2 }]);
    expect(sent).toHaveLength(2);
  });

  it("keeps a copy that was queued while the older one was being sent", async () => {
    await enqueue(entry("a", { hash: "1" }));
    const real = answer;
    answer = async (request) => {
      await enqueue(entry("a", { hash: "2" }), LATER + 1);
      return real(request);
    };
    await run();
    expect(await readLedger()).toMatchObject([{ hash: "1" }]);
    expect(await readOutbox()).toMatchObject([{ hash: "2", attempts: 0 }]);
  });

  it("says which pair a page goes to, and none where the person chose the service's own", async () => {
    await enqueue(entry("a", { pairId: 1 }));
    await enqueue(entry("b", { pairId: null }));
    await run();
    const bodies = await Promise.all(sent.map((request) => request.json() as Promise<Record<string, unknown>>));
    expect(bodies.map((body) => body["cc_pair_id"])).toEqual([1, undefined]);
  });

  it("401 while queue full: asks one page, pauses, and goes on with another key", async () => {
    status(401, { detail: "Unknown key." });
    for (const name of ["a", "b", "c"]) await enqueue(entry(name));
    expect(await run()).toEqual({ arrived: [], nextAt: undefined });
    await run();
    expect(sent).toHaveLength(1);
    expect(await PAUSE.read()).toMatchObject({ origin: ORIGIN });
    answer = (request) => service.fetch(request);
    await PAUSE.clear();
    expect((await run()).arrived).toHaveLength(3);
  });

  it("never sends to another service than the one a page was queued for", async () => {
    await enqueue(entry("a", { origin: "https://elsewhere.example" }));
    await enqueue(entry("b"));
    expect((await run()).arrived.map(({ title }) => title)).toEqual(["b"]);
    expect(sent.map(({ url }) => new URL(url).origin)).toEqual([ORIGIN]);
    expect((await readOutbox()).map(({ title }) => title)).toEqual(["a"]);
  });

  it("waits longer after each failure, with all of its pages", async () => {
    answer = async () => {
      throw new TypeError("Failed to fetch");
    };
    await enqueue(entry("a"));
    await enqueue(entry("b"));
    let now = LATER;
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const { nextAt = 0 } = await run(now);
      waits.push(nextAt - now);
      now = nextAt;
    }
    expect(waits).toEqual([5_000, 10_000, 20_000]);
    expect((await readOutbox()).map(({ problem }) => problem?.kind)).toEqual(["unreachable", "unreachable"]);
  });

  it("waits as long as the server asks", async () => {
    status(429, { detail: "Budget used up." }, { "retry-after": "120" });
    await enqueue(entry("a"));
    expect((await run()).nextAt).toBe(LATER + 120_000);
  });

  it.each([
    [413, { detail: "Too large." }, "too-large"],
    [404, { detail: "No such pair." }, "no-such-pair"],
    [403, { error_code: "INSUFFICIENT_PERMISSIONS", detail: "Needs the role editor." }, "not-permitted"],
    [422, { detail: [{ loc: ["body", "document"], msg: "Field required" }] }, "refused"],
  ])("stops a page that %i says will never be taken, and goes on with the next", async (code, body, kind) => {
    await enqueue(entry("a"));
    await enqueue(entry("b"), Date.now() + 1);
    const real = answer;
    answer = async (request) => (sent.length === 1 ? Response.json(body, { status: code }) : real(request));
    expect((await run()).arrived.map(({ title }) => title)).toEqual(["b"]);
    expect(await readOutbox()).toMatchObject([{ title: "a", state: "stopped", problem: { kind, status: code } }]);
    expect((await readOutbox())[0]?.problem?.detail).toMatch(/\w+/);
    await run();
    expect(sent).toHaveLength(2);
    await sendNow((await readOutbox())[0]?.key, LATER);
    expect((await run()).arrived).toHaveLength(1);
  });

  it("takes a web page in place of an answer for what it is", async () => {
    answer = async () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
    await enqueue(entry("a"));
    await run();
    expect(await readOutbox()).toMatchObject([{ state: "stopped", problem: { kind: "not-a-service" } }]);
    expect(await readLedger()).toEqual([]);
  });

  it("holds a page of a private window in memory, sends it once, and writes nothing of it down", async () => {
    const disk = () => transact("readonly", (store) => settled(store("outbox").count()));
    const queued = await enqueue(entry("a", { isPrivate: true }));
    expect(await disk()).toBe(0);
    expect((await run(queued.queuedAt + UNDO_MS - 1)).arrived).toEqual([]);
    status(429, { detail: "Budget used up." }, { "retry-after": "120" });
    await run();
    expect(await readOutbox()).toMatchObject([{ title: "a", problem: { kind: "rate-limited" } }]);
    await sendNow();
    answer = (request) => service.fetch(request);
    expect((await run()).arrived.map(({ title }) => title)).toEqual(["a"]);
    expect(await readOutbox()).toEqual([]);
    expect(await readLedger()).toEqual([]);
    expect(await disk()).toBe(0);
  });

  it("keeps back a page of a private window that was taken back while it could not be sent", async () => {
    const { key } = await enqueue(entry("a", { isPrivate: true }));
    answer = async () => {
      await takeBack(key);
      throw new TypeError("Failed to fetch");
    };
    await run();
    expect(await readOutbox()).toEqual([]);
    expect(await takeBack(key)).toBe(false);
  });

  it("refuses more than it can hold, and changes nothing then", async () => {
    for (let index = 0; index < OUTBOX_LIMITS.entries; index++) await enqueue(entry(`page-${index}`));
    await expect(enqueue(entry("one-more"))).rejects.toThrow(OutboxFullError);
    await enqueue(entry("page-0", { hash: "new" }));
    expect(await readOutbox()).toHaveLength(OUTBOX_LIMITS.entries);
  });
});

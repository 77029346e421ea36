import { freshBrowser } from "../testing/fake-browser.ts";
import { createService, type Service } from "@threadlore/service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRecord, forgetLedger, readKept, readLedger } from "./ledger.ts";
import { enqueue, readOutbox, takeBack, UNDO_MS } from "./outbox.ts";
import type { NewEntry } from "./outbox-entry.ts";
import { goOn, HOLD_MS, holdBack, removeKept, revise, takeOffList } from "./revise.ts";
import { sendOutbox } from "./send-outbox.ts";
import { pruneTexts, readText, TEXT_LIMITS } from "./texts.ts";
import { changeSettings, storeKeys } from "../settings/settings.ts";
import { transact } from "../storage/database.ts";

const ORIGIN = "http://127.0.0.1:8411";
const KEY = ["tl", "TESTowner"].join("_");
const NOW = Date.now();
const LATER = NOW + 3_600_000;
const KEY_OF_TEA = `${ORIGIN} web_tea`;

function tea(more: Partial<NewEntry> = {}): NewEntry {
  const document = {
    id: "web_tea",
    semantic_identifier: "Tea",
    title: "Tea",
    sections: [{ text: "Tea is drunk hot.", link: "https://example.com/tea" }],
    source: "web",
    metadata: { host: "example.com" },
    doc_updated_at: "2026-01-01T00:00:00Z",
  };
  return {
    origin: ORIGIN,
    documentId: "web_tea",
    title: "Tea",
    link: "https://example.com/tea",
    addresses: [],
    hash: "0",
    characters: 17,
    pairId: 1,
    document: JSON.stringify(document),
    ...more,
  };
}

const tags = (...given: string[]) => ({ tags: given, highlights: [] });

describe("pages that were kept", () => {
  let service: Service;
  let sent: { method: string; url: string; body: string }[];
  let answer: (request: Request) => Promise<Response>;
  const send = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, { ...init, redirect: "manual" });
    sent.push({ method: request.method, url: request.url, body: await request.clone().text() });
    return answer(request);
  }) as typeof fetch;
  const run = (now = LATER) => sendOutbox(() => now, send);
  const atService = async () => {
    const reply = await service.fetch(
      new Request(`${ORIGIN}/service-api/ingestion`, { headers: { authorization: `Bearer ${KEY}` } }),
    );
    return (await reply.json()) as { document_id: string; semantic_id: string }[];
  };
  const documentOf = (index: number) => (JSON.parse(sent[index]?.body ?? "{}") as { document: object }).document;

  beforeEach(async () => {
    await freshBrowser();
    service = createService({ database: ":memory:", apiKey: KEY });
    sent = [];
    answer = (request) => service.fetch(request);
    await changeSettings({ baseUrl: ORIGIN, pairId: 1 });
    await storeKeys({ askKey: KEY });
  });
  afterEach(async () => {
    await service.close();
    await forgetLedger();
    for (const { key } of await readOutbox()) await takeBack(key);
  });

  it("are sent with the title and the tags given within the ten seconds, and wait while they are written", async () => {
    await enqueue(tea(), NOW);
    expect(await holdBack(KEY_OF_TEA, NOW + 9_000)).toBe(true);
    await run(NOW + 20_000);
    expect(sent).toEqual([]);
    await revise(KEY_OF_TEA, { title: "お茶", ...tags("茶") });
    await goOn(KEY_OF_TEA, NOW + 30_000);
    await run(NOW + 30_000 + UNDO_MS);
    expect(documentOf(0)).toMatchObject({
      semantic_identifier: "お茶",
      metadata: { host: "example.com", tags: ["茶"] },
    });
    expect((await atService())[0]?.semantic_id).toBe("お茶");
    expect(await readKept(ORIGIN)).toMatchObject([{ title: "Tea", additions: { title: "お茶" } }]);
  });

  it("go out by themselves where the panel that holds them back is gone, and are not held once they are on their way", async () => {
    await enqueue(tea(), NOW);
    await holdBack(KEY_OF_TEA, NOW);
    await run(NOW + HOLD_MS);
    expect(sent).toHaveLength(1);
    await enqueue(tea(), NOW);
    expect(await holdBack(KEY_OF_TEA, NOW + UNDO_MS + 1)).toBe(false);
  });

  it("keep note and highlights where they are kept again, before they were sent and afterwards", async () => {
    const link = "https://example.com/tea#:~:text=drunk%20hot";
    const additions = { tags: ["茶"], note: "Ask Mia.", highlights: [{ text: "drunk hot", link }] };
    await enqueue(tea({ additions }), NOW);
    await enqueue(tea({ hash: "1" }), NOW);
    await run();
    await enqueue(tea({ hash: "2" }), NOW);
    await run();
    for (const index of [0, 1])
      expect(documentOf(index)).toMatchObject({
        sections: [{}, { text: expect.stringContaining("Ask Mia.") }, { text: expect.stringContaining("hot"), link }],
      });
    expect(await readKept(ORIGIN)).toMatchObject([{ hash: "2", additions }]);
  });

  it("are retitled and tagged under the same id, newer than before, as servers pass over what has the same text", async () => {
    await enqueue(tea(), NOW);
    await run();
    const green = { title: "Green tea", ...tags("drinks") };
    expect(await revise(KEY_OF_TEA, green)).toBe("done");
    await run();
    expect(await revise(KEY_OF_TEA, undefined, green)).toBe("done");
    await run();
    expect(documentOf(1)).toMatchObject({
      id: "web_tea",
      title: "Green tea",
      metadata: { tags: ["drinks"] },
      doc_updated_at: "2026-01-01T00:00:01.000Z",
    });
    expect(documentOf(2)).toMatchObject({
      title: "Tea",
      metadata: { host: "example.com" },
      doc_updated_at: "2026-01-01T00:00:02.000Z",
    });
    expect(await atService()).toHaveLength(1);
    expect(await readLedger()).toMatchObject([{ times: 3, title: "Tea", hash: "0" }]);
  });

  it("keep what was added to them when the page is kept again", async () => {
    await enqueue(tea({ additions: tags("drinks") }), NOW);
    await run();
    await enqueue(tea({ hash: "1" }), NOW);
    await enqueue(tea({ hash: "2" }), NOW);
    await run();
    expect(documentOf(1)).toMatchObject({ metadata: { tags: ["drinks"] } });
    expect(await findRecord(KEY_OF_TEA)).toMatchObject({ hash: "2", additions: { tags: ["drinks"] } });
  });

  it("lose nothing that was added while a copy was on its way", async () => {
    await enqueue(tea(), NOW);
    answer = async (request) => {
      answer = (next) => service.fetch(next);
      await revise(KEY_OF_TEA, tags("late"));
      return service.fetch(request);
    };
    await run();
    expect(documentOf(sent.length - 1)).toMatchObject({ metadata: { tags: ["late"] } });
    expect(await readOutbox()).toEqual([]);
    expect(await findRecord(KEY_OF_TEA)).toMatchObject({ additions: { tags: ["late"] } });
  });

  it("take what two windows add at once, before they are sent and afterwards", async () => {
    await enqueue(tea(), NOW);
    for (const additions of [
      { ...tags("drinks"), note: "From here." },
      { ...tags("hot"), note: "From there." },
    ])
      expect(await revise(KEY_OF_TEA, additions, undefined)).toBe("done");
    await run();
    const since = (await findRecord(KEY_OF_TEA))?.additions;
    expect(since).toEqual({ ...tags("drinks", "hot"), note: "From here.\n\nFrom there." });
    // Both at the same moment.
    const [one, other] = [
      { title: "Mine", ...tags("drinks", "hot", "late"), note: since?.note ?? "" },
      { ...tags("drinks", "hot"), note: since?.note ?? "", highlights: [{ text: "drunk hot" }] },
    ];
    expect(await Promise.all([revise(KEY_OF_TEA, one, since), revise(KEY_OF_TEA, other, since)])).toEqual([
      "done",
      "done",
    ]);
    await run();
    expect(await findRecord(KEY_OF_TEA)).toMatchObject({
      additions: { ...one, highlights: [{ text: "drunk hot" }] },
    });
  });

  it("say what the other window called it where both gave another title, and change nothing", async () => {
    await enqueue(tea(), NOW);
    await revise(KEY_OF_TEA, { title: "Green tea", ...tags() });
    expect(await revise(KEY_OF_TEA, { title: "お茶", ...tags("茶") })).toEqual({ field: "title", text: "Green tea" });
    expect(await readOutbox()).toMatchObject([{ additions: { title: "Green tea", tags: [] } }]);
    await run();
    expect(await revise(KEY_OF_TEA, { title: "お茶", ...tags() })).toEqual({ field: "title", text: "Green tea" });
    expect(await readOutbox()).toEqual([]);
  });

  it("take nothing while they are to be removed, and say so, nor once they are", async () => {
    await enqueue(tea(), NOW);
    await run();
    await removeKept(KEY_OF_TEA, NOW);
    expect(await revise(KEY_OF_TEA, tags("drinks"))).toBe("beingRemoved");
    expect(await readOutbox()).toMatchObject([{ removal: {} }]);
    await run();
    expect(await revise(KEY_OF_TEA, tags("drinks"))).toBe("gone");
    expect(await readOutbox()).toEqual([]);
  });

  it("say so where their text is here no more, and change nothing", async () => {
    await enqueue(tea({ document: JSON.stringify({ long: "x".repeat(TEXT_LIMITS.characters) }) }), NOW);
    answer = async () => Response.json({ document_id: "web_tea", already_existed: false });
    await run();
    expect(await readText(KEY_OF_TEA)).toBeUndefined();
    expect(await revise(KEY_OF_TEA, tags("drinks"))).toBe("noText");
    expect(await readOutbox()).toEqual([]);
  });

  it("are removed at the service, of their own pair, and from the list, and not before ten seconds", async () => {
    await enqueue(tea(), NOW);
    await run();
    await removeKept(KEY_OF_TEA, NOW);
    await run(NOW + UNDO_MS - 1);
    expect(await atService()).toHaveLength(1);
    await run();
    expect(sent[1]).toMatchObject({
      method: "DELETE",
      url: `${ORIGIN}/service-api/ingestion/web_tea?cc_pair_id=1`,
      body: "",
    });
    expect(await atService()).toEqual([]);
    expect(await readLedger()).toEqual([]);
    expect(await readText(KEY_OF_TEA)).toBeUndefined();
  });

  it("stay where that is taken back, and where the service cannot be reached are removed once it can", async () => {
    await enqueue(tea(), NOW);
    await run();
    await removeKept(KEY_OF_TEA, NOW);
    await takeBack(KEY_OF_TEA);
    await run();
    expect(await readLedger()).toHaveLength(1);
    await removeKept(KEY_OF_TEA, NOW);
    answer = () => Promise.reject(new TypeError("offline"));
    await run(LATER);
    expect(await readLedger()).toHaveLength(1);
    answer = (request) => service.fetch(request);
    await run(LATER + 3_600_000);
    expect(await atService()).toEqual([]);
    expect(await readLedger()).toEqual([]);
  });

  it("that are gone at the service are gone here", async () => {
    await enqueue(tea(), NOW);
    await run();
    await service.fetch(
      new Request(`${ORIGIN}/service-api/ingestion/web_tea`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${KEY}` },
      }),
    );
    await removeKept(KEY_OF_TEA, NOW);
    await run();
    expect(await readLedger()).toEqual([]);
  });

  it.each([
    ["has no removal", 404, { detail: "404: Not Found" }, "takes-none"],
    ["has no removal", 405, { detail: "Method Not Allowed" }, "takes-none"],
    ["has no removal", 501, { detail: "This feature requires a vector database." }, "takes-none"],
    [
      "gives this key no right",
      403,
      { error_code: "INSUFFICIENT_PERMISSIONS", detail: "No permission" },
      "not-permitted",
    ],
    ["has it from elsewhere", 400, { error_code: "VALIDATION_ERROR", detail: "Not from the API" }, "refused"],
  ])("stay on the list where the service %s (%i), until they are taken off it", async (_, status, body, kind) => {
    await enqueue(tea(), NOW);
    await run();
    await removeKept(KEY_OF_TEA, NOW);
    answer = async () => Response.json(body, { status });
    await run();
    expect(await readOutbox()).toMatchObject([{ state: "stopped", problem: { kind }, removal: {} }]);
    expect(await readLedger()).toHaveLength(1);
    await takeOffList(KEY_OF_TEA);
    expect([await readOutbox(), await readLedger()]).toEqual([[], []]);
  });

  it("that were never sent are taken back and nothing is asked of the service", async () => {
    await enqueue(tea(), NOW);
    await removeKept(KEY_OF_TEA, NOW);
    await run();
    expect(sent).toEqual([]);
    expect(await readOutbox()).toEqual([]);
  });

  it("are kept again where that was wished last", async () => {
    await enqueue(tea(), NOW);
    await run();
    await removeKept(KEY_OF_TEA, NOW);
    await enqueue(tea(), NOW);
    await run();
    expect(sent.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(await atService()).toHaveLength(1);
  });

  it("are all listed, newest first, also where hundreds were sent in one moment", async () => {
    await enqueue(tea(), NOW);
    await run();
    const [record] = await readLedger();
    const many = Array.from({ length: 1_300 }, (_, at) => ({
      ...record,
      key: `${ORIGIN} web_${at}`,
      documentId: `web_${at}`,
      sentAt: at < 900 ? LATER + 1 : LATER + 2 + at,
    }));
    await transact("readwrite", async (store) => {
      for (const one of many) store("ledger").put(one);
    });
    for (const listed of [await readKept(ORIGIN), await readLedger()]) {
      expect(new Set(listed.map(({ key }) => key)).size).toBe(1_301);
      expect(listed).toHaveLength(1_301);
      expect([listed[0]?.documentId, listed.at(-1)?.documentId]).toEqual(["web_1299", "web_tea"]);
    }
  });

  it("leave the texts of the newest only", async () => {
    answer = async () => Response.json({ document_id: "", already_existed: false });
    const sendAs = async (name: string, at: number) => {
      await enqueue(tea({ documentId: name, document: "{}" }), NOW);
      await run(at);
    };
    for (let index = 0; index <= TEXT_LIMITS.texts; index++) await sendAs(`web_${index}`, LATER + index);
    await pruneTexts();
    expect(await readText(`${ORIGIN} web_0`)).toBeUndefined();
    expect(await readText(`${ORIGIN} web_1`)).toBe("{}");
    expect((await readKept(ORIGIN))[0]?.documentId).toBe(`web_${TEXT_LIMITS.texts}`);
    expect(await readKept("http://elsewhere.example")).toEqual([]);
  });
});

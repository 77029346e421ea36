import { gzipSync } from "node:zlib";
import {
  anything,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  dictionary,
  integer,
  oneof,
  record,
  string,
} from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  addConnector,
  addCredential,
  addDocumentSet,
  addKey,
  addPair,
  createPairing,
  Database,
  listKeys,
  revokeKey,
} from "./index.ts";
import { pdfOf } from "@threadlore/testkit/files";
import { carriers, type OpenService, temporaryFolder } from "./service.harness.ts";

const EXTENSION = `chrome-extension://${"abcdefghijklmnop".repeat(2)}`;
const STRANGER = `chrome-extension://${"ponmlkjihgfedcba".repeat(2)}`;

const note = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  document: { id: "note", semantic_identifier: "Note", sections: [{ text: "The lift is out of order." }], ...more },
});
/** Names that mean something in an ingested document. */
const FIELDS = "id semantic_identifier title sections source metadata doc_updated_at chunk_count primary_owners".split(
  " ",
);
const INGEST = "/service-api/ingestion";
/** A POST that reaches a handler: anything but 200 means it was refused before. */
const send = (open: OpenService, headers: Record<string, string | null>) => open.call("POST", INGEST, note(), headers);

describe.each(carriers)("the service, $name", ({ open }) => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  const start = async (options: Parameters<typeof open>[0] = {}): Promise<OpenService> => {
    const opened = await open(options);
    cleanups.push(() => opened.close());
    return opened;
  };
  /** A service whose database the test can reach into, as the terminal's commands do. */
  const startWithDatabase = async (
    options: Parameters<typeof open>[0] = {},
  ): Promise<{ api: OpenService; db: Database }> => {
    const folder = temporaryFolder();
    cleanups.push(folder.remove);
    const database = `${folder.path}/service.db`;
    const api = await start({ database, ...options });
    const db = new Database(database);
    cleanups.push(() => db.close());
    return { api, db };
  };

  describe("who may call", () => {
    it("answers health, version and kind of sign-in without a key, and nothing else", async () => {
      const api = await start();
      const keyless = async (path: string): Promise<unknown> =>
        (await api.call("GET", path, undefined, { authorization: null })).body;
      expect(await keyless("/health")).toMatchObject({ success: true });
      expect(await keyless("/version")).toMatchObject({ backend_version: expect.stringMatching(/^threadlore-/) });
      expect(await keyless("/auth/type")).toMatchObject({ anonymous_user_enabled: false });
      const refused = await api.call("GET", INGEST, undefined, { authorization: null });
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toBe("Bearer");
      expect(refused.body).toMatchObject({ error_code: "UNAUTHENTICATED" });
    });

    it("asks for a key on paths it does not know, too", async () => {
      const api = await start();
      expect((await api.call("GET", "/nowhere", undefined, { authorization: null })).status).toBe(401);
      expect((await api.call("GET", "/nowhere")).status).toBe(404);
    });

    it.each([
      ["DELETE", "/health", "GET, HEAD"],
      ["POST", "/version", "GET, HEAD"],
      ["GET", "/chat/send-chat-message", "POST"],
      ["PUT", INGEST, "GET, HEAD, POST"],
      ["GET", `${INGEST}/an/id`, "DELETE"],
      ["PATCH", "/persona/0", "GET, HEAD"],
    ])("answers %s %s with a 405 that names what is allowed, key or not", async (method, path, allowed) => {
      const api = await start();
      for (const authorization of [null, "Bearer tl_TESTowner"]) {
        const reply = await api.call(method, path, undefined, { authorization });
        expect(reply.status).toBe(405);
        expect(reply.body).toEqual({ detail: "Method Not Allowed" });
        expect(reply.headers.get("allow")).toBe(allowed);
      }
    });

    it("answers HEAD where it answers GET", async () => {
      const api = await start();
      expect(await api.call("HEAD", "/health")).toMatchObject({ status: 200, text: "" });
      expect((await api.call("HEAD", "/pairing")).status).toBe(405);
    });

    it("T23 holds up wrong keys after five in a second, and right ones never", async () => {
      let now = 1_000_000;
      const api = await start({ now: () => now });
      const guess = async (index: number): Promise<number> =>
        (await api.call("GET", INGEST, undefined, { authorization: `Bearer tl_TESTguess${index}` })).status;
      const statuses: number[] = [];
      for (let index = 0; index < 8; index++) statuses.push(await guess(index));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
      expect((await api.call("GET", INGEST)).status).toBe(200);
      now += 1_001;
      expect(await guess(9)).toBe(401);
    });

    it("refuses a wrong key even where callers without a key may ask", async () => {
      const api = await start({ settings: { anonymous: true } });
      expect((await api.call("GET", "/me", undefined, { authorization: null })).status).toBe(200);
      expect((await api.call("GET", "/me", undefined, { authorization: "Bearer tl_TESTwrong" })).status).toBe(401);
    });

    it("takes documents from editors, not from keys that may only ask, and no revoked ones", async () => {
      const { api, db } = await startWithDatabase();
      db.transact(addKey("tl_TESTasker", { name: "asker", role: "ordinary" }, 0));
      db.transact(addKey("tl_TESTeditor", { name: "editor", role: "editor" }, 0));
      const refused = await send(api, { authorization: "Bearer tl_TESTasker" });
      expect(refused.status).toBe(403);
      expect(refused.text).toContain("role editor; yours is ordinary");
      expect((await send(api, { authorization: "Bearer tl_TESTeditor" })).status).toBe(200);
      const editor = db.perform(listKeys()).find(({ name }) => name === "editor");
      expect(db.transact(revokeKey(editor?.id ?? 0, 0))).toBe(true);
      expect((await send(api, { authorization: "Bearer tl_TESTeditor" })).status).toBe(401);
    });
  });

  describe("T21 pages of other sites", () => {
    it.each([
      ["null", 403],
      ["http://evil.test", 403],
      ["https://app.test", 403],
      ["http://localhost:3000", 403],
      ["http://127.0.0.1.evil.test", 403],
      [EXTENSION, 403],
      [`${EXTENSION}.evil.test`, 403],
    ])("refuses Origin %s", async (origin, status) => {
      const api = await start();
      const reply = await send(api, { origin });
      expect(reply.status).toBe(status);
      expect(reply.body).toMatchObject({ error_code: "ORIGIN_NOT_ALLOWED" });
      expect(reply.headers.get("access-control-allow-origin")).toBeNull();
      expect((await api.call("GET", INGEST)).body).toEqual([]);
    });

    it.each(["cross-site", "same-site"])("refuses a %s request without an Origin", async (site) => {
      const api = await start();
      expect((await api.call("GET", INGEST, undefined, { "sec-fetch-site": site })).status).toBe(403);
      expect((await api.call("GET", INGEST, undefined, { "sec-fetch-site": "none" })).status).toBe(200);
    });

    it("answers no preflight but a paired extension's", async () => {
      const { api, db } = await startWithDatabase();
      const ask = (origin: string) => api.call("OPTIONS", INGEST, undefined, { origin, authorization: null });
      expect((await ask("http://evil.test")).status).toBe(403);
      expect((await ask(EXTENSION)).status).toBe(403);
      db.transact(addKey("tl_TESTextension", { name: "extension", role: "editor", origin: EXTENSION }, 0));
      const allowed = await ask(EXTENSION);
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get("access-control-allow-origin")).toBe(EXTENSION);
      expect(allowed.headers.get("vary")).toBe("Origin");
      expect((await ask(STRANGER)).status).toBe(403);
      expect((await api.call("OPTIONS", "/nowhere", undefined, { authorization: null })).status).toBe(403);
    });

    it.each([["text/plain"], ["application/x-www-form-urlencoded"], ["multipart/form-data; boundary=x"], [null]])(
      "refuses a body sent as %s, as a form on another page would",
      async (type) => {
        const api = await start();
        const reply = await api.call("POST", INGEST, new Blob([JSON.stringify(note())]), { "content-type": type });
        expect(reply.status).toBe(415);
        expect((await api.call("GET", INGEST)).body).toEqual([]);
      },
    );
  });

  describe("pairing", () => {
    it("gives an extension a key of its own for the typed code, once", async () => {
      const { api, db } = await startWithDatabase();
      const code = db.transact(createPairing(Date.now()));
      const pair = (typed: string, origin: string | null) =>
        api.call("POST", "/pairing", { code: typed }, { origin, authorization: null });
      expect((await pair(code, null)).status).toBe(403);
      expect((await pair(code, "https://evil.test")).status).toBe(403);
      const paired = await pair(` ${code.toLowerCase().replace("-", " ")} `, EXTENSION);
      expect(paired.body).toEqual({
        api_key: expect.stringMatching(/^tl_[\w-]{43}$/),
        role: "editor",
        keep_in: { cc_pair_id: 1, name: "Default" },
      });
      const { api_key } = paired.body as { api_key: string };
      const sent = await send(api, { origin: EXTENSION, authorization: `Bearer ${api_key}` });
      expect(sent.status).toBe(200);
      expect(sent.headers.get("access-control-allow-origin")).toBe(EXTENSION);
      expect((await send(api, { origin: STRANGER, authorization: `Bearer ${api_key}` })).status).toBe(403);
      expect((await pair(code, STRANGER)).status).toBe(403);
    });

    it("makes each paired extension a user of its own: it lists no conversation of the owner's or of another's", async () => {
      const { api, db } = await startWithDatabase();
      const paired = async (): Promise<Record<string, string>> => {
        const code = db.transact(createPairing(Date.now()));
        const reply = await api.call("POST", "/pairing", { code }, { origin: EXTENSION, authorization: null });
        return { authorization: `Bearer ${(reply.body as { api_key: string }).api_key}`, origin: EXTENSION };
      };
      const [first, second] = [await paired(), await paired()];
      const sessions = async (as: Record<string, string> = {}) =>
        ((await api.call("GET", "/chat/get-user-chat-sessions", undefined, as)).body as { sessions: unknown[] })
          .sessions;
      await api.call("POST", "/chat/send-chat-message", { message: "The owner asks?", stream: false });
      await api.call("POST", "/chat/send-chat-message", { message: "The first asks?", stream: false }, first);
      expect(await sessions()).toHaveLength(1);
      expect(await sessions(first)).toHaveLength(1);
      expect(await sessions(second)).toEqual([]);
      const users = db.perform(listKeys()).map(({ user }) => user);
      expect(new Set(users).size).toBe(3);
      for (const [as, user] of [
        [first, users[1]],
        [second, users[2]],
      ] as const) {
        expect(user).toMatch(/^extension-\d+$/);
        const me = (await api.call("GET", "/me", undefined, as)).body;
        expect(me).toMatchObject({ id: user, email: `${user}@threadlore.invalid`, role: "editor" });
      }
    });

    it("names a place for kept pages that is not public and that the key may see, or none", async () => {
      const { api, db } = await startWithDatabase();
      const own = db.transact(addPair({ name: "Own", connectorId: 1, credentialId: 1 }));
      const everybodys = db.transact(addPair({ name: "Open", connectorId: 1, credentialId: 1, access: "public" }));
      db.transact(addDocumentSet({ name: "Ours", pairIds: [everybodys, own] }));
      db.transact(addDocumentSet({ name: "Everybody's", pairIds: [everybodys] }));
      const placeFor = async (options: Parameters<typeof createPairing>[1]) => {
        const code = db.transact(createPairing(Date.now(), options));
        const { body } = await api.call("POST", "/pairing", { code }, { origin: EXTENSION, authorization: null });
        return (body as { keep_in: unknown }).keep_in;
      };
      expect(await placeFor({ documentSets: ["Ours"] })).toEqual({ cc_pair_id: own, name: "Own" });
      expect(await placeFor({ documentSets: ["Everybody's"] })).toBeNull();
      expect(await placeFor({ role: "ordinary" })).toBeNull();
    });

    it("lets an extension that is not paired find the service", async () => {
      const api = await start();
      const health = await api.call("GET", "/health", undefined, { origin: EXTENSION, authorization: null });
      expect(health.status).toBe(200);
      const page = await api.call("GET", "/health", undefined, { origin: "https://evil.test", authorization: null });
      expect(page.status).toBe(403);
    });

    it("lets an extension that is not paired read what it must to pair, and nothing else", async () => {
      const api = await start();
      const ask = (method: string, path: string, origin: string) =>
        api.call(method, path, undefined, { origin, authorization: null });
      for (const path of ["/health", "/pairing"]) {
        const allowed = await ask("OPTIONS", path, EXTENSION);
        expect(allowed.status).toBe(204);
        expect(allowed.headers.get("access-control-allow-origin")).toBe(EXTENSION);
        expect((await ask("OPTIONS", path, "https://evil.test")).status).toBe(403);
      }
      const health = await ask("GET", "/health", EXTENSION);
      expect(health.headers.get("access-control-allow-origin")).toBe(EXTENSION);
      expect((await ask("GET", "/me", EXTENSION)).status).toBe(403);
    });

    it("tells an extension whose key was revoked so, in an answer it can read", async () => {
      const { api, db } = await startWithDatabase();
      db.transact(addKey("tl_TESTextension", { name: "extension", role: "editor", origin: EXTENSION }, 0));
      const key = db.perform(listKeys()).find(({ origin }) => origin === EXTENSION);
      db.transact(revokeKey(key?.id ?? 0, 0));
      const headers = { origin: EXTENSION, authorization: "Bearer tl_TESTextension" };
      const refused = await api.call("GET", INGEST, undefined, headers);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("access-control-allow-origin")).toBe(EXTENSION);
    });

    it("makes a code void after five wrong ones, and after ten minutes", async () => {
      let now = 1_000_000;
      const { api, db } = await startWithDatabase({ now: () => now });
      const pair = (typed: string) =>
        api.call("POST", "/pairing", { code: typed }, { origin: EXTENSION, authorization: null });
      const guessed = db.transact(createPairing(now));
      for (let index = 0; index < 5; index++) expect((await pair(`AAAA-AAA${index + 2}`)).status).toBe(403);
      expect((await pair(guessed)).status).toBe(403);
      const late = db.transact(createPairing(now));
      now += 600_001;
      expect((await pair(late)).status).toBe(403);
      expect((await pair(db.transact(createPairing(now, { role: "ordinary" })))).body).toMatchObject({
        role: "ordinary",
      });
    });
  });

  describe("bodies", () => {
    it("T26 counts a body after it was unpacked: 413 for one that is too large, packed or not", async () => {
      const api = await start({ settings: { bodyLimit: 10_000 } });
      const large = JSON.stringify(note({ sections: [{ text: "a".repeat(10_000) }] }));
      expect((await api.call("POST", INGEST, large)).status).toBe(413);
      const packed = await api.call("POST", INGEST, gzipSync(large), { "content-encoding": "gzip" });
      expect(packed.status).toBe(413);
      expect(packed.body).toMatchObject({ error_code: "REQUEST_TOO_LARGE" });
    });

    it("takes gzip, refuses other encodings, and tells a broken one", async () => {
      const api = await start();
      const body = JSON.stringify(note());
      const encoded = (bytes: Uint8Array, encoding: string) =>
        api.call("POST", INGEST, bytes, { "content-encoding": encoding });
      expect((await encoded(gzipSync(body), "gzip")).status).toBe(200);
      expect((await encoded(Buffer.from(body), "br")).status).toBe(415);
      expect((await encoded(gzipSync(body), "gzip, gzip")).status).toBe(415);
      expect((await encoded(Buffer.from(body), "gzip")).status).toBe(422);
    });

    it.each([
      ["", ["body"], "missing"],
      ["{", ["body"], "json_invalid"],
      ['{"document": NaN}', ["body"], "json_invalid"],
      ['{"document": {}, }', ["body"], "json_invalid"],
      ["[".repeat(100_000), ["body"], "json_invalid"],
      [`${"[".repeat(65)}${"]".repeat(65)}`, ["body"], "json_invalid"],
      ["[]", ["body"], "model_attributes_type"],
      ["{}", ["body", "document"], "missing"],
      ['{"document": {"sections": []}}', ["body", "document", "semantic_identifier"], "missing"],
      [
        '{"document": {"semantic_identifier": 1, "sections": []}}',
        ["body", "document", "semantic_identifier"],
        "string_type",
      ],
      ['{"document": {"semantic_identifier": "", "sections": {}}}', ["body", "document", "sections"], "list_type"],
      [
        '{"document": {"semantic_identifier": "", "sections": [{}]}}',
        ["body", "document", "sections", 0, "text"],
        "missing",
      ],
    ])("answers %j with a 422 that tells where", async (body, loc, type) => {
      const api = await start();
      const reply = await api.call("POST", INGEST, new Blob([body]), { "content-type": "application/json" });
      expect(reply.status).toBe(422);
      expect((reply.body as { detail: unknown[] }).detail[0]).toEqual({ loc, msg: expect.any(String), type });
    });

    it("T26 refuses a body that unpacks to a thousand times its size, without unpacking all of it", async () => {
      const api = await start();
      const bomb = gzipSync(Buffer.alloc(100_000_000, " "));
      const before = process.memoryUsage().rss;
      const began = process.cpuUsage();
      const reply = await api.call("POST", INGEST, bomb, { "content-encoding": "gzip" });
      expect(reply.status).toBe(413);
      // Its own time, in all of its threads, whatever else the machine does.
      const { user, system } = process.cpuUsage(began);
      expect((user + system) / 1_000).toBeLessThan(2_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    });

    it("answers no body at all with a 500", async () => {
      const api = await start({ logLevel: "silent" });
      const part = anything({
        withUnicodeString: true,
        maxDepth: 3,
        values: [string(), integer(), constant(null), constant("note")],
      });
      const field = constantFrom(...FIELDS);
      const sloppy = record({ document: dictionary(field, part), cc_pair_id: part }, { requiredKeys: [] });
      await assert(
        asyncProperty(oneof(part, sloppy), async (body) => {
          const reply = await api.call("POST", INGEST, new Blob([JSON.stringify(body) ?? ""]), {
            "content-type": "application/json",
          });
          expect([200, 404, 422]).toContain(reply.status);
        }),
        { numRuns: 300 },
      );
    });

    it("refuses a body that is not UTF-8", async () => {
      const api = await start();
      expect((await api.call("POST", INGEST, new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(422);
    });
  });

  describe("ingestion", () => {
    it("takes a document, says so, and indexes it afterwards", async () => {
      const api = await start();
      const first = await api.call("POST", INGEST, note());
      expect(first.status).toBe(200);
      expect(first.body).toEqual({
        document_id: "note",
        already_existed: false,
        indexing: "queued",
        cc_pair_id: 1,
        access_type: "private",
      });
      await api.service.drain();
      const named = { document_id: "note", semantic_id: "Note", link: "" };
      const stored = { status: "indexed", failure: null, cc_pair_id: 1, older: 0 };
      expect((await api.call("GET", INGEST)).body).toEqual([{ ...named, written: 1, ...stored }]);
      expect((await api.call("POST", INGEST, note())).body).toMatchObject({ already_existed: true });
    });

    it.each([undefined, null, 0])("puts a document with cc_pair_id %s into the private pair 1", async (cc_pair_id) => {
      const api = await start();
      const reply = await api.call("POST", INGEST, { ...note(), cc_pair_id });
      expect(reply.body).toMatchObject({ cc_pair_id: 1, access_type: "private" });
    });

    it("refuses an unknown pair with 404 and stores nothing", async () => {
      const api = await start();
      const reply = await api.call("POST", INGEST, { ...note(), cc_pair_id: 99 });
      expect(reply.status).toBe(404);
      expect(reply.body).toMatchObject({ error_code: "CONNECTOR_NOT_FOUND", detail: expect.stringContaining("99") });
      expect((await api.call("GET", INGEST)).body).toEqual([]);
    });

    it("keeps ids as they were sent, whatever is in them, and deletes by them", async () => {
      const api = await start();
      const ids = ["https://x.test/a?b=c#d", "a/b", "a%2Fb", "über 50 %", "a b", "../up", "Ünï/🙂", "A", "a"];
      for (const id of ids)
        expect((await api.call("POST", INGEST, note({ id }))).body).toMatchObject({ document_id: id });
      for (const id of ids) {
        expect((await api.call("DELETE", `${INGEST}/${encodeURIComponent(id)}`)).status).toBe(200);
        expect((await api.call("DELETE", `${INGEST}/${encodeURIComponent(id)}`)).status).toBe(404);
      }
      expect((await api.call("GET", INGEST)).body).toEqual([]);
    });

    it.each([undefined, null, ""])("derives an id for id %j that differs for equal titles", async (id) => {
      const api = await start();
      const idOf = async (text: string): Promise<unknown> =>
        ((await api.call("POST", INGEST, note({ id, sections: [{ text }] }))).body as { document_id: string })
          .document_id;
      const first = await idOf("one");
      expect(first).toMatch(/^ingestion_api_[0-9a-f]{40}$/);
      expect(await idOf("two")).not.toBe(first);
      expect(await idOf("one")).toBe(first);
    });

    it("T28 keeps metadata of strings and lists of strings, and refuses anything else with its place", async () => {
      const api = await start();
      const withMetadata = (metadata: unknown) => api.call("POST", INGEST, note({ metadata }));
      expect((await withMetadata({ team: "Ops", tags: ["a", "b"] })).status).toBe(200);
      for (const value of [1, true, null, { a: "b" }, [1], [["a"]]]) {
        const reply = await withMetadata({ ok: "x", wrong: value });
        expect(reply.status).toBe(422);
        expect((reply.body as { detail: { loc: unknown[] }[] }).detail[0]?.loc).toEqual([
          "body",
          "document",
          "metadata",
          "wrong",
        ]);
      }
      await api.call(
        "POST",
        INGEST,
        '{"document":{"semantic_identifier":"x","sections":[],"metadata":{"__proto__":"y"}}}',
      );
      expect(({} as Record<string, unknown>)["y"]).toBeUndefined();
    });

    it("lists documents per pair, and a failed one with its reason", async () => {
      const api = await start();
      await api.call("POST", INGEST, note());
      await api.call("POST", INGEST, note({ id: "empty", semantic_identifier: "", sections: [] }));
      await api.service.drain();
      expect((await api.call("GET", "/service-api/connector-docs/1")).body).toEqual([
        expect.objectContaining({
          document_id: "empty",
          status: "failed",
          failure: expect.stringContaining("no text"),
        }),
        expect.objectContaining({ document_id: "note", status: "indexed" }),
      ]);
      expect((await api.call("GET", "/service-api/connector-docs/9")).status).toBe(404);
      expect((await api.call("GET", "/service-api/connector-docs/x")).status).toBe(422);
    });

    it("keeps a key bound to document sets away from what is outside of them", async () => {
      const { api, db } = await startWithDatabase();
      await api.call("POST", INGEST, note());
      db.transact(addKey("tl_TESTbound", { name: "bound", role: "editor", documentSets: ["None"] }, 0));
      const bound = { authorization: "Bearer tl_TESTbound" };
      expect((await api.call("GET", INGEST, undefined, bound)).body).toEqual([]);
      expect((await api.call("POST", INGEST, note({ title: "taken over" }), bound)).status).toBe(404);
      expect((await api.call("DELETE", `${INGEST}/note`, undefined, bound)).status).toBe(404);
      expect((await api.call("GET", INGEST)).body).toHaveLength(1);
    });

    it("lets nobody write over a document of a pair their key cannot see, nor tells them that it is there", async () => {
      const { api, db } = await startWithDatabase();
      const connectorId = db.transact(addConnector({ name: "Wiki", source: "web" }));
      const credentialId = db.transact(addCredential({ name: "none", source: "web" }));
      const pair = db.transact(addPair({ name: "Wiki", connectorId, credentialId }));
      db.transact(addDocumentSet({ name: "Wiki", pairIds: [pair] }));
      db.transact(addKey("tl_TESTbound", { name: "bound", role: "editor", documentSets: ["Wiki"] }, 0));
      const bound = { authorization: "Bearer tl_TESTbound" };
      await api.call("POST", INGEST, note());
      const taken = await api.call("POST", INGEST, { ...note({ title: "taken over" }), cc_pair_id: pair }, bound);
      expect(taken.body).toMatchObject({ document_id: "note", already_existed: false, cc_pair_id: pair });
      const own = await api.call("POST", INGEST, { ...note({ id: "own" }), cc_pair_id: pair }, bound);
      expect(own.body).toMatchObject({ document_id: "own", already_existed: false });
      expect((await api.call("GET", INGEST, undefined, bound)).body).toHaveLength(2);
      expect(db.all("SELECT title FROM documents WHERE id = 'note' ORDER BY pair_id")).toEqual([
        { title: "Note" },
        { title: "taken over" },
      ]);
    });

    it("3B disk full (data, WAL, temp): answers 507, keeps answering reads, and recovers without a restart", async () => {
      const { api } = await startWithDatabase({ settings: { databaseLimit: 1_200_000 }, logLevel: "silent" });
      const filler = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(" ");
      const stored: string[] = [];
      let refused;
      for (let index = 0; index < 200; index++) {
        const id = `doc-${index}`;
        const reply = await api.call("POST", INGEST, note({ id, sections: [{ text: `${id} ${filler}` }] }));
        if (reply.status !== 200) {
          refused = reply;
          break;
        }
        stored.push(id);
      }
      expect(refused?.status).toBe(507);
      expect(refused?.body).toMatchObject({ error_code: "INSUFFICIENT_STORAGE" });
      expect((await api.call("GET", INGEST)).body).toHaveLength(stored.length);
      for (const id of stored.slice(0, -2)) expect((await api.call("DELETE", `${INGEST}/${id}`)).status).toBe(200);
      expect((await api.call("POST", INGEST, note({ id: "after" }))).status).toBe(200);
      await api.service.drain();
      const listed = (await api.call("GET", INGEST)).body as { status: string }[];
      expect(listed.map(({ status }) => status)).toEqual(["indexed", "indexed", "indexed"]);
    });

    it("3B clock goes back: the newest write is still listed first, and a document's own date is kept", async () => {
      let now = Date.parse("2026-05-01T00:00:00Z");
      const { api, db } = await startWithDatabase({ now: () => now });
      await api.call("POST", INGEST, note({ id: "first", doc_updated_at: "2026-04-01T12:00:00" }));
      now = Date.parse("2020-01-01T00:00:00Z");
      await api.call("POST", INGEST, note({ id: "second", doc_updated_at: "2026-04-02" }));
      await api.service.drain();
      const listed = (await api.call("GET", INGEST)).body as { document_id: string; status: string }[];
      expect(listed.map(({ document_id }) => document_id)).toEqual(["second", "first"]);
      expect(listed.every(({ status }) => status === "indexed")).toBe(true);
      const dates = db.all("SELECT updated_at FROM documents ORDER BY id").map((row) => Number(row["updated_at"]));
      expect(dates).toEqual([Date.parse("2026-04-01T12:00:00Z"), Date.parse("2026-04-02T00:00:00Z")]);
    });
  });

  describe("uploads", () => {
    const form = (...files: [name: string, content: string | Uint8Array, type?: string][]): FormData => {
      const data = new FormData();
      for (const [name, content, type] of files)
        data.append("files", new File([content as BlobPart], name, { type: type ?? "" }));
      return data;
    };

    it("answers the specified path with a bare list, and ties an image to a section", async () => {
      const api = await start();
      const reply = await api.call(
        "POST",
        "/user/file/upload",
        form(["plan.png", new Uint8Array([1, 2, 3]), "image/png"]),
      );
      expect(reply.status).toBe(200);
      const [image] = reply.body as { id: string; file_id: string; chat_file_type: string; status: string }[];
      expect(image).toMatchObject({ chat_file_type: "image", status: "SKIPPED", name: "plan.png" });
      const withImage = (image_file_id: string) =>
        api.call("POST", INGEST, note({ sections: [{ text: "", image_file_id }] }));
      expect((await withImage(image?.file_id ?? "")).status).toBe(200);
      const unknown = await withImage("00000000-0000-4000-8000-000000000000");
      expect(unknown.status).toBe(422);
      expect((unknown.body as { detail: { loc: unknown }[] }).detail[0]?.loc).toEqual([
        "body",
        "document",
        "sections",
        0,
        "image_file_id",
      ]);
    });

    it("refuses a text file as a section's image", async () => {
      const api = await start();
      const reply = await api.call("POST", "/user/file/upload", form(["notes.txt", "hello"]));
      const [file] = reply.body as { id: string }[];
      expect(
        (await api.call("POST", INGEST, note({ sections: [{ text: "x", image_file_id: file?.id }] }))).status,
      ).toBe(422);
    });

    it("answers the other path with what was kept and what was not", async () => {
      const api = await start();
      const reply = await api.call(
        "POST",
        "/user/projects/file/upload",
        form(
          ["a.csv", "x,y\n1,2"],
          ["b.html", "<p>Hi</p>"],
          ["c.exe", "MZ"],
          ["d.txt", new Uint8Array([0xff, 0xfe])],
          ["e.md", ""],
          ["f.pdf", "%PDF-1.7"],
          ["g.pdf", pdfOf([["Read me."]])],
        ),
      );
      expect(reply.status).toBe(200);
      const { user_files, rejected_files } = reply.body as {
        user_files: { name: string; chat_file_type: string; status: string; reason: string | null }[];
        rejected_files: { file_name: string; reason: string }[];
      };
      expect(user_files.map(({ name, chat_file_type, status }) => [name, chat_file_type, status])).toEqual([
        ["a.csv", "csv", "COMPLETED"],
        ["b.html", "document", "COMPLETED"],
        ["f.pdf", "document", "SKIPPED"],
        ["g.pdf", "document", "COMPLETED"],
      ]);
      expect(user_files.map(({ reason }) => reason)).toEqual([null, null, expect.stringContaining("damaged"), null]);
      expect(rejected_files.map(({ file_name }) => file_name)).toEqual(["c.exe", "d.txt", "e.md"]);
    });

    it("keeps none of the files on the specified path when one cannot be kept, and says which and why", async () => {
      const { api, db } = await startWithDatabase();
      const reply = await api.call("POST", "/user/file/upload", form(["a.txt", "hello"], ["c.exe", "MZ"]));
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ error_code: "FILE_REJECTED", detail: expect.stringContaining("c.exe") });
      expect(db.get("SELECT count(*) AS n FROM files")?.["n"]).toBe(0);
    });

    it("refuses a form without files, a body that is no form, and one that is too large", async () => {
      const api = await start({ settings: { uploadLimit: 1_000 } });
      expect((await api.call("POST", "/user/file/upload", new FormData())).status).toBe(422);
      const broken = await api.call("POST", "/user/file/upload", "x", {
        "content-type": "multipart/form-data; boundary=y",
      });
      expect(broken.status).toBe(422);
      expect((await api.call("POST", "/user/file/upload", {})).status).toBe(415);
      expect((await api.call("POST", "/user/file/upload", form(["a.txt", "a".repeat(1_001)]))).status).toBe(413);
    });
  });
});

import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import {
  addKey,
  addLocalPerson,
  createService,
  Database,
  hashOfPassword,
  listAuditEntries,
  setPassword,
  SqliteStore,
} from "../index.ts";
import { noteArrival } from "../http/arrival.ts";
import { createLog } from "../log.ts";
import { addAuditEntries, type AuditEntry, auditListing } from "../store/audit.ts";
import { sqliteText } from "../store/steps.ts";
import { isKnownKind, kindOf } from "./kinds.ts";
import { openAuditLog } from "./audit-log.ts";

const DAY_MS = 86_400_000;
const CANARY = "canary-4711";

/** A service that notes, with a key of each role, and a clock of its own. */
function open(auditDays = 30) {
  const db = new Database(":memory:");
  for (const role of ["ordinary", "editor", "admin"] as const) {
    db.transact(addKey(`tl_TEST${role}`, { name: role, role, user: `${role}-ann` }, 0));
  }
  const service = createService({ database: db, logLevel: "silent", settings: { auditDays } });
  afterThisTest(() => service.close());
  const call = (line: string, role: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method, path] = line.split(" ");
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const told = { authorization: `Bearer tl_TEST${role}`, "content-type": "application/json", ...headers };
    return service.fetch(new Request(`http://127.0.0.1${path}`, { ...init, headers: told }));
  };
  /** What is noted, oldest first, once it is so much. */
  const noted = async (count: number): Promise<AuditEntry[]> => {
    const list = () => db.perform(listAuditEntries({ limit: 1_000 })).toReversed();
    await expect.poll(() => list().length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
    return list();
  };
  return { db, service, call, noted };
}

const told = ({ user, kind, origin, status }: AuditEntry) => [user, kind, origin, status];

describe("the audit log", () => {
  it("has who did what kind of thing and how it ended, and nothing of what anybody wrote", async () => {
    const { call, noted, service } = open();
    const document = { id: CANARY, semantic_identifier: CANARY, sections: [{ text: `The word is ${CANARY}.` }] };
    await call("POST /service-api/ingestion", "editor", { document });
    await service.drain();
    await call("POST /chat/send-chat-message", "ordinary", { message: CANARY, origin: "slackbot", stream: false });
    await call("POST /search", "ordinary", { query: CANARY });
    await call("DELETE /service-api/ingestion/canary-4711", "ordinary");
    await call("GET /admin/origins", "ordinary");
    await call("GET /health", "ordinary");
    await call("GET /search", "nobody");
    const entries = await noted(5);
    expect(entries.map(told)).toEqual([
      ["editor-ann", "send document", "", 200],
      ["ordinary-ann", "ask", "slackbot", 200],
      ["ordinary-ann", "search", "", 200],
      ["ordinary-ann", "delete document", "", 403],
      ["ordinary-ann", "administer", "", 403],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/canary|4711|word/);
  });

  it("has who signed in, who tried to, and what they did with their account", async () => {
    const { db, call, noted, service } = open();
    const hash = await hashOfPassword("a long enough word");
    db.transact(
      (function* () {
        const person = yield* addLocalPerson({ user: "søren" }, Date.now());
        yield* setPassword(person.id, hash);
      })(),
    );
    const form = (path: string, fields: Record<string, string>, cookie = "") =>
      service.fetch(
        new Request(`http://127.0.0.1${path}`, {
          method: "POST",
          headers: {
            origin: "http://127.0.0.1",
            "content-type": "application/x-www-form-urlencoded",
            cookie,
          },
          body: new URLSearchParams(fields).toString(),
        }),
      );
    await form("/sign-in", { user: "søren", password: "a wrong word" });
    const signedIn = await form("/sign-in", { user: "søren", password: "a long enough word" });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    await form("/account/keys/4711/end", {}, cookie);
    await call("DELETE /me/keys/4711", "ordinary");
    expect((await noted(4)).map(told)).toEqual([
      ["", "sign in", "", 401],
      ["søren", "sign in", "", 303],
      ["søren", "change own account", "", 200],
      ["ordinary-ann", "change own account", "", 404],
    ]);
  });

  it("has where an assistant's caller is, whose questions the service asks of itself", async () => {
    const { service, noted } = open();
    const call = { name: "search", arguments: { query: CANARY } };
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        authorization: "Bearer tl_TESTordinary",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    });
    noteArrival(request, { id: "1", address: "203.0.113.9", isLocal: false, origin: "http://127.0.0.1" });
    expect(await (await service.fetch(request)).text()).toContain("result");
    const entries = await noted(1);
    expect(entries.map(({ user, kind, address }) => [user, kind, address])).toEqual([
      ["ordinary-ann", "search", "203.0.113.9"],
    ]);
  });

  it("is told to keys of the role admin, page by page, by person, kind and time", async () => {
    const { db, call } = open();
    const entry = (n: number) => ({
      user: n % 2 === 0 ? "ann" : "bo",
      kind: "ask",
      origin: "",
      address: "",
      status: 200,
    });
    db.transact(
      addAuditEntries(Array.from({ length: 60 }, (_, n) => ({ ...entry(n), moment: Date.UTC(2026, 0, 1 + n) }))),
    );
    const page = async (query: string) =>
      (await (await call(`GET /admin/audit?${query}`, "admin")).json()) as never as {
        is_on: boolean;
        entries: { id: number; user: string; at: string }[];
        next: number | null;
      };
    const first = await page("user=ann&limit=20");
    expect(first).toMatchObject({ is_on: true, next: expect.any(Number) });
    expect(first.entries[0]).toMatchObject({ user: "ann", at: "2026-02-28T00:00:00.000Z" });
    const second = await page(`user=ann&limit=20&before=${first.next}`);
    expect([first, second].flatMap(({ entries }) => entries.map(({ id }) => id))).toHaveLength(30);
    expect(second.next).toBeNull();
    expect((await page("since=2026-01-03&until=2026-01-05")).entries.map(({ user }) => user)).toEqual(["bo", "ann"]);
    expect((await page("kind=search")).entries).toEqual([]);
    expect((await call("GET /admin/audit?since=yesterday", "admin")).status).toBe(422);
    expect((await call("GET /admin/audit", "editor")).status).toBe(403);
  });

  it("knows what kind of thing every route does", async () => {
    const { paths } = (await (await open().call("GET /openapi.json", "admin")).json()) as {
      paths: Record<string, object>;
    };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    );
    expect(routes.length).toBeGreaterThan(30);
    expect(routes.filter((route) => !isKnownKind(route))).toEqual([]);
    expect(kindOf({ method: "GET", path: "/new" })).toBe("administer");
  });

  it("is not kept where nobody wants it", async () => {
    const { db, call } = open(0);
    await call("POST /search", "ordinary", { query: "x" });
    expect(await (await call("GET /admin/audit", "admin")).json()).toMatchObject({ is_on: false, entries: [] });
    expect(db.perform(listAuditEntries({ limit: 10 }))).toEqual([]);
  });

  it("is written before the service is gone, waits for a database that takes nothing, and forgets what is old", async () => {
    const db = new Database(":memory:");
    afterThisTest(() => db.close());
    const store = new SqliteStore(db);
    let isFailing = true;
    let now = Date.UTC(2026, 0, 1);
    const lines: string[] = [];
    const parts = {
      now: () => now,
      log: createLog("warn", (line) => lines.push(line)),
      store: {
        read: store.read.bind(store),
        makeRoom: store.makeRoom.bind(store),
        gathering: store.gathering.bind(store),
        write: (async (steps) => {
          if (isFailing) throw new Error("full");
          return store.write(steps);
        }) as typeof store.write,
      },
    };
    const audit = openAuditLog(parts, 30);
    const one = { user: "ann", kind: "ask", origin: "", address: "", status: 200 };
    for (let n = 0; n < 20_010; n += 1) audit.note(one);
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1);
    isFailing = false;
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2);
    expect(lines[1]).toContain("lost=10");
    now += 31 * DAY_MS;
    audit.note({ ...one, user: "bo" });
    await audit.close();
    expect(db.perform(listAuditEntries({ limit: 10 })).map(({ user }) => user)).toEqual(["bo"]);
  });

  it("forgets many entries in parts, between which others write", async () => {
    const db = new Database(":memory:");
    afterThisTest(() => db.close());
    const store = new SqliteStore(db);
    const now = Date.UTC(2026, 0, 1);
    const one = { user: "ann", kind: "ask", origin: "", address: "", status: 200 };
    const old = Array.from({ length: 12_500 }, () => ({ ...one, moment: now - 31 * DAY_MS }));
    await store.write(() => addAuditEntries(old));
    const parts: unknown[] = [];
    const makeRoom: typeof store.makeRoom = async (steps) => {
      const result = await store.makeRoom(steps);
      parts.push(result);
      return result;
    };
    const watched = {
      read: store.read.bind(store),
      write: store.write.bind(store),
      gathering: store.gathering.bind(store),
    };
    const audit = openAuditLog({ now: () => now, log: createLog("silent"), store: { ...watched, makeRoom } }, 30);
    afterThisTest(() => audit.close());
    audit.note({ ...one, user: "bo" });
    await expect.poll(() => parts, { timeout: 10_000 }).toEqual([5_000, 5_000, 2_500]);
    expect(db.perform(listAuditEntries({ limit: 10 })).map(({ user }) => user)).toEqual(["bo"]);
  });

  it("is listed without being read through, whatever is asked for", () => {
    const db = new Database(":memory:");
    afterThisTest(() => db.close());
    for (const which of [
      { user: "ann" },
      { kind: "ask" },
      { since: 1 },
      { until: 2 },
      { kind: "ask", since: 1, until: 2 },
    ]) {
      const { sql, given } = auditListing({ ...which, limit: 100 });
      const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sqliteText(sql)}`, ...given);
      expect(plan.map(({ detail }) => detail).filter((line) => line.startsWith("SCAN"))).toEqual([]);
    }
  });
});

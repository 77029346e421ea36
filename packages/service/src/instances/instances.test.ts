import { DatabaseSync } from "node:sqlite";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addDocumentSet, addPair } from "../store/connectors.ts";
import { addKey, addPersonKey, listKeys, revokeKey } from "../http/keys.ts";
import { addLocalPerson, disablePerson } from "../store/people/persons.ts";
import { removePerson } from "../store/people/removal.ts";
import { PostgresStore } from "../store/postgres/postgres-store.ts";
import { value } from "../store/steps.ts";
import { documentOf, type Instance, startInstance } from "./instance.harness.ts";

await testWithPostgres((postgres) => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function start(count: number): Promise<{ instances: Instance[]; url: string }> {
    const url = await postgres.createDatabase();
    const instances: Instance[] = [];
    for (let at = 0; at < count; at++) {
      const instance = await startInstance(url);
      cleanups.push(instance.close);
      instances.push(instance);
    }
    return { instances, url };
  }

  async function administer(url: string): Promise<PostgresStore> {
    const store = await PostgresStore.open(url);
    cleanups.push(() => store.close());
    return store;
  }

  const soon = (check: () => Promise<void>, ms = 10_000): Promise<void> =>
    vi.waitFor(check, { timeout: ms, interval: 20 });

  describe("instances on one PostgreSQL", () => {
    it("find what another one was given, and answer from it with the same words", { timeout: 60_000 }, async () => {
      const { instances } = await start(2);
      const [first, second] = instances as [Instance, Instance];
      const sent = documentOf("vacation", "Everybody has thirty days of vacation a year.");
      expect(await first.call("POST", "/service-api/ingestion", sent)).toMatchObject({ status: 200 });
      for (const one of instances) await soon(async () => expect(await one.find("vacation")).toEqual(["vacation"]));
      const question = { message: "How many days of vacation do I have?", stream: false };
      const answers = await Promise.all(instances.map((one) => one.call("POST", "/chat/send-chat-message", question)));
      expect(answers[0]?.body.answer).toContain("thirty days");
      expect(answers[1]?.body.answer).toBe(answers[0]?.body.answer);
      const sessions = await second.call("GET", "/chat/get-user-chat-sessions");
      expect(sessions.body.sessions).toHaveLength(2);
      await soon(async () => {
        const { body } = await second.call("GET", "/service-api/ingestion");
        expect(body).toMatchObject([{ document_id: "vacation", status: "indexed" }]);
      });
    });

    it("know nothing of a person who was removed elsewhere, from that moment on", { timeout: 60_000 }, async () => {
      const { instances, url } = await start(2);
      const [first, second] = instances as [Instance, Instance];
      const store = await administer(url);
      const person = await store.write(() => addLocalPerson({ user: "anna" }, Date.now()));
      const key = await store.write(() => addPersonKey(person, "terminal", Date.now()));
      const question = { message: "Where do we moor?", stream: false };
      for (const one of instances) {
        expect(await one.call("POST", "/chat/send-chat-message", question, key)).toMatchObject({ status: 200 });
      }
      expect((await second.call("GET", "/chat/get-user-chat-sessions", undefined, key)).body.sessions).toHaveLength(2);
      await store.write(() => disablePerson(person.id, Date.now()));
      await removePerson(store, person);
      for (const one of instances)
        expect(await one.call("GET", "/chat/get-user-chat-sessions", undefined, key)).toMatchObject({ status: 401 });
      expect(await store.read(value("SELECT count(*) FROM messages"))).toBe(0);
      await first.call("POST", "/chat/send-chat-message", question);
      expect((await second.call("GET", "/chat/get-user-chat-sessions")).body.sessions).toHaveLength(1);
    });

    it("show nothing that was deleted or revoked elsewhere, from that moment on", { timeout: 60_000 }, async () => {
      const { instances, url } = await start(2);
      const [first, second] = instances as [Instance, Instance];
      const store = await administer(url);
      const pair = await store.write(() => addPair({ name: "HR", connectorId: 1, credentialId: 1 }));
      await store.write(() => addDocumentSet({ name: "HR", pairIds: [pair] }));
      await store.write(() => addKey("tl_TEST_hr", { name: "hr", role: "ordinary", documentSets: ["HR"] }, 0));
      await first.call("POST", "/service-api/ingestion", {
        ...documentOf("pay", "Pay rises in May."),
        cc_pair_id: pair,
      });
      await first.call("POST", "/service-api/ingestion", documentOf("plan", "The plan is to pay in June."));
      await soon(async () => expect((await second.find("pay")).toSorted()).toEqual(["pay", "plan"]));
      expect(await second.find("pay", "tl_TEST_hr")).toEqual(["pay"]);
      await first.call("DELETE", "/service-api/ingestion/plan");
      expect(await second.find("pay")).toEqual(["pay"]);
      // The pair leaves its set: who saw it by that sees it no more.
      await store.write(function* () {
        yield { sql: "DELETE FROM document_set_pairs", given: [] };
      });
      expect(await second.find("pay", "tl_TEST_hr")).toEqual([]);
      const hr = (await store.read(listKeys())).find(({ name }) => name === "hr");
      await store.write(() => revokeKey(hr?.id ?? 0, 1));
      expect(await second.call("POST", "/search", { query: "pay" }, "tl_TEST_hr")).toMatchObject({ status: 401 });
    });

    it("rank the same passages in the same order, whoever was there first", { timeout: 120_000 }, async () => {
      const { instances, url } = await start(2);
      const [first, second] = instances as [Instance, Instance];
      // Many that are equally good: their order is what tells whether copies differ.
      const text = (at: number): string => `The pump ${at % 7} runs. Pressure and valve, note ${at % 3}.`;
      const send = (one: Instance, at: number) =>
        one.call("POST", "/service-api/ingestion", documentOf(`d${at}`, text(at), { semantic_identifier: "Pump" }));
      await Promise.all(Array.from({ length: 150 }, (_, at) => send(at % 2 === 0 ? first : second, at)));
      await Promise.all(Array.from({ length: 60 }, (_, at) => send(second, (at * 7) % 150)));
      for (const at of [3, 77, 149]) await first.call("DELETE", `/service-api/ingestion/d${at}`);
      const third = await startInstance(url);
      cleanups.push(third.close);
      for (const one of [...instances, third]) await one.running.service.drain();
      for (const words of ["pump", "valve note 2", "pump 3 pressure", "The pump runs", "note"]) {
        const [one, two, three] = await Promise.all([first, second, third].map((each) => each.find(words)));
        expect(one?.length).toBeGreaterThan(5);
        expect(two).toEqual(one);
        expect(three).toEqual(one);
      }
    });

    it(
      "show nothing that was overwritten elsewhere, although this one cannot follow any more",
      { timeout: 60_000 },
      async () => {
        const { instances } = await start(2);
        const [first, second] = instances as [Instance, Instance];
        await first.call("POST", "/service-api/ingestion", documentOf("pay", "The captain earns 91234 euros."));
        await soon(async () => expect(await second.find("captain")).toEqual(["pay"]));
        // Its copy can be written no more.
        const copy = new DatabaseSync(second.copy);
        copy.exec("CREATE TRIGGER stuck BEFORE UPDATE ON documents BEGIN SELECT RAISE(ABORT, 'stuck'); END");
        copy.close();
        await first.call("POST", "/service-api/ingestion", documentOf("pay", "What the captain earns is not told."));
        const asked = () => second.call("POST", "/search", { query: "captain" });
        expect(JSON.stringify((await asked()).body)).not.toContain("91234");
        await soon(
          async () => expect((await second.call("GET", "/health")).body).toMatchObject({ index: { state: "paused" } }),
          20_000,
        );
        expect(JSON.stringify((await asked()).body)).not.toContain("91234");
      },
    );

    it(
      "show nothing of a former state where the database was put back to an earlier one",
      { timeout: 60_000 },
      async () => {
        const { instances, url } = await start(1);
        const [first] = instances as [Instance];
        const store = await administer(url);
        await first.call("POST", "/service-api/ingestion", documentOf("kept", "The kept harbour."));
        await first.call("POST", "/service-api/ingestion", documentOf("lost", "The secret harbour."));
        await soon(async () => expect((await first.find("harbour")).toSorted()).toEqual(["kept", "lost"]));
        // As a restore leaves it: what came since is gone, and its numbers are given again.
        await store.write(function* () {
          yield { sql: "DELETE FROM documents WHERE id = 'lost'", given: [] };
          yield { sql: "DELETE FROM changes WHERE sequence = 2", given: [] };
          yield { sql: "UPDATE feed SET last = 1", given: [] };
          yield { sql: "ALTER TABLE documents ALTER COLUMN number RESTART WITH 2", given: [] };
        });
        await first.call("POST", "/service-api/ingestion", documentOf("other", "The open harbour."));
        const shown = async (one: Instance) =>
          JSON.stringify((await one.call("POST", "/search", { query: "harbour" })).body);
        expect(await shown(first)).not.toContain("secret");
        const isPaused = async () => {
          expect((await first.call("GET", "/health")).body).toMatchObject({ index: { state: "paused" } });
        };
        await soon(isPaused, 20_000);
        const again = await startInstance(url);
        cleanups.push(again.close);
        await soon(async () => expect((await again.find("harbour")).toSorted()).toEqual(["kept", "other"]));
        expect(await shown(first)).not.toContain("secret");
      },
    );

    it("answer for each of the documents that are written together", { timeout: 60_000 }, async () => {
      const { instances, url } = await start(2);
      const [first] = instances as [Instance];
      const send = async (at: number, sent: object) => {
        const { status, body } = await (instances[at % 2] as Instance).call("POST", "/service-api/ingestion", sent);
        return { status, existed: body["already_existed"] };
      };
      const fine = Array.from({ length: 24 }, (_, at) =>
        documentOf(`d${at}`, `Bollard ${at} \0 \ud800.`, { metadata: { at: [String(at), "all"], kind: "quay" } }),
      );
      const twice = documentOf("twice", "A bollard twice.", { metadata: { kind: "twin" } });
      const refused = [
        { ...documentOf("nowhere", "Bollard."), cc_pair_id: 77 },
        documentOf("empty", "", { sections: [{}] }),
      ];
      const all = [...fine, twice, ...refused, twice, ...fine.slice(0, 3)];
      const replies = await Promise.all(all.map((sent, at) => send(at, sent)));
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(all.length - 2);
      expect(statuses.slice(25, 27)).toEqual([404, 422]);
      const { body } = await first.call("GET", "/service-api/ingestion");
      const ids = (body as unknown as readonly { document_id: string }[]).map((one) => one.document_id);
      expect(ids.toSorted()).toEqual(["twice", ...fine.map((_, at) => `d${at}`)].toSorted());
      // Of a document that was sent twice each tag is there once.
      const store = await administer(url);
      expect(await store.read(value<number>("SELECT count(*) FROM tags"))).toBe(24 * 3 + 1);
      for (const one of instances) {
        await one.running.service.drain();
        expect(await one.find("bollard twice")).toContain("twice");
      }
      expect(await send(0, twice)).toEqual({ status: 200, existed: true });
      // Both had the document alone once: one of them was told so.
      expect(replies.filter(({ existed }) => existed === false).length).toBeGreaterThanOrEqual(25);
    });

    it("count what somebody asks together", { timeout: 60_000 }, async () => {
      const url = await postgres.createDatabase();
      const settings = { rateLimits: { user: { messages: 3, seconds: 60 } } };
      const both = [await startInstance(url, { settings }), await startInstance(url, { settings })];
      for (const one of both) cleanups.push(one.close);
      const ask = (at: number) =>
        both[at % 2]?.call("POST", "/chat/send-chat-message", { message: "Hello", stream: false });
      const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => ask(at)));
      expect(replies.map((reply) => reply?.status).toSorted()).toEqual([
        200,
        200,
        200,
        ...Array.from({ length: 7 }, () => 429),
      ]);
      expect(replies.find((reply) => reply?.status === 429)?.body).toMatchObject({
        error_code: "RATE_LIMITED",
        scope: "user",
      });
    });

    it("say that their database is away, and go on when it is back", { timeout: 60_000 }, async () => {
      const { instances } = await start(1);
      const [only] = instances as [Instance];
      await postgres.restart();
      await soon(async () => expect((await only.call("GET", "/health")).body).toMatchObject({ state: "ok" }));
      const sent = documentOf("after", "After the restart.");
      expect(await only.call("POST", "/service-api/ingestion", sent)).toMatchObject({ status: 200 });
      await soon(async () => expect(await only.find("restart")).toEqual(["after"]));
    });
  });
});

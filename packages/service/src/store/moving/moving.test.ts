import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it } from "vitest";
import { listGaps } from "../../gaps/book.ts";
import { GapComparison } from "../../gaps/comparison.ts";
import { questionOf } from "../../gaps/gap.harness.ts";
import { noteQuestion } from "../../gaps/noting.ts";
import { addKey, addPersonKey, callerOf } from "../../http/keys.ts";
import { startInstance } from "../../instances/instance.harness.ts";
import { addConnector, addCredential, addDocumentSet, addPair, listPairs } from "../connectors.ts";
import { deleteDocument, listDocuments, upsertDocument } from "../documents.ts";
import { addFile } from "../files.ts";
import { instanceOf } from "../instance.ts";
import { addLocalPerson, joinGroup, passwordOf, setPassword } from "../people/persons.ts";
import { groupNamed, setRule } from "../people/rules.ts";
import { PostgresStore } from "../postgres/postgres-store.ts";
import { beginTurn, findMessage, saveAnswer } from "../sessions.ts";
import { Database } from "../sqlite/database.ts";
import { sqliteText, value } from "../steps.ts";
import type { Store } from "../store.ts";
import { listTags } from "../tags.ts";
import { addTool } from "../tools.ts";
import { moveData, type MovingProgress } from "./moving.ts";

const QUESTION = "Where is the spare key of the boat house?";
const ODD = "nul \0, half \u0001 and ' \\u0000 שלום 日本語";

await testWithPostgres((postgres) => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  let personKey = "";

  /** A service's data: something of every kind. */
  function filled(documents = 30): Database {
    const db = new Database(":memory:");
    cleanups.push(() => db.close());
    const connectorId = db.transact(addConnector({ name: ODD, source: "web" }));
    const credentialId = db.transact(addCredential({ name: "Reader", source: "web" }));
    const pair = db.transact(addPair({ name: "Site", connectorId, credentialId, access: "public" }));
    db.transact(addDocumentSet({ name: "Everything", pairIds: [1, pair] }));
    db.transact(addKey("tl_TEST_moved", { name: "ann", role: "admin" }, 0));
    const person = db.transact(addLocalPerson({ user: "дарья", email: "d@example.com" }, 0));
    db.transact(setPassword(person.id, "scrypt$of$a$password"));
    db.transact(joinGroup(person.id, ODD));
    db.transact(setRule(groupNamed(ODD), { role: "editor", documentSets: ["Everything"] }));
    personKey = db.transact(addPersonKey(person, ODD, 0));
    db.transact(addTool({ name: "tickets", description: ODD, definition: { openapi: "3.1.0" } }));
    db.transaction(() => {
      for (let at = 0; at < documents; at++) {
        const document = {
          id: `d${at}`,
          semantic_identifier: `Pump ${at}`,
          sections: [{ text: `The pump ${at} runs. ${ODD}` }],
          source: "web" as const,
          metadata: { team: [`t${at % 3}`, ODD] },
        };
        db.perform(upsertDocument(document, at % 2 === 0 ? 1 : pair, at));
      }
    });
    db.transact(deleteDocument("d4", 1));
    const session = {
      id: crypto.randomUUID(),
      user: "ann",
      personaId: 0,
      description: ODD,
      projectId: null,
      createdAt: 1,
    };
    const turn = { sessionId: session.id, parentId: null, text: ODD, origin: "api", files: [], now: 2 };
    const { assistantMessageId } = db.transact(beginTurn(turn, session));
    db.transact(saveAnswer(assistantMessageId, { text: ODD, status: "done", citations: { 1: "d3" } }));
    const file = {
      id: "f",
      name: ODD,
      mediaType: "text/csv",
      chatFileType: "csv",
      size: 3,
      text: ODD,
      gap: null,
      createdAt: 3,
    };
    db.transact(addFile("ann", file, new Uint8Array([0, 255, 7])));
    db.transact(
      noteQuestion(
        questionOf({ ref: "q", caller: "bot", asker: "ann", words: QUESTION, isShared: true }),
        new GapComparison(),
      ),
    );
    return db;
  }

  async function target(): Promise<{ store: PostgresStore; url: string }> {
    const url = await postgres.createDatabase();
    const store = await PostgresStore.open(url);
    cleanups.push(() => store.close());
    return { store, url };
  }

  describe("moving a service's data to PostgreSQL", () => {
    it("takes many documents to the queue in parts, in their order, and their tags together", async () => {
      const from = new Database(":memory:");
      cleanups.push(() => from.close());
      // Those written last have the smallest numbers.
      from.run(
        `INSERT INTO documents (number, pair_id, id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
         WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 10001)
         SELECT n, 1, 'd' || n, 20000 - n, 'T', 'T', 'file', '[]', '{"team":["a","b"],"by":"c"}', 1, 'indexed' FROM counted`,
      );
      const { store } = await target();
      const sent: string[] = [];
      const write: Store["write"] = (steps) =>
        store.write(function* () {
          const whole = steps();
          let step = whole.next();
          while (step.done !== true) {
            sent.push(sqliteText(step.value.sql));
            step = whole.next(yield step.value);
          }
          return step.value;
        });
      const to = { read: store.read.bind(store), makeRoom: write, gathering: store.gathering.bind(store), write };
      expect((await moveData(from, to, () => undefined)).every(({ isSame }) => isSame)).toBe(true);
      const times = (words: string): number => sent.filter((sql) => sql.startsWith(words)).length;
      expect(times("INSERT INTO queue")).toBe(3);
      expect(times("INSERT INTO changes")).toBe(3);
      expect(times("INSERT INTO tags")).toBe(61);
      const order =
        "SELECT count(*) FROM changes JOIN documents ON number = document WHERE changes.sequence = 10002 - number";
      expect(await store.read(value(order))).toBe(10_001);
      expect(await store.read(value("SELECT count(*) FROM queue JOIN documents USING (sequence)"))).toBe(10_001);
      expect(await store.read(value("SELECT last FROM feed"))).toBe(10_001);
      expect(await store.read(value("SELECT count(*) FROM tags"))).toBe(30_003);
    }, 60_000);

    it("brings all of it, proves it row by row, and it is served from there as the same data", async () => {
      const from = filled();
      const { store, url } = await target();
      const told: MovingProgress[] = [];
      const arrived = await moveData(from, store, (progress) => told.push(progress));
      expect(arrived.filter(({ isSame }) => !isSame)).toEqual([]);
      expect(Object.fromEntries(arrived.map(({ table, rows }) => [table, rows]))).toMatchObject({
        connectors: 2,
        pairs: 2,
        document_sets: 1,
        document_set_pairs: 2,
        keys: 2,
        user_names: 4,
        persons: 1,
        memberships: 2,
        group_rules: 1,
        tools: 2,
        documents: 29,
        sessions: 1,
        messages: 2,
        files: 1,
        gap_book: 1,
        gaps: 1,
        gap_questions: 1,
      });
      // The secret came along: who asks the same is found to, and by the same reference it is the same question.
      const again = (ref: string) => questionOf({ ref, caller: "bot", asker: "bo", words: QUESTION });
      for (const [ref, questions] of [["another", 2] as const, ["q", 2] as const]) {
        await store.write(() => noteQuestion(again(ref), new GapComparison()));
        expect(await store.read(listGaps("open", 9))).toMatchObject([{ questions, question: QUESTION }]);
      }
      expect(told.at(-1)).toMatchObject({ step: "compared" });
      expect(await store.read(instanceOf())).toEqual(from.perform(instanceOf()));
      expect(await store.read(callerOf("tl_TEST_moved", 0))).toMatchObject({ user: "ann", role: "admin" });
      expect(await store.read(callerOf(personKey, 1))).toEqual(from.perform(callerOf(personKey, 1)));
      expect(await store.read(callerOf(personKey, 1))).toMatchObject({ user: "дарья", role: "editor", groups: [ODD] });
      expect(await store.read(passwordOf("дарья"))).toMatchObject({ password: "scrypt$of$a$password" });
      await expect(store.write(() => addLocalPerson({ user: "ann" }, 0))).rejects.toThrow("Keys have the user ann");
      expect(await store.read(listPairs())).toEqual(from.perform(listPairs()));
      const tags = { prefix: "", sources: [], limit: 99 };
      expect(await store.read(listTags(null, tags))).toEqual(from.perform(listTags(null, tags)));
      expect(await store.read(findMessage(2))).toEqual(from.perform(findMessage(2)));
      const namesOf = (listed: readonly { readonly document_id: string }[]) => listed.map(({ document_id: id }) => id);
      expect(namesOf(await store.read(listDocuments(null)))).toEqual(namesOf(from.perform(listDocuments(null))));
      // Numbers go on behind what was moved.
      expect(await store.write(() => addConnector({ name: "next", source: "web" }))).toBe(3);
      const instance = await startInstance(url);
      cleanups.push(instance.close);
      await instance.running.service.drain();
      expect(await instance.find("pump 17")).toContain("d17");
      expect(await instance.call("GET", "/me", undefined, "tl_TEST_moved")).toMatchObject({ status: 200 });
    });

    it("goes on where it was ended, and nobody serves a part of it meanwhile", async () => {
      const from = filled(1_300);
      const { store, url } = await target();
      let written = 0;
      const stopped = moveData(from, store, ({ table, step }) => {
        if (table === "documents" && step === "moved" && ++written === 2) throw new Error("ended on the way");
      });
      await expect(stopped).rejects.toThrow("ended on the way");
      await expect(startInstance(url)).rejects.toThrow(/Run `threadlore migrate` to its end/);
      const moved: number[] = [];
      const arrived = await moveData(from, store, ({ table, step, done }) => {
        if (table === "documents" && step === "moved") moved.push(done);
      });
      expect(moved[0]).toBeGreaterThan(1_000);
      expect(arrived.every(({ isSame }) => isSame)).toBe(true);
      expect(await moveData(from, store, () => undefined).catch((error: unknown) => error)).toMatchObject({
        problem: "in_use",
      });
    });

    it("tells what is not the same, and refuses a database that holds something else", async () => {
      const { store } = await target();
      await store.write(() => addKey("tl_TEST_other", { name: "other", role: "admin" }, 0));
      await expect(moveData(filled(), store, () => undefined)).rejects.toThrow(
        /not empty \(0 documents, 1 keys, 0 persons\)/,
      );
      const other = await target();
      const arrived = await moveData(filled(), other.store, ({ table, step, done }) => {
        if (table === "messages" && step === "moved" && done > 0) {
          void other.store.write(function* () {
            yield { sql: "UPDATE messages SET text = 'changed' WHERE id = 1", given: [] };
          });
        }
      });
      expect(arrived.filter(({ isSame }) => !isSame).map(({ table }) => table)).toEqual(["messages"]);
    });
  });
});

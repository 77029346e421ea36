import { setTimeout as pause } from "node:timers/promises";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it } from "vitest";
import { addKey } from "../http/keys.ts";
import { addDocumentSet } from "../store/connectors.ts";
import { PostgresStore } from "../store/postgres/postgres-store.ts";
import { value } from "../store/steps.ts";
import { documentOf, type Instance, startInstance } from "./instance.harness.ts";
import { troubledWay } from "./troubled-way.harness.ts";

const OF_SET = "tl_TEST_set";

await testWithPostgres((postgres) => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function start(): Promise<{ one: Instance; store: PostgresStore; tripsOf: typeof fewest }> {
    const url = await postgres.createDatabase();
    const way = await troubledWay(url);
    cleanups.push(() => way.end());
    const store = await PostgresStore.open(url);
    cleanups.push(() => store.close());
    await store.write(() => addDocumentSet({ name: "All", pairIds: [1] }));
    await store.write(() => addKey(OF_SET, { name: "set", role: "ordinary", documentSets: ["All"] }, 0));
    const one = await startInstance(way.url);
    cleanups.push(one.close);
    await one.call("POST", "/service-api/ingestion", documentOf("pay", "Pay rises in May."));
    await one.running.service.drain();
    /** The instance looks after the database besides: what it needs itself is what the quietest moment shows. */
    async function fewest(work: () => Promise<unknown>): Promise<number> {
      let trips = Number.POSITIVE_INFINITY;
      for (let time = 0; time < 5; time++) {
        const before = way.roundTrips;
        await work();
        trips = Math.min(trips, way.roundTrips - before);
      }
      return trips;
    }
    return { one, store, tripsOf: fewest };
  }

  describe("an instance on PostgreSQL", () => {
    it("asks it seldom for a search, a question and a document", { timeout: 60_000 }, async () => {
      const { one, tripsOf } = await start();
      expect(await tripsOf(() => one.find("pay"))).toBeLessThanOrEqual(3);
      expect(await tripsOf(() => one.find("pay", OF_SET))).toBeLessThanOrEqual(4);
      const question = { message: "When does pay rise?", stream: false };
      expect(await tripsOf(() => one.call("POST", "/chat/send-chat-message", question))).toBeLessThanOrEqual(9);
      // With the key it is sent by, and what other instances are told of it.
      const send = () => one.call("POST", "/service-api/ingestion", documentOf("pay", "Pay rises in June."));
      expect(await tripsOf(send)).toBeLessThanOrEqual(12);
    });

    it("reads of many documents those that were found, and no others", { timeout: 60_000 }, async () => {
      const { one, store } = await start();
      await store.write(function* () {
        yield {
          sql: `INSERT INTO documents (pair_id, id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
            SELECT 1, 'other' || at, nextval('writes'), 'Other', 'Other', 'web', '[]', '{}', 0, 'indexed' FROM generate_series(1, 5000) AS at`,
          given: [],
        };
      });
      const read = () =>
        store.read(value<number>("SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'documents'"));
      // The server counts with a delay, and what stands at the end of a statement's connection.
      const searched = async (): Promise<number> => {
        for (let time = 0; time < 12; time++) expect(await one.find("pay", OF_SET)).toEqual(["pay"]);
        await pause(1_100);
        await one.find("pay", OF_SET);
        return read();
      };
      const before = await searched();
      expect((await searched()) - before).toBeLessThan(1_000);
    });
  });
});

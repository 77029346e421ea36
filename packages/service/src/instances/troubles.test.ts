import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, values } from "../store/steps.ts";
import { PostgresStore } from "../store/postgres/postgres-store.ts";
import { documentOf, startInstance } from "./instance.harness.ts";
import { troubledWay } from "./troubled-way.harness.ts";

await testWithPostgres((postgres) => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  const soon = (check: () => Promise<void> | void, ms = 15_000): Promise<void> =>
    vi.waitFor(check, { timeout: ms, interval: 20 });

  describe("an instance whose way to the database is bad", () => {
    it("is there and hears again after a cut the server does not know of, with no connection left over", async () => {
      const url = await postgres.createDatabase();
      const way = await troubledWay(url);
      cleanups.push(() => way.end());
      const store = await PostgresStore.open(way.url);
      cleanups.push(() => store.close());
      const heard: string[] = [];
      store.presence.hear("threadlore_stop", (payload) => void heard.push(payload));
      const other = await PostgresStore.open(url);
      cleanups.push(() => other.close());
      way.forget();
      await soon(async () => {
        await other.presence.tell("threadlore_stop", "again");
        expect(heard).toContain("again");
      });
      // The one the server does not know to be gone, the one instead of it, and that of the other.
      const PRESENT =
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'threadlore presence' AND datname = current_database()";
      expect(await other.read(values(PRESENT))).toHaveLength(3);
    });

    it("says so too where a statement waits too long for what another holds, as an instance that is paused", async () => {
      const url = await postgres.createDatabase();
      const stores = await Promise.all([PostgresStore.open(url), PostgresStore.open(url)]);
      const [holder, waiting] = stores;
      cleanups.push(...stores.map((store) => () => store.close()));
      const { promise: held, resolve: hold } = Promise.withResolvers<void>();
      const lock = "SELECT pg_advisory_xact_lock(4711)";
      const holding = holder.write(function* () {
        yield* all(lock);
        hold();
        yield* all("SELECT pg_sleep(2)");
      });
      await held;
      const asked = waiting.write(function* () {
        yield* all("SET LOCAL statement_timeout = 100");
        yield* all(lock);
      });
      await expect(asked).rejects.toMatchObject({ name: "DatabaseError", problem: "unreachable" });
      await holding;
    });

    it(
      "says in less than a minute that the database gives no answer, and goes on by itself",
      { timeout: 120_000 },
      async () => {
        const way = await troubledWay(await postgres.createDatabase());
        const instance = await startInstance(way.url);
        cleanups.push(instance.close, () => way.end());
        way.isSilent = true;
        const begun = performance.now();
        const told = await instance.call("POST", "/service-api/ingestion", documentOf("one", "Who hears this?"));
        // Fifteen seconds, and what a busy machine adds.
        expect(performance.now() - begun).toBeLessThan(45_000);
        expect(told.status).toBe(503);
        way.isSilent = false;
        await soon(async () => {
          const sent = await instance.call("POST", "/service-api/ingestion", documentOf("two", "Who hears that?"));
          expect(sent).toMatchObject({ status: 200 });
        }, 40_000);
        await soon(async () => expect(await instance.find("hears")).toContain("two"), 20_000);
      },
    );

    it("ends in a few seconds although the database gives no answer", { timeout: 60_000 }, async () => {
      const way = await troubledWay(await postgres.createDatabase());
      cleanups.push(() => way.end());
      const instance = await startInstance(way.url);
      const sent = documentOf("one", "Who hears this?");
      expect(await instance.call("POST", "/service-api/ingestion", sent)).toMatchObject({ status: 200 });
      way.isSilent = true;
      // Long enough for the background to wait for an answer.
      await new Promise((resolve) => void setTimeout(resolve, 1_500));
      const begun = performance.now();
      await instance.close();
      // Two for the background and two for the connections, and five more where somebody asks: units wait sixty.
      expect(performance.now() - begun).toBeLessThan(9_000);
    });
  });
});

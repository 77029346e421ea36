import { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { type Postgres, testWithPostgres } from "@threadlore/testkit/postgres";
import { accountsContract } from "./accounts-contract.harness.ts";
import { storeContract } from "./contract.harness.ts";
import { doubtsContract } from "./gaps/doubts-contract.harness.ts";
import { callsContract } from "./gaps/calls-contract.harness.ts";
import { gapsContract } from "./gaps-contract.harness.ts";
import { openStore } from "./open.ts";
import { openPostgres } from "./postgres.ts";
import { isTaken } from "./trouble.ts";

await testWithPostgres((postgres) => {
  const databases = { create: () => postgres.createDatabase(), open: openStore };
  storeContract("PostgreSQL", databases);
  accountsContract("PostgreSQL", databases);
  gapsContract("PostgreSQL", databases);
  callsContract("PostgreSQL", databases);
  doubtsContract("PostgreSQL", databases);
  ownBehaviour(postgres);
});

function ownBehaviour(server: Postgres): void {
  const question = { key: "question:T:C:1", kind: "question", partitionKey: "l", body: {} } as const;

  describe("a PostgreSQL store", () => {
    let url: string;
    beforeAll(async () => {
      url = await server.createDatabase();
    });

    async function sql(text: string): Promise<Record<string, unknown>[]> {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(text)).rows;
      } finally {
        await client.end();
      }
    }

    it("keeps to a schema of its own and finds it again", async () => {
      const store = await openStore(url);
      await store.accept(question, 1);
      await store.close();
      expect(await sql("SELECT DISTINCT schemaname FROM pg_tables WHERE tablename IN ('tasks', 'pins')")).toEqual([
        { schemaname: "threadlore_bot" },
      ]);
      const again = await openStore(url);
      expect(await again.findByKey(question.key)).toMatchObject({ state: "waiting" });
      await again.forgetEverything();
      await again.close();
    });

    it("tells a value that is taken from every other refusal", async () => {
      const store = await openStore(url);
      const engine = await openPostgres(url, Date.now);
      const refused = (statement: string): Promise<unknown> => engine.run(statement).catch((error: unknown) => error);
      const insert = "INSERT INTO turns (name, moment) VALUES ('one', 1)";
      await engine.run(insert);
      expect(isTaken(await refused(insert))).toBe(true);
      expect(isTaken(await refused("INSERT INTO nowhere (name) VALUES ('one')"))).toBe(false);
      await store.forgetEverything();
      await Promise.all([store.close(), engine.close()]);
    });

    it("takes no lease away when one machine's clock is ten minutes ahead", async () => {
      const ahead = (): number => Date.now() + 600_000;
      const [right, wrong] = [await openStore(url), await openStore(url, { clock: ahead })];
      await right.accept(question, Date.now());
      const claimed = await right.claim("right", { now: Date.now(), leaseMs: 60_000 });
      expect(await wrong.claim("wrong", { now: ahead(), leaseMs: 60_000 })).toBeUndefined();
      expect(await right.renewLease(claimed?.id ?? "", "right", { now: Date.now(), leaseMs: 60_000 })).toMatchObject({
        held: true,
      });
      const limit = { name: "b", most: 1, windowMs: 60_000 };
      expect(await wrong.hit([limit], ahead())).toEqual({ allowed: true });
      const reached = await right.hit([limit], Date.now());
      expect(reached).toMatchObject({ allowed: false });
      expect(Math.abs((reached.allowed ? 0 : reached.resetAt) - Date.now() - 60_000)).toBeLessThan(30_000);
      const here = await wrong.hit([limit], ahead());
      expect(Math.abs((here.allowed ? 0 : here.resetAt) - ahead() - 60_000)).toBeLessThan(30_000);
      const acceptedAt = (await wrong.find(claimed?.id ?? ""))?.acceptedAt ?? 0;
      expect(Math.abs(acceptedAt - ahead())).toBeLessThan(60_000);
      await right.forgetEverything();
      await Promise.all([right.close(), wrong.close()]);
    });

    it("goes on after its connections were cut, and after the server was started again", async () => {
      const store = await openStore(url);
      await store.accept(question, 1);
      await Promise.all(Array.from({ length: 5 }, () => store.check()));
      await sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()",
      );
      expect(await store.accept(question, 2)).toBe(false);
      await server.restart();
      expect(await store.backlog()).toEqual({ waiting: 1, running: 0 });
      await store.saveAnswer({ taskId: "1", channel: "C", messages: ["1"], createdAt: 1 });
      expect(await store.findAnswer("C", "1")).toBeDefined();
      await store.forgetEverything();
      await store.close();
    });

    it("ends what waits too long for a lock, says so, and goes on", { timeout: 120_000 }, async () => {
      const store = await openStore(url);
      const holder = new Client({ connectionString: url });
      await holder.connect();
      await holder.query("BEGIN; LOCK TABLE threadlore_bot.tasks");
      await expect(store.accept(question, 1)).rejects.toThrow(/statement timeout/);
      await holder.query("ROLLBACK");
      expect(await store.accept(question, 1)).toBe(true);
      await store.forgetEverything();
      await holder.end();
      await store.close();
    });

    it("deletes what is old in parts, none of which is more than a statement has time for", async () => {
      const store = await openStore(url);
      await sql(`
        INSERT INTO threadlore_bot.traces (place, moment, words) SELECT 'T:C:1', i, 'seen' FROM generate_series(1, 1200) AS s(i);
        CREATE TABLE deletions (rows BIGINT);
        CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN INSERT INTO public.deletions SELECT count(*) FROM gone; RETURN NULL; END';
        CREATE TRIGGER deletions AFTER DELETE ON threadlore_bot.traces REFERENCING OLD TABLE AS gone
          FOR EACH STATEMENT EXECUTE FUNCTION public.note_deletion()`);
      expect(await store.forgetBefore(5_000)).toBe(1_200);
      const parts = (await sql("SELECT rows FROM deletions ORDER BY rows")).map(({ rows }) => Number(rows));
      expect(parts).toEqual([200, 500, 500]);
      await store.close();
    });

    it("leaves nothing in its tables' files of what is forgotten altogether", async () => {
      const store = await openStore(url);
      await store.trace("T:C:1", { at: 1, words: "seen" });
      await store.forgetEverything();
      const [size] = await sql("SELECT pg_relation_size('threadlore_bot.traces') AS bytes");
      expect(Number(size?.["bytes"])).toBe(0);
      await store.close();
    });

    it("can be closed twice, and says so when used afterwards", async () => {
      const store = await openStore(url);
      await store.close();
      await store.close();
      await expect(store.check()).rejects.toThrow(/pool/);
    });

    it("says in plain words what keeps it from opening, without the password", async () => {
      const absent = url.replace(/\/test_\d+/, "/absent").replace("postgres@", "postgres:hush@");
      await expect(openStore(absent)).rejects.toThrow(/refused the bot: database "absent" does not exist/);
      const closed = "postgres://bot:hush@127.0.0.1:1/threadlore";
      await expect(openStore(closed)).rejects.toThrow(/at 127.0.0.1:1\/threadlore cannot be reached/);
      for (const address of [absent, closed]) await expect(openStore(address)).rejects.not.toThrow(/hush/);
    });

    it("refuses tables of a newer version", async () => {
      await sql("UPDATE threadlore_bot.schema_version SET version = 99");
      await expect(openStore(url)).rejects.toThrow(/newer Threadlore \(schema 99/);
    });
  });
}

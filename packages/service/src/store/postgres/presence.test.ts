import { setTimeout as pause } from "node:timers/promises";
import { Connections } from "@threadlore/postgres";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { expect, it } from "vitest";
import { PostgresStore } from "./postgres-store.ts";

await testWithPostgres((postgres) => {
  it("a process that closes while it is about to be there again leaves no connection", async () => {
    const url = await postgres.createDatabase();
    const store = await PostgresStore.open(url);
    const connections = new Connections({ url, application: "test", schema: "public" });
    const ask = async (sql: string) => (await connections.once((client) => client.query(sql))).rows;
    const ofPresence = "FROM pg_stat_activity WHERE application_name = 'threadlore presence'";
    expect(await ask(`SELECT 1 ${ofPresence}`)).toHaveLength(1);
    await ask(`SELECT pg_terminate_backend(pid) ${ofPresence}`);
    // It has heard of that, and waits before it tries again.
    await pause(200);
    await store.close();
    await pause(1_000);
    expect(await ask(`SELECT 1 ${ofPresence}`)).toEqual([]);
    await connections.close();
  });
});

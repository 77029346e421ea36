import { setTimeout as pause } from "node:timers/promises";
import { Connections } from "@threadlore/postgres";
import { afterThisTest } from "@threadlore/testkit";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { expect, it, vi } from "vitest";
import { createService, openTruth } from "../../index.ts";
import { ask as askProgram, poll } from "../../routes/people/people.harness.ts";
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

  it("T42 instances whose machines' clocks are apart end nothing for each other: all go by the database's", async () => {
    const url = await postgres.createDatabase();
    const own = Date.now.bind(Date);
    let ahead = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => own() + ahead);
    afterThisTest(() => clock.mockRestore());
    const open = async (by: number) => {
      ahead = by;
      const { truth, database } = await openTruth(url, ":memory:");
      const service = createService({ truth, database, logLevel: "silent" });
      afterThisTest(() => service.close());
      return { service, truth };
    };
    const right = await open(0);
    const { body: begun } = await askProgram(right.service, "/sign-in/device", {
      client_id: "Terminal",
      purpose: "test",
    });
    const wrong = await open(20 * 60_000);
    expect(Math.abs(wrong.truth.presence.now() - own())).toBeLessThan(2_000);
    // What is swept out there is swept out for all.
    await askProgram(wrong.service, "/sign-in/device", { client_id: "Terminal", purpose: "test" });
    for (const { service } of [wrong, right]) {
      const { body } = await poll(service, begun["device_code"] ?? "");
      expect(["authorization_pending", "slow_down"]).toContain(body["error"]);
    }
    // A clock that is set back or forth changes nothing.
    const before = wrong.truth.presence.now();
    ahead = -3_600_000;
    expect(wrong.truth.presence.now()).toBeGreaterThanOrEqual(before);
  });
});

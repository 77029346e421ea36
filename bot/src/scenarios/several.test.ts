import { expect, it } from "vitest";
import { killOneOfThree } from "./kill.harness.ts";
import { testWithPostgres } from "@threadlore/testkit/postgres";

await testWithPostgres((postgres) => {
  it("three bots on one PostgreSQL, one killed: every question is answered once", async () => {
    const report = await killOneOfThree(await postgres.createDatabase(), 40);
    expect(report).toMatchObject({ lost: [], twice: [], broken: [], refusals: [] });
    expect(report.answered).toBe(40);
  }, 300_000);
});

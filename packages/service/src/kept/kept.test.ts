import { testWithPostgres } from "@threadlore/testkit/postgres";
import { keptContract } from "./kept-contract.harness.ts";
import { nearContract } from "./near-contract.harness.ts";

keptContract("SQLite", async () => undefined);
nearContract("SQLite", async () => undefined);

await testWithPostgres((postgres) => {
  keptContract("PostgreSQL", () => postgres.createDatabase());
  nearContract("PostgreSQL", () => postgres.createDatabase());
});

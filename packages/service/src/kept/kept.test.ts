import { testWithPostgres } from "@threadlore/testkit/postgres";
import { keptContract } from "./kept-contract.harness.ts";

keptContract("SQLite", async () => undefined);

await testWithPostgres((postgres) => {
  keptContract("PostgreSQL", () => postgres.createDatabase());
});

import { testWithPostgres } from "@threadlore/testkit/postgres";
import { keptContract } from "./kept-contract.harness.ts";
import { maybeContract } from "./maybe/maybe-contract.harness.ts";
import { nearContract } from "./near-contract.harness.ts";

keptContract("SQLite", async () => undefined);
nearContract("SQLite", async () => undefined);
maybeContract("SQLite", async () => undefined);

await testWithPostgres((postgres) => {
  keptContract("PostgreSQL", () => postgres.createDatabase());
  nearContract("PostgreSQL", () => postgres.createDatabase());
  maybeContract("PostgreSQL", () => postgres.createDatabase());
});

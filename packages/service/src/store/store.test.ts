import { testWithPostgres } from "@threadlore/testkit/postgres";
import { gapContract } from "../gaps/gap-contract.harness.ts";
import { type Databases, storeContract } from "./contract.harness.ts";
import { peopleContract } from "./people/people-contract.harness.ts";
import { removalContract } from "./people/removal-contract.harness.ts";
import { PostgresStore } from "./postgres/postgres-store.ts";
import { Database } from "./sqlite/database.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";

const inSqlite: Databases = {
  open: async () => {
    const db = new Database(":memory:");
    return { store: new SqliteStore(db), close: () => db.close() };
  },
};

storeContract("SQLite", inSqlite);
peopleContract("SQLite", inSqlite);
removalContract("SQLite", inSqlite);
gapContract("SQLite", inSqlite);

await testWithPostgres((postgres) => {
  const inPostgres: Databases = {
    open: async () => {
      const store = await PostgresStore.open(await postgres.createDatabase());
      return { store, close: () => store.close() };
    },
  };
  storeContract("PostgreSQL", inPostgres);
  peopleContract("PostgreSQL", inPostgres);
  removalContract("PostgreSQL", inPostgres);
  gapContract("PostgreSQL", inPostgres);
});

import { testWithPostgres } from "@threadlore/testkit/postgres";
import { storeContract } from "./contract.harness.ts";
import { PostgresStore } from "./postgres/postgres-store.ts";
import { Database } from "./sqlite/database.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";

storeContract("SQLite", {
  open: async () => {
    const db = new Database(":memory:");
    return { store: new SqliteStore(db), close: () => db.close() };
  },
});

await testWithPostgres((postgres) => {
  storeContract("PostgreSQL", {
    open: async () => {
      const store = await PostgresStore.open(await postgres.createDatabase());
      return { store, close: () => store.close() };
    },
  });
});

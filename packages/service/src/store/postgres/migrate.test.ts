import { createHash } from "node:crypto";
import { Connections } from "@threadlore/postgres";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import { callerOf } from "../../http/keys.ts";
import { addLocalPerson } from "../people/persons.ts";
import { PostgresStore } from "./postgres-store.ts";
import { MIGRATIONS } from "./tables.ts";

await testWithPostgres((postgres) => {
  async function administer(url: string, ...statements: string[]): Promise<void> {
    const connections = new Connections({ url, application: "test", schema: "public" });
    await connections.once((client) => client.query(statements.join(";")));
    await connections.close();
  }

  const as = (user: string, url: string): string => url.replace("postgres@", `${user}@`);

  describe("the schema of a service", () => {
    it("may be made beforehand for a user who may not, and is refused where somebody else could change it", async () => {
      const url = await postgres.createDatabase();
      await administer(
        url,
        "CREATE ROLE app LOGIN",
        "CREATE ROLE mallory LOGIN",
        "CREATE SCHEMA threadlore AUTHORIZATION app",
      );
      const store = await PostgresStore.open(as("app", url));
      await store.close();
      const other = await postgres.createDatabase();
      await administer(
        other,
        "CREATE SCHEMA threadlore AUTHORIZATION mallory",
        "GRANT ALL ON SCHEMA threadlore TO app",
      );
      await expect(PostgresStore.open(as("app", other))).rejects.toThrow(/belongs to mallory, who could change/);
    });

    it("of a newer version is left alone", async () => {
      const url = await postgres.createDatabase();
      await (await PostgresStore.open(url)).close();
      await administer(url, "UPDATE threadlore.schema_version SET version = 99");
      await expect(PostgresStore.open(url)).rejects.toThrow(/written by a newer Threadlore \(schema 99/);
    });

    it("of the version before gets tables for people, and its keys go on with names that are nobody else's", async () => {
      const url = await postgres.createDatabase();
      await administer(
        url,
        "CREATE SCHEMA threadlore",
        "SET search_path TO threadlore",
        "CREATE TABLE schema_version (version BIGINT NOT NULL)",
        "INSERT INTO schema_version VALUES (1)",
        MIGRATIONS[0] ?? "",
        `INSERT INTO keys (hash, name, "user", role, created_at)
         VALUES ('${createHash("sha256").update("tl_TESTold").digest("hex")}', 'bot', 'anna', 'editor', '2026-01-01T00:00:00Z')`,
      );
      const store = await PostgresStore.open(url);
      expect(await store.read(callerOf("tl_TESTold", 0))).toMatchObject({
        user: "anna",
        role: "editor",
        documentSets: null,
      });
      await expect(store.write(() => addLocalPerson({ user: "anna" }, 0))).rejects.toThrow("Keys have the user anna");
      expect(await store.write(() => addLocalPerson({ user: "bo" }, 0))).toMatchObject({ user: "bo" });
      await store.close();
    });

    it("is made once by instances that start at one moment", async () => {
      const url = await postgres.createDatabase();
      const stores = await Promise.all(Array.from({ length: 5 }, () => PostgresStore.open(url)));
      expect(new Set(stores.map(({ presence }) => presence.number)).size).toBe(5);
      await Promise.all(stores.map((store) => store.close()));
    });
  });
});

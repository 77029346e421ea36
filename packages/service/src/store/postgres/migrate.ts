import type { Client } from "@threadlore/postgres";
import { DatabaseError } from "../sqlite/database-error.ts";
import { MIGRATIONS } from "./tables.ts";

/** The schema the tables of a service are in: a database may hold those of the bot and of other programs, too. */
export const SCHEMA = "threadlore";

/** Brings the tables up to date, all of it or nothing; of several instances that start at once, one does it. */
export async function migrate(client: Client): Promise<void> {
  // The number is any that no other program is likely to lock by. An administrator may have made the schema already, for a
  // user who may not; creating it if it is absent would be refused even then.
  await client.query(`
    SET LOCAL statement_timeout = '10min';
    SELECT pg_advisory_xact_lock(7204113926);
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') THEN CREATE SCHEMA ${SCHEMA}; END IF;
    END $$;
    SET LOCAL search_path TO ${SCHEMA};
    CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)`);
  const { rows } = await client.query<{ version: number }>("SELECT version FROM schema_version");
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new DatabaseError(
      "newer_schema",
      SCHEMA,
      `The database was written by a newer Threadlore (schema ${version}, this one knows ${MIGRATIONS.length}). ` +
        "Update this instance, or give it another database.",
    );
  }
  for (const migration of MIGRATIONS.slice(version)) await client.query(migration);
  if (version === MIGRATIONS.length) return;
  await client.query("DELETE FROM schema_version");
  await client.query("INSERT INTO schema_version (version) VALUES ($1)", [MIGRATIONS.length]);
}

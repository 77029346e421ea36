import type { Client } from "@threadlore/postgres";
import { DatabaseError } from "../sqlite/database-error.ts";
import { MIGRATIONS } from "./tables.ts";

/** The schema the tables of a service are in: a database may hold those of the bot and of other programs, too. */
export const SCHEMA = "threadlore";

/** Whoever made the schema can change what is in it: it must be who we are, or who may do anything anyway. */
async function refuseForeignSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `SELECT rolname AS owner FROM pg_namespace JOIN pg_roles ON pg_roles.oid = nspowner
     WHERE nspname = '${SCHEMA}' AND NOT rolsuper AND NOT pg_has_role(current_user, nspowner, 'USAGE')
       AND nspowner <> (SELECT datdba FROM pg_database WHERE datname = current_database())`,
  );
  const [foreign] = rows;
  if (foreign === undefined) return;
  throw new DatabaseError(
    "not_a_database",
    SCHEMA,
    `The schema ${SCHEMA} of this database belongs to ${foreign.owner}, who could change what is in it. Drop it, or name another database.`,
  );
}

/** So long one change of the tables may take in all, milliseconds; the server has a limit for each statement of it. */
const PATIENCE_MS = 30 * 60_000;

/** Brings the tables up to date, all of it or nothing; of several instances that start at once, one does it. */
export async function migrate(client: Client): Promise<void> {
  // The number is any that no other program is likely to lock by. An administrator may have made the schema already, for a
  // user who may not; creating it if it is absent would be refused even then.
  await client.script(
    `
    SET LOCAL statement_timeout = '10min';
    SELECT pg_advisory_xact_lock(7204113926);
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') THEN CREATE SCHEMA ${SCHEMA}; END IF;
    END $$;
    SET LOCAL search_path TO ${SCHEMA};
    CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)`,
    PATIENCE_MS,
  );
  await refuseForeignSchema(client);
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
  for (const migration of MIGRATIONS.slice(version)) await client.script(migration, PATIENCE_MS);
  if (version === MIGRATIONS.length) return;
  await client.query("DELETE FROM schema_version");
  await client.query("INSERT INTO schema_version (version) VALUES ($1)", [MIGRATIONS.length]);
}

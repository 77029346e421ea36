import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

/**
 * Whether the bot's database can be used, without opening it as the bot does: that would take over what a running bot
 * is working on. Resolves with what was seen, in plain words; rejects with what the engine said.
 */
export async function checkDatabase(url: string): Promise<string> {
  return url.startsWith("sqlite:") ? checkSqlite(url.slice("sqlite:".length)) : checkPostgres(url);
}

async function checkSqlite(path: string): Promise<string> {
  if (existsSync(path)) {
    await access(path, constants.R_OK | constants.W_OK);
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      const verdict = database.prepare("PRAGMA quick_check(1)").get();
      const word = String(Object.values(verdict ?? {})[0]);
      if (word !== "ok") throw Object.assign(new Error(word), { code: "ERR_SQLITE_ERROR" });
      return `SQLite, ${path}: whole.`;
    } finally {
      database.close();
    }
  }
  // The bot makes the file, and its folder, at the first start.
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  await access(folder, constants.W_OK | constants.X_OK);
  return `SQLite, ${path}: made at the first start.`;
}

async function checkPostgres(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
  // A connection that breaks later says so through this event, and ends the process without a listener.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; may: boolean }>(
      "SELECT current_setting('server_version') AS version, has_schema_privilege(current_schema(), 'CREATE') AS may",
    );
    const [row] = rows;
    if (row?.may !== true) throw Object.assign(new Error("may not create tables"), { code: "42501" });
    return `PostgreSQL ${row.version.split(" ")[0] ?? ""} answers, and tables can be made.`;
  } finally {
    await client.end().catch(() => {});
  }
}

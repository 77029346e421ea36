import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { openFile } from "./database.ts";
import { DatabaseError, explainFailure, newerSchema } from "./database-error.ts";
import { renewEpoch } from "../instance.ts";
import { SCHEMA_VERSION, versionOf } from "./migrations.ts";

/**
 * Copies a database into one new file, also while a service works with it, and checks the copy. Answers how many
 * documents it holds. Throws DatabaseError when `target` exists already or the copy is not sound.
 */
export async function backupDatabase(database: string, target: string): Promise<{ documents: number }> {
  if (existsSync(target)) {
    throw new DatabaseError(
      "in_use",
      target,
      `${target} exists already. Choose another name: a backup overwrites nothing.`,
    );
  }
  checkBackup(database);
  const source = openFile(database);
  try {
    // SQLite would make it readable by everyone.
    closeSync(openSync(target, "wx", 0o600));
  } catch (error) {
    source.close();
    throw explainFailure(error, target);
  }
  try {
    await backup(source, target);
    // One file that stands for itself, without a log beside it.
    const copy = new DatabaseSync(target);
    copy.exec("PRAGMA journal_mode = DELETE");
    copy.close();
    renewEpoch(target);
  } catch (error) {
    rmSync(target, { force: true });
    throw explainFailure(error, target);
  } finally {
    source.close();
  }
  return checkBackup(target);
}

/**
 * Makes sure that a file is a sound Threadlore database which this version can open; answers how many documents it
 * holds. Throws DatabaseError where it is not. To be called before a backup takes a database's place.
 */
export function checkBackup(path: string): { documents: number } {
  if (!existsSync(path)) throw new DatabaseError("missing", path, `There is no file ${path}.`);
  const sqlite = openFile(path);
  try {
    const version = versionOf(sqlite);
    if (version > SCHEMA_VERSION) throw newerSchema(path, version);
    if (version === 0) throw new DatabaseError("not_a_database", path, `${path} is not a Threadlore database.`);
    const [finding] = sqlite.prepare("PRAGMA integrity_check(1)").all();
    if (finding?.["integrity_check"] !== "ok") throw new DatabaseError("corrupt", path, `${path} is damaged.`);
    return { documents: Number(sqlite.prepare("SELECT count(*) AS n FROM documents").get()?.["n"]) };
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    sqlite.close();
  }
}

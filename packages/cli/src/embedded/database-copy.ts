import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { chmod, copyFile, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { addKey, backupDatabase, checkBackup, Database, lockDatabase, mintKey, renewEpoch } from "@threadlore/service";

/**
 * Copies the database, also while the service writes to it. The copy is checked before it takes its name, so a file at
 * `target` is always whole; what stood there is replaced. Throws DatabaseError.
 */
export async function backUp(database: string, target: string): Promise<{ documents: number }> {
  const draft = `${target}.${process.pid}.draft`;
  await rm(draft, { force: true });
  try {
    const contents = await backupDatabase(database, draft);
    await settle(draft, target);
    return contents;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Puts a backup in the place of the database and keeps the old one beside it. Killed at any moment, it leaves one of
 * the two whole in that place. Throws DatabaseError when the backup is not sound or of a newer version, or while a
 * service works with the database; then nothing has changed. Its folder is made where there is none. The data gets
 * another epoch, by which whoever sent documents sees that those since the backup have to be sent again. Answers how many
 * documents there are, and where the database before it is kept, if there was one.
 */
export async function restore(copy: string, database: string) {
  checkBackup(copy);
  await mkdir(dirname(database), { recursive: true, mode: 0o700 });
  const lock = lockDatabase(database);
  // One name, since only one can hold the lock: what a killed restore left is taken away by the next.
  const draft = `${database}.restore-draft`;
  try {
    await copyFile(copy, draft);
    const { documents } = checkBackup(draft);
    renewEpoch(draft);
    const kept = existsSync(database) ? await keepBeside(database) : undefined;
    await settle(draft, database);
    return { documents, kept };
  } finally {
    await rm(draft, { force: true });
    lock.release();
  }
}

/**
 * Makes sure that the key file holds a key the owner can do everything with: the one that lies there may be of another
 * database, or there is none on a new machine. What lay there is kept as `key.old`. Answers whether a key was made.
 */
export async function ensureOwnerKey(database: string, keyFile: string): Promise<boolean> {
  const db = new Database(database);
  try {
    const kept = existsSync(keyFile) ? (await readFile(keyFile, "utf8")).trim() : undefined;
    const hash = kept === undefined ? "" : createHash("sha256").update(kept).digest("hex");
    const valid = "SELECT 1 FROM keys WHERE hash = ? AND role = 'admin' AND revoked_at IS NULL";
    if (db.get(valid, hash) !== undefined) return false;
    const key = mintKey();
    const draft = `${keyFile}.draft`;
    await rm(draft, { force: true });
    await writeFile(draft, `${key}\n`, { mode: 0o600, flag: "wx" });
    db.transact(addKey(key, { name: "owner", role: "admin" }, Date.now()));
    if (kept !== undefined) await rename(keyFile, `${keyFile}.old`);
    await settle(draft, keyFile);
    return true;
  } finally {
    db.close();
  }
}

/** Copies the old database to a name of its own, and leaves no write-ahead log that the new one would take for its own. */
async function keepBeside(database: string): Promise<string> {
  const kept = `${database}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  checkpoint(database);
  const log = `${database}-wal`;
  if (existsSync(log)) await copyWhole(log, `${kept}-wal`);
  await copyWhole(database, kept);
  for (const suffix of ["-wal", "-shm"]) await rm(database + suffix, { force: true });
  return kept;
}

/** SQLite moves the log of a killed service into the database when the last who has it open closes it. */
function checkpoint(database: string): void {
  try {
    checkBackup(database);
  } catch {
    // A database that cannot be read is kept as it is, with its log: perhaps that is why it is being replaced.
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, `${to}.draft`, constants.COPYFILE_FICLONE);
  await settle(`${to}.draft`, to);
}

/** Gives a finished file its name, on the disk for good. */
async function settle(draft: string, target: string): Promise<void> {
  await chmod(draft, 0o600);
  await sync(draft);
  await rename(draft, target);
  await sync(dirname(target));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

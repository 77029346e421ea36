import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { all, run, type Steps } from "./steps.ts";

/** Which data a service has. Whoever keeps a record of what was sent there keeps it under both. */
export interface Instance {
  /** Random and for good: no other service's data has it. */
  readonly id: string;
  /** Another one after a backup was restored: what was acknowledged since that backup is gone. */
  readonly epoch: string;
}

/** Which data this is. */
export function* instanceOf(): Steps<Instance> {
  const [instance] = yield* all<Instance>("SELECT id, epoch FROM instance");
  if (instance === undefined) throw new Error("the database does not say which data it holds");
  return instance;
}

/** Gives the data another epoch: it was put back to an earlier state. */
export function* renewEpochOf(): Steps<void> {
  yield* run("UPDATE instance SET epoch = ?", randomBytes(16).toString("hex"));
}

/**
 * Gives the data in a file another epoch. A backup gets one when it is made, so that it is told apart also where it is
 * put back by hand, and one more when it is restored, since it can be restored twice. Tables of a version that had no
 * epochs get their first when they are brought up to date.
 */
export function renewEpoch(path: string): void {
  const sqlite = new DatabaseSync(path);
  try {
    const known = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'instance'").get();
    if (known !== undefined) sqlite.exec("UPDATE instance SET epoch = lower(hex(randomblob(16)))");
  } finally {
    sqlite.close();
  }
}

import { codeOf } from "@threadlore/postgres/trouble";
import { SCHEMA_VERSION } from "./migrations.ts";

/** Why a database cannot be used. */
export type DatabaseProblem =
  | "in_use"
  | "locked"
  | "read_only"
  | "corrupt"
  | "not_a_database"
  | "newer_schema"
  | "full"
  | "missing"
  | "unreachable";

/**
 * A database that cannot be opened, backed up or restored. `message` says in plain words which and what to do;
 * nothing was overwritten.
 */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly problem: DatabaseProblem;
  /** The file, or the server without user and password. */
  readonly path: string;

  constructor(problem: DatabaseProblem, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
    this.path = path;
  }
}

/** Whether a write failed because neither disk nor limit has room for it. */
export function isOutOfSpace(error: unknown): boolean {
  return primaryCode(error) === 13 || codeOf(error) === "53100";
}

/** Whether opening may have failed because the files beside the database found no room. */
export function mayLackRoom(error: unknown): boolean {
  const reported = error instanceof DatabaseError ? error.cause : error;
  return isOutOfSpace(reported) || primaryCode(reported) === 10;
}

/** Whether what was read of the file cannot be what was written, or the file is no database any more. */
export function isDamage(error: unknown): boolean {
  return primaryCode(error) === 11 || primaryCode(error) === 26 || /^XX00[12]$/.test(codeOf(error));
}

/** What is said of damage to whoever asks, without the place of the file. */
export const DAMAGED =
  "The service's database is damaged, so this cannot be answered. Stop the service and restore a backup with " +
  "`threadlore restore`.";

/** Whether another process held the database longer than a call waits. */
export function isLocked(error: unknown): boolean {
  return primaryCode(error) === 5 || primaryCode(error) === 6;
}

/** Whether the server the database is on cannot be reached, or does not answer in time. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof DatabaseError && error.problem === "unreachable";
}

/** SQLite's result code without its details; undefined for any other error. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return Number(error.errcode) & 0xff;
}

/** What is said of a file, by what the file system or SQLite reports: codes, problem, words. */
const FAILURES: readonly (readonly [(string | number)[], DatabaseProblem, (path: string) => string])[] = [
  [
    ["ENOENT", "ENOTDIR", "EEXIST", 14],
    "missing",
    (path) => `The database ${path} cannot be opened. Does its folder exist, and may you write there?`,
  ],
  [
    ["EACCES", "EPERM", "EROFS", 3, 8],
    "read_only",
    (path) => `The database ${path} cannot be written. Check the permissions of the file and its folder.`,
  ],
  [[5, 6], "locked", (path) => `Another program holds the database ${path} locked. End it, then try again.`],
  [[11], "corrupt", damaged],
  [[13], "full", (path) => `The disk that holds ${path} is full. Make room, then try again.`],
  [
    [26],
    "not_a_database",
    (path) => `${path} is not a database, or its beginning is damaged. Name another file, or restore a backup.`,
  ],
];

function damaged(path: string): string {
  return (
    `The database ${path} is damaged. It was left as it is. Restore a backup with \`threadlore restore\`, ` +
    "or move the file away to begin anew."
  );
}

/** What SQLite or the file system reports about a database, as a DatabaseError where it is a known kind. */
export function explainFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const reported = "code" in error ? String(error.code) : "";
  const found = FAILURES.find(([codes]) => codes.includes(reported) || codes.includes(primaryCode(error) ?? ""));
  return found === undefined ? error : new DatabaseError(found[1], path, found[2](path), error);
}

/** What to say of a file that is damaged. */
export function corrupt(path: string): DatabaseError {
  return new DatabaseError("corrupt", path, damaged(path));
}

/** What to say of tables this version does not know. */
export function newerSchema(path: string, version: number): DatabaseError {
  return new DatabaseError(
    "newer_schema",
    path,
    `The database ${path} was written by a newer Threadlore (schema ${version}, this one knows ${SCHEMA_VERSION}). ` +
      "Update Threadlore, or restore a backup made with this version.",
  );
}

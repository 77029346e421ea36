import { setTimeout as pause } from "node:timers/promises";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createService, type Service, type ServiceOptions } from "./index.ts";
import { addKey, listKeys, mintKey } from "./http/keys.ts";
import { listen, type SocketLimits } from "./listening/listen.ts";
import { Database } from "./store/sqlite/database.ts";
import { explainFailure } from "./store/sqlite/database-error.ts";
import { lockDatabase } from "./store/sqlite/lock.ts";

export { PortTakenError, type SocketLimits } from "./listening/listen.ts";

/** Port the service listens on unless told otherwise; fixed, so that the extension finds it. */
export const DEFAULT_PORT = 8411;

/** How to run a service on this machine. */
export interface ServeOptions extends ServiceOptions {
  /** Path of the file; see `ServiceOptions`. */
  database: string;
  /** Default: DEFAULT_PORT. 0: any free one. */
  port?: number;
  /** Where the first key is written. Default: the database's path with `.key` behind it. */
  keyFile?: string;
  /** Default: see `SocketLimits`. */
  limits?: Partial<SocketLimits>;
}

/** Longest time for which the first questions wait for what is not in the index yet, milliseconds. */
const CATCH_UP_MS = 2_000;

/** A service that listens. */
export interface RunningService {
  /** Such as `http://127.0.0.1:8411`. */
  readonly url: string;
  readonly service: Service;
  /** The owner's key, when this start made it: the database knew no admin key. It also stands in `keyFile`. */
  readonly firstKey?: string;
  /** Readable by its owner only. Absent where nothing is kept (":memory:") and no path was given. */
  readonly keyFile?: string;
  /** Lets running answers end, closes every connection, frees the port and the database. */
  close(): Promise<void>;
}

/**
 * Starts the service on this machine's loopback addresses, 127.0.0.1 and, where there is one, ::1; never on another.
 * Makes the first key when the database has none. Throws DatabaseError when the database is used by another service,
 * locked, damaged, not writable or newer than this program, and PortTakenError.
 */
export async function serve(options: ServeOptions): Promise<RunningService> {
  if (options.database !== ":memory:") makeFolder(options.database);
  const lock = lockDatabase(options.database);
  let listeners: Awaited<ReturnType<typeof listen>> | undefined;
  try {
    listeners = await listen(options.port ?? DEFAULT_PORT, options.limits);
    const { port } = listeners;
    const keyFile = options.keyFile ?? (options.database === ":memory:" ? undefined : `${options.database}.key`);
    const firstKey = options.apiKey === undefined ? makeFirstKey(options, keyFile) : undefined;
    const service = createService({
      ...options,
      apiKey: options.apiKey ?? firstKey,
      settings: { ...options.settings, port },
    });
    // Of a former version, or put back from a backup: what is small is found from the first question on.
    await Promise.race([service.searchable(), pause(CATCH_UP_MS, undefined, { ref: false })]);
    listeners.answer(service);
    return {
      url: `http://127.0.0.1:${port}`,
      service,
      firstKey,
      keyFile,
      close: closeOnce(listeners, service, lock.release),
    };
  } catch (error) {
    await listeners?.close();
    lock.release();
    throw error;
  }
}

function makeFolder(database: string): void {
  try {
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFailure(error, database);
  }
}

function closeOnce(listeners: { close(): Promise<void> }, service: Service, release: () => void): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const stopped = listeners.close();
    await service.close();
    await stopped;
    release();
  };
  return () => (closed ??= close());
}

// ── The first key ───────────────────────────────────────────────────────────────────────────────────────────────

/** A key for the owner, when no admin key is valid; the file is written before the key is. */
function makeFirstKey(options: ServeOptions, keyFile: string | undefined): string | undefined {
  const key = mintKey();
  if (options.database === ":memory:") return key;
  const db = new Database(options.database);
  try {
    if (listKeys(db).some(({ role, revokedAt }) => role === "admin" && revokedAt === null)) return undefined;
    if (keyFile !== undefined) writePrivate(keyFile, `${key}\n`);
    addKey(db, key, { name: "owner", role: "admin" }, (options.now ?? Date.now)());
    return key;
  } finally {
    db.close();
  }
}

/** Nobody else may read it at any moment, and it is whole or not there. */
function writePrivate(path: string, text: string): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  if (existsSync(path)) renameSync(path, `${path}.old`);
  renameSync(draft, path);
}

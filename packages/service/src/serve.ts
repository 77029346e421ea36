import { setTimeout as pause } from "node:timers/promises";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { defaultSettings } from "./context.ts";
import { createService, openTruth, type Service, type ServiceOptions } from "./index.ts";
import { addKey, listKeys, mintKey } from "./http/keys.ts";
import { WatchedPair } from "./listening/tls/certificate.ts";
import { listen, type Listeners } from "./listening/listen.ts";
import type { SocketLimits } from "./listening/limits.ts";
import { type ListeningPlan, type NetworkOptions, planListening } from "./listening/plan.ts";
import { type EndedRequest, type Witness, witnessOf } from "./listening/witness.ts";
import { createLog, type Log } from "./log.ts";
import { Database } from "./store/sqlite/database.ts";
import { explainFailure } from "./store/sqlite/database-error.ts";
import { lockDatabase } from "./store/sqlite/lock.ts";
import { SqliteStore } from "./store/sqlite/sqlite-store.ts";
import type { Store } from "./store/store.ts";

export type { SocketLimits } from "./listening/limits.ts";
export { ListeningError, type NetworkOptions } from "./listening/plan.ts";
export { PortTakenError } from "./listening/ports.ts";

/** Port the service listens on unless told otherwise; fixed, so that the extension finds it. */
export const DEFAULT_PORT = 8411;

/** How to run a service on this machine. */
export interface ServeOptions extends ServiceOptions {
  /** Path of the file; see `ServiceOptions`. With `databaseUrl` that of this machine's copy of the documents. */
  database: string;
  /** `postgres://…`: everything is kept there, and shared by all instances that are given it. Absent: in the file. */
  databaseUrl?: string | undefined;
  /** Default: DEFAULT_PORT. 0: any free one. */
  port?: number;
  /** Where the first key is written. Default: the database's path with `.key` behind it. */
  keyFile?: string;
  /** Default: see `SocketLimits`. */
  limits?: Partial<SocketLimits>;
  /** Who else reaches it, and how. Absent: nobody but this machine. */
  network?: NetworkOptions;
  /** Counts, and tells administrators' keys at `GET /metrics`. Default false. */
  withMetrics?: boolean;
}

/** Longest time for which the first questions wait for what is not in the index yet, milliseconds. */
const CATCH_UP_MS = 2_000;

/** A service that listens. */
export interface RunningService {
  /** For this machine, such as `http://127.0.0.1:8411`. */
  readonly url: string;
  /** For everybody, such as `https://knowledge.example.com`. Absent: nobody but this machine reaches it. */
  readonly publicUrl?: string;
  readonly service: Service;
  /** The owner's key, when this start made it: the database knew no admin key. It also stands in `keyFile`. */
  readonly firstKey?: string;
  /** Readable by its owner only. Absent where nothing is kept (":memory:") and no path was given. */
  readonly keyFile?: string;
  /** Reads the certificate anew now; answers whether there is one that can be used. It is looked at every 10 s anyway. */
  reloadCertificate(): Promise<boolean>;
  /** Answers that are being sent. */
  openRequests(): number;
  /** Turns away what is new, lets running answers end for as long as `NetworkOptions.stopMs` says, closes every connection, frees the port and the database. */
  close(): Promise<void>;
}

/**
 * Starts the service on this machine's loopback addresses, 127.0.0.1 and, where there is one, ::1; on others only where
 * `network` names them and what it says is safe together. Makes the first key when the database has none. Throws
 * ListeningError, DatabaseError when the database is used by another service, locked, damaged, not writable or newer than
 * this program, and PortTakenError.
 */
export async function serve(options: ServeOptions): Promise<RunningService> {
  const { network = {}, settings = {}, withMetrics, databaseUrl, ...given } = options;
  const plan = planListening(network, options.port ?? DEFAULT_PORT, settings.anonymous === true);
  const log = createLog(options.logLevel ?? "warn", options.log, options.logFormat);
  let listeners: Listeners | undefined;
  let opened: Awaited<ReturnType<typeof openDatabase>> | undefined;
  const counts = () => listeners?.counts() ?? { connections: 0, requests: 0 };
  const metrics = withMetrics === true ? (await import("./listening/metrics.ts")).createMetrics({ counts }) : undefined;
  const witness = witnessOf([{ ended: (request) => tellRequest(log, request) }, ...(metrics ? [metrics.witness] : [])]);
  const watched = network.tls && watchPair(network.tls, plan, log, witness, () => listeners);
  if (options.database !== ":memory:") makeFolder(options.database);
  const lock = lockDatabase(options.database);
  const release = (): void => {
    watched?.stop();
    metrics?.stop();
    lock.release();
  };
  try {
    const pair = await watched?.start();
    const { bodyLimit, uploadLimit } = { ...defaultSettings, ...settings };
    const maxBody = Math.max(bodyLimit, uploadLimit);
    listeners = await listen({ plan, limits: options.limits, pair, witness, maxBody });
    const { port, publicUrl } = listeners;
    const keyFile = options.keyFile ?? (options.database === ":memory:" ? undefined : `${options.database}.key`);
    opened = await openDatabase(options.database, databaseUrl, settings.databaseLimit);
    const firstKey = await ownersKey(opened.store, options, keyFile);
    const service = createService({
      ...given,
      ...opened.given,
      settings: { ...settings, port },
      ...(metrics && { metrics }),
    });
    // From here on the service closes it.
    opened = undefined;
    // Of a former version, or put back from a backup: what is small is found from the first question on.
    await Promise.race([service.searchable(), pause(CATCH_UP_MS, undefined, { ref: false })]);
    listeners.answer(service);
    return {
      url: `http://127.0.0.1:${port}`,
      publicUrl,
      service,
      firstKey,
      keyFile,
      reloadCertificate: async () => (await watched?.reload()) ?? false,
      openRequests: () => counts().requests,
      close: closeOnce(listeners, service, plan.stopMs, release),
    };
  } catch (error) {
    await listeners?.close();
    opened?.given.database.close();
    await opened?.given.truth?.close();
    release();
    throw error;
  }
}

function tellRequest(log: Log, { isCut, ...request }: EndedRequest): void {
  const { method, route, status, ms, id, trace, user, address } = request;
  log.info("request", { method, route, status, ms, id, trace, user, address, cut: isCut ? true : undefined });
}

/** A certificate whose every change the doors, the log and the metrics hear of. */
function watchPair(
  files: NonNullable<NetworkOptions["tls"]>,
  { names }: ListeningPlan,
  log: Log,
  witness: Witness,
  listeners: () => Listeners | undefined,
): WatchedPair {
  let validTo = 0;
  return new WatchedPair(files, {
    use: (pair) => {
      ({ validTo } = pair);
      listeners()?.use(pair);
      witness.certificate("used", validTo);
      log.info("certificate read", { valid_to: new Date(validTo).toISOString() });
      const uncovered = names.all.filter((name) => !pair.covers(name));
      if (uncovered.length > 0) log.warn("the certificate does not name every host", { missing: uncovered.join(" ") });
    },
    keep: ({ message }) => {
      witness.certificate("kept", validTo);
      log.warn("the certificate changed and cannot be used; the one before stays", { why: message });
    },
    ending: (until) => log.warn("the certificate ends soon, or has ended", { valid_to: new Date(until).toISOString() }),
  });
}

function makeFolder(database: string): void {
  try {
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFailure(error, database);
  }
}

function closeOnce(
  listeners: Listeners,
  service: Service,
  patienceMs: number,
  release: () => void,
): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    if (patienceMs > 0) await listeners.drain(patienceMs);
    const stopped = listeners.close();
    await service.close();
    await stopped;
    release();
  };
  return () => (closed ??= close());
}

// ── The first key ───────────────────────────────────────────────────────────────────────────────────────────────

/** Opens what a service works on, and the store of it. */
async function openDatabase(path: string, url: string | undefined, limit: number | undefined) {
  if (url === undefined) {
    const database = new Database(path, { limit, ballast: true });
    return { store: new SqliteStore(database), given: { database, truth: undefined } };
  }
  const given = await openTruth(url, path, limit);
  return { store: given.truth, given };
}

/**
 * Makes the key that was given the owner's. Where none is given and no admin key is valid, makes one; the file is written
 * before the key is. Answers the one it made.
 */
async function ownersKey(
  store: Store,
  { database, apiKey, now = Date.now }: ServeOptions,
  keyFile: string | undefined,
): Promise<string | undefined> {
  const owner = { name: "owner", role: "admin" } as const;
  if (apiKey !== undefined) await store.write(() => addKey(apiKey, owner, now()));
  const keys = await store.read(listKeys());
  if (apiKey !== undefined || keys.some(({ role, revokedAt }) => role === "admin" && revokedAt === null))
    return undefined;
  const key = mintKey();
  if (keyFile !== undefined && database !== ":memory:") writePrivate(keyFile, `${key}\n`);
  await store.write(() => addKey(key, owner, now()));
  return key;
}

/** Nobody else may read it at any moment, and it is whole or not there. */
function writePrivate(path: string, text: string): void {
  const draft = `${path}.${process.pid}.draft`;
  // Of a process that was killed, or a link somebody put there: what is written is a new file.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: "wx", mode: 0o600, flush: true });
  if (existsSync(path)) renameSync(path, `${path}.old`);
  renameSync(draft, path);
}

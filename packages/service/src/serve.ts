import { setTimeout as pause } from "node:timers/promises";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { namesThisService } from "./http/checks.ts";
import { callersOf, Connections } from "./http/connections.ts";
import { createService, type Service, type ServiceOptions } from "./index.ts";
import { addKey, listKeys, mintKey } from "./http/keys.ts";
import { Database } from "./store/sqlite/database.ts";
import { explainFailure } from "./store/sqlite/database-error.ts";
import { lockDatabase } from "./store/sqlite/lock.ts";

/** Port the service listens on unless told otherwise; fixed, so that the extension finds it. */
export const DEFAULT_PORT = 8411;

/** How long a connection may take, and how many there may be. */
export interface SocketLimits {
  /** Until the request's headers are complete, milliseconds. Default 10,000. */
  readonly headersMs: number;
  /** Until the whole request has arrived, milliseconds. Default 30,000. Answers may take as long as they need. */
  readonly requestMs: number;
  /** Connections at one time. One that is not used makes room for another; where all are, a reply says so. Default 512. */
  readonly connections: number;
}

const USUAL_LIMITS: SocketLimits = { headersMs: 10_000, requestMs: 30_000, connections: 512 };

/** How long an unused connection is kept, milliseconds: longer than a request may have to wait for the service. */
const KEEP_ALIVE_MS = 75_000;

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

/** The port is taken by another program. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
  readonly port: number;

  constructor(port: number, cause: unknown) {
    super(`Port ${port} on this machine is taken by another program. Stop it, or choose another port.`, { cause });
    this.port = port;
  }
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
    listeners = await listen(options.port ?? DEFAULT_PORT, { ...USUAL_LIMITS, ...options.limits });
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

// ── Listening ───────────────────────────────────────────────────────────────────────────────────────────────────

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

const starting: Respond = (_, outgoing) => refuse(outgoing, 503, "STARTING", "The service is starting. Try again.");
const stopping: Respond = (_, outgoing) =>
  refuse(outgoing, 503, "STOPPING", "The service is stopping. Try again once it runs.");

async function listen(wanted: number, limits: SocketLimits) {
  const connections = new Connections(limits.connections);
  const unfinished = new Set<ServerResponse>();
  let respond = starting;
  const create = (): Server =>
    createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
      },
      (incoming, outgoing) => {
        const { socket } = incoming;
        connections.begin(incoming);
        unfinished.add(outgoing);
        outgoing.once("close", () => {
          unfinished.delete(outgoing);
          connections.end(socket);
        });
        // Whether the service is up is told in any case.
        if (!connections.isOver(socket) || incoming.url === "/health") respond(incoming, outgoing);
        else {
          const headers = { "retry-after": "1" };
          refuse(outgoing, 503, "TOO_MANY_CONNECTIONS", "Too many connections. Try again in 1 s.", headers);
        }
      },
    ).on("connection", (socket) => connections.add(socket));
  const first = create();
  await bind(first, wanted, "127.0.0.1");
  const { port } = first.address() as AddressInfo;
  const servers = [first];
  const close = async (): Promise<void> => {
    // What still comes over a connection that is open would meet a database that is closed.
    respond = stopping;
    await stop(servers, unfinished);
  };
  try {
    const second = create();
    await bind(second, port, "::1");
    servers.push(second);
  } catch (error) {
    // Without IPv6 there is no ::1. On a port of our own choosing, another program's ::1 does not matter either.
    if (error instanceof PortTakenError && wanted !== 0) {
      await close();
      throw error;
    }
  }
  return { port, answer: (service: Service) => (respond = respondOf(service, port, connections)), close };
}

/** What a service answers to requests that are for it. */
function respondOf(service: Service, port: number, connections: Connections): Respond {
  const listener = getRequestListener(
    async (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const sent = withoutEmptyBody(request, incoming);
      connections.ask(incoming.socket, sent);
      const reply = await service.fetch(sent);
      if (callersOf.has(sent)) connections.know(incoming.socket);
      return reply;
    },
    { overrideGlobalObjects: false },
  );
  return (incoming, outgoing) => {
    // Before anything is made of the request: a Host that is not ours may not even be a valid name.
    const hosts = incoming.headersDistinct["host"] ?? [];
    if (hosts.length !== 1 || !namesThisService(incoming.headers.host ?? "", port)) {
      const detail = "This service answers only to this machine: use 127.0.0.1 and its port.";
      return refuse(outgoing, 403, "HOST_NOT_ALLOWED", detail);
    }
    // A target that is not a path of this server is for a proxy.
    if (incoming.url?.startsWith("/") !== true) {
      const detail = "The request's target must be a path that begins with a slash.";
      return refuse(outgoing, 400, "VALIDATION_ERROR", detail);
    }
    if (["TRACE", "TRACK", "CONNECT"].includes(incoming.method ?? "")) {
      return refuse(outgoing, 405, "METHOD_NOT_ALLOWED", "This service does not have this method.");
    }
    void listener(incoming, outgoing);
  };
}

/** A POST without a body has none over a socket either; the adapter gives it an empty stream. */
function withoutEmptyBody(request: Request, { headers }: IncomingMessage): Request {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  if (request.method === "GET" || request.method === "HEAD" || encoding !== undefined || Number(length ?? 0) > 0) {
    return request;
  }
  return new Request(request.url, { method: request.method, headers: request.headers, signal: request.signal });
}

function refuse(
  outgoing: ServerResponse,
  status: number,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): void {
  outgoing.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
  outgoing.end(JSON.stringify({ error_code: code, detail }));
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" || error.code === "EACCES" ? new PortTakenError(port, error) : error);
    });
    server.listen({ port, host, ipv6Only: host === "::1" }, () => resolve());
  });
}

/** How long open answers may take to end once their run was told to, milliseconds. */
const STOP_MS = 5_000;
/** What a connection without an answer gets, for the last bytes on their way, milliseconds. */
const GRACE_MS = 100;

/**
 * A connection that was opened and never used does not count as idle for Node, so waiting for the connections alone
 * would take until the other side gives them up.
 */
async function stop(servers: readonly Server[], unfinished: ReadonlySet<ServerResponse>): Promise<void> {
  const end = (): void => {
    for (const server of servers) server.closeAllConnections();
  };
  const late = setTimeout(end, STOP_MS);
  let soon: NodeJS.Timeout | undefined;
  const endWhenAnswered = (): void => {
    for (const server of servers) server.closeIdleConnections();
    if (unfinished.size === 0) soon ??= setTimeout(end, GRACE_MS);
  };
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  // After the listener that takes the answer out of `unfinished`.
  for (const outgoing of unfinished) outgoing.once("close", endWhenAnswered);
  endWhenAnswered();
  await Promise.all(closed);
  clearTimeout(late);
  clearTimeout(soon);
}

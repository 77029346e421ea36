import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { accountRoutes } from "./account-routes.ts";
import { Accounts, adminPermissions, memberPermissions, type Account, type KeyOptions } from "./accounts.ts";
import { adminRoutes } from "./admin-routes.ts";
import type { Answer, AnswerScript } from "./answer-script.ts";
import { killAnswers } from "./asking.ts";
import { chatRoutes } from "./chat-routes.ts";
import { Connectors } from "./connectors.ts";
import { deliver } from "./delivery.ts";
import { Documents, type DocumentRow, type IndexedDocument } from "./documents.ts";
import { noFaults, takeCut, type Faults, type Sending } from "./faults.ts";
import { frontEndReply } from "./front-end.ts";
import { handle } from "./handling.ts";
import { ingestionRoutes } from "./ingestion-routes.ts";
import { listen } from "./listener.ts";
import type { Question } from "./question.ts";
import { broken, type Reply } from "./replies.ts";
import type { Streaming } from "./routing.ts";
import { sessionRoutes } from "./session-routes.ts";
import { Sessions, type StoredSession } from "./sessions.ts";
import { settingsWith, type Settings } from "./settings.ts";
import { defaultTools, type Tool } from "./tools.ts";
import { uploadRoutes } from "./upload-routes.ts";
import { Uploads } from "./uploads.ts";
import type { DocumentSet, Persona, World } from "./world.ts";

/** A request as it arrived, and what became of it. */
export interface LoggedRequest {
  method: string;
  /** With query, as sent: below the service's address, or with its origin's path outside of it. */
  path: string;
  /** Whether it went to the service, or to the pages beside it. */
  to: "service" | "pages";
  key: string | undefined;
  headers: IncomingMessage["headers"];
  /** The JSON value sent, or the text where it was none. */
  body: unknown;
  /** `performance.now()` when it had arrived. */
  at: number;
  /** Undefined until it is known. */
  status: number | undefined;
}

/** A document that is there from the start. */
export interface SeedDocument {
  id: string;
  text: string;
  title?: string;
  link?: string;
  source?: string;
  updatedAt?: Date;
}

/** A running double of a deployed server. */
export interface DeployedServer {
  /** `http://127.0.0.1:PORT`, as a person types it. The service is below `/api`; elsewhere stands the web front end. */
  readonly origin: string;
  /** The service's address: `origin` and `/api`. */
  readonly url: string;
  /**
   * Keys that are there from the start, each of an account of its own: an administrator's, a member's (may ask, may not
   * ingest), a member's limited to `read:chat` and `write:chat`, and a service account's with an administrator's rights.
   */
  readonly keys: { admin: string; member: string; scoped: string; service: string };
  /** A further key, of a further account unless `user` names one. */
  addKey(options?: KeyOptions): string;
  /** From now on this key is unknown. Answers that were begun with it go on. */
  revoke(key: string): void;
  /** Whose a key is; also of one that was revoked. `anonymous` is an account, too. */
  account(key: string): Account;
  readonly settings: Settings;
  readonly faults: Faults;
  /** What every question is answered with from now on. Undefined: what its documents say. */
  answerWith(script: AnswerScript | undefined): void;
  /** What the next questions are answered with, in turn; then as before. */
  answerNext(...answers: Answer[]): void;
  readonly tools: Tool[];
  readonly personas: Persona[];
  readonly documentSets: DocumentSet[];
  /** Puts a document where it is found, without a request. */
  addDocument(document: SeedDocument): void;
  /** The rows the server has, by document id, whether they can be found or not. */
  readonly documents: ReadonlyMap<string, DocumentRow>;
  /** What can be found. */
  readonly index: ReadonlyMap<string, IndexedDocument>;
  readonly sessions: ReadonlyMap<string, StoredSession>;
  /** Loses a conversation: deleted by somebody, or not there at all. */
  forgetSession(id: string, how: "deleted" | "unknown"): void;
  /** Every request, in order. */
  readonly log: readonly LoggedRequest[];
  /** Every question that was accepted, in order. */
  readonly questions: readonly Question[];
  /** Ends every connection. The server itself goes on. */
  cutConnections(): void;
  /** Closes the port and every connection. Answers being written die, unless they are to go on. */
  down(options?: { answers?: "die" | "go-on" }): Promise<void>;
  /** Opens the same port again. */
  up(): Promise<void>;
  /** Goes down, and is back after so many milliseconds (default 20). */
  restart(downMs?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a double of a deployed server on 127.0.0.1. It behaves as such servers were seen to behave, not as ours does:
 * conversations that vanish, documents that are taken and not indexed, answers that go on without the one who asked,
 * tools that are there unasked. All of it is in memory.
 */
export async function startDeployedServer(options: Partial<Settings> = {}): Promise<DeployedServer> {
  const accounts = new Accounts();
  const world: World = {
    settings: settingsWith(options),
    faults: noFaults(),
    accounts,
    sessions: new Sessions(),
    documents: new Documents(),
    connectors: new Connectors(),
    uploads: new Uploads(),
    tools: defaultTools(),
    personas: [{ id: 0, name: "Assistant", description: "Your AI assistant with search." }],
    documentSets: [],
    questions: [],
    nextAnswers: [],
    script: undefined,
    running: new Map(),
  };
  const scopes = ["read:chat", "write:chat"];
  const keys = {
    admin: accounts.addKey({ user: "admin", permissions: adminPermissions }),
    member: accounts.addKey({ user: "member", permissions: memberPermissions }),
    scoped: accounts.addKey({ user: "scoped", permissions: memberPermissions, scopes }),
    service: accounts.addKey({ user: "service", accountType: "SERVICE_ACCOUNT", permissions: adminPermissions }),
  };
  const known = new Map(accounts.credentials);
  const routes = [accountRoutes, chatRoutes, sessionRoutes, ingestionRoutes, adminRoutes, uploadRoutes].flatMap(
    (some) => some(world),
  );
  const log: LoggedRequest[] = [];
  const sent: Record<Sending["kind"], number> = { answer: 0, resumed: 0, other: 0 };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    const { method = "GET", url = "/", headers } = request;
    const address = new URL(`http://${headers.host ?? "localhost"}${url}`);
    const path = url.replace(/\?.*$/s, "");
    const inService = path === "/api" || path.startsWith("/api/");
    const below = inService ? path.slice("/api".length) || "/" : path;
    const entry: LoggedRequest = {
      method,
      path: inService ? url.slice("/api".length) || "/" : url,
      to: inService ? "service" : "pages",
      key: accounts.credentialOf(headers).key,
      headers,
      body: valueOf(body),
      at: performance.now(),
      status: undefined,
    };
    log.push(entry);
    const target = { path: below, query: address.searchParams, host: headers.host ?? address.host };
    const reply = inService ? await answer(request, target, body) : frontEndReply(path, world.settings);
    const kind = "stream" in reply ? reply.kind : "other";
    const question = "stream" in reply ? reply.question : undefined;
    const sending: Sending = { kind, method, path: below, number: sent[kind]++, ...(question ? { question } : {}) };
    entry.status = "stream" in reply ? 200 : reply.status;
    const { settings, faults } = world;
    const heartbeatMs = faults.heartbeats ? settings.heartbeatMs : 2_000_000_000;
    const conditions = {
      cut: takeCut(faults, sending),
      heartbeatMs,
      twice: faults.duplicate === "lines" && kind !== "other",
    };
    if (faults.duplicate === "replies") repeatReply(response);
    const whole = await deliver(response, reply, conditions, origin(headers));
    if (!whole && question !== undefined) question.cut = true;
  }

  function answer(
    request: IncomingMessage,
    target: { path: string; query: URLSearchParams; host: string },
    body: Buffer,
  ): Promise<Reply | Streaming> | Reply {
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined)
      return { status: 200, headers: preflight(request.headers), body: "OK" };
    return handle(world, routes, request, target, body);
  }

  const listener = await listen((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.socket?.destroy();
      else void deliver(response, broken(String(error)), { cut: undefined, heartbeatMs: 15_000, twice: false });
    });
  });

  const server: DeployedServer = {
    origin: `http://127.0.0.1:${listener.port}`,
    url: `http://127.0.0.1:${listener.port}/api`,
    keys,
    addKey(given) {
      const key = accounts.addKey(given);
      const credential = accounts.credentials.get(key);
      if (credential !== undefined) known.set(key, credential);
      return key;
    },
    revoke: (key) => void accounts.credentials.delete(key),
    account(key) {
      const account = key === "anonymous" ? accounts.anonymous : known.get(key)?.account;
      if (account === undefined) throw new Error(`No account has the key ${key}.`);
      return account;
    },
    settings: world.settings,
    faults: world.faults,
    answerWith(script) {
      world.script = script;
    },
    answerNext: (...answers) => void world.nextAnswers.push(...answers),
    tools: world.tools,
    personas: world.personas,
    documentSets: world.documentSets,
    addDocument: (document) => world.documents.seed(document),
    documents: world.documents.rows,
    index: world.documents.index,
    sessions: world.sessions.byId,
    forgetSession(id, how) {
      const session = world.sessions.byId.get(id);
      if (session === undefined) throw new Error(`There is no session ${id}.`);
      if (how === "deleted") session.deleted = true;
      else world.sessions.byId.delete(id);
    },
    log,
    questions: world.questions,
    cutConnections: () => listener.cutConnections(),
    async down({ answers = "die" } = {}) {
      if (answers === "die") killAnswers(world);
      await listener.down();
    },
    up: () => listener.up(),
    async restart(downMs = 20) {
      await server.down();
      await delay(downMs);
      await server.up();
    },
    close: () => server.down(),
  };
  return server;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function valueOf(body: Buffer): unknown {
  const text = body.toString("utf8");
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every origin may call, without cookies, and pages see no header beyond the usual ones. */
function origin(headers: IncomingMessage["headers"]): Record<string, string> {
  return headers.origin === undefined ? {} : { "access-control-allow-origin": "*" };
}

function preflight(headers: IncomingMessage["headers"]): Record<string, string> {
  const wanted = headers["access-control-request-headers"];
  return {
    "content-type": "text/plain; charset=utf-8",
    "access-control-allow-methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
    "access-control-max-age": "600",
    ...(wanted === undefined ? {} : { "access-control-allow-headers": wanted }),
  };
}

/** Has everything that goes out for this reply sent once more, right after it. */
function repeatReply(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  const chunks: Buffer[] = [];
  const write = socket.write.bind(socket);
  socket.write = ((...args: Parameters<typeof write>) => {
    const [chunk, encoding] = args;
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, typeof encoding === "string" ? encoding : "utf8"));
    else chunks.push(Buffer.from(chunk));
    return write(...args);
  }) as typeof write;
  response.once("finish", () => {
    socket.write = write;
    write(Buffer.concat(chunks));
  });
}

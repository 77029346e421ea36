import { setTimeout as delay } from "node:timers/promises";
import { accountRoutes } from "./routes/account-routes.ts";
import { Accounts, adminPermissions, memberPermissions, type Account, type KeyOptions } from "./world/accounts.ts";
import { adminRoutes } from "./routes/admin-routes.ts";
import type { Answer, AnswerScript } from "./answer/answer-script.ts";
import { killAnswers } from "./answer/asking.ts";
import { chatRoutes } from "./routes/chat-routes.ts";
import { Connectors } from "./world/connectors.ts";
import { Documents, type DocumentRow, type IndexedDocument, type SeedDocument } from "./world/documents.ts";
import { noFaults } from "./faults.ts";
import { ingestionRoutes } from "./routes/ingestion-routes.ts";
import { listen } from "./listener.ts";
import { responder, type LoggedRequest } from "./routes/responding.ts";
import { sessionRoutes } from "./routes/session-routes.ts";
import { Sessions, type StoredSession } from "./world/sessions.ts";
import { type Settings, USUAL_SETTINGS } from "./world/settings.ts";
import { defaultTools } from "./world/tools.ts";
import { uploadRoutes } from "./routes/upload-routes.ts";
import type { World } from "./world/world.ts";

/** How a server is away. */
export interface Absence {
  /** Default `die`. */
  answers?: "die" | "go-on";
  /** Whether a proxy stands before it. Default false. */
  proxy?: boolean;
}

/** What tests see of the world, and change. */
type Open = "settings" | "faults" | "tools" | "personas" | "documentSets" | "connectors" | "uploads" | "questions";

/** A running double of a deployed server. */
export interface DeployedServer extends Pick<World, Open> {
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
  /** What every question is answered with from now on. Undefined: what its documents say. */
  answerWith(script: AnswerScript | undefined): void;
  /** What the next questions are answered with, in turn; then as before. */
  answerNext(...answers: Answer[]): void;
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
  /** Ends every connection. The server itself goes on. */
  cutConnections(): void;
  /**
   * Closes the port and every connection. Answers being written die, unless they are to go on. With a proxy the port
   * stays open, and whoever asks gets the proxy's 502.
   */
  down(options?: Absence): Promise<void>;
  /** Is back, at the same port. */
  up(): Promise<void>;
  /** Goes down, and is back after so many milliseconds (default 20). */
  restart(downMs?: number, options?: Absence): Promise<void>;
  close(): Promise<void>;
}

function firstKeys(accounts: Accounts): DeployedServer["keys"] {
  const scopes = ["read:chat", "write:chat"];
  return {
    admin: accounts.addKey({ user: "admin", permissions: adminPermissions }),
    member: accounts.addKey({ user: "member", permissions: memberPermissions }),
    scoped: accounts.addKey({ user: "scoped", permissions: memberPermissions, scopes }),
    service: accounts.addKey({ user: "service", accountType: "SERVICE_ACCOUNT", permissions: adminPermissions }),
  };
}

/**
 * Starts a double of a deployed server on 127.0.0.1. It behaves as such servers were seen to behave, not as ours does:
 * conversations that vanish, documents that are taken and not indexed, answers that go on without the one who asked,
 * tools that are there unasked. All of it is in memory.
 */
export async function startDeployedServer(options: Partial<Settings> = {}): Promise<DeployedServer> {
  const accounts = new Accounts();
  /** What tests see and change themselves. */
  const open = {
    settings: { ...USUAL_SETTINGS, ...options },
    faults: noFaults(),
    connectors: new Connectors(),
    uploads: new Map(),
    tools: defaultTools(),
    personas: [{ id: 0, name: "Assistant", description: "Your AI assistant with search." }],
    documentSets: [],
    questions: [],
  };
  const world: World = {
    ...open,
    accounts,
    sessions: new Sessions(),
    documents: new Documents(),
    nextAnswers: [],
    script: undefined,
    running: new Map(),
  };
  const keys = firstKeys(accounts);
  const routes = [accountRoutes, chatRoutes, sessionRoutes, ingestionRoutes, adminRoutes, uploadRoutes].flatMap(
    (some) => some(world),
  );
  const log: LoggedRequest[] = [];
  const listener = await listen(responder(world, routes, log));

  const server: DeployedServer = {
    ...open,
    origin: `http://127.0.0.1:${listener.port}`,
    url: `http://127.0.0.1:${listener.port}/api`,
    keys,
    addKey: (given) => accounts.addKey(given),
    revoke(key) {
      const credential = accounts.credentials.get(key);
      if (credential !== undefined) credential.revoked = true;
    },
    account(key) {
      const account = key === "anonymous" ? accounts.anonymous : accounts.credentials.get(key)?.account;
      if (account === undefined) throw new Error(`No account has the key ${key}.`);
      return account;
    },
    answerWith(script) {
      world.script = script;
    },
    answerNext: (...answers) => void world.nextAnswers.push(...answers),
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
    cutConnections: () => listener.cutConnections(),
    async down({ answers = "die", proxy = false } = {}) {
      if (answers === "die") killAnswers(world);
      if (!proxy) return listener.down();
      open.faults.gateway = 502;
      listener.cutConnections();
    },
    async up() {
      open.faults.gateway = undefined;
      await listener.up();
    },
    async restart(downMs = 20, absence = {}) {
      await server.down(absence);
      await delay(downMs);
      await server.up();
    },
    close: () => server.down(),
  };
  return server;
}

import type { Hono } from "hono";
import { ReaderPool } from "@threadlore/files/child";
import { NO_TRACING, type Tracing } from "@threadlore/tracing";
import { startForgetting } from "./store/people/forgetting.ts";
import { openAuditLog } from "./audit/audit-log.ts";
import { openGaps } from "./gaps/gaps.ts";
import { startKeeping } from "./gaps/keeping.ts";
import { startGivingVectors } from "./gaps/late-vectors/late-vectors.ts";
import { questionAdmission } from "./http/admission.ts";
import type { Company } from "./sign-in/company.ts";
import { createApp } from "./http/app.ts";
import { defaultSettings, type MetricsSource, type ServiceContext, type Settings } from "./context.ts";
import type { ModelSettings } from "./model-server.ts";
import { addKey } from "./http/keys.ts";
import { createLog, type LogFormat, type LogLevel } from "./log.ts";
import { routesOf } from "./routes/routes.ts";
import { embeddingsOf } from "./search/embeddings.ts";
import { Database } from "./store/sqlite/database.ts";
import { SqliteStore } from "./store/sqlite/sqlite-store.ts";
import type { PostgresStore } from "./store/postgres/postgres-store.ts";
import { type HeldDocument, listHeldDocuments } from "./store/held-documents.ts";
import { markInterrupted } from "./store/sessions.ts";
import { DatabaseError, isOutOfSpace } from "./store/sqlite/database-error.ts";
import { get } from "./store/steps.ts";
import type { Store } from "./store/store.ts";
import { UPLOAD_READER } from "./upload/upload.ts";
import { startUpkeep } from "./upkeep.ts";

export type { Caller, MetricsSource, RateLimit, Role, Settings } from "./context.ts";
export type { ModelSettings } from "./model-server.ts";
export {
  addKey,
  createPairing,
  type ListedKey,
  listKeys,
  mintKey,
  type NewKey,
  type PairingOptions,
  revokeKey,
} from "./http/keys.ts";
export { type Company, type CompanySettings, openCompany } from "./sign-in/company.ts";
export type { LogFormat, LogLevel } from "./log.ts";
export { hashOfPassword, mintPassword, weaknessOf } from "./sign-in/password.ts";
export {
  addLocalPerson,
  changePerson,
  disablePerson,
  enablePerson,
  joinGroup,
  leaveGroup,
  listPersons,
  LOCAL_ISSUER,
  type Membership,
  type Person,
  personCalled,
  setPassword,
} from "./store/people/persons.ts";
export { type PersonHoldings, personWithHoldings, type RemovalOptions, removePerson } from "./store/people/removal.ts";
export {
  EVERYBODY_GROUP,
  type Grant,
  groupNamed,
  type GroupOfRule,
  type GroupRule,
  listRules,
  removeRule,
  type RuleChange,
  setRule,
} from "./store/people/rules.ts";
export { PersonError } from "./store/people/user-names.ts";
export { type AuditEntry, type AuditFilter, listAuditEntries } from "./store/audit.ts";
export { noteCommand } from "./audit/command-line.ts";
export type { AuditKind } from "./audit/kinds.ts";
export { momentOf } from "./audit/moment.ts";
export { backupDatabase, checkBackup } from "./store/sqlite/backup.ts";
export {
  addConnector,
  addCredential,
  addDocumentSet,
  addPair,
  type Connector,
  ConnectorError,
  countDocuments,
  type Credential,
  DEFAULT_PAIR,
  type DocumentCounts,
  type DocumentSet,
  listConnectors,
  listCredentials,
  listDocumentSets,
  listPairs,
  type Pair,
} from "./store/connectors.ts";
export { type DataFinding, inspectData } from "./search/succession/inspection.ts";
export { Database } from "./store/sqlite/database.ts";
export { SqliteStore } from "./store/sqlite/sqlite-store.ts";
export type { Steps } from "./store/steps.ts";
export type { Store } from "./store/store.ts";
export { documentsToSend, sendableDocuments } from "./store/moving/sendable.ts";
export { type Arrived, moveData, type MovingProgress } from "./store/moving/moving.ts";
export { placeOfTruth } from "./store/postgres/place.ts";
export { renewEpoch, renewEpochOf } from "./store/instance.ts";
export { DatabaseError, type DatabaseProblem } from "./store/sqlite/database-error.ts";
export { type HeldDocument, listHeldDocuments } from "./store/held-documents.ts";
export { type DatabaseLock, lockDatabase } from "./store/sqlite/lock.ts";

/** How to create a service. */
export interface ServiceOptions {
  /**
   * Path of the one SQLite file that holds everything; created where absent. ":memory:" keeps nothing. Or a database that
   * is open already, for what is to be put into it before; the service closes it.
   */
  database: string | Database;
  /**
   * The truth, where it is in PostgreSQL: `database` is then this machine's copy of its documents (see `openTruth`). The
   * service closes it, too.
   */
  truth?: PostgresStore;
  /** A key that is added with the role admin, for the owner. Keys already in the database stay valid. */
  apiKey?: string;
  /** A model that writes the answers. Absent: answers are extracted from the passages. */
  model?: ModelSettings;
  /** An embedding model: what is found is then ranked by meaning too. Absent: by words alone. */
  embeddings?: ModelSettings;
  /** The clock, milliseconds since 1970. Default: Date.now; where the truth is in PostgreSQL, its clock. */
  now?: () => number;
  /** Anything of `Settings`; the rest keeps its default. */
  settings?: Partial<Settings>;
  /** Where people sign in; see `openCompany`. Absent: there is no company's way in. */
  company?: Company | undefined;
  /** How much is logged. Default: "warn", which is silent while all is well. */
  logLevel?: LogLevel;
  /** How a line of the log is written. Default: "text". */
  logFormat?: LogFormat;
  /** What `GET /metrics` tells administrators' keys. Absent: there is no such path. */
  metrics?: MetricsSource;
  /** Where what is done is traced. Default: nowhere. Whoever opened it closes it after the service. */
  tracing?: Tracing;
  /** Takes each line of the log. Default: console.error. */
  log?: (line: string) => void;
}

/** A running service: a function from request to response, and its end. */
export interface Service {
  fetch(request: Request): Promise<Response>;
  /** Resolves when everything ingested so far can be found, or has failed for good. */
  drain(): Promise<void>;
  /**
   * Resolves when questions are answered as before a restart: at once where a former index answers meanwhile, else when
   * every document waiting now is in the index, with or without its vectors, or cannot be put there.
   */
  searchable(): Promise<void>;
  /** Documents no pair shows any more: somebody has to ingest them again under each pair they were under. */
  heldDocuments(): Promise<readonly HeldDocument[]>;
  /** Lets running answers end, then closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the truth where it is in PostgreSQL, with this machine's copy of its documents.
 * @param url `postgres://…`
 * @param path of the copy; where it is of other data, it is made anew
 * Throws DatabaseError, in plain words, where one of them cannot be opened.
 */
export async function openTruth(
  url: string,
  path: string,
  limit?: number,
): Promise<{ truth: PostgresStore; database: Database }> {
  // Whoever stays with SQLite never loads the client of the other.
  const { PostgresStore: Truth } = await import("./store/postgres/postgres-store.ts");
  const truth = await Truth.open(url);
  try {
    if ((await truth.read(get("SELECT 1 FROM moving"))) !== undefined) {
      const half =
        "Data of another database is being moved here, and not all of it is. Run `threadlore migrate` to its end.";
      throw new DatabaseError("in_use", "DATABASE_URL", half);
    }
    const { openCopy } = await import("./store/postgres/copy.ts");
    return { truth, database: await openCopy(truth, path, { limit, ballast: true }) };
  } catch (error) {
    await truth.close();
    throw error;
  }
}

/** Opens the store of a truth in PostgreSQL alone, for those who administer it. Throws as `openTruth`. */
export async function openStore(
  url: string,
): Promise<Store & { close(): Promise<void>; readonly presence: { now(): number } }> {
  const { PostgresStore: Truth } = await import("./store/postgres/postgres-store.ts");
  return Truth.open(url);
}

/** Whatever still runs according to the store was cut off with the program that ran it. */
function interruptLeftOver(db: Database): void {
  try {
    db.makingRoom(() => db.transact(markInterrupted()));
  } catch (error) {
    // On a full disk it has to wait for another start.
    if (!isOutOfSpace(error)) throw error;
  }
}

/** Longest wait for running answers when the service closes, milliseconds. */
const CLOSING_MS = 5_000;
/** And for what the database is being asked in the background. */
const CLOSING_TRUTH_MS = 2_000;

/**
 * Creates the service over its database. No port is opened: pass `fetch` to a client, or see `./serve`.
 * Throws DatabaseError when the database cannot be used; its message says why and what to do.
 */
export function createService(options: ServiceOptions): Service {
  const settings = { ...defaultSettings, ...options.settings };
  const db =
    typeof options.database === "string"
      ? new Database(options.database, { limit: settings.databaseLimit, ballast: true })
      : options.database;
  const { apiKey } = options;
  const { truth } = options;
  const now = options.now ?? (truth === undefined ? Date.now : () => truth.presence.now());
  if (apiKey !== undefined && truth === undefined) db.perform(addKey(apiKey, { name: "owner", role: "admin" }, now()));
  interruptLeftOver(db);
  const closing = new AbortController();
  const open = new Set<Promise<unknown>>();
  const log = createLog(options.logLevel ?? "warn", options.log, options.logFormat);
  const embeddings = options.embeddings && embeddingsOf(options.embeddings);
  const questions = questionAdmission(options.model !== undefined, closing.signal);
  const quiet = () => questions.quiet();
  const keepOpen = (work: Promise<unknown>): void => {
    const settled: Promise<unknown> = work.catch(() => undefined).finally(() => open.delete(settled));
    open.add(settled);
  };
  const { readerMemory: memoryBytes, readerMs: mostMs } = settings;
  const readers = new ReaderPool({ reader: UPLOAD_READER, memoryBytes, mostMs });
  const store = truth ?? new SqliteStore(db);
  const upkeep = startUpkeep({ store, db, truth, log, embeddings, now, quiet, pageCheckMs: settings.pageCheckMs });
  const endForgetting = startForgetting(store, log);
  const audit = settings.auditDays > 0 ? openAuditLog({ store, log, now }, settings.auditDays) : undefined;
  const gaps =
    settings.gaps === "off" ? undefined : openGaps({ store, log, embeddings, notesOwn: settings.gaps === "all" });
  const endKeeping = startKeeping({ store, log, now, days: settings.gapDays });
  const endVectors = startGivingVectors({ store, log, embeddings: gaps && embeddings, closing: closing.signal });
  const context: ServiceContext = {
    store,
    gaps,
    audit,
    db,
    instances: truth?.presence,
    settings,
    model: options.model,
    embeddings,
    now,
    questions,
    wakeIndexer: upkeep.wakeIndexer,
    behindMs: upkeep.behindMs,
    closing: closing.signal,
    keepOpen,
    readers,
    metrics: options.metrics,
    company: options.company,
    tracing: options.tracing ?? NO_TRACING,
    log,
  };
  const app: Hono = createApp(
    context,
    routesOf(context, async (request) => app.fetch(request)),
  );
  return {
    async fetch(request) {
      const answer = Promise.resolve(app.fetch(request));
      keepOpen(answer);
      return answer;
    },
    searchable: upkeep.searchable,
    drain: upkeep.drain,
    heldDocuments: () => context.store.read(listHeldDocuments()),
    async close() {
      closing.abort();
      endForgetting();
      endKeeping();
      endVectors();
      await Promise.race([Promise.all(open), new Promise((resolve) => setTimeout(resolve, CLOSING_MS).unref())]);
      readers.close();
      // A database elsewhere that says nothing any more is not waited for.
      const late = setTimeout(() => truth?.abandon(), CLOSING_TRUTH_MS);
      await Promise.all([upkeep.stop(), audit?.close(), gaps?.close()]);
      clearTimeout(late);
      db.close();
      await truth?.close();
    },
  };
}

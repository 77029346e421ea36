import type { ReaderPool } from "@threadlore/files/child";
import type { Tracing } from "@threadlore/tracing";
import type { AuditLog } from "./audit/audit-log.ts";
import type { Gaps } from "./gaps/gaps.ts";
import type { Company } from "./sign-in/company.ts";
import type { Admission } from "./http/admission.ts";
import type { ModelSettings } from "./model-server.ts";
import type { Embeddings } from "./search/embeddings.ts";
import type { Log } from "./log.ts";
import type { Database } from "./store/sqlite/database.ts";
import type { Presence } from "./store/postgres/presence.ts";
import type { Store } from "./store/store.ts";

/** What a key may do: ordinary asks; editor also ingests; admin also swaps credentials, validates tools, lists. */
export type Role = "ordinary" | "editor" | "admin";

/** Who is calling. */
export interface Caller {
  /** Owner of sessions and files. */
  readonly user: string;
  readonly role: Role | "anonymous";
  readonly groups: readonly string[];
  /** Names of the document sets this caller may see; null: everything. */
  readonly documentSets: readonly string[] | null;
  /** Pairs they may see besides. */
  readonly pairs?: readonly number[];
  /** Who it is, where the key is a person's who signed in. */
  readonly person?: CallingPerson;
}

/** Somebody who signed in, as a request knows them. */
export interface CallingPerson {
  readonly id: number;
  readonly email: string | null;
  readonly name: string | null;
  /** Number of the key that was used. */
  readonly keyId: number;
  /** The last use that was noted, milliseconds since 1970; null: none. */
  readonly usedAt: number | null;
  /** Their groups that a rule is about, and who says that they are in them. */
  readonly groups: readonly { readonly issuer: string; readonly name: string }[];
  /** They have to sign in with their company again: until then they may end their own keys, and nothing else. */
  readonly isLapsed: boolean;
}

/** A chat budget: so many messages in so many seconds. */
export interface RateLimit {
  readonly messages: number;
  readonly seconds: number;
}

/** What an operator can set. Every field has a default in `defaultSettings`. */
export interface Settings {
  /** Callers without a key may ask, and see documents of public pairs only. Default false. */
  readonly anonymous: boolean;
  /** Chat budgets; absent: not limited. `group` holds for each group on its own. */
  readonly rateLimits: { readonly user?: RateLimit; readonly group?: RateLimit; readonly global?: RateLimit };
  /** Silence after which a stream sends a heartbeat, milliseconds. Default 15,000. */
  readonly heartbeatMs: number;
  /** Silence after which a model counts as failed, milliseconds; the answer is then extracted. Default 120,000. */
  readonly modelSilenceMs: number;
  /** Time one call of a custom tool may take, milliseconds. Default 20,000. */
  readonly toolTimeoutMs: number;
  /** Largest request body, bytes. Default 10 MB; uploads 25 MB. */
  readonly bodyLimit: number;
  readonly uploadLimit: number;
  /** Memory of each of the two processes that read uploads, bytes; a file that takes more is kept unread. Default 208 MB. */
  readonly readerMemory: number;
  /** Time they have for one file, milliseconds; one that takes longer is kept unread. Default 20,000. */
  readonly readerMs: number;
  /** Port the service listens on; Host headers must name it. Absent in process: any port of a loopback name. */
  readonly port?: number;
  /** Most bytes the database file may grow to. Absent: what the disk holds. Writes beyond are refused with 507. */
  readonly databaseLimit?: number;
  /**
   * Days after which people of the company's identity provider have to sign in there again before their keys go on: who left
   * there is asked no more, and tells nobody here. Default 30.
   */
  readonly signInDays: number;
  /** Days for which is kept who did what kind of thing; 0: it is not noted. Default 0. */
  readonly auditDays: number;
  /**
   * Whose questions that nobody could answer are kept as gaps: `all`; `told`: those alone that a program tells, as the bot of a
   * chat does; `off`: nobody's, and there are no routes of gaps. Default `all`.
   */
  readonly gaps: "all" | "told" | "off";
  /** Days after which a question of a gap is forgotten. Default 365. */
  readonly gapDays: number;
  /** From one check of all pages of the database to the next, milliseconds. Default 900,000. */
  readonly pageCheckMs: number;
  /**
   * The first moment at which a search is answered for who does not see everything, milliseconds after it was begun; see
   * `even.ts`. 0: as soon as it is done, so that its time tells how much is hidden. Default 50.
   */
  readonly evenMs: number;
}

export const defaultSettings: Settings = {
  anonymous: false,
  rateLimits: {},
  heartbeatMs: 15_000,
  modelSilenceMs: 120_000,
  toolTimeoutMs: 20_000,
  bodyLimit: 10_000_000,
  uploadLimit: 25_000_000,
  readerMemory: 208_000_000,
  readerMs: 20_000,
  signInDays: 30,
  auditDays: 0,
  gaps: "all",
  gapDays: 365,
  pageCheckMs: 900_000,
  evenMs: 50,
};

/** What is counted, for who asks for it. */
export interface MetricsSource {
  text(): Promise<string>;
  readonly contentType: string;
}

/** What every route works with. */
export interface ServiceContext {
  /** The truth: documents, keys, conversations, files. */
  readonly store: Store;
  /** The instances that work on the same truth; undefined: this is the only one. */
  readonly instances: Presence | undefined;
  /** This machine's own database, which the index is made from; where SQLite is the truth, the one behind `store`. */
  readonly db: Database;
  readonly settings: Settings;
  readonly model: ModelSettings | undefined;
  /** Absent: words alone decide what is found. */
  readonly embeddings?: Embeddings | undefined;
  /** Milliseconds since 1970; injected so that tests own the clock. */
  readonly now: () => number;
  /** Where questions wait for their turn. */
  readonly questions: Admission;
  /** How long what others wrote could not be followed, milliseconds; 0: it is. */
  readonly behindMs: () => number;
  /** Called after a document was queued; the indexer then runs soon. */
  readonly wakeIndexer: () => void;
  /** Aborted when the service closes; running answers end with it. */
  readonly closing: AbortSignal;
  /** Keeps the database open until this work has ended: for what goes on after a response was returned. */
  readonly keepOpen: (work: Promise<unknown>) => void;
  /** Reads what people upload, in processes of their own. */
  readonly readers: ReaderPool;
  /** The identity provider people sign in with; absent: they do with accounts of this service alone. */
  readonly company?: Company | undefined;
  /** Absent: nothing is counted. */
  readonly metrics?: MetricsSource | undefined;
  /** Questions nobody could answer; absent: none are kept here. */
  readonly gaps?: Gaps | undefined;
  /** Where is noted who does what kind of thing; absent: nowhere. */
  readonly audit?: AuditLog | undefined;
  /** Where what is done is told in times and kinds. Never give it a question, an answer or a document's text. */
  readonly tracing: Tracing;
  /** The only way to write about what happens. Never give it a question, an answer or a document's text. */
  readonly log: Log;
}

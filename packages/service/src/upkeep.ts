import type { PostgresStore } from "./store/postgres/postgres-store.ts";
import type { Log } from "./log.ts";
import { startEmbedder } from "./search/embedder.ts";
import type { Embeddings } from "./search/embeddings.ts";
import { answeringOf, endThreads, indexOf, indexPagesOf, whenMadeAnew } from "./search/hosting/index-host.ts";
import { startIndexer } from "./search/indexer.ts";
import { startSuccession } from "./search/succession/succession.ts";
import { startLooking } from "./kept/looking.ts";
import { lastCopied } from "./store/postgres/copy.ts";
import { startFollower } from "./store/postgres/follower.ts";
import { startTidying } from "./store/postgres/left-over.ts";
import type { Database } from "./store/sqlite/database.ts";
import { pagesOf, startPageCheck } from "./store/sqlite/page-check.ts";
import type { Store } from "./store/store.ts";

/** What is kept up while a service runs. */
interface UpkeepOptions {
  readonly store: Store;
  readonly db: Database;
  /** Where it is in PostgreSQL. */
  readonly truth: PostgresStore | undefined;
  readonly log: Log;
  readonly embeddings: Embeddings | undefined;
  readonly now: () => number;
  /** Awaited before each step: lets whatever else waits go first. */
  readonly quiet: () => Promise<void>;
  /** From one check of all pages of the database to the next, milliseconds. */
  readonly pageCheckMs: number;
}

/** Everything that goes on in the background: following the truth, indexing, vectors, checks. */
export interface Upkeep {
  /** Says that documents were written or left. */
  wakeIndexer(): void;
  /** See `ServiceContext`. */
  behindMs(): number;
  /** See `Service`. */
  drain(): Promise<void>;
  searchable(): Promise<void>;
  stop(): Promise<void>;
}

export function startUpkeep({ store, db, truth, log, embeddings, now, quiet, pageCheckMs }: UpkeepOptions): Upkeep {
  const embedder = embeddings && startEmbedder({ db, log, embeddings });
  const succession = startSuccession({ db, log }, { quiet, whenCarried: () => embedder?.wake() });
  const lastCopiedHere = truth && lastCopied;
  const holder = truth?.presence.number ?? 0;
  const looking = startLooking({ store, db, embeddings, log, now }, { quiet, lastCopied: lastCopiedHere, holder });
  const whenEmpty = (): void => {
    follower?.wake();
    succession.wake();
    embedder?.wake();
    looking.wake();
  };
  const indexer = startIndexer({ db, log }, { quiet, whenEmpty });
  whenMadeAnew(db, () => {
    log.warn("the search index was damaged or gone: it is made anew");
    indexer.wake();
    succession.wake();
  });
  const follower = truth && startFollower({ truth, db, log }, { quiet, whenMoved: indexer.wake });
  const endTidying = truth && startTidying(truth, log);
  const checks = [pagesOf(db, log), indexPagesOf(db)].map((file) => startPageCheck(file, log, pageCheckMs));
  return {
    wakeIndexer: () => {
      indexer.wake();
      follower?.wake();
    },
    behindMs: () => follower?.behindMs() ?? 0,
    async searchable() {
      await follower?.drain();
      if (answeringOf(db) === indexOf(db)) await indexer.drain();
    },
    async drain() {
      await follower?.drain();
      await indexer.drain();
      await follower?.drain();
      await succession.drain();
      await embedder?.drain();
      await looking.drain();
    },
    async stop() {
      endTidying?.();
      await looking.stop();
      await follower?.stop();
      await indexer.stop();
      await succession.stop();
      await embedder?.stop();
      await Promise.all(checks.map((stop) => stop()));
      await endThreads(db);
    },
  };
}

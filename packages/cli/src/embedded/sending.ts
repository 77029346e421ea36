import { createClient } from "@threadlore/client";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { join } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { stateFolder } from "../folders.ts";
import { idsOnServer, passagesOf } from "../ingest/on-server.ts";
import { type Candidate, type Fate, ingestAll } from "../ingest/ingestion.ts";
import { openJournal } from "../ingest/journal.ts";
import type { PairMap } from "../ingest/pair-choice.ts";
import { patient } from "../ingest/patience.ts";
import { serverName, type Settings } from "../server/config.ts";
import { askCaller, connection, instanceOf } from "../server/connection.ts";
import { note, type Terminal } from "../terminal/output.ts";

/** What became of the documents of one pair. */
export interface SentPair {
  readonly from: number;
  readonly to: number | null;
  readonly counts: Readonly<Record<Fate, number>>;
  /** Why documents failed, the first few. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** How many of them the server lists in the end; undefined: it lists none to this key. */
  readonly listed: number | undefined;
  /** Documents whose pictures stayed behind. */
  readonly withoutPictures: number;
}

const CONCURRENCY = 4;
const PATIENCE_MS = 120_000;

/**
 * Sends the documents of an embedded service's database to another server through ingestion, pair by pair. What the journal
 * knows as sent is not sent again, so it goes on where it was ended. Throws what ends all of it, such as a wrong key.
 */
export async function sendDocuments(
  terminal: Terminal,
  settings: Settings,
  database: string,
  pairs: PairMap,
): Promise<readonly SentPair[]> {
  const { Database, documentsToSend, sendableDocuments } = await import("@threadlore/service");
  const db = new Database(database);
  const journal = openJournal(join(stateFolder(terminal), "ingested.jsonl"));
  const deployment = createDeployment(connection(terminal, settings));
  const client = createClient(connection(terminal, settings));
  const signal = terminal.interrupted;
  const patiently = patient({ patienceMs: PATIENCE_MS, signal, onWait: () => undefined });
  try {
    const there = db.perform(documentsToSend());
    const unnamed = there.filter(({ pair }) => !pairs.has(pair));
    if (unnamed.length > 0) {
      const named = unnamed.map(({ pair, name, documents }) => `${pair} (${name}, ${documents} documents)`).join(", ");
      throw new UsageError(`Nothing was sent. Say where each pair goes with --pair FROM=TO: not said of ${named}.`);
    }
    const instance = instanceOf(await askCaller(terminal, settings));
    const sent: SentPair[] = [];
    for (const { pair: from, documents } of there) {
      const to = pairs.get(from) ?? null;
      const ids = new Set<string>();
      let withoutPictures = 0;
      let told = performance.now();
      const report = await ingestAll({
        candidates: (function* (): Generator<Candidate> {
          for (const { document, pictures } of sendableDocuments(db, from)) {
            ids.add(document.id);
            if (pictures > 0) withoutPictures++;
            yield { name: document.semantic_identifier, read: async () => ({ document, notes: [] }) };
          }
        })(),
        client: { ingest: (request, given) => patiently(() => client.ingest(request, given)) },
        search: (query) => patiently(() => passagesOf(deployment, query, signal)),
        journal,
        server: serverName(settings.url),
        pair: to,
        instance,
        concurrency: CONCURRENCY,
        signal,
        onFate: () => {
          if (performance.now() < told + 2_000) return;
          told = performance.now();
          note(terminal, `pair ${from}: ${ids.size} of ${documents}`);
        },
      });
      if (report.ended !== undefined) throw report.ended;
      const listed = await listedOf(deployment, to, ids, signal);
      sent.push({
        from,
        to,
        counts: report.counts,
        refused: report.refused.filter(Boolean).slice(0, 5),
        listed,
        withoutPictures,
      });
    }
    return sent;
  } finally {
    journal.close();
    db.close();
  }
}

/** How many of the documents the server lists; undefined: it does not list them to this key. */
async function listedOf(
  deployment: Deployment,
  to: number | null,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const listed = await idsOnServer(deployment, to, signal);
    return [...ids].filter((id) => listed.has(id)).length;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

import { createClient } from "@threadlore/client";
import { createKeptAnswers, type KeptAnswers } from "@threadlore/client/kept";
import { askedAsText, type IngestionDocumentInput } from "@threadlore/client/models";
import { afterThisTest } from "@threadlore/testkit";
import { addKey, Database, mintKey, openStore, SqliteStore } from "../index.ts";
import { type Instance, startInstance } from "../instances/instance.harness.ts";
import { addConnector, addCredential, addDocumentSet, addPair } from "../store/connectors.ts";
import type { Store } from "../store/store.ts";

/** A service with kept answers, and what is done with it. */
export interface KeptService {
  readonly instance: Instance;
  readonly kept: KeptAnswers;
  /** Writes documents under their ids and waits until everything was looked at. */
  add(...documents: readonly SentDocument[]): Promise<void>;
  remove(id: string): Promise<void>;
  /** What speaks against what, as the owner's key is told: `kept answer < document`, or `kept answer < bad_mark`. */
  doubts(key?: string): Promise<string[]>;
}

/** A document, and the pair it is sent to: by default the one that takes what names none. */
export type SentDocument = Partial<IngestionDocumentInput> &
  Pick<IngestionDocumentInput, "sections"> & { readonly id: string; readonly pair?: number };

/** Whoever asks, and may see everything. */
const KEY = "tl_TEST_instances";

/** Starts one; without an address on SQLite alone. */
export async function startKept(
  databaseUrl: string | undefined,
  options: Parameters<typeof startInstance>[1] = {},
): Promise<KeptService> {
  const instance = await startInstance(databaseUrl, options);
  afterThisTest(instance.close);
  const { url: baseUrl } = instance;
  const client = createClient({ baseUrl, apiKey: KEY });
  const keptOf = (apiKey: string) => createKeptAnswers({ baseUrl, apiKey });
  return {
    instance,
    kept: keptOf(KEY),
    async add(...documents) {
      for (const { pair, ...document } of documents) {
        await client.ingest({
          document: { ...document, semantic_identifier: document.semantic_identifier ?? document.id },
          ...(pair !== undefined && { cc_pair_id: pair }),
        });
      }
      await instance.running.service.drain();
    },
    async remove(id) {
      await instance.call("DELETE", `/service-api/ingestion/${encodeURIComponent(id)}`);
      await instance.running.service.drain();
    },
    async doubts(key = KEY) {
      const { kept_answers } = await keptOf(key).list({ most: 200 });
      return kept_answers.flatMap(({ document_id, doubts }) =>
        doubts.map(({ reason, document_id: by }) => `${document_id} < ${by ?? reason}`),
      );
    },
  };
}

/** A kept answer as the bot sends it. */
export function keptDocument(
  question: string,
  answer: string,
  { id = "kept", at = "2026-03-02T09:00:00Z", asked = [] as readonly string[] } = {},
): IngestionDocumentInput & { readonly id: string } {
  const link = "https://chat.example.com/archives/C1/p1772442000000100";
  return {
    id,
    semantic_identifier: question,
    sections: [{ text: answer, link }, ...(asked.length === 0 ? [] : [{ text: askedAsText(asked), link }])],
    source: "slack",
    metadata: {
      kept: "answer",
      question,
      owner: "Nora Quist",
      owner_ref: "T1:U1",
      kept_at: at,
      channel: "#boats",
    },
    doc_updated_at: at,
    primary_owners: [{ display_name: "Nora Quist" }],
  };
}

/** The truth a service works on, as whoever administers it opens it. */
export async function storeOf(
  url: string | undefined,
  path: string,
): Promise<{ store: Store; close(): Promise<void> }> {
  if (url !== undefined) {
    const store = await openStore(url);
    return { store, close: () => store.close() };
  }
  const db = new Database(path);
  return { store: new SqliteStore(db), close: async () => db.close() };
}

/** One with documents of a crew, and of a board, who sees those of both; and a key of the crew. */
export async function startInSets(url: string | undefined, options: Parameters<typeof startKept>[1] = {}) {
  const service = await startKept(url, options);
  const { store, close } = await storeOf(url, service.instance.copy);
  const crew = mintKey();
  const pairs = await store.write(function* () {
    const connector = yield* addConnector({ name: "test", source: "web" });
    const credential = yield* addCredential({ name: "test", source: "web" });
    const pairNamed = (name: string) =>
      addPair({ name, connectorId: connector, credentialId: credential, access: "private" });
    const [own, hidden] = [yield* pairNamed("crew"), yield* pairNamed("board")];
    yield* addDocumentSet({ name: "crew", pairIds: [own] });
    yield* addDocumentSet({ name: "all", pairIds: [own, hidden] });
    yield* addKey(crew, { name: "crew", role: "editor", documentSets: ["crew"] }, Date.now());
    return { crew: own, board: hidden };
  });
  await close();
  return { service, pairs, crew };
}

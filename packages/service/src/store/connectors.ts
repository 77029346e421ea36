import { DocumentSource } from "@threadlore/client/models";
import { all, get, insert, insertNumbered, run, type Steps } from "./steps.ts";
import { overPairs } from "./over-pairs.ts";

/** Where documents come from. */
export interface Connector {
  readonly id: number;
  readonly name: string;
  /** A DocumentSource; a credential fits a connector of the same source only. */
  readonly source: string;
}

/** What a connector logs in with. The service keeps its name, never a secret: it fetches nothing itself. */
export interface Credential {
  readonly id: number;
  readonly name: string;
  readonly source: string;
}

/** A connector joined to a credential: what documents belong to. */
export interface Pair {
  readonly id: number;
  readonly name: string;
  readonly connector: Connector;
  readonly credential: Credential;
  /** public: callers without a key may see its documents, where the service admits them at all. */
  readonly access: PairAccess;
}

/** Who may see a pair's documents beside those with a key for them: everyone, or nobody. */
export type PairAccess = "public" | "private";

/** Pair 1 takes what is ingested without a pair; it is no connector a person set up, and is not listed as one. */
export const DEFAULT_PAIR = 1;

/** How many documents of a pair can be found, wait to be, or cannot be. */
export interface DocumentCounts {
  readonly pending: number;
  readonly indexed: number;
  readonly failed: number;
}

/** Pairs under one name, which questions are restricted by. */
export interface DocumentSet {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly pairs: readonly { readonly id: number; readonly name: string; readonly source: string }[];
}

/** What was asked for is not in the store, or does not fit; the message says which, in plain words. */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
}

/** Stores a connector and answers its number. Throws ConnectorError when the source is no lower-case identifier. */
export function* addConnector(connector: Omit<Connector, "id">): Steps<number> {
  requireSource(connector.source);
  return yield* insertNumbered("connectors", { name: connector.name, source: connector.source });
}

/** Every connector, oldest first. */
export function* listConnectors(): Steps<Connector[]> {
  return yield* all("SELECT id, name, source FROM connectors ORDER BY id");
}

/** Stores a credential and answers its number. Throws ConnectorError when the source is no lower-case identifier. */
export function* addCredential(credential: Omit<Credential, "id">): Steps<number> {
  requireSource(credential.source);
  return yield* insertNumbered("credentials", { name: credential.name, source: credential.source });
}

/** Every credential, oldest first. */
export function* listCredentials(): Steps<Credential[]> {
  return yield* all("SELECT id, name, source FROM credentials ORDER BY id");
}

/** The pairs that fit a condition, by number. */
function* pairsWhere(condition: string, ...values: number[]): Steps<Pair[]> {
  const rows = yield* all<PairRow>(
    `SELECT pairs.id, pairs.name, access_type AS access,
            connectors.id AS connector_id, connectors.name AS connector_name, connectors.source AS connector_source,
            credentials.id AS credential_id, credentials.name AS credential_name, credentials.source AS credential_source
     FROM pairs JOIN connectors ON connectors.id = connector_id JOIN credentials ON credentials.id = credential_id
     WHERE ${condition} ORDER BY pairs.id`,
    ...values,
  );
  return rows.map(({ id, name, access, ...of }) => ({
    id,
    name,
    connector: { id: of.connector_id, name: of.connector_name, source: of.connector_source },
    credential: { id: of.credential_id, name: of.credential_name, source: of.credential_source },
    access,
  }));
}

interface PairRow extends Pick<Pair, "id" | "name" | "access"> {
  readonly connector_id: number;
  readonly connector_name: string;
  readonly connector_source: string;
  readonly credential_id: number;
  readonly credential_name: string;
  readonly credential_source: string;
}

/**
 * Joins a connector to a credential of the same source. Throws ConnectorError when either is unknown or they do not
 * fit. Private unless said otherwise: nothing becomes public by omission.
 */
export function* addPair(pair: {
  name: string;
  connectorId: number;
  credentialId: number;
  access?: PairAccess;
}): Steps<number> {
  const { name, connectorId, credentialId, access = "private" } = pair;
  requireSameSource(yield* named("connector", connectorId), yield* named("credential", credentialId));
  return yield* insertNumbered("pairs", {
    name,
    connector_id: connectorId,
    credential_id: credentialId,
    access_type: access,
  });
}

/** Every pair, the default one first. */
export function* listPairs(): Steps<Pair[]> {
  return yield* pairsWhere("TRUE");
}

/** One pair; undefined when there is none of this number. */
export function* findPair(id: number): Steps<Pair | undefined> {
  return (yield* pairsWhere("pairs.id = ?", id))[0];
}

/**
 * Replaces the credential a connector uses, in every pair of it. Refused with ConnectorError when credential or
 * connector is unknown, the sources differ, no pair uses the connector, or its pairs use several credentials: then
 * "the credential of the connector" names no single one, and replacing all would make twins of different pairs.
 */
export function* swapCredential(connectorId: number, newCredentialId: number): Steps<void> {
  const credential = yield* named("credential", newCredentialId);
  const connector = yield* named("connector", connectorId);
  const pairs = yield* pairsWhere("connector_id = ?", connector.id);
  if (pairs.length === 0) {
    throw new ConnectorError(
      `No pair joins connector ${connector.id} ("${connector.name}") to a credential, so there is none to replace. Add a pair first.`,
    );
  }
  requireSameSource(connector, credential);
  if (new Set(pairs.map((pair) => pair.credential.id)).size > 1) {
    const uses = pairs.map((pair) => `pair ${pair.id} uses credential ${pair.credential.id}`).join(", ");
    throw new ConnectorError(
      `Connector ${connector.id} ("${connector.name}") is used with several credentials (${uses}), so it is not clear which to replace. Give each its own connector.`,
    );
  }
  yield* run("UPDATE pairs SET credential_id = ? WHERE connector_id = ?", credential.id, connector.id);
}

/**
 * How many documents each pair holds, by pair id. A pair without documents has no entry. In SQLite it takes as long for a
 * million of them as for none, as they are counted when they are written; PostgreSQL counts those of the pairs that are asked for.
 * @param pairs only these; null: all
 */
export function* countDocuments(pairs: readonly number[] | null = null): Steps<Map<number, DocumentCounts>> {
  const rows = yield* all<{ pair: number; status: keyof DocumentCounts; documents: number }>(
    overPairs(
      pairs,
      "?1",
      (ofPairs) => `SELECT pair, status, documents FROM document_counts WHERE documents > 0 AND ${ofPairs}`,
      "pair",
    ),
    pairs === null ? null : JSON.stringify(pairs),
  );
  const counts = new Map<number, Record<keyof DocumentCounts, number>>();
  for (const { pair, status, documents } of rows) {
    const known = counts.get(pair) ?? { pending: 0, indexed: 0, failed: 0 };
    counts.set(pair, { ...known, [status]: documents });
  }
  return counts;
}

/** A page of a pair's documents: what failed first, then what waits, then the rest; newest first within each. */
export function* pairDocuments(pairId: number, page: { size: number; number: number }) {
  return yield* all(PAIR_DOCUMENTS, pairId, page.size, page.size * page.number);
}

/**
 * As many of each state as the page can have, in the order of an index: sorted together, all documents of the pair would be
 * read for each page.
 */
export const PAIR_DOCUMENTS = `
  SELECT documents.id AS document_id, semantic_identifier, documents.status, failure
  FROM (${["failed", "pending", "indexed"]
    .map(
      (status, rank) => `SELECT * FROM (
         SELECT number, sequence, ${rank} AS "rank" FROM documents
         WHERE pair_id = ?1 AND status = '${status}' ORDER BY sequence DESC LIMIT CAST(?2 AS BIGINT) + CAST(?3 AS BIGINT)
       ) AS ${status}`,
    )
    .join(" UNION ALL ")} ORDER BY "rank", sequence DESC LIMIT ?2 OFFSET ?3
  ) AS shown JOIN documents ON documents.number = shown.number ORDER BY "rank", documents.sequence DESC`;

/** Puts pairs under a name. Throws ConnectorError when the name is taken or a pair is unknown; then nothing is added. */
export function* addDocumentSet(set: { name: string; description?: string; pairIds: readonly number[] }) {
  if ((yield* get("SELECT id FROM document_sets WHERE name = ?", set.name)) !== undefined) {
    throw new ConnectorError(`A document set "${set.name}" exists already. Choose another name.`);
  }
  const id = yield* insertNumbered("document_sets", { name: set.name, description: set.description ?? "" });
  for (const pairId of new Set(set.pairIds)) {
    if ((yield* findPair(pairId)) === undefined) throw new ConnectorError(`There is no pair ${pairId}.`);
    yield* insert("document_set_pairs", { document_set_id: id, pair_id: pairId });
  }
  return id;
}

/** Every document set with its pairs, by name. */
export function* listDocumentSets(): Steps<DocumentSet[]> {
  const sets = yield* all<Omit<DocumentSet, "pairs">>("SELECT id, name, description FROM document_sets ORDER BY name");
  const held = yield* all<DocumentSet["pairs"][number] & { readonly of: number }>(
    `SELECT document_set_id AS "of", pairs.id, pairs.name, source
     FROM document_set_pairs JOIN pairs ON pairs.id = pair_id JOIN connectors ON connectors.id = connector_id
     ORDER BY pairs.id`,
  );
  const pairs = Map.groupBy(held, (pair) => pair.of);
  return sets.map((set) => ({
    ...set,
    pairs: (pairs.get(set.id) ?? []).map(({ id, name, source }) => ({ id, name, source })),
  }));
}

function* named(what: "connector" | "credential", id: number): Steps<Connector | Credential> {
  const found = yield* get<Connector | Credential>(`SELECT id, name, source FROM ${what}s WHERE id = ?`, id);
  if (found !== undefined) return found;
  const title = what === "connector" ? "Connector" : "Credential";
  throw new ConnectorError(`${title} not found: there is no ${what} ${id}.`);
}

function requireSource(source: string): void {
  if (DocumentSource.safeParse(source).success) return;
  throw new ConnectorError(`"${source}" is not a source. Use a lower-case identifier such as web, file or imap.`);
}

function requireSameSource(connector: Connector, credential: Credential): void {
  if (connector.source === credential.source) return;
  throw new ConnectorError(
    `Credential ${credential.id} is for ${credential.source}, connector ${connector.id} is for ${connector.source}. They must be for the same source.`,
  );
}

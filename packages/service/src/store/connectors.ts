import { DocumentSource } from "@threadlore/client/models";
import { type Database, withJson } from "./sqlite/database.ts";

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
export function addConnector(db: Database, connector: Omit<Connector, "id">): number {
  requireSource(connector.source);
  return db.insert("connectors", { name: connector.name, source: connector.source });
}

/** Every connector, oldest first. */
export function listConnectors(db: Database): Connector[] {
  return db.all("SELECT id, name, source FROM connectors ORDER BY id");
}

/** Stores a credential and answers its number. Throws ConnectorError when the source is no lower-case identifier. */
export function addCredential(db: Database, credential: Omit<Credential, "id">): number {
  requireSource(credential.source);
  return db.insert("credentials", { name: credential.name, source: credential.source });
}

/** Every credential, oldest first. */
export function listCredentials(db: Database): Credential[] {
  return db.all("SELECT id, name, source FROM credentials ORDER BY id");
}

/** The pairs that fit a condition, by number. */
function pairsWhere(db: Database, condition: string, ...values: number[]): Pair[] {
  const rows = db.all(
    `SELECT pairs.id, pairs.name, access_type AS access,
            json_object('id', connectors.id, 'name', connectors.name, 'source', connectors.source) AS connector,
            json_object('id', credentials.id, 'name', credentials.name, 'source', credentials.source) AS credential
     FROM pairs JOIN connectors ON connectors.id = connector_id JOIN credentials ON credentials.id = credential_id
     WHERE ${condition} ORDER BY pairs.id`,
    ...values,
  );
  return rows.map((row) => withJson(row, "connector", "credential"));
}

/**
 * Joins a connector to a credential of the same source. Throws ConnectorError when either is unknown or they do not
 * fit. Private unless said otherwise: nothing becomes public by omission.
 */
export function addPair(
  db: Database,
  pair: { name: string; connectorId: number; credentialId: number; access?: PairAccess },
): number {
  const { name, connectorId, credentialId, access = "private" } = pair;
  requireSameSource(named(db, "connector", connectorId), named(db, "credential", credentialId));
  return db.insert("pairs", { name, connector_id: connectorId, credential_id: credentialId, access_type: access });
}

/** Every pair, the default one first. */
export function listPairs(db: Database): Pair[] {
  return pairsWhere(db, "TRUE");
}

/** One pair; undefined when there is none of this number. */
export function findPair(db: Database, id: number): Pair | undefined {
  return pairsWhere(db, "pairs.id = ?", id)[0];
}

/**
 * Replaces the credential a connector uses, in every pair of it. Refused with ConnectorError when credential or
 * connector is unknown, the sources differ, no pair uses the connector, or its pairs use several credentials: then
 * "the credential of the connector" names no single one, and replacing all would make twins of different pairs.
 */
export function swapCredential(db: Database, connectorId: number, newCredentialId: number): void {
  db.transaction(() => {
    const credential = named(db, "credential", newCredentialId);
    const connector = named(db, "connector", connectorId);
    const pairs = pairsWhere(db, "connector_id = ?", connector.id);
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
    db.run("UPDATE pairs SET credential_id = ? WHERE connector_id = ?", credential.id, connector.id);
  });
}

/**
 * How many documents each pair holds, by pair id. A pair without documents has no entry. Takes as long for a million of
 * them as for none: they are counted as they are written.
 */
export function countDocuments(db: Database): Map<number, DocumentCounts> {
  const rows = db.all<{ pair: number; status: keyof DocumentCounts; documents: number }>(
    "SELECT pair, status, documents FROM document_counts WHERE documents > 0",
  );
  const counts = new Map<number, Record<keyof DocumentCounts, number>>();
  for (const { pair, status, documents } of rows) {
    const known = counts.get(pair) ?? { pending: 0, indexed: 0, failed: 0 };
    counts.set(pair, { ...known, [status]: documents });
  }
  return counts;
}

/** A page of a pair's documents: what failed first, then what waits, then the rest; newest first within each. */
export function pairDocuments(db: Database, pairId: number, page: { size: number; number: number }) {
  return db.all(
    `SELECT id AS document_id, semantic_identifier, status, failure
     FROM documents
     WHERE pair_id = ?
     ORDER BY CASE status WHEN 'failed' THEN 0 WHEN 'pending' THEN 1 ELSE 2 END, sequence DESC LIMIT ? OFFSET ?`,
    pairId,
    page.size,
    page.size * page.number,
  );
}

/** Puts pairs under a name. Throws ConnectorError when the name is taken or a pair is unknown; then nothing is added. */
export function addDocumentSet(db: Database, set: { name: string; description?: string; pairIds: readonly number[] }) {
  return db.transaction(() => {
    if (db.get("SELECT id FROM document_sets WHERE name = ?", set.name) !== undefined) {
      throw new ConnectorError(`A document set "${set.name}" exists already. Choose another name.`);
    }
    const id = db.insert("document_sets", { name: set.name, description: set.description ?? "" });
    for (const pairId of new Set(set.pairIds)) {
      if (findPair(db, pairId) === undefined) throw new ConnectorError(`There is no pair ${pairId}.`);
      db.insert("document_set_pairs", { document_set_id: id, pair_id: pairId });
    }
    return id;
  });
}

/** Every document set with its pairs, by name. */
export function listDocumentSets(db: Database): DocumentSet[] {
  const rows = db.all(`
    SELECT id, name, description,
           (SELECT json_group_array(json_object('id', pairs.id, 'name', pairs.name, 'source', source) ORDER BY pairs.id)
            FROM document_set_pairs JOIN pairs ON pairs.id = pair_id JOIN connectors ON connectors.id = connector_id
            WHERE document_set_id = document_sets.id) AS pairs
    FROM document_sets ORDER BY name`);
  return rows.map((row) => withJson(row, "pairs"));
}

function named(db: Database, what: "connector" | "credential", id: number): Connector | Credential {
  const found = db.get<Connector | Credential>(`SELECT id, name, source FROM ${what}s WHERE id = ?`, id);
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

import { DocumentSource } from "@threadlore/client/models";
import type { Database, Row } from "./sqlite/database.ts";

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

/** A document of a pair, and why it cannot be found if it failed. */
export interface PairDocument {
  readonly document_id: string;
  readonly semantic_identifier: string;
  readonly status: keyof DocumentCounts;
  readonly failure: string | null;
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

// ── Connectors and credentials ──────────────────────────────────────────────────────────────────────────────────

/** Stores a connector and answers its number. Throws ConnectorError when the source is no lower-case identifier. */
export function addConnector(db: Database, connector: Omit<Connector, "id">): number {
  requireSource(connector.source);
  return db.run("INSERT INTO connectors (name, source) VALUES (?, ?)", connector.name, connector.source).lastId;
}

/** Every connector, oldest first. */
export function listConnectors(db: Database): Connector[] {
  return db.all("SELECT id, name, source FROM connectors ORDER BY id").map(namedSource);
}

/** Stores a credential and answers its number. Throws ConnectorError when the source is no lower-case identifier. */
export function addCredential(db: Database, credential: Omit<Credential, "id">): number {
  requireSource(credential.source);
  return db.run("INSERT INTO credentials (name, source) VALUES (?, ?)", credential.name, credential.source).lastId;
}

/** Every credential, oldest first. */
export function listCredentials(db: Database): Credential[] {
  return db.all("SELECT id, name, source FROM credentials ORDER BY id").map(namedSource);
}

// ── Pairs ───────────────────────────────────────────────────────────────────────────────────────────────────────

const SELECT_PAIRS = `
  SELECT pairs.id, pairs.name, pairs.access_type,
         connectors.id AS connector_id, connectors.name AS connector_name, connectors.source AS connector_source,
         credentials.id AS credential_id, credentials.name AS credential_name, credentials.source AS credential_source
  FROM pairs JOIN connectors ON connectors.id = connector_id JOIN credentials ON credentials.id = credential_id`;

/**
 * Joins a connector to a credential of the same source. Throws ConnectorError when either is unknown or they do not
 * fit. Private unless said otherwise: nothing becomes public by omission.
 */
export function addPair(
  db: Database,
  pair: { name: string; connectorId: number; credentialId: number; access?: PairAccess },
): number {
  const connector = connectorOf(db, pair.connectorId);
  const credential = credentialOf(db, pair.credentialId);
  requireSameSource(connector, credential);
  return db.run(
    "INSERT INTO pairs (name, connector_id, credential_id, access_type) VALUES (?, ?, ?, ?)",
    pair.name,
    connector.id,
    credential.id,
    pair.access ?? "private",
  ).lastId;
}

/** Every pair, the default one first. */
export function listPairs(db: Database): Pair[] {
  return db.all(`${SELECT_PAIRS} ORDER BY pairs.id`).map(pairOfRow);
}

/** One pair; undefined when there is none of this number. */
export function findPair(db: Database, id: number): Pair | undefined {
  const row = db.get(`${SELECT_PAIRS} WHERE pairs.id = ?`, id);
  return row === undefined ? undefined : pairOfRow(row);
}

/**
 * Replaces the credential a connector uses, in every pair of it. Refused with ConnectorError when credential or
 * connector is unknown, the sources differ, no pair uses the connector, or its pairs use several credentials: then
 * "the credential of the connector" names no single one, and replacing all would make twins of different pairs.
 */
export function swapCredential(db: Database, connectorId: number, newCredentialId: number): void {
  db.transaction(() => {
    const credential = credentialOf(db, newCredentialId);
    const connector = connectorOf(db, connectorId);
    const pairs = db.all(`${SELECT_PAIRS} WHERE connector_id = ? ORDER BY pairs.id`, connector.id).map(pairOfRow);
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

/** How many documents each pair holds, by pair id. A pair without documents has no entry. */
export function countDocuments(db: Database): Map<number, DocumentCounts> {
  const counts = new Map<number, DocumentCounts>();
  const rows = db.all(`
    SELECT pair_id, count(*) FILTER (WHERE status = 'pending') AS pending,
           count(*) FILTER (WHERE status = 'indexed') AS indexed, count(*) FILTER (WHERE status = 'failed') AS failed
    FROM documents WHERE pair_id IS NOT NULL GROUP BY pair_id`);
  for (const row of rows) {
    const { pending, indexed, failed } = row;
    counts.set(Number(row["pair_id"]), { pending: Number(pending), indexed: Number(indexed), failed: Number(failed) });
  }
  return counts;
}

/** A page of a pair's documents: what failed first, then what waits, then the rest; newest first within each. */
export function pairDocuments(db: Database, pairId: number, page: { size: number; number: number }): PairDocument[] {
  const rows = db.all(
    `SELECT id, semantic_identifier, status, failure
     FROM documents
     WHERE pair_id = ?
     ORDER BY CASE status WHEN 'failed' THEN 0 WHEN 'pending' THEN 1 ELSE 2 END, sequence DESC LIMIT ? OFFSET ?`,
    pairId,
    page.size,
    page.size * page.number,
  );
  return rows.map((row) => ({
    document_id: String(row["id"]),
    semantic_identifier: String(row["semantic_identifier"]),
    status: row["status"] as keyof DocumentCounts,
    failure: row["failure"] === null ? null : String(row["failure"]),
  }));
}

// ── Document sets ───────────────────────────────────────────────────────────────────────────────────────────────

/** Puts pairs under a name. Throws ConnectorError when the name is taken or a pair is unknown; then nothing is added. */
export function addDocumentSet(
  db: Database,
  set: { name: string; description?: string; pairIds: readonly number[] },
): number {
  return db.transaction(() => {
    if (db.get("SELECT id FROM document_sets WHERE name = ?", set.name) !== undefined) {
      throw new ConnectorError(`A document set "${set.name}" exists already. Choose another name.`);
    }
    const { lastId } = db.run(
      "INSERT INTO document_sets (name, description) VALUES (?, ?)",
      set.name,
      set.description ?? "",
    );
    for (const pairId of new Set(set.pairIds)) {
      if (findPair(db, pairId) === undefined) throw new ConnectorError(`There is no pair ${pairId}.`);
      db.run("INSERT INTO document_set_pairs (document_set_id, pair_id) VALUES (?, ?)", lastId, pairId);
    }
    return lastId;
  });
}

/** Every document set with its pairs, by name. */
export function listDocumentSets(db: Database): DocumentSet[] {
  const members = Map.groupBy(
    db.all(`
      SELECT document_set_id, pairs.id, pairs.name, source
      FROM document_set_pairs JOIN pairs ON pairs.id = pair_id JOIN connectors ON connectors.id = connector_id
      ORDER BY pairs.id`),
    (row) => Number(row["document_set_id"]),
  );
  return db.all("SELECT id, name, description FROM document_sets ORDER BY name").map((row) => ({
    id: Number(row["id"]),
    name: String(row["name"]),
    description: String(row["description"]),
    pairs: (members.get(Number(row["id"])) ?? []).map(namedSource),
  }));
}

// ── Rows ────────────────────────────────────────────────────────────────────────────────────────────────────────

function connectorOf(db: Database, id: number): Connector {
  const row = db.get("SELECT id, name, source FROM connectors WHERE id = ?", id);
  if (row === undefined) throw new ConnectorError(`Connector not found: there is no connector ${id}.`);
  return namedSource(row);
}

function credentialOf(db: Database, id: number): Credential {
  const row = db.get("SELECT id, name, source FROM credentials WHERE id = ?", id);
  if (row === undefined) throw new ConnectorError(`Credential not found: there is no credential ${id}.`);
  return namedSource(row);
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

function namedSource(row: Row): { id: number; name: string; source: string } {
  return { id: Number(row["id"]), name: String(row["name"]), source: String(row["source"]) };
}

function pairOfRow(row: Row): Pair {
  return {
    id: Number(row["id"]),
    name: String(row["name"]),
    access: row["access_type"] as PairAccess,
    connector: {
      id: Number(row["connector_id"]),
      name: String(row["connector_name"]),
      source: String(row["connector_source"]),
    },
    credential: {
      id: Number(row["credential_id"]),
      name: String(row["credential_name"]),
      source: String(row["credential_source"]),
    },
  };
}

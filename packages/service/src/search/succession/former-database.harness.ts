import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { migrate } from "../../store/sqlite/migrations.ts";
import { passagesOf } from "../cutting.ts";

/** The tables of the version that kept its index among the database's own. */
const FORMER_SCHEMA = 10;

/** The model its vectors are of. */
export const FORMER_MODEL = "meanings";

/**
 * A database as that version itself left it: vacations and a canteen under the default pair, lifts under the public pair 2,
 * sixty valves in one document, one that was deleted; vectors of all. Its owner's key is `OWNER_KEY`.
 */
export function writeFormerDatabase(path: string): void {
  writeFileSync(path, gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/former-index.db.gz"))));
}

/** One document of `writeLargeFormerDatabase`. */
export interface FormerDocument {
  readonly id: string;
  readonly title: string;
  readonly texts: readonly string[];
}

/** A database of that version with these documents, written by its own statements, each passage with a vector. */
export function writeLargeFormerDatabase(path: string, documents: Iterable<FormerDocument>): void {
  const sqlite = new DatabaseSync(path);
  sqlite.exec("PRAGMA foreign_keys = ON");
  migrate(sqlite, FORMER_SCHEMA);
  const addDocument = sqlite.prepare(
    `INSERT INTO documents (pair_id, id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
     VALUES (1, ?, ?, ?, ?, 'web', ?, '{}', 0, 'indexed') RETURNING number`,
  );
  const addPassage = sqlite.prepare(
    "INSERT INTO passages (document, ordinal, title, heading, text, about, link) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
  );
  const addToIndex = sqlite.prepare(
    "INSERT INTO passages_index (rowid, title, heading, text, about) VALUES (?, ?, ?, ?, ?)",
  );
  const addVector = sqlite.prepare("INSERT INTO vectors VALUES (?, ?, ?)");
  sqlite.exec("BEGIN");
  let sequence = 0;
  for (const { id, title, texts } of documents) {
    const sections = texts.map((text) => ({ text }));
    const number = Number(addDocument.get(id, ++sequence, title, title, JSON.stringify(sections))?.["number"]);
    const document = { number, sequence, pairId: 1, source: "web", updatedAt: 0, title, sections, metadata: {} };
    const passages = passagesOf({ ...document, primaryOwners: null, secondaryOwners: null }, () => undefined);
    for (const [ordinal, { heading, text, about, link }] of [...passages].entries()) {
      const passage = Number(addPassage.get(number, ordinal, title, heading, text, about, link)?.["id"]);
      addToIndex.run(passage, title, heading, text, about);
      addVector.run(passage, FORMER_MODEL, new Uint8Array(vectorOfText(text).buffer));
    }
  }
  sqlite.exec("COMMIT");
  sqlite.close();
}

/** The vector the harness gives a text: told from that of any other. */
export function vectorOfText(text: string): Float32Array {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % 9_973;
  const angle = (sum / 9_973) * 2 * Math.PI;
  return new Float32Array([Math.cos(angle), Math.sin(angle)]);
}

/** Names of what is left of that version's index in a database. */
export function formerTablesIn(path: string): string[] {
  const sqlite = new DatabaseSync(path, { readOnly: true });
  const rows = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%passages%' OR name = 'vectors' ORDER BY name")
    .all();
  sqlite.close();
  return rows.map(({ name }) => String(name));
}

/** Makes the index of a closed database one of former rules. */
export function spoilRules(path: string): void {
  const sqlite = new DatabaseSync(`${path}.search.sqlite`);
  sqlite.exec("UPDATE state SET value = substr(value, 1, length(value) - 1) || 'former' WHERE name = 'origin'");
  sqlite.close();
}

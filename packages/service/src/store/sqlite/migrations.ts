import type { DatabaseSync } from "node:sqlite";
import { LATER_MIGRATIONS } from "./later-migrations.ts";

/**
 * Every change of the tables, oldest first; the position is the schema's version (`PRAGMA user_version`).
 * A released entry is never edited: a change is a new entry.
 */
const MIGRATIONS: readonly string[] = [
  // Keys; connectors, credentials and the pairs that join them; document sets.
  `
  CREATE TABLE keys (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,              -- SHA-256 of the key, hex; the key itself is never stored
    name TEXT NOT NULL,
    user TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('ordinary', 'editor', 'admin')),
    groups TEXT NOT NULL DEFAULT '[]',      -- JSON array of names
    document_sets TEXT,                     -- JSON array of names; NULL: every document set
    origin TEXT,                            -- the web origin paired with this key, if any
    created_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT;
  CREATE TABLE pairings (                   -- codes a person types into an extension
    code_hash TEXT PRIMARY KEY,             -- SHA-256 of the code, hex
    role TEXT NOT NULL CHECK (role IN ('ordinary', 'editor')),
    document_sets TEXT,                     -- as in keys
    expires_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0     -- wrong codes typed while this one was valid
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE connectors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL) STRICT;
  CREATE TABLE credentials (id INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL) STRICT;
  CREATE TABLE pairs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    connector_id INTEGER NOT NULL REFERENCES connectors (id),
    credential_id INTEGER NOT NULL REFERENCES credentials (id),
    access_type TEXT NOT NULL CHECK (access_type IN ('public', 'private'))
  ) STRICT;
  CREATE TABLE document_sets (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE TABLE document_set_pairs (
    document_set_id INTEGER NOT NULL REFERENCES document_sets (id) ON DELETE CASCADE,
    pair_id INTEGER NOT NULL REFERENCES pairs (id) ON DELETE CASCADE,
    PRIMARY KEY (document_set_id, pair_id)
  ) STRICT, WITHOUT ROWID;
  -- Pair 1 takes what is ingested without a pair. It is private: nothing becomes public by omission.
  INSERT INTO connectors VALUES (1, 'Ingestion', 'ingestion_api');
  INSERT INTO credentials VALUES (1, 'None', 'ingestion_api');
  INSERT INTO pairs VALUES (1, 'Default', 1, 1, 'private');
  `,
  // Documents, the queue of what is still to be indexed, and the passages with their index.
  `
  CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL UNIQUE,       -- order of the last write; wall clocks can go back
    semantic_identifier TEXT NOT NULL,
    title TEXT NOT NULL,                    -- what search weighs as the title; may be ''
    source TEXT NOT NULL,
    sections TEXT NOT NULL,                 -- JSON array of Section
    metadata TEXT NOT NULL,                 -- JSON object
    primary_owners TEXT,                    -- JSON array of Owner
    secondary_owners TEXT,
    chunk_count INTEGER,                    -- as sent
    from_ingestion_api INTEGER,
    updated_at INTEGER NOT NULL,            -- doc_updated_at, milliseconds since 1970; the time of arrival if not sent
    status TEXT NOT NULL CHECK (status IN ('pending', 'indexed', 'failed')),
    failure TEXT
  ) STRICT;
  CREATE TABLE document_pairs (
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    pair_id INTEGER NOT NULL REFERENCES pairs (id),
    PRIMARY KEY (document_id, pair_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX document_pairs_by_pair ON document_pairs (pair_id, document_id);
  CREATE TABLE tags (
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    tag_key TEXT NOT NULL,
    tag_value TEXT NOT NULL,
    PRIMARY KEY (tag_key, tag_value, document_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_by_document ON tags (document_id);
  CREATE TABLE queue (
    document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- position in the document, from 0
    title TEXT NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    about TEXT NOT NULL,                    -- owners, metadata and image names; on the first passage only
    link TEXT                               -- of the section the passage was cut from
  ) STRICT;
  CREATE INDEX passages_by_document ON passages (document_id, ordinal);
  CREATE VIRTUAL TABLE passages_index USING fts5(
    title, heading, text, about,
    content = 'passages', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER passages_inserted AFTER INSERT ON passages BEGIN
    INSERT INTO passages_index (rowid, title, heading, text, about)
    VALUES (new.id, new.title, new.heading, new.text, new.about);
  END;
  CREATE TRIGGER passages_deleted AFTER DELETE ON passages BEGIN
    INSERT INTO passages_index (passages_index, rowid, title, heading, text, about)
    VALUES ('delete', old.id, old.title, old.heading, old.text, old.about);
  END;
  `,
  // Sessions and their trees of messages; feedback; uploaded files; validated tools.
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,                    -- UUID
    user TEXT NOT NULL,
    persona_id INTEGER NOT NULL,
    description TEXT,
    project_id INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_user ON sessions (user, updated_at);
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    parent_id INTEGER REFERENCES messages (id) ON DELETE CASCADE,   -- NULL: begins at the root
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    text TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'stopped', 'interrupted', 'failed')),
    error TEXT,
    origin TEXT,
    citations TEXT NOT NULL DEFAULT '{}',   -- JSON: citation number -> document id
    documents TEXT NOT NULL DEFAULT '[]',   -- JSON array of SearchDoc
    files TEXT NOT NULL DEFAULT '[]',       -- JSON array of FileDescriptor
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX messages_by_session ON messages (session_id, id);
  CREATE INDEX messages_by_parent ON messages (parent_id);    -- deleting a message looks for its children
  CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    user TEXT NOT NULL,
    is_positive INTEGER,
    text TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE origins (origin TEXT PRIMARY KEY, messages INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE files (
    id TEXT PRIMARY KEY,                    -- UUID; both the blob's id and the user file's
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    chat_file_type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    text TEXT,                              -- what could be read out of it; NULL: nothing
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE tools (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    definition TEXT NOT NULL                -- JSON, validated
  ) STRICT;
  -- Tool 1 is the built-in search.
  INSERT INTO tools VALUES (1, 'internal_search', 'Searches the documents of this service.', '{}');
  CREATE TABLE personas (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    instructions TEXT NOT NULL DEFAULT '',
    document_sets TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  INSERT INTO personas VALUES (0, 'Assistant', 'Answers from the documents of this service.', '', '[]');
  `,
  // What of an uploaded file was not read, and why.
  `
  ALTER TABLE files ADD COLUMN gap TEXT;
  `,
  // Passages are put into the index by a statement of its own: within a trigger the index writes itself out after each
  // row, which takes twice as long. And what a passage means, as an embedding model's vector.
  `
  DROP TRIGGER passages_inserted;
  CREATE TABLE vectors (
    passage_id INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB                             -- 32-bit floats, little-endian, of length 1; NULL: the model refused it
  ) STRICT;
  `,
  // A document is what was written under one id and one pair: two pairs that use the same id hold two documents. What
  // was under one pair stays there. Nobody knows under which of several pairs a united text was written last: it is
  // held back from every pair, and what it was united over is kept. Passages keep their numbers, and so the index holds.
  `
  CREATE TABLE new_documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,   -- never given twice: what is under way for a deleted one finds no other
    pair_id INTEGER REFERENCES pairs (id),      -- NULL: held back, see held_pairs
    id TEXT NOT NULL,
    sequence INTEGER NOT NULL UNIQUE,           -- from here on as before
    semantic_identifier TEXT NOT NULL,
    title TEXT NOT NULL,
    source TEXT NOT NULL,
    sections TEXT NOT NULL,
    metadata TEXT NOT NULL,
    primary_owners TEXT,
    secondary_owners TEXT,
    chunk_count INTEGER,
    from_ingestion_api INTEGER,
    updated_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'indexed', 'failed')),
    failure TEXT,
    UNIQUE (id, pair_id)
  ) STRICT;
  INSERT INTO new_documents
    SELECT documents.rowid, (SELECT min(pair_id) FROM document_pairs WHERE document_id = documents.id HAVING count(*) = 1),
           id, sequence, semantic_identifier, title, source, sections, metadata, primary_owners, secondary_owners,
           chunk_count, from_ingestion_api, updated_at, status, failure
    FROM documents;
  -- The pairs a document that is held back was under: ingested anew under each, it is needed no more.
  CREATE TABLE held_pairs (
    document INTEGER NOT NULL REFERENCES new_documents (number) ON DELETE CASCADE,
    pair_id INTEGER NOT NULL REFERENCES pairs (id),
    PRIMARY KEY (document, pair_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO held_pairs
    SELECT number, coalesce(document_pairs.pair_id, 1)
    FROM new_documents LEFT JOIN document_pairs ON document_id = id WHERE new_documents.pair_id IS NULL;
  CREATE TABLE new_tags (
    document INTEGER NOT NULL REFERENCES new_documents (number) ON DELETE CASCADE,
    tag_key TEXT NOT NULL,
    tag_value TEXT NOT NULL,
    PRIMARY KEY (tag_key, tag_value, document)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO new_tags SELECT number, tag_key, tag_value FROM tags JOIN new_documents ON id = document_id;
  CREATE TABLE new_queue (
    document INTEGER PRIMARY KEY REFERENCES new_documents (number) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO new_queue
    SELECT number, queue.sequence, attempts FROM queue JOIN new_documents ON id = document_id;
  CREATE TABLE new_passages (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES new_documents (number) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    title TEXT NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    about TEXT NOT NULL,
    link TEXT
  ) STRICT;
  INSERT INTO new_passages
    SELECT passages.id, number, ordinal, passages.title, heading, text, about, link
    FROM passages JOIN new_documents ON new_documents.id = document_id ORDER BY passages.id;
  CREATE TABLE new_vectors (
    passage_id INTEGER PRIMARY KEY REFERENCES new_passages (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB
  ) STRICT;
  INSERT INTO new_vectors SELECT * FROM vectors;
  -- What refers to others goes first: nothing must cascade into what was just copied.
  DROP TABLE vectors;
  DROP TABLE passages;
  DROP TABLE queue;
  DROP TABLE tags;
  DROP TABLE document_pairs;
  DROP TABLE documents;
  ALTER TABLE new_documents RENAME TO documents;
  ALTER TABLE new_tags RENAME TO tags;
  ALTER TABLE new_queue RENAME TO queue;
  ALTER TABLE new_passages RENAME TO passages;
  ALTER TABLE new_vectors RENAME TO vectors;
  CREATE INDEX documents_by_pair ON documents (pair_id);
  CREATE INDEX tags_by_document ON tags (document);
  CREATE INDEX passages_by_document ON passages (document, ordinal);
  CREATE TRIGGER passages_deleted AFTER DELETE ON passages BEGIN
    INSERT INTO passages_index (passages_index, rowid, title, heading, text, about)
    VALUES ('delete', old.id, old.title, old.heading, old.text, old.about);
  END;
  `,
  // A paired extension is a user of its own: what others asked is not listed to it. Where only one was ever paired as
  // the owner, what was asked from an extension was asked from that one, and goes with it; else nobody knows whose it
  // was, and it stays with the owner.
  `
  CREATE TEMP TABLE paired AS
    SELECT id, 'extension-' || id || CASE
             WHEN EXISTS (SELECT 1 FROM keys AS other WHERE other.user = 'extension-' || keys.id)
             THEN '-' || lower(hex(randomblob(4))) ELSE '' END AS user
    FROM keys WHERE origin IS NOT NULL AND user = 'owner';
  CREATE TEMP TABLE moved AS
    SELECT sessions.id, (SELECT user FROM paired) AS user FROM sessions
    WHERE (SELECT count(*) FROM paired) = 1 AND sessions.user = 'owner'
      AND EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND role = 'user')
      AND NOT EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND role = 'user'
                      AND coalesce(origin, '') NOT LIKE '%extension');
  UPDATE sessions SET user = (SELECT user FROM moved WHERE moved.id = sessions.id)
    WHERE id IN (SELECT id FROM moved);
  UPDATE feedback SET user = (SELECT user FROM paired)
    WHERE user = 'owner' AND message_id IN (SELECT id FROM messages WHERE session_id IN (SELECT id FROM moved));
  UPDATE files SET user = (SELECT user FROM paired)
    WHERE user = 'owner' AND id IN (
      SELECT coalesce(file.value ->> 'user_file_id', file.value ->> 'id') FROM messages, json_each(messages.files) AS file
      WHERE session_id IN (SELECT id FROM moved)
      UNION SELECT file.value ->> 'id' FROM messages, json_each(messages.files) AS file
      WHERE session_id IN (SELECT id FROM moved));
  UPDATE keys SET user = (SELECT user FROM paired WHERE paired.id = keys.id) WHERE id IN (SELECT id FROM paired);
  DROP TABLE temp.moved;
  DROP TABLE temp.paired;
  `,
  // Which data this is: whoever remembers what was sent here can tell another database, or an older state of this one.
  `
  CREATE TABLE instance (
    id TEXT NOT NULL,                       -- random: no other service's data has it
    epoch TEXT NOT NULL                     -- random, another one in every backup and after every restore
  ) STRICT;
  INSERT INTO instance VALUES (lower(hex(randomblob(16))), lower(hex(randomblob(16))));
  `,
  // A large file is written a piece at a time: all of it in one transaction would keep everybody waiting.
  `
  ALTER TABLE files ADD COLUMN size INTEGER; -- of all its pieces; NULL: they are all in bytes
  CREATE TABLE file_pieces (                -- written before their file's row; without one they are left over
    file TEXT NOT NULL,
    at INTEGER NOT NULL,                    -- the first byte's place in the file
    bytes BLOB NOT NULL,
    PRIMARY KEY (file, at)
  ) STRICT;
  `,
  // A list of documents names where each of them lies without reading its text.
  `
  ALTER TABLE documents ADD COLUMN link TEXT; -- the first of its sections' links
  UPDATE documents SET link = (SELECT value ->> 'link' FROM json_each(sections) WHERE value ->> 'link' IS NOT NULL LIMIT 1)
    WHERE instr(sections, '"link":"') > 0;
  CREATE INDEX documents_listed ON documents (sequence, id, semantic_identifier, status, failure, pair_id, link);
  `,
  // What is searched stands in a file of its own, and follows this one by its changes. A document that is gone leaves its
  // number here. Passages and their index stay where they are until that file has everything.
  `
  CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL UNIQUE        -- number; there may be none of it any more
  ) STRICT;
  DELETE FROM documents WHERE status = 'failed' AND failure = 'It is being deleted.';
  INSERT INTO changes (document) SELECT number FROM documents ORDER BY sequence;
  CREATE INDEX queue_in_order ON queue (sequence, document);
  `,
  ...LATER_MIGRATIONS,
];

/** The version of the tables this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The version of the tables a database holds; 0: none. */
export function versionOf(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

/** Brings a database's tables to a version, the current one by default: each step in one transaction. */
export function migrate(sqlite: DatabaseSync, version: number = SCHEMA_VERSION): void {
  for (const [step, sql] of MIGRATIONS.slice(0, version).entries()) {
    if (step < versionOf(sqlite)) continue;
    sqlite.exec("BEGIN IMMEDIATE");
    try {
      sqlite.exec(sql);
      sqlite.exec(`PRAGMA user_version = ${step + 1}`);
      sqlite.exec("COMMIT");
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
      throw error;
    }
  }
}

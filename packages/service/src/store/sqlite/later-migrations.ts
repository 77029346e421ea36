/** The later part of `./migrations.ts`, by the same rules. */
export const LATER_MIGRATIONS: readonly string[] = [
  // How many documents of a pair can be found, wait to be, or cannot be, kept with every write of one: nobody who asks
  // has them counted. One that is held back from every pair is none of any.
  `
  CREATE TABLE document_counts (
    pair INTEGER NOT NULL,
    status TEXT NOT NULL,
    documents INTEGER NOT NULL,
    PRIMARY KEY (pair, status)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO document_counts
    SELECT pair_id, status, count(*) FROM documents WHERE pair_id IS NOT NULL GROUP BY pair_id, status;
  CREATE TRIGGER documents_counted_in AFTER INSERT ON documents WHEN new.pair_id IS NOT NULL BEGIN
    INSERT INTO document_counts VALUES (new.pair_id, new.status, 1)
    ON CONFLICT (pair, status) DO UPDATE SET documents = documents + 1;
  END;
  CREATE TRIGGER documents_counted_out AFTER DELETE ON documents WHEN old.pair_id IS NOT NULL BEGIN
    UPDATE document_counts SET documents = documents - 1 WHERE pair = old.pair_id AND status = old.status;
  END;
  CREATE TRIGGER documents_counted_anew AFTER UPDATE OF status, pair_id ON documents
  WHEN old.status <> new.status OR old.pair_id IS NOT new.pair_id BEGIN
    UPDATE document_counts SET documents = documents - 1 WHERE pair = old.pair_id AND status = old.status;
    INSERT INTO document_counts SELECT new.pair_id, new.status, 1 WHERE new.pair_id IS NOT NULL
    ON CONFLICT (pair, status) DO UPDATE SET documents = documents + 1;
  END;
  `,
  // Whether whoever sent a document said when it was changed; else its moment is that of its arrival, which says nothing
  // to a reader. Of what is here already nobody knows.
  `
  ALTER TABLE documents ADD COLUMN dated INTEGER NOT NULL DEFAULT 1;
  `,
  // People who sign in. What they may see is said by rules about groups and joined anew for each request: nothing of it
  // stands in their keys. A name of a user is given once: to keys that were made here, or to one person.
  `
  CREATE TABLE user_names (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,              -- owner of sessions and files
    holder TEXT NOT NULL CHECK (holder IN ('keys', 'person'))
  ) STRICT;
  INSERT INTO user_names (name, holder) VALUES ('anonymous', 'keys'), ('owner', 'keys');
  INSERT OR IGNORE INTO user_names (name, holder)
    SELECT user, 'keys' FROM keys UNION SELECT user, 'keys' FROM sessions UNION SELECT user, 'keys' FROM files
    UNION SELECT user, 'keys' FROM feedback;
  CREATE TABLE persons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL UNIQUE,
    issuer TEXT NOT NULL,                   -- who says that it is this person: 'local', or an identity provider's address
    subject TEXT NOT NULL,                  -- what the issuer knows them by, for good
    email TEXT,                             -- as far as the issuer has verified it
    name TEXT,
    password TEXT,                          -- scrypt$log2(N)$r$p$salt$hash; NULL: signs in elsewhere
    created_at INTEGER NOT NULL,
    signed_in_at INTEGER,
    disabled_at INTEGER,
    UNIQUE (issuer, subject)
  ) STRICT;
  CREATE TABLE memberships (                -- as the issuer said at the last sign-in; those of 'local' are given here
    person INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,                   -- '': every person is a member of '' there
    name TEXT NOT NULL,
    PRIMARY KEY (person, issuer, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE group_rules (
    id INTEGER PRIMARY KEY,
    issuer TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT CHECK (role IN ('ordinary', 'editor', 'admin')),
    sees_all INTEGER NOT NULL DEFAULT 0,
    document_sets TEXT NOT NULL DEFAULT '[]',   -- JSON array of names
    pairs TEXT NOT NULL DEFAULT '[]',           -- JSON array of numbers
    UNIQUE (issuer, name)
  ) STRICT;
  ALTER TABLE keys ADD COLUMN person INTEGER REFERENCES persons (id); -- whose rights it has; NULL: those that stand here
  ALTER TABLE keys ADD COLUMN expires_at INTEGER;
  ALTER TABLE keys ADD COLUMN used_at INTEGER;  -- to the hour, of a person's keys
  CREATE INDEX keys_by_person ON keys (person) WHERE person IS NOT NULL;
  CREATE TABLE browser_sessions (
    hash TEXT PRIMARY KEY,                  -- SHA-256 of what the cookie holds, hex
    person INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX browser_sessions_by_person ON browser_sessions (person, created_at);
  CREATE TABLE device_requests (            -- RFC 8628
    device_hash TEXT PRIMARY KEY,
    user_hash TEXT NOT NULL UNIQUE,
    client TEXT NOT NULL,                   -- who asks, in its own words
    purpose TEXT NOT NULL,                  -- what the key is to be for, in the same words
    expected_email TEXT,
    expires_at INTEGER NOT NULL,
    interval_s INTEGER NOT NULL,
    polled_at INTEGER,
    person INTEGER REFERENCES persons (id) ON DELETE CASCADE, -- who agreed
    is_refused INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX device_requests_by_end ON device_requests (expires_at);
  CREATE TABLE attempts (                   -- of something that is to be tried so often only
    hash TEXT PRIMARY KEY,                  -- of what, SHA-256, hex
    count INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempts_by_end ON attempts (until);
  `,
  // Who did what kind of thing, where somebody wants it noted; no text of anybody's is here.
  `
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,   -- no number comes twice: whoever reads on page by page misses none
    moment INTEGER NOT NULL,
    user TEXT NOT NULL,
    kind TEXT NOT NULL,
    origin TEXT NOT NULL,                   -- of a question
    address TEXT NOT NULL,
    status INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX audit_by_moment ON audit (moment);
  CREATE INDEX audit_by_user ON audit (user, id);
  `,
  // Sign-ins that were begun with an identity provider, for ten minutes: which answer ends one, and in which browser.
  `
  CREATE TABLE company_sign_ins (
    state_hash TEXT PRIMARY KEY,
    browser_hash TEXT NOT NULL,
    pending TEXT NOT NULL,                  -- JSON: what the provider's answer is compared with
    next TEXT NOT NULL,                     -- where the browser goes then
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX company_sign_ins_by_age ON company_sign_ins (expires_at);
  `,
  // What people agreed to that browser extensions get a key for: a code, once, for two minutes. Known for a day after that.
  `
  CREATE TABLE authorization_codes (          -- RFC 6749, section 4.1
    code_hash TEXT PRIMARY KEY,
    client TEXT NOT NULL,                   -- who asks, in its own words
    purpose TEXT NOT NULL,                  -- what the key is to be for, in the same words
    redirect TEXT NOT NULL,
    challenge TEXT NOT NULL,                -- RFC 7636, S256
    person INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL,
    is_used INTEGER NOT NULL DEFAULT 0,
    key_hash TEXT                           -- of the key that was given for it
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX authorization_codes_by_end ON authorization_codes (expires_at);
  `,
  // Documents that show pictures: few, and all of them are looked through for the pictures of a person who is removed.
  `
  CREATE INDEX documents_with_pictures ON documents (number) WHERE instr(sections, '"image_file_id":"') > 0;
  `,
  // Whose feedback and files they are, on which answer somebody said what, and entries of one kind: a person who is removed, a
  // conversation that is deleted and a list of entries have no other rows looked through, for each message least of all.
  `
  CREATE INDEX feedback_by_message ON feedback (message_id);
  CREATE INDEX feedback_by_user ON feedback (user);
  CREATE INDEX files_by_user ON files (user);
  CREATE INDEX audit_by_kind ON audit (kind, id);
  `,
  // A page of a pair's documents by their state, without the others being read.
  `
  CREATE INDEX documents_by_pair_and_state ON documents (pair_id, status, sequence);
  `,
  // Answers that run: at the start those are looked for that were cut off, among all that was ever said.
  `
  CREATE INDEX messages_running ON messages (id) WHERE status = 'running';
  `,
  // Gaps: questions nobody could answer, alike ones together. Whose they are, and what those are about that others may not
  // read, stands here only as keyed hashes (HMAC-SHA-256 with the secret of `gap_book`).
  `
  CREATE TABLE gap_book (                     -- one row; whoever changes anything of gaps changes it first
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret TEXT NOT NULL,                   -- hex, made once and for good
    last INTEGER NOT NULL                   -- changes so far
  ) STRICT;
  INSERT INTO gap_book VALUES (1, lower(hex(randomblob(32))), 0);
  CREATE TABLE gaps (
    id INTEGER PRIMARY KEY,                 -- random: a number does not tell how many there were before
    state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'dismissed', 'merged')),
    people INTEGER NOT NULL,                -- counted from its questions with every change of them, as are the next ones
    questions INTEGER NOT NULL,
    private_questions INTEGER NOT NULL,
    for_nothing INTEGER NOT NULL,
    for_bad_mark INTEGER NOT NULL,
    for_human INTEGER NOT NULL,
    first_asked_at INTEGER NOT NULL,
    last_asked_at INTEGER NOT NULL,
    closed_at INTEGER,
    document INTEGER,                       -- number of the document that answers it
    merged_into INTEGER,                    -- the gap that has its questions
    change INTEGER NOT NULL                 -- by gap_book: with which questions last left it; 0: none did
  ) STRICT;
  CREATE INDEX gaps_in_order ON gaps (state, people DESC, last_asked_at DESC, id DESC);
  CREATE INDEX gaps_by_document ON gaps (document) WHERE document IS NOT NULL;
  CREATE INDEX gaps_by_change ON gaps (change);
  CREATE INDEX gaps_merged ON gaps (merged_into) WHERE merged_into IS NOT NULL;
  CREATE TABLE gap_questions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    gap INTEGER NOT NULL REFERENCES gaps (id),
    ref TEXT NOT NULL UNIQUE,               -- hash of whoever told it, with their name for it
    caller TEXT NOT NULL,                   -- hash of whoever told it
    asker TEXT NOT NULL,                    -- hash of whose question it is
    session TEXT,                           -- hash of the conversation it was asked in, where it was asked here
    is_shared INTEGER NOT NULL,
    for_nothing INTEGER NOT NULL,
    for_bad_mark INTEGER NOT NULL,
    for_human INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    question TEXT,                          -- its words; NULL: it is private, or one of too many
    traits TEXT,                            -- JSON: its language, and hashes of what it is about; NULL: it is one of too many
    model TEXT,                             -- which made the vector
    vector BLOB,                            -- of a shared question alone; 32-bit floats
    change INTEGER NOT NULL                 -- by gap_book: with which it came into what is compared, or its vector did
  ) STRICT;
  CREATE INDEX gap_questions_counted ON gap_questions (gap, asker, is_shared, for_nothing, for_bad_mark, for_human, asked_at);
  CREATE INDEX gap_questions_compared ON gap_questions (gap, id) WHERE traits IS NOT NULL;
  CREATE INDEX gap_questions_shared ON gap_questions (gap, id) WHERE question IS NOT NULL;
  CREATE INDEX gap_questions_by_asker ON gap_questions (asker);
  CREATE INDEX gap_questions_by_caller ON gap_questions (caller, id);
  CREATE INDEX gap_questions_by_session ON gap_questions (session) WHERE session IS NOT NULL;
  CREATE INDEX gap_questions_by_age ON gap_questions (asked_at);
  CREATE INDEX gap_questions_by_change ON gap_questions (change) WHERE traits IS NOT NULL;
  -- However a document leaves: what it answered is open again with it.
  CREATE TRIGGER gaps_reopened AFTER DELETE ON documents BEGIN
    UPDATE gaps SET state = 'open', closed_at = NULL, document = NULL WHERE document = old.number;
  END;
  CREATE TRIGGER gaps_reopened_by_failure AFTER UPDATE OF status ON documents WHEN new.status = 'failed' BEGIN
    UPDATE gaps SET state = 'open', closed_at = NULL, document = NULL WHERE document = new.number;
  END;
  `,
  // Kept answers: which of them are to be compared with what came since, what newer documents say otherwise, and which
  // answers made from them were marked as bad. Which documents are kept answers say their tags.
  `
  CREATE TABLE kept_answers (
    document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
    is_due INTEGER NOT NULL DEFAULT 1,      -- something came that may say otherwise, or it was written anew
    confirmed_at INTEGER                    -- its owner said that it holds
  ) STRICT;
  CREATE INDEX kept_answers_due ON kept_answers (document) WHERE is_due = 1;
  CREATE TABLE kept_contradictions (
    document INTEGER NOT NULL REFERENCES kept_answers (document) ON DELETE CASCADE,
    by_document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    says TEXT NOT NULL,                     -- the sentence of the other document
    kept_says TEXT NOT NULL,                -- the sentence of the kept answer
    written INTEGER NOT NULL,               -- which writes of the two were compared
    kept_written INTEGER NOT NULL,
    since INTEGER NOT NULL,
    is_settled INTEGER NOT NULL,            -- its owner knows it, or it was there before the answer was
    PRIMARY KEY (document, by_document)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kept_contradictions_by ON kept_contradictions (by_document);
  CREATE TABLE kept_marks (
    document INTEGER NOT NULL REFERENCES kept_answers (document) ON DELETE CASCADE,
    message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    since INTEGER NOT NULL,
    PRIMARY KEY (document, message)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kept_marks_by_message ON kept_marks (message);
  -- Up to which change documents were compared with what is kept, and which process does it until when. No row: nothing is kept.
  CREATE TABLE kept_progress (
    one INTEGER PRIMARY KEY DEFAULT 1 CHECK (one = 1),
    followed INTEGER NOT NULL,
    holder INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT;
  `,
  // What people want to ask a person, who shows that to people, and who keeps which pages.
  `
  CREATE TABLE gap_asks (
    id TEXT PRIMARY KEY,                    -- random
    question_id INTEGER NOT NULL UNIQUE REFERENCES gap_questions (id) ON DELETE CASCADE,
    asker TEXT NOT NULL,                    -- hash, as of the question
    question TEXT NOT NULL,                 -- its words, which may be read by people
    name TEXT,                              -- how they want to be called there
    asked_at INTEGER NOT NULL,
    taken_at INTEGER,                       -- when people were shown it
    shown_where TEXT,                       -- a link
    told_at INTEGER                         -- when whoever asked was shown what became of it
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX gap_asks_by_asker ON gap_asks (asker, asked_at);
  CREATE INDEX gap_asks_waiting ON gap_asks (asked_at, id) WHERE taken_at IS NULL;
  CREATE TABLE gap_asks_withdrawn (           -- what people were shown of them is to be taken away
    id TEXT PRIMARY KEY,
    shown_where TEXT,
    withdrawn_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE gap_helpers (                  -- one row
    id INTEGER PRIMARY KEY CHECK (id = 1),
    looked_at INTEGER NOT NULL              -- when a program that shows asks to people looked last, to the minute
  ) STRICT;
  INSERT INTO gap_helpers VALUES (1, 0);
  CREATE TABLE document_keepers (             -- of pages that people keep with their browser
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    user TEXT NOT NULL,
    kept_at INTEGER NOT NULL,               -- when they sent it last
    PRIMARY KEY (document, user)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX document_keepers_by_user ON document_keepers (user);
  `,
  // Shared questions whose answers people marked as good, and what these cited.
  `
  CREATE TABLE good_answers (
    id INTEGER PRIMARY KEY,
    ref TEXT NOT NULL UNIQUE,               -- hashes, as of the questions of gaps
    caller TEXT NOT NULL,
    asker TEXT NOT NULL,
    question TEXT NOT NULL,
    asked_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX good_answers_by_caller ON good_answers (caller, id);
  CREATE INDEX good_answers_by_asker ON good_answers (asker);
  CREATE INDEX good_answers_by_moment ON good_answers (asked_at);
  CREATE TABLE good_answer_documents (
    answer INTEGER NOT NULL REFERENCES good_answers (id) ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    PRIMARY KEY (answer, document)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX good_answer_documents_by_document ON good_answer_documents (document);
  `,
  // How an answer stands to its question: whoever reads it later knows as well whether it is one.
  `
  ALTER TABLE messages ADD COLUMN finding TEXT;   -- JSON; NULL: it was not said
  `,
  // Newer documents that may change a kept answer, of which no rule tells that they do.
  `
  CREATE TABLE kept_maybe (
    document INTEGER NOT NULL REFERENCES kept_answers (document) ON DELETE CASCADE,
    by_document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    nearness INTEGER NOT NULL,              -- in thousandths
    says TEXT NOT NULL,                     -- the sentence of the other document
    kept_says TEXT NOT NULL,                -- the sentence of the kept answer
    written INTEGER NOT NULL,               -- which writes of the two were compared
    kept_written INTEGER NOT NULL,
    since INTEGER NOT NULL,
    is_settled INTEGER NOT NULL,            -- the answer's owner said since that it holds
    PRIMARY KEY (document, by_document)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kept_maybe_by ON kept_maybe (by_document);
  `,
];

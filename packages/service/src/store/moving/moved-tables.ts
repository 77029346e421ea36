/** A table that is moved, with what of it: the same columns in both databases. */
export interface MovedTable {
  readonly table: string;
  /** What its rows are told apart and ordered by. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** The unique columns a row that is there already is known by; default: the key. */
  readonly unique?: string;
  /** Its number is given by the database: it goes on behind what was moved. */
  readonly isNumbered?: boolean;
}

const OF_DOCUMENTS = [
  "pair_id",
  "id",
  "sequence",
  "semantic_identifier",
  "title",
  "source",
  "sections",
  "metadata",
  "primary_owners",
  "secondary_owners",
  "chunk_count",
  "from_ingestion_api",
  "updated_at",
  "dated",
  "link",
];

const OF_GAPS = [
  "state",
  "people",
  "questions",
  "private_questions",
  "for_nothing",
  "for_bad_mark",
  "for_human",
  "first_asked_at",
  "last_asked_at",
  "closed_at",
  "document",
  "merged_into",
  "change",
];

const OF_GAP_QUESTIONS = [
  "gap",
  "ref",
  "caller",
  "asker",
  "session",
  "is_shared",
  "for_nothing",
  "for_bad_mark",
  "for_human",
  "asked_at",
  "question",
  "traits",
  "model",
  "vector",
  "change",
];

/**
 * Every table whose rows are data, in an order in which each finds what it refers to. Codes for pairing and for
 * signing in are not moved: they are good for ten minutes. Nor are sessions of browsers, whose people sign in again, nor is what documents are found by: each instance makes it.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  { table: "connectors", key: ["id"], columns: ["name", "source"], isNumbered: true },
  { table: "credentials", key: ["id"], columns: ["name", "source"], isNumbered: true },
  {
    table: "pairs",
    key: ["id"],
    columns: ["name", "connector_id", "credential_id", "access_type"],
    isNumbered: true,
  },
  { table: "document_sets", key: ["id"], columns: ["name", "description"], isNumbered: true },
  { table: "document_set_pairs", key: ["document_set_id", "pair_id"], columns: [] },
  { table: "user_names", key: ["id"], columns: ["name", "holder"], isNumbered: true },
  {
    table: "persons",
    key: ["id"],
    columns: ["user", "issuer", "subject", "email", "name", "password", "created_at", "signed_in_at", "disabled_at"],
    isNumbered: true,
  },
  { table: "memberships", key: ["person", "issuer", "name"], columns: [] },
  {
    table: "group_rules",
    key: ["id"],
    columns: ["issuer", "name", "role", "sees_all", "document_sets", "pairs"],
    isNumbered: true,
  },
  {
    table: "keys",
    key: ["id"],
    columns: [
      "hash",
      "name",
      "user",
      "role",
      "groups",
      "document_sets",
      "origin",
      "created_at",
      "revoked_at",
      "person",
      "expires_at",
      "used_at",
    ],
    isNumbered: true,
  },
  { table: "tools", key: ["id"], columns: ["name", "description", "definition"], isNumbered: true },
  { table: "personas", key: ["id"], columns: ["name", "description", "instructions", "document_sets"] },
  { table: "documents", key: ["number"], columns: OF_DOCUMENTS, isNumbered: true },
  { table: "held_pairs", key: ["document", "pair_id"], columns: [] },
  {
    table: "sessions",
    key: ["rowid"],
    columns: ["id", "user", "persona_id", "description", "project_id", "created_at", "updated_at"],
    unique: "id",
    isNumbered: true,
  },
  {
    table: "messages",
    key: ["id"],
    columns: [
      "session_id",
      "parent_id",
      "role",
      "text",
      "status",
      "error",
      "origin",
      "citations",
      "documents",
      "files",
      "created_at",
      "finding",
    ],
    isNumbered: true,
  },
  {
    table: "feedback",
    key: ["id"],
    columns: ["message_id", "user", "is_positive", "text", "created_at"],
    isNumbered: true,
  },
  { table: "origins", key: ["origin"], columns: ["messages"] },
  {
    table: "files",
    key: ["id"],
    columns: ["user", "name", "media_type", "chat_file_type", "bytes", "size", "text", "gap", "created_at"],
  },
  { table: "file_pieces", key: ["file", "at"], columns: ["bytes"] },
  { table: "audit", key: ["id"], columns: ["moment", "user", "kind", "origin", "address", "status"], isNumbered: true },
  { table: "gap_book", key: ["id"], columns: ["secret", "last"] },
  { table: "gaps", key: ["id"], columns: OF_GAPS },
  { table: "gap_questions", key: ["id"], columns: OF_GAP_QUESTIONS, isNumbered: true },
  { table: "kept_answers", key: ["document"], columns: ["is_due", "confirmed_at"] },
  {
    table: "kept_contradictions",
    key: ["document", "by_document"],
    columns: ["says", "kept_says", "written", "kept_written", "since", "is_settled"],
  },
  {
    table: "kept_maybe",
    key: ["document", "by_document"],
    columns: ["nearness", "says", "kept_says", "written", "kept_written", "since", "is_settled"],
  },
  { table: "kept_marks", key: ["document", "message"], columns: ["since"] },
  {
    table: "gap_asks",
    key: ["id"],
    columns: ["question_id", "asker", "question", "name", "asked_at", "taken_at", "shown_where", "told_at"],
  },
  { table: "gap_asks_withdrawn", key: ["id"], columns: ["shown_where", "withdrawn_at"] },
  { table: "document_keepers", key: ["document", "user"], columns: ["kept_at"] },
  {
    table: "good_answers",
    key: ["id"],
    columns: ["ref", "caller", "asker", "question", "asked_at"],
    isNumbered: true,
  },
  { table: "good_answer_documents", key: ["answer", "document"], columns: [] },
];

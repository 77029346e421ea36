import { noted } from "./connections.ts";
import { type SqlDialect, type Engine, StoreError } from "./engine.ts";

/**
 * Every change of the tables, oldest first; the position is the schema's version. A released entry is never edited: a
 * change is a new entry. Moments are milliseconds since 1970, objects are JSON in text.
 */
const MIGRATIONS: readonly ((dialect: SqlDialect) => string)[] = [
  ({ sequence }) => `
  CREATE TABLE tasks (
    sequence ${sequence},
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    lane TEXT NOT NULL,
    place TEXT NOT NULL,
    body TEXT NOT NULL,
    progress TEXT NOT NULL DEFAULT 'null',
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'ended')),
    outcome TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    accepted_at BIGINT NOT NULL,
    not_before BIGINT NOT NULL,
    owner TEXT,
    lease_until BIGINT NOT NULL DEFAULT 0,
    stop_requested BIGINT NOT NULL DEFAULT 0,
    ended_at BIGINT
  );
  -- What keeps two tasks of one lane from running, whatever clocks and claims do.
  CREATE UNIQUE INDEX tasks_running ON tasks (lane) WHERE state = 'running';
  CREATE INDEX tasks_in_order ON tasks (accepted_at, sequence) WHERE state <> 'ended';
  CREATE INDEX tasks_of_lane ON tasks (lane, accepted_at, sequence) WHERE state <> 'ended';
  CREATE INDEX tasks_ended ON tasks (ended_at) WHERE state = 'ended';

  CREATE TABLE traces (sequence ${sequence}, place TEXT NOT NULL, moment BIGINT NOT NULL, words TEXT NOT NULL);
  CREATE INDEX traces_of_place ON traces (place, moment, sequence);
  CREATE INDEX traces_by_moment ON traces (moment);

  CREATE TABLE conversations (place TEXT PRIMARY KEY, conversation TEXT NOT NULL, updated_at BIGINT NOT NULL);
  CREATE INDEX conversations_by_moment ON conversations (updated_at);

  CREATE TABLE answers (task_id TEXT PRIMARY KEY, answer TEXT NOT NULL, created_at BIGINT NOT NULL);
  CREATE INDEX answers_by_moment ON answers (created_at);
  CREATE TABLE answer_messages (
    channel TEXT NOT NULL,
    ts TEXT NOT NULL,
    task_id TEXT NOT NULL REFERENCES answers (task_id) ON DELETE CASCADE,
    PRIMARY KEY (channel, ts)
  );
  CREATE INDEX answer_messages_of_task ON answer_messages (task_id);

  CREATE TABLE pins (
    channel TEXT NOT NULL, ts TEXT NOT NULL, pin TEXT NOT NULL, PRIMARY KEY (channel, ts)
  );

  CREATE TABLE budgets (name TEXT PRIMARY KEY, last_asked BIGINT NOT NULL);
  CREATE TABLE takes (
    sequence ${sequence},
    budget TEXT NOT NULL REFERENCES budgets (name) ON DELETE CASCADE,
    moment BIGINT NOT NULL
  );
  CREATE INDEX takes_of_budget ON takes (budget, moment);

  CREATE TABLE settings (
    name TEXT PRIMARY KEY, setting TEXT NOT NULL, moment BIGINT NOT NULL, lasting BIGINT NOT NULL
  );
  CREATE INDEX settings_by_moment ON settings (moment) WHERE lasting = 0;
  CREATE TABLE turns (name TEXT PRIMARY KEY, moment BIGINT NOT NULL);
  `,
  // When a document that was taken and not found is sent again. A program that knows nothing of it must not run here.
  () => `
  ALTER TABLE pins ADD COLUMN due BIGINT;
  CREATE INDEX pins_due ON pins (due) WHERE due IS NOT NULL;
  `,
  // Accounts people connected: whose key it is, the key itself only sealed, and what is shown of it.
  () => `
  CREATE TABLE accounts (
    holder TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL,
    facts TEXT NOT NULL,
    connected_at BIGINT NOT NULL
  );
  `,
  // So that neither an administrator's Home nor who disconnects an account has every task read that is kept, and neither an
  // edited message nor a look at the index every message that is.
  (dialect) => `
  ALTER TABLE pins ADD COLUMN state TEXT;
  ALTER TABLE pins ADD COLUMN updated_at BIGINT;
  ALTER TABLE pins ADD COLUMN root TEXT;
  UPDATE pins SET state = ${dialect.member("pin", "state")}, root = ${dialect.member("pin", "root")},
    updated_at = CAST(CAST(${dialect.member("pin", "updatedAt")} AS NUMERIC) AS BIGINT);
  CREATE INDEX pins_accepted ON pins (updated_at) WHERE state = 'accepted';
  CREATE INDEX pins_newest ON pins (channel, updated_at, ts) WHERE state <> 'tombstone';
  CREATE INDEX pins_of_thread ON pins (channel, root) WHERE root IS NOT NULL;
  CREATE INDEX tasks_not_answered ON tasks (ended_at, sequence) WHERE outcome IN ('refused', 'failed');
  ${(["conversations", "settings", "tasks"] as const)
    .map((table) => {
      const { bearsOne, beginsWithId } = noted(dialect, table);
      return `CREATE INDEX ${table}_of_account ON ${table} (${beginsWithId}) WHERE ${bearsOne};`;
    })
    .join("\n  ")}
  `,
  // Questions nobody could answer, and who is told when somebody does; gaps, where no server has them.
  ({ sequence }) => `
  CREATE TABLE waiting_questions (
    ref TEXT PRIMARY KEY,
    gap TEXT NOT NULL,
    asker TEXT NOT NULL,
    place TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    question TEXT NOT NULL,
    traits TEXT,
    telling TEXT,
    told_at BIGINT
  );
  CREATE INDEX waiting_in_gap ON waiting_questions (gap, asked_at, ref);
  CREATE INDEX waiting_of_asker ON waiting_questions (asker, asked_at, ref);
  CREATE INDEX waiting_at_place ON waiting_questions (place, asked_at, ref);
  CREATE INDEX waiting_for_telling ON waiting_questions (telling, asked_at, ref) WHERE telling IS NOT NULL;
  CREATE INDEX waiting_compared ON waiting_questions (asked_at) WHERE traits IS NOT NULL;
  CREATE INDEX waiting_by_moment ON waiting_questions (asked_at);
  CREATE TABLE own_gaps (number ${sequence}, state TEXT NOT NULL, document_id TEXT, merged_into TEXT);
  CREATE INDEX own_gaps_merged ON own_gaps (merged_into) WHERE merged_into IS NOT NULL;
  `,
  // Questions people were asked to answer, their replies that are documents, and whose a document is that comes close.
  (dialect) => `
  CREATE TABLE calls (
    task TEXT PRIMARY KEY,
    channel TEXT NOT NULL,
    thread TEXT,
    call TEXT NOT NULL,
    remind_at BIGINT,
    updated_at BIGINT NOT NULL
  );
  CREATE INDEX calls_to_remind ON calls (remind_at) WHERE remind_at IS NOT NULL;
  CREATE INDEX calls_of_thread ON calls (channel, thread) WHERE thread IS NOT NULL;
  CREATE INDEX calls_by_moment ON calls (updated_at);
  CREATE TABLE kept_answers (
    channel TEXT NOT NULL,
    ts TEXT NOT NULL,
    task TEXT NOT NULL,
    owner TEXT NOT NULL,
    confirmed_at BIGINT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (channel, ts)
  );
  CREATE INDEX kept_answers_of_call ON kept_answers (task);
  CREATE INDEX kept_answers_by_moment ON kept_answers (confirmed_at);
  ALTER TABLE pins ADD COLUMN document_id TEXT;
  ALTER TABLE pins ADD COLUMN server_id TEXT;
  UPDATE pins SET document_id = ${dialect.member("pin", "documentId")}, server_id = ${dialect.member("pin", "serverId")};
  CREATE INDEX pins_of_document ON pins (document_id);
  CREATE INDEX pins_of_server_id ON pins (server_id) WHERE server_id IS NOT NULL;
  `,
  // What speaks against answers that were kept, and whom that was asked.
  () => `
  CREATE TABLE doubts (
    id TEXT PRIMARY KEY,
    channel TEXT NOT NULL,
    ts TEXT NOT NULL,
    state TEXT NOT NULL,
    doubt TEXT NOT NULL,
    remind_at BIGINT,
    updated_at BIGINT NOT NULL
  );
  CREATE INDEX doubts_of_answer ON doubts (channel, ts);
  CREATE INDEX doubts_open ON doubts (updated_at, id) WHERE state <> 'over';
  CREATE INDEX doubts_to_remind ON doubts (remind_at) WHERE remind_at IS NOT NULL;
  `,
  // Runs of a task that say nothing against it.
  () => `
  ALTER TABLE tasks ADD COLUMN excused BIGINT NOT NULL DEFAULT 0;
  `,
];

/** The version of the tables this program writes. */
const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Brings the tables up to date, all of it or nothing; of several instances that start at once, one does it and the
 * others wait. Throws StoreError where a newer program wrote them.
 */
export async function migrate(engine: Engine): Promise<void> {
  await engine.transaction(async (queries) => {
    await queries.script(engine.dialect.lockSchema);
    await queries.script("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)");
    const [row] = await queries.query("SELECT version FROM schema_version");
    const version = Number(row?.["version"] ?? 0);
    if (version > SCHEMA_VERSION) {
      throw new StoreError(
        `The bot's database was written by a newer Threadlore (schema ${version}, this one knows ${SCHEMA_VERSION}). ` +
          "Update this instance, or give it another database.",
      );
    }
    for (const migration of MIGRATIONS.slice(version)) await queries.script(migration(engine.dialect));
    if (version === SCHEMA_VERSION) return;
    await queries.run("DELETE FROM schema_version");
    await queries.run("INSERT INTO schema_version (version) VALUES ($1)", SCHEMA_VERSION);
  });
}

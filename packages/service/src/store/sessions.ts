/** Conversations: sessions, their trees of messages, feedback, and how many messages came from where. */
import type { FileDescriptor, SearchDoc } from "@threadlore/client/models";
import type { Database, Row } from "./sqlite/database.ts";

/** A conversation of one user. */
export interface Session {
  readonly id: string;
  readonly user: string;
  readonly personaId: number;
  readonly description: string | null;
  readonly projectId: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type MessageStatus = "running" | "done" | "stopped" | "interrupted" | "failed";

/** One node of a session's tree. */
export interface Message {
  readonly id: number;
  readonly sessionId: string;
  /** The message this one follows; null: it begins at the root. */
  readonly parentId: number | null;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly status: MessageStatus;
  readonly error: string | null;
  /** Citation number -> document id. */
  readonly citations: Readonly<Record<string, string>>;
  readonly documents: readonly SearchDoc[];
  readonly files: readonly FileDescriptor[];
  readonly createdAt: number;
}

/** What a finished or cut off answer leaves behind. */
interface Outcome {
  readonly text: string;
  readonly status: MessageStatus;
  readonly error?: string | null;
  readonly citations?: Readonly<Record<string, string>>;
  readonly documents?: readonly SearchDoc[];
}

export function createSession(db: Database, session: Omit<Session, "updatedAt">): void {
  db.run(
    `INSERT INTO sessions (id, user, persona_id, description, project_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    session.id,
    session.user,
    session.personaId,
    session.description,
    session.projectId,
    session.createdAt,
    session.createdAt,
  );
}

export function findSession(db: Database, id: string): Session | undefined {
  const row = db.get("SELECT * FROM sessions WHERE id = ?", id.toLowerCase());
  return row === undefined ? undefined : sessionOf(row);
}

/**
 * A user's sessions, last used first. "Last used" is the order of messages, not of clocks: a clock may go back.
 * @param before only sessions last used before this moment, milliseconds since 1970
 */
export function listSessions(
  db: Database,
  user: string,
  page: { limit: number; before?: number; projectId?: number; withoutProject?: boolean },
): Session[] {
  return db
    .all(
      `SELECT * FROM sessions WHERE user = ?1 AND updated_at < ?2 AND (?3 IS NULL OR project_id = ?3)
         AND (?4 = 0 OR project_id IS NULL)
       ORDER BY coalesce((SELECT max(id) FROM messages WHERE session_id = sessions.id), 0) DESC,
         created_at DESC, rowid DESC LIMIT ?5`,
      user,
      page.before ?? Number.MAX_SAFE_INTEGER,
      page.projectId ?? null,
      page.withoutProject === true ? 1 : 0,
      page.limit,
    )
    .map(sessionOf);
}

export function renameSession(db: Database, id: string, name: string): void {
  db.run("UPDATE sessions SET description = ? WHERE id = ?", name, id);
}

/** Deletes a session with everything said in it. */
export function deleteSession(db: Database, id: string): void {
  db.makingRoom(() =>
    db.transaction(() => {
      // A long conversation is one long chain; cascading down it would meet SQLite's limit on nested triggers.
      db.run("UPDATE messages SET parent_id = NULL WHERE session_id = ?", id);
      db.run("DELETE FROM sessions WHERE id = ?", id);
    }),
  );
}

/** The next messages of a session, oldest first: those after `after`, at most `limit` of them, and none after `last`. */
export function messagesAfter(
  db: Database,
  sessionId: string,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Message[] {
  return db
    .all(
      "SELECT * FROM messages WHERE session_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?",
      sessionId,
      after,
      last,
      limit,
    )
    .map(messageOf);
}

/** How the messages of a session hang together, without their texts, oldest first. */
export function treeOf(
  db: Database,
  sessionId: string,
): { readonly id: number; readonly parentId: number | null; readonly isRunning: boolean }[] {
  return db
    .all(
      "SELECT id, parent_id, role = 'assistant' AND status = 'running' AS running FROM messages WHERE session_id = ? ORDER BY id",
      sessionId,
    )
    .map((row) => ({
      id: Number(row["id"]),
      parentId: row["parent_id"] === null ? null : Number(row["parent_id"]),
      isRunning: row["running"] === 1,
    }));
}

/** What a session began with; empty: nothing was asked yet. */
export function firstQuestion(db: Database, sessionId: string): string {
  const row = db.get("SELECT text FROM messages WHERE session_id = ? AND role = 'user' ORDER BY id LIMIT 1", sessionId);
  return String(row?.["text"] ?? "");
}

export function findMessage(db: Database, id: number): Message | undefined {
  const row = db.get("SELECT * FROM messages WHERE id = ?", id);
  return row === undefined ? undefined : messageOf(row);
}

/** The id of a session's newest message; null while it has none. */
export function newestMessage(db: Database, sessionId: string): number | null {
  const id = db.get("SELECT max(id) AS id FROM messages WHERE session_id = ?", sessionId)?.["id"];
  return typeof id === "number" ? id : null;
}

/** The messages down to `id`, that one included: the newest `limit` of the branch, oldest first. */
export function branchTo(db: Database, id: number | null, limit: number): Message[] {
  if (id === null) return [];
  return db
    .all(
      `WITH RECURSIVE branch (id, parent_id) AS (
         SELECT id, parent_id FROM messages WHERE id = ?
         UNION SELECT messages.id, messages.parent_id FROM messages JOIN branch ON messages.id = branch.parent_id LIMIT ?
       ) SELECT messages.* FROM messages JOIN branch USING (id) ORDER BY messages.id`,
      id,
      limit,
    )
    .map(messageOf);
}

/** Every file that was attached on the branch down to `id`, however long ago, oldest first. */
export function filesOfBranch(db: Database, id: number | null): FileDescriptor[] {
  if (id === null) return [];
  return db
    .all(
      `WITH RECURSIVE branch (id, parent_id, files) AS (
         SELECT id, parent_id, files FROM messages WHERE id = ?
         UNION SELECT messages.id, messages.parent_id, messages.files
           FROM messages JOIN branch ON messages.id = branch.parent_id
       ) SELECT files FROM branch WHERE files <> '[]' ORDER BY id`,
      id,
    )
    .flatMap((row) => JSON.parse(String(row["files"])) as FileDescriptor[]);
}

/** A question about to be answered. `userMessageId` set: that question is answered anew, nothing is added for it. */
interface NewTurn {
  readonly sessionId: string;
  readonly parentId: number | null;
  readonly userMessageId?: number;
  readonly text: string;
  readonly origin: string;
  readonly files: readonly FileDescriptor[];
  readonly now: number;
}

/** The messages of one turn. */
export interface TurnIds {
  readonly userMessageId: number;
  readonly assistantMessageId: number;
}

/** Stores the question and a running answer for it, in one transaction. */
export function beginTurn(db: Database, turn: NewTurn): TurnIds {
  return db.transaction(() => {
    const userMessageId = turn.userMessageId ?? insertMessage(db, turn, turn.parentId, "user");
    const assistantMessageId = insertMessage(db, turn, userMessageId, "assistant");
    db.run("UPDATE sessions SET updated_at = max(updated_at, ?) WHERE id = ?", turn.now, turn.sessionId);
    db.run(
      `INSERT INTO origins (origin, messages) VALUES (?, 1) ON CONFLICT (origin) DO UPDATE SET messages = messages + 1`,
      turn.origin,
    );
    return { userMessageId, assistantMessageId };
  });
}

function insertMessage(db: Database, turn: NewTurn, parent: number | null, role: "user" | "assistant"): number {
  const question = role === "user";
  return db.run(
    `INSERT INTO messages (session_id, parent_id, role, text, status, origin, files, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    turn.sessionId,
    parent,
    role,
    question ? turn.text : "",
    question ? "done" : "running",
    question ? turn.origin : null,
    JSON.stringify(question ? turn.files : []),
    turn.now,
  ).lastId;
}

/** Writes what there is of an answer, while it runs and at its end. An answer that has ended is not changed again. */
export function saveAnswer(db: Database, id: number, outcome: Outcome): void {
  const save = () => writeAnswer(db, id, outcome);
  // An end is worth the room that is kept back: half an answer would stay otherwise.
  if (outcome.status === "running") save();
  else db.makingRoom(save);
}

function writeAnswer(db: Database, id: number, outcome: Outcome): void {
  db.run(
    `UPDATE messages SET text = ?, status = ?, error = ?, citations = ?, documents = ?
     WHERE id = ? AND status = 'running'`,
    outcome.text,
    outcome.status,
    outcome.error ?? null,
    JSON.stringify(outcome.citations ?? {}),
    JSON.stringify(outcome.documents ?? []),
    id,
  );
}

/** Takes a question's answer back that could not be written to its end, with the question where it was new. */
export function forgetTurn(db: Database, { userMessageId, assistantMessageId }: TurnIds, withQuestion: boolean): void {
  db.makingRoom(() =>
    db.transaction(() => {
      db.run("DELETE FROM messages WHERE id = ?", assistantMessageId);
      if (withQuestion) db.run("DELETE FROM messages WHERE id = ?", userMessageId);
    }),
  );
}

/** Marks answers that were running when the program ended. */
export function markInterrupted(db: Database): number {
  return db.makingRoom(
    () => db.run("UPDATE messages SET status = 'interrupted', error = ? WHERE status = 'running'", INTERRUPTED).changes,
  );
}

/** What a person reads at an answer that was cut off. */
export const INTERRUPTED = "This answer was cut off before it was complete. Ask again.";

/** Stores feedback on an answer; a user's later feedback replaces the earlier one. */
export function saveFeedback(
  db: Database,
  feedback: { messageId: number; user: string; isPositive: boolean | null; text: string | null; now: number },
): void {
  db.transaction(() => {
    removeFeedback(db, feedback.messageId, feedback.user);
    db.run(
      "INSERT INTO feedback (message_id, user, is_positive, text, created_at) VALUES (?, ?, ?, ?, ?)",
      feedback.messageId,
      feedback.user,
      feedback.isPositive === null ? null : Number(feedback.isPositive),
      feedback.text,
      feedback.now,
    );
  });
}

export function removeFeedback(db: Database, messageId: number, user: string): void {
  db.makingRoom(() => db.run("DELETE FROM feedback WHERE message_id = ? AND user = ?", messageId, user));
}

/** Message id -> what this user thought of it. */
export function feedbackOf(db: Database, sessionId: string, user: string): ReadonlyMap<number, "like" | "dislike"> {
  const rows = db.all(
    `SELECT message_id, is_positive FROM feedback JOIN messages ON messages.id = message_id
     WHERE session_id = ? AND user = ? AND is_positive IS NOT NULL`,
    sessionId,
    user,
  );
  return new Map(rows.map((row) => [Number(row["message_id"]), row["is_positive"] === 1 ? "like" : "dislike"]));
}

/** How many questions came from each origin, most first. */
export function countOrigins(db: Database): { origin: string; messages: number }[] {
  return db
    .all("SELECT origin, messages FROM origins ORDER BY messages DESC, origin")
    .map((row) => ({ origin: String(row["origin"]), messages: Number(row["messages"]) }));
}

function sessionOf(row: Row): Session {
  return {
    id: String(row["id"]),
    user: String(row["user"]),
    personaId: Number(row["persona_id"]),
    description: row["description"] === null ? null : String(row["description"]),
    projectId: row["project_id"] === null ? null : Number(row["project_id"]),
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}

function messageOf(row: Row): Message {
  return {
    id: Number(row["id"]),
    sessionId: String(row["session_id"]),
    parentId: row["parent_id"] === null ? null : Number(row["parent_id"]),
    role: row["role"] === "user" ? "user" : "assistant",
    text: String(row["text"]),
    status: row["status"] as MessageStatus,
    error: row["error"] === null ? null : String(row["error"]),
    citations: JSON.parse(String(row["citations"])) as Record<string, string>,
    documents: JSON.parse(String(row["documents"])) as SearchDoc[],
    files: JSON.parse(String(row["files"])) as FileDescriptor[],
    createdAt: Number(row["created_at"]),
  };
}

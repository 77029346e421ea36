/** Conversations: sessions, their trees of messages, feedback, and how many messages came from where. */
import type { FileDescriptor, Finding, SearchDoc } from "@threadlore/client/models";
import {
  all,
  get,
  insert,
  insertNumbered,
  nothing,
  run,
  runLast,
  type Steps,
  together,
  value,
  values,
  withJson,
} from "./steps.ts";

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
  /** How an answer stands to its question; null: it was not said. */
  readonly finding: Finding | null;
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
  readonly finding?: Finding | null;
}

/** A session nobody has written in yet. */
export type NewSession = Omit<Session, "updatedAt">;

export function* createSession(session: NewSession): Steps<void> {
  yield* insert("sessions", {
    id: session.id,
    user: session.user,
    persona_id: session.personaId,
    description: session.description,
    project_id: session.projectId,
    created_at: session.createdAt,
    updated_at: session.createdAt,
  });
}

const SELECT_SESSIONS =
  'SELECT id, "user", persona_id AS "personaId", description, project_id AS "projectId", created_at AS "createdAt", ' +
  'updated_at AS "updatedAt" FROM sessions';

export function* findSession(id: string): Steps<Session | undefined> {
  return yield* get(`${SELECT_SESSIONS} WHERE id = ?`, id.toLowerCase());
}

/**
 * A user's sessions, last used first. "Last used" is the order of messages, not of clocks: a clock may go back.
 * @param before only sessions last used before this moment, milliseconds since 1970
 */
export function* listSessions(
  user: string,
  page: { limit: number; before?: number; projectId?: number; withoutProject?: boolean },
): Steps<Session[]> {
  return yield* all(
    `${SELECT_SESSIONS} WHERE "user" = ?1 AND updated_at < ?2 AND (CAST(?3 AS BIGINT) IS NULL OR project_id = ?3)
       AND (?4 = 0 OR project_id IS NULL)
     ORDER BY coalesce((SELECT max(id) FROM messages WHERE session_id = sessions.id), 0) DESC,
       created_at DESC, rowid DESC LIMIT ?5`,
    user,
    page.before ?? Number.MAX_SAFE_INTEGER,
    page.projectId ?? null,
    page.withoutProject === true ? 1 : 0,
    page.limit,
  );
}

export function* renameSession(id: string, name: string): Steps<void> {
  yield* run("UPDATE sessions SET description = ? WHERE id = ?", name, id);
}

/** Deletes a session with everything said in it. */
export function* deleteSession(id: string): Steps<void> {
  // A long conversation is one long chain; cascading down it would meet SQLite's limit on nested triggers.
  yield* run("UPDATE messages SET parent_id = NULL WHERE session_id = ?", id);
  yield* run("DELETE FROM sessions WHERE id = ?", id);
}

/** Messages, by what stands behind FROM. */
function* messagesFrom(rest: string, ...given: (string | number)[]): Steps<Message[]> {
  const rows = yield* all(
    `SELECT id, session_id AS "sessionId", parent_id AS "parentId", role, text, status, error, citations, documents,
            finding, files, created_at AS "createdAt" FROM ${rest}`,
    ...given,
  );
  return rows.map((row) => withJson(row, "citations", "documents", "finding", "files"));
}

/** The next messages of a session, oldest first: those after `after`, at most `limit` of them, and none after `last`. */
export function* messagesAfter(
  sessionId: string,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Steps<Message[]> {
  const rest = "messages WHERE session_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?";
  return yield* messagesFrom(rest, sessionId, after, last, limit);
}

/** How the messages of a session hang together, without their texts, oldest first. */
export function* treeOf(sessionId: string) {
  return yield* all<{ readonly id: number; readonly parentId: number | null; readonly isRunning: 0 | 1 }>(
    `SELECT id, parent_id AS "parentId", CASE WHEN role = 'assistant' AND status = 'running' THEN 1 ELSE 0 END AS "isRunning"
     FROM messages WHERE session_id = ? ORDER BY id`,
    sessionId,
  );
}

/** What a session began with; empty: nothing was asked yet. */
export function* firstQuestion(sessionId: string): Steps<string> {
  const sql = "SELECT text FROM messages WHERE session_id = ? AND role = 'user' ORDER BY id LIMIT 1";
  return (yield* values<string>(sql, sessionId))[0] ?? "";
}

export function* findMessage(id: number): Steps<Message | undefined> {
  return (yield* messagesFrom("messages WHERE id = ?", id))[0];
}

/** The id of a session's newest message; null while it has none. */
export function* newestMessage(sessionId: string): Steps<number | null> {
  return yield* value("SELECT max(id) FROM messages WHERE session_id = ?", sessionId);
}

/** The messages down to `id`, that one included: the newest `limit` of the branch, oldest first. */
export function* branchTo(id: number | null, limit: number): Steps<Message[]> {
  if (id === null) return [];
  return yield* messagesFrom(
    `messages JOIN (
       WITH RECURSIVE branch (id, parent_id, depth) AS (
         SELECT id, parent_id, 1 FROM messages WHERE id = ?
         UNION SELECT messages.id, messages.parent_id, depth + 1
           FROM messages JOIN branch ON messages.id = branch.parent_id WHERE depth < ?
       ) SELECT id FROM branch
     ) AS told USING (id) ORDER BY id`,
    id,
    limit,
  );
}

/** Every file that was attached on the branch down to `id`, however long ago, oldest first. */
export function* filesOfBranch(id: number | null): Steps<FileDescriptor[]> {
  if (id === null) return [];
  const attached = yield* values<string>(
    `WITH RECURSIVE branch (id, parent_id, files) AS (
       SELECT id, parent_id, files FROM messages WHERE id = ?
       UNION SELECT messages.id, messages.parent_id, messages.files
         FROM messages JOIN branch ON messages.id = branch.parent_id
     ) SELECT files FROM branch WHERE files <> '[]' ORDER BY id`,
    id,
  );
  return attached.flatMap((files) => JSON.parse(files) as FileDescriptor[]);
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

/** Stores the question and a running answer for it, in one transaction, with the session where it begins one. */
export function* beginTurn(turn: NewTurn, session?: NewSession): Steps<TurnIds> {
  const [, userMessageId] = yield* together(
    session === undefined ? nothing() : createSession(session),
    questionOf(turn),
  );
  const [assistantMessageId] = yield* together(
    insertMessage(turn, userMessageId, "assistant"),
    run(
      "UPDATE sessions SET updated_at = CASE WHEN updated_at < CAST(?1 AS BIGINT) THEN CAST(?1 AS BIGINT) ELSE updated_at END WHERE id = ?2",
      turn.now,
      turn.sessionId,
    ),
    // All questions wait for each other here.
    run(
      `INSERT INTO origins (origin, messages) VALUES (?, 1) ON CONFLICT (origin) DO UPDATE SET messages = origins.messages + 1`,
      turn.origin,
    ),
  );
  return { userMessageId, assistantMessageId };
}

function* questionOf(turn: NewTurn): Steps<number> {
  return turn.userMessageId ?? (yield* insertMessage(turn, turn.parentId, "user"));
}

function* insertMessage(turn: NewTurn, parent: number | null, role: "user" | "assistant"): Steps<number> {
  const question = role === "user";
  return yield* insertNumbered("messages", {
    session_id: turn.sessionId,
    parent_id: parent,
    role,
    text: question ? turn.text : "",
    status: question ? "done" : "running",
    origin: question ? turn.origin : null,
    files: JSON.stringify(question ? turn.files : []),
    created_at: turn.now,
  });
}

/** Writes what there is of an answer, while it runs and at its end. An answer that has ended is not changed again. */
export function* saveAnswer(id: number, outcome: Outcome): Steps<void> {
  yield* runLast(
    { sqlite: `${SAVE} AND status = 'running'`, postgres: `${SAVE} AND ${MINE}` },
    outcome.text,
    outcome.status,
    outcome.error ?? null,
    JSON.stringify(outcome.citations ?? {}),
    JSON.stringify(outcome.documents ?? []),
    outcome.finding == null ? null : JSON.stringify(outcome.finding),
    id,
  );
}

const SAVE =
  "UPDATE messages SET text = ?, status = ?, error = ?, citations = ?, documents = ?, finding = ? WHERE id = ?";
/** Others may have taken this process for gone: what they marked as cut off is still its own to end. */
const MINE = "(status = 'running' OR (status = 'interrupted' AND process = this_process()))";

/** Takes a question's answer back that could not be written to its end, with the question where it was new. */
export function* forgetTurn({ userMessageId, assistantMessageId }: TurnIds, withQuestion: boolean): Steps<void> {
  yield* run("DELETE FROM messages WHERE id = ?", assistantMessageId);
  if (withQuestion) yield* run("DELETE FROM messages WHERE id = ?", userMessageId);
}

/** Marks answers that were running when the program ended. */
export function* markInterrupted(): Steps<number> {
  return yield* run("UPDATE messages SET status = 'interrupted', error = ? WHERE status = 'running'", INTERRUPTED);
}

/** What a person reads at an answer that was cut off. */
export const INTERRUPTED = "This answer was cut off before it was complete. Ask again.";

/** Stores feedback on an answer; a user's later feedback replaces the earlier one. */
export function* saveFeedback(feedback: {
  messageId: number;
  user: string;
  isPositive: boolean | null;
  text: string | null;
  now: number;
}): Steps<void> {
  yield* removeFeedback(feedback.messageId, feedback.user);
  yield* insert("feedback", {
    message_id: feedback.messageId,
    user: feedback.user,
    is_positive: feedback.isPositive === null ? null : Number(feedback.isPositive),
    text: feedback.text,
    created_at: feedback.now,
  });
}

export function* removeFeedback(messageId: number, user: string): Steps<void> {
  yield* run('DELETE FROM feedback WHERE message_id = ? AND "user" = ?', messageId, user);
}

/** Message id -> what this user thought of it. */
export function* feedbackOf(sessionId: string, user: string): Steps<ReadonlyMap<number, "like" | "dislike">> {
  const rows = yield* all<{ id: number; feedback: "like" | "dislike" }>(
    `SELECT message_id AS id, CASE is_positive WHEN 0 THEN 'dislike' ELSE 'like' END AS feedback
     FROM feedback JOIN messages ON messages.id = message_id
     WHERE session_id = ? AND "user" = ? AND is_positive IS NOT NULL`,
    sessionId,
    user,
  );
  return new Map(rows.map(({ id, feedback }) => [id, feedback]));
}

/** How many questions came from each origin, most first. */
export function* countOrigins(): Steps<{ origin: string; messages: number }[]> {
  return yield* all("SELECT origin, messages FROM origins ORDER BY messages DESC, origin");
}

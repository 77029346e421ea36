import { countQuestionsOf, forgetUser } from "../../gaps/book.ts";
import { countGoodAnswersOf, forgetGoodAnswersOfUser } from "../../good-answers/good-answers.ts";
import { audited } from "../audit.ts";
import { get, nothing, run, type Steps, together, value, values } from "../steps.ts";
import type { Store } from "../store.ts";
import { type Person, personCalled } from "./persons.ts";
import { hideName, isHidden, PersonError } from "./user-names.ts";

/** What there is of a person, and goes with them; the entries of the audit log stay, without saying whose they are. */
export interface PersonHoldings {
  /** Also those that are good for nothing any more. */
  readonly keys: number;
  /** Browsers they are signed in with. */
  readonly browsers: number;
  /** Programs that wait for them to agree, or may fetch a key. */
  readonly requests: number;
  readonly groups: number;
  readonly conversations: number;
  readonly messages: number;
  readonly files: number;
  readonly auditEntries: number;
  /** Questions of theirs that nobody could answer, and those they told of for others; also with good answers. */
  readonly gapQuestions: number;
}

const OF_REQUESTS = "person = ?1 OR lower(expected_email) = lower(?2)";

/** Counts what there is of a person. */
export function* holdingsOf({ id, user, email }: Pick<Person, "id" | "user" | "email">): Steps<PersonHoldings> {
  const [keys, browsers, requests, groups, conversations, messages, files, auditEntries, questions, good] =
    yield* together(
      value<number>("SELECT count(*) FROM keys WHERE person = ?", id),
      value<number>("SELECT count(*) FROM browser_sessions WHERE person = ?", id),
      value<number>(`SELECT count(*) FROM device_requests WHERE ${OF_REQUESTS}`, id, email),
      value<number>("SELECT count(*) FROM memberships WHERE person = ? AND issuer <> ''", id),
      value<number>('SELECT count(*) FROM sessions WHERE "user" = ?', user),
      value<number>(
        'SELECT count(*) FROM messages JOIN sessions ON sessions.id = session_id WHERE sessions."user" = ?',
        user,
      ),
      value<number>('SELECT count(*) FROM files WHERE "user" = ?', user),
      value<number>(
        audited((whose) => `SELECT count(*) FROM audit WHERE ${whose}`),
        user,
      ),
      countQuestionsOf(user),
      countGoodAnswersOf(user),
    );
  return {
    keys,
    browsers,
    requests,
    groups,
    conversations,
    messages,
    files,
    auditEntries,
    gapQuestions: questions + good,
  };
}

/** People who may sign in and whose groups make them administrators. */
const ADMINS = `
  SELECT DISTINCT persons.id FROM persons
  JOIN memberships ON memberships.person = persons.id
  JOIN group_rules ON group_rules.issuer = memberships.issuer AND group_rules.name = memberships.name
  WHERE group_rules.role = 'admin'`;

/** Whether a person's groups make them an administrator, and nobody else's make another one who may sign in. */
function* isLastAdmin(person: number): Steps<boolean> {
  if ((yield* get(`${ADMINS} AND persons.id = ?`, person)) === undefined) return false;
  return (yield* get(`${ADMINS} AND persons.id <> ? AND persons.disabled_at IS NULL LIMIT 1`, person)) === undefined;
}

/** How a person is removed. */
export interface RemovalOptions {
  /** Also the last one who may administer the service. */
  readonly isLastAdminMeant?: boolean;
  /** What is noted of it, in the transaction with which the person is gone. Default: nothing. */
  readonly noting?: () => Steps<void>;
}

/** Conversations, files and entries of the audit log that go in one transaction: others write meanwhile. */
const TOGETHER = { sessions: 50, files: 50, entries: 1_000 };

/**
 * Removes a person who is disabled, and everything that is theirs: account, groups, keys, browsers, requests that wait for
 * them, conversations, files, marks. Documents stay, since they are the service's, and pictures of theirs that stand in
 * one; so do entries of the audit log, which say from then on that it was a person who was removed, and from no address.
 * The name is given to nobody again. Where it is interrupted the person is still there, and the rest goes the next time.
 * Throws PersonError where the person may not be removed; the message says what to do.
 */
export async function removePerson(
  store: Pick<Store, "makeRoom">,
  person: Pick<Person, "id" | "user" | "email">,
  { isLastAdminMeant = false, noting = nothing }: RemovalOptions = {},
): Promise<void> {
  const { id, user, email } = person;
  const standIn = `removed person ${id}`;
  const isLeft = (): Promise<boolean> =>
    store.makeRoom(function* () {
      yield* requireRemovable(person, isLastAdminMeant);
      return yield* removeSome(user, standIn);
    });
  while (await isLeft());
  await store.makeRoom(function* () {
    yield* requireRemovable(person, isLastAdminMeant);
    // What came while the others went.
    while (yield* removeSome(user, standIn));
    yield* run("DELETE FROM keys WHERE person = ?", id);
    yield* run(`DELETE FROM device_requests WHERE ${OF_REQUESTS}`, id, email);
    yield* run("DELETE FROM persons WHERE id = ?", id);
    yield* hideName(user);
    yield* noting();
  });
}

const STANDING = 'SELECT disabled_at AS "disabledAt" FROM persons WHERE id = ?';

/** It stays so to the transaction's end: whoever enables the person waits, and finds nobody. */
function* requireRemovable({ id, user }: Pick<Person, "id" | "user">, isLastAdminMeant: boolean): Steps<void> {
  const standing = yield* get<Pick<Person, "disabledAt">>({ sqlite: STANDING, postgres: `${STANDING} FOR UPDATE` }, id);
  if (standing === undefined) throw new PersonError(`There is no person ${user} any more.`);
  if (standing.disabledAt === null) {
    throw new PersonError(
      `${user} can still sign in. \`threadlore person disable ${user}\` ends that at once and can be undone; then remove.`,
    );
  }
  if (isLastAdminMeant || !(yield* isLastAdmin(id))) return;
  throw new PersonError(
    `${user} is the last person who may administer this service. Give somebody else that role first (\`threadlore group join\`), or add --last-admin.`,
  );
}

/** Removes some of what a user has; answers whether there may be more. */
function* removeSome(user: string, standIn: string): Steps<boolean> {
  const some = 'SELECT id FROM sessions WHERE "user" = ? LIMIT ?';
  // A long conversation is one long chain; cascading down it would meet SQLite's limit on nested triggers.
  yield* run(`UPDATE messages SET parent_id = NULL WHERE session_id IN (${some})`, user, TOGETHER.sessions);
  const sessions = yield* run(`DELETE FROM sessions WHERE id IN (${some})`, user, TOGETHER.sessions);
  const files = yield* removeFiles(user, standIn);
  yield* run('DELETE FROM feedback WHERE "user" = ?', user);
  yield* run('DELETE FROM document_keepers WHERE "user" = ?', user);
  const entries = yield* run(
    audited(
      (whose) =>
        `UPDATE audit SET "user" = ?2, address = '' WHERE id IN (SELECT id FROM audit WHERE ${whose} LIMIT ${TOGETHER.entries})`,
    ),
    user,
    standIn,
  );
  const areAnswers = yield* forgetGoodAnswersOfUser(user);
  // Last: what of gaps is changed waits for others, and whoever changes it has nothing else to wait for.
  const areQuestions = yield* forgetUser(user);
  return (
    sessions === TOGETHER.sessions ||
    files === TOGETHER.files ||
    entries === TOGETHER.entries ||
    areAnswers ||
    areQuestions
  );
}

/**
 * Those of some files that are pictures and stand in a document. The first condition is that of the index of documents that
 * show pictures: without it every document is read for every picture.
 */
export const SHOWN_PICTURES = `
  SELECT files.id FROM files WHERE id IN (SELECT value FROM json_each(?)) AND chat_file_type = 'image' AND EXISTS (
    SELECT 1 FROM documents
    WHERE instr(documents.sections, '"image_file_id":"') > 0
      AND instr(documents.sections, '"image_file_id":"' || files.id || '"') > 0
  )`;

/** A picture that stands in a document belongs to it; it goes to the stand-in's name, under which nobody asks. */
function* removeFiles(user: string, standIn: string): Steps<number> {
  const ids = yield* values<string>('SELECT id FROM files WHERE "user" = ? LIMIT ?', user, TOGETHER.files);
  if (ids.length === 0) return 0;
  const shown = yield* values<string>(SHOWN_PICTURES, JSON.stringify(ids));
  yield* run(
    'UPDATE files SET "user" = ? WHERE id IN (SELECT value FROM json_each(?))',
    standIn,
    JSON.stringify(shown),
  );
  const gone = JSON.stringify(ids.filter((id) => !shown.includes(id)));
  yield* run("DELETE FROM file_pieces WHERE file IN (SELECT value FROM json_each(?))", gone);
  yield* run("DELETE FROM files WHERE id IN (SELECT value FROM json_each(?))", gone);
  return ids.length;
}

// ── What comes afterwards ───────────────────────────────────────────────────────────────────────────────────────

/** Entries of the audit log in which a removed person is looked for: what was noted before waits for seconds. */
const RECENT = 5_000;

const NAMELESS = `
  SELECT "user" FROM (
    SELECT "user" FROM sessions UNION SELECT "user" FROM files UNION SELECT "user" FROM feedback
    UNION SELECT "user" FROM (SELECT "user" FROM audit ORDER BY id DESC LIMIT ${RECENT}) AS recent
  ) AS users WHERE NOT EXISTS (SELECT 1 FROM user_names WHERE user_names.name = users."user")`;

/**
 * Removes what a request left that began before its person was removed: an upload that took minutes, an entry of the audit
 * log that waited in another process. Of nobody else. Answers of how many people there was something.
 */
export async function forgetRemoved(store: Pick<Store, "read" | "makeRoom">): Promise<number> {
  let count = 0;
  for (const user of await store.read(values<string>(NAMELESS))) {
    if (!(await store.read(isHidden(user)))) continue;
    count += 1;
    while (await store.makeRoom(() => removeSome(user, "removed person")));
  }
  return count;
}

/** The person of a name with what there is of them; undefined: there is none. */
export function* personWithHoldings(user: string): Steps<{ person: Person; holdings: PersonHoldings } | undefined> {
  const person = yield* personCalled(user);
  return person && { person, holdings: yield* holdingsOf(person) };
}

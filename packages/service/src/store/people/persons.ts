import { randomBytes } from "node:crypto";
import { all, get, run, type Steps, value } from "../steps.ts";
import { holderOf, PersonError, takeName } from "./user-names.ts";

/** The issuer of accounts that this service has itself. */
export const LOCAL_ISSUER = "local";
/** Every person is a member of the group '' of the issuer ''. */
export const EVERYBODY = "";

/** Somebody who signs in. */
export interface Person {
  readonly id: number;
  /** Owner of their sessions and files; never given to anybody else. */
  readonly user: string;
  /** Who says that it is them: `LOCAL_ISSUER`, or the address of an identity provider. */
  readonly issuer: string;
  /** What the issuer knows them by, for good. */
  readonly subject: string;
  /** As far as the issuer has verified it. */
  readonly email: string | null;
  readonly name: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly signedInAt: number | null;
  readonly disabledAt: number | null;
}

/** A group somebody is in, and who says so. */
export interface Membership {
  readonly issuer: string;
  readonly name: string;
}

/** What an identity provider says of who signed in. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string | undefined;
  /** An address that was not verified is not kept: nobody is told apart by it, and nobody is shown it. */
  readonly emailVerified?: boolean | undefined;
  readonly name?: string | undefined;
  /** What they would be called here. Default: the verified address, else a number. */
  readonly userName?: string | undefined;
  /** Undefined: it says nothing of groups, and those it named before stay. */
  readonly groups?: readonly string[] | undefined;
}

const PERSON = `persons.id, persons."user", persons.issuer, persons.subject, persons.email, persons.name,
  persons.created_at AS "createdAt", persons.signed_in_at AS "signedInAt", persons.disabled_at AS "disabledAt"`;

/** Longest name of a user, a group, a person; longest address of an issuer. Characters. */
const MAX_NAME = 200;
const MAX_ISSUER = 500;
/** Groups of one person that count; a provider may name thousands. */
const MAX_GROUPS = 1_000;

/** A name as people are told apart by it: one form of each character, and small letters. */
export function userNameOf(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}

/**
 * Makes an account of this service's own, without a password: nobody signs in to it before it has one. Throws PersonError
 * where the name cannot be a person's.
 */
export function* addLocalPerson(
  { user, email, name }: { user: string; email?: string | undefined; name?: string | undefined },
  now: number,
): Steps<Person> {
  const own = userNameOf(user);
  requireName(own);
  requireDetails(email, name);
  if (!(yield* takeName(own))) throw new PersonError(yield* takenBecause(own));
  const id = yield* add(
    { user: own, issuer: LOCAL_ISSUER, subject: own, email: email ?? null, name: name ?? null },
    now,
  );
  return yield* personNumbered(id);
}

function requireDetails(email: string | undefined, name: string | undefined): void {
  if (email !== undefined && !/^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/.test(email)) {
    throw new PersonError(`${email} is no e-mail address. Give it as it stands in mails: anna@example.com.`);
  }
  if (name !== undefined && (name.trim() === "" || name.length > MAX_NAME)) {
    throw new PersonError(`The name must have 1 to ${MAX_NAME} characters.`);
  }
}

/** Gives an account of this service's own another address or name. Throws PersonError where a provider says them. */
export function* changePerson(
  id: number,
  { email, name }: { email?: string | undefined; name?: string | undefined },
): Steps<void> {
  requireDetails(email, name);
  const changed = yield* run(
    "UPDATE persons SET email = coalesce(?, email), name = coalesce(?, name) WHERE id = ? AND issuer = 'local'",
    email ?? null,
    name ?? null,
    id,
  );
  if (changed > 0) return;
  throw new PersonError("The identity provider says what this person is called; change it there.");
}

function requireName(name: string): void {
  // Marks of direction and other characters nobody sees would make two names look alike.
  if (/^(?:(?![\p{Default_Ignorable_Code_Point}\u2800])[^\s\p{C}]){1,200}$/u.test(name)) return;
  throw new PersonError(
    `A user's name has 1 to ${MAX_NAME} characters and no spaces, such as anna or anna@example.com.`,
  );
}

function* takenBecause(name: string): Steps<string> {
  return (yield* holderOf(name)) === "person"
    ? `There is a person ${name} already, or was. \`threadlore person list\` shows them; a name is given once.`
    : `Keys have the user ${name}, and what was asked with them would become this person's. Give the person another name.`;
}

interface NewPerson {
  readonly user: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly name: string | null;
}

/** Of two requests that add the same person at one moment, one does. */
function* add({ user, issuer, subject, email, name }: NewPerson, now: number): Steps<number> {
  yield* run(
    `INSERT INTO persons ("user", issuer, subject, email, name, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (issuer, subject) DO NOTHING`,
    user,
    issuer,
    subject,
    email,
    name,
    now,
  );
  const id = yield* value<number>("SELECT id FROM persons WHERE issuer = ? AND subject = ?", issuer, subject);
  yield* join(id, EVERYBODY, EVERYBODY);
  return id;
}

/** Every person, in the order they came. */
export function* listPersons(): Steps<(Person & { readonly groups: readonly Membership[] })[]> {
  const persons = yield* all<Person>(`SELECT ${PERSON} FROM persons ORDER BY id`);
  const rows = yield* all<Membership & { person: number }>(
    "SELECT person, issuer, name FROM memberships WHERE issuer <> '' ORDER BY person, issuer, name",
  );
  const groups = Map.groupBy(rows, ({ person }) => person);
  return persons.map((one) => ({
    ...one,
    groups: (groups.get(one.id) ?? []).map(({ issuer, name }) => ({ issuer, name })),
  }));
}

/** The person of a user's name; undefined: there is none. */
export function* personCalled(user: string): Steps<Person | undefined> {
  return yield* get<Person>(`SELECT ${PERSON} FROM persons WHERE "user" = ?`, userNameOf(user));
}

function* personNumbered(id: number): Steps<Person> {
  const person = yield* get<Person>(`SELECT ${PERSON} FROM persons WHERE id = ?`, id);
  if (person === undefined) throw new Error("a person that must be there is missing");
  return person;
}

const ACTIVE = 'SELECT id, "user" FROM persons WHERE id = ? AND disabled_at IS NULL';

/**
 * A person who is not disabled, and is not before this transaction has ended: what is given to them meanwhile would be there
 * again once they are enabled.
 */
export function* activePerson(id: number): Steps<Pick<Person, "id" | "user"> | undefined> {
  return yield* get<Pick<Person, "id" | "user">>({ sqlite: ACTIVE, postgres: `${ACTIVE} FOR SHARE` }, id);
}

/** Whether anybody can sign in here at all. */
export function* hasPersons(): Steps<boolean> {
  return (yield* get("SELECT 1 AS one FROM persons LIMIT 1")) !== undefined;
}

/**
 * Who signed in with an identity provider, found or made: by issuer and subject, never by an address, which another issuer
 * may give to somebody else. Name, address and groups are then as the provider says. Undefined: the person is disabled.
 */
export function* signIn(identity: Identity, now: number): Steps<Person | undefined> {
  const { issuer, subject } = identity;
  if (issuer === LOCAL_ISSUER || issuer === EVERYBODY || issuer.length > MAX_ISSUER) {
    throw new PersonError("The identity provider has no address that can be kept.");
  }
  if (subject === "" || subject.length > MAX_NAME * 2) {
    throw new PersonError("The identity provider does not say who signed in.");
  }
  const email = identity.emailVerified === true ? (shown(identity.email) ?? null) : null;
  const name = shown(identity.name) ?? null;
  const known = yield* get<Person>(`SELECT ${PERSON} FROM persons WHERE issuer = ? AND subject = ?`, issuer, subject);
  if (known?.disabledAt != null) return undefined;
  const id = known?.id ?? (yield* addForeign({ ...identity, email: email ?? undefined }, name, now));
  yield* run("UPDATE persons SET email = ?, name = ?, signed_in_at = ? WHERE id = ?", email, name, now, id);
  if (identity.groups !== undefined) yield* setGroups(id, issuer, identity.groups);
  return yield* personNumbered(id);
}

/** What can be shown of a text that a provider sent; undefined: nothing. */
function shown(text: string | undefined): string | undefined {
  const line = text?.replace(/\p{C}/gu, "").trim().slice(0, MAX_NAME).toWellFormed();
  return line === "" ? undefined : line;
}

function* addForeign({ issuer, subject, userName, email }: Identity, name: string | null, now: number): Steps<number> {
  const wanted = userNameOf(userName ?? email ?? "")
    .replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
    .slice(0, MAX_NAME - 20);
  const base = wanted === "" ? "person" : wanted.toWellFormed();
  for (let number = wanted === "" ? 2 : 1; ; number++) {
    const user = number === 1 ? base : `${base}-${number}`;
    if (yield* takeName(user)) return yield* add({ user, issuer, subject, email: email ?? null, name }, now);
    // Of many with one name the next is found by how many there are.
    if (number < 50) continue;
    const other = `${base.slice(0, MAX_NAME / 2)}-${randomBytes(6).toString("hex")}`;
    return yield* addForeign({ issuer, subject, userName: other, email }, name, now);
  }
}

// ── Groups ──────────────────────────────────────────────────────────────────────────────────────────────────────

function* join(person: number, issuer: string, name: string): Steps<number> {
  return yield* run(
    "INSERT INTO memberships (person, issuer, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    person,
    issuer,
    name,
  );
}

/** Whether a group can have this name. Letters count, in whichever script. */
export function isGroupName(name: string): boolean {
  return name !== "" && [...name].length <= MAX_NAME;
}

/** A group's name as it is kept and compared: one form of each character. */
export function groupNameOf(text: string): string {
  return text.normalize("NFC").trim();
}

function* setGroups(person: number, issuer: string, groups: readonly string[]): Steps<void> {
  yield* run("DELETE FROM memberships WHERE person = ? AND issuer = ?", person, issuer);
  const names = groups.map(groupNameOf).filter(isGroupName);
  yield* run(
    `INSERT INTO memberships (person, issuer, name)
     SELECT CAST(?1 AS BIGINT), CAST(?2 AS TEXT), CAST(value AS TEXT) FROM json_each(?3)`,
    person,
    issuer,
    JSON.stringify([...new Set(names.slice(0, MAX_GROUPS))]),
  );
}

/** Puts a person into a group of this service. Answers whether they were not in it. */
export function* joinGroup(person: number, name: string): Steps<boolean> {
  const group = groupNameOf(name);
  if (!isGroupName(group)) {
    throw new PersonError(`A group's name has 1 to ${MAX_NAME} characters.`);
  }
  return (yield* join(person, LOCAL_ISSUER, group)) > 0;
}

/** Takes a person out of a group of this service. Answers whether they were in it. */
export function* leaveGroup(person: number, name: string): Steps<boolean> {
  const gone = yield* run(
    "DELETE FROM memberships WHERE person = ? AND issuer = ? AND name = ?",
    person,
    LOCAL_ISSUER,
    groupNameOf(name),
  );
  return gone > 0;
}

// ── Passwords, and the end of an account ────────────────────────────────────────────────────────────────────────

/** What a password is compared with; undefined: there is no such local account, it has none, or it is disabled. */
export function* passwordOf(user: string): Steps<{ id: number; password: string } | undefined> {
  return yield* get<{ id: number; password: string }>(
    `SELECT id, password FROM persons
     WHERE "user" = ? AND issuer = 'local' AND password IS NOT NULL AND disabled_at IS NULL`,
    userNameOf(user),
  );
}

/** Keeps another password, as its hash, and ends every session of a browser. */
export function* setPassword(person: number, hash: string): Steps<void> {
  const changed = yield* run("UPDATE persons SET password = ? WHERE id = ? AND issuer = 'local'", hash, person);
  if (changed === 0) throw new PersonError("This person signs in with an identity provider and has no password here.");
  yield* run("DELETE FROM browser_sessions WHERE person = ?", person);
}

/**
 * The same for who knows the one until now, as far as that is still kept: an administrator may have set another while theirs
 * was looked at. Answers whether it was.
 * @param until what is kept of the one until now
 */
export function* changePassword(person: number, hash: string, until: string): Steps<boolean> {
  const changed = yield* run(
    "UPDATE persons SET password = ? WHERE id = ? AND password = ? AND disabled_at IS NULL",
    hash,
    person,
    until,
  );
  if (changed > 0) yield* run("DELETE FROM browser_sessions WHERE person = ?", person);
  return changed > 0;
}

const STILL = "SELECT 1 AS one FROM persons WHERE id = ? AND password = ? AND disabled_at IS NULL";

/** Whether this is still what is kept of a person's password, and they are not disabled. It stays so to the transaction's end. */
export function* isStillPassword(person: number, kept: string): Steps<boolean> {
  return (yield* get({ sqlite: STILL, postgres: `${STILL} FOR SHARE` }, person, kept)) !== undefined;
}

/** Notes that somebody signed in with their password. */
export function* noteSignIn(person: number, now: number): Steps<void> {
  yield* run("UPDATE persons SET signed_in_at = ? WHERE id = ?", now, person);
}

/**
 * Ends an account at once: nobody signs in to it, its keys are revoked for good and its browsers signed out. Answers how many
 * keys that were; undefined where it was disabled before.
 */
export function* disablePerson(person: number, now: number): Steps<number | undefined> {
  const changed = yield* run("UPDATE persons SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL", now, person);
  yield* run("DELETE FROM browser_sessions WHERE person = ?", person);
  yield* run("DELETE FROM device_requests WHERE person = ?", person);
  yield* run("DELETE FROM authorization_codes WHERE person = ?", person);
  const at = new Date(now).toISOString();
  const keys = yield* run("UPDATE keys SET revoked_at = ? WHERE person = ? AND revoked_at IS NULL", at, person);
  return changed === 0 ? undefined : keys;
}

/** Lets a person sign in again; keys they had stay revoked. Answers whether they were disabled. */
export function* enablePerson(person: number): Steps<boolean> {
  yield* run("DELETE FROM browser_sessions WHERE person = ?", person);
  return (yield* run("UPDATE persons SET disabled_at = NULL WHERE id = ? AND disabled_at IS NOT NULL", person)) > 0;
}

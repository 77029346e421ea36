import { createHash, randomBytes } from "node:crypto";
import { defaultSettings } from "../../context.ts";
import { get, run, type Steps, sweep } from "../steps.ts";
import { activePerson, isStillPassword, LOCAL_ISSUER, type Person } from "./persons.ts";

/** A session ends so long after it was last used, and so long after it was begun. Milliseconds. */
const UNUSED_MS = 12 * 3_600_000;
const WHOLE_MS = 7 * 86_400_000;
/** Browsers one person is signed in with; beyond, the one signed in first is signed out. */
const MAX_SESSIONS = 10;
/** How exactly the last use is known, milliseconds. */
const NOTED_MS = 60_000;

/**
 * Signs a person in with a browser; answers what its cookie is to hold, which is not kept. Undefined: they are disabled by now,
 * or have another password.
 * @param password what is kept of the one they signed in with; absent: they did with none of ours
 */
export function* beginBrowserSession(person: number, now: number, password?: string): Steps<string | undefined> {
  if ((yield* activePerson(person)) === undefined) return undefined;
  if (password !== undefined && !(yield* isStillPassword(person, password))) return undefined;
  const token = randomBytes(32).toString("base64url");
  yield* sweep("browser_sessions", "hash", "created_at <= ? OR used_at <= ?", now - WHOLE_MS, now - UNUSED_MS);
  yield* run(
    `DELETE FROM browser_sessions WHERE hash IN (
       SELECT hash FROM browser_sessions WHERE person = ? ORDER BY created_at DESC, hash LIMIT 1000 OFFSET ${MAX_SESSIONS - 1})`,
    person,
  );
  yield* run(
    "INSERT INTO browser_sessions (hash, person, created_at, used_at) VALUES (?, ?, ?, ?)",
    hashOf(token),
    person,
    now,
    now,
  );
  return token;
}

/**
 * Who is signed in by a cookie, and whether its use is to be noted; undefined: nobody, or nobody any more.
 * @param signInDays how long a sign-in with a company's identity provider is believed
 */
export function* personOfBrowser(
  token: string,
  now: number,
  signInDays: number = defaultSettings.signInDays,
): Steps<(Pick<Person, "id" | "user" | "email" | "name" | "issuer"> & { isToBeNoted: boolean }) | undefined> {
  const row = yield* get<Pick<Person, "id" | "user" | "email" | "name" | "issuer"> & { usedAt: number }>(
    `SELECT persons.id, persons."user", persons.email, persons.name, persons.issuer, used_at AS "usedAt"
     FROM browser_sessions JOIN persons ON persons.id = person
     WHERE hash = ? AND disabled_at IS NULL AND browser_sessions.created_at > ? AND used_at > ?
       AND (persons.issuer = ? OR browser_sessions.created_at > ?)`,
    hashOf(token),
    now - WHOLE_MS,
    now - UNUSED_MS,
    LOCAL_ISSUER,
    now - signInDays * 86_400_000,
  );
  if (row === undefined) return undefined;
  const { usedAt, ...person } = row;
  return { ...person, isToBeNoted: now - usedAt > NOTED_MS };
}

/** Notes that a session was used now. */
export function* noteBrowserUse(token: string, now: number): Steps<void> {
  yield* run("UPDATE browser_sessions SET used_at = ? WHERE hash = ? AND used_at < ?", now, hashOf(token), now);
}

/** Signs one browser out. */
export function* endBrowserSession(token: string): Steps<void> {
  yield* run("DELETE FROM browser_sessions WHERE hash = ?", hashOf(token));
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

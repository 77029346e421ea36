import { createHash } from "node:crypto";
import { get, run, type Sql, type Steps } from "../steps.ts";

/** Who has a user's name: keys that were made here, however many, or one person. It is never given to the other. */
export type NameHolder = "keys" | "person";

/** Something about people that cannot be done; the message says why and what to do. */
export class PersonError extends Error {
  override readonly name = "PersonError";
}

/** What stands in place of the name of a person who was removed: that somebody had it, and not who. */
const hidden = (name: string): string => `removed:${createHash("sha256").update(name.toWellFormed()).digest("hex")}`;

const HOLDER: Sql = {
  sqlite: "SELECT holder FROM user_names WHERE name IN (?1, ?2) ORDER BY holder DESC",
  postgres:
    "SELECT holder FROM user_names WHERE md5(name) IN (md5(?1), md5(?2)) AND name IN (?1, ?2) ORDER BY holder DESC",
};

/** Who has this name, or had it; undefined: nobody ever had. */
export function* holderOf(name: string): Steps<NameHolder | undefined> {
  return (yield* get<{ holder: NameHolder }>(HOLDER, name, hidden(name)))?.holder;
}

const NAMED = {
  sqlite: "name = ?1",
  postgres: "md5(name) = md5(?1) AND name = ?1",
};

/** Takes a name for a person. False where anybody ever had it: what was asked and kept under it is not this person's. */
export function* takeName(name: string): Steps<boolean> {
  const isNew = yield* run("INSERT INTO user_names (name, holder) VALUES (?, 'person') ON CONFLICT DO NOTHING", name);
  if (isNew === 0) return false;
  // Looked at afterwards: who had it may have been removed at this moment.
  if (!(yield* isHidden(name))) return true;
  yield* run(whereNamed("DELETE FROM user_names WHERE"), name);
  return false;
}

/** Whether a person of this name was removed. */
export function* isHidden(name: string): Steps<boolean> {
  return (yield* get(whereNamed("SELECT 1 AS one FROM user_names WHERE"), hidden(name))) !== undefined;
}

/** Keeps of a person's name that it is given to nobody again, and no more. */
export function* hideName(name: string): Steps<void> {
  yield* run(whereNamed("UPDATE user_names SET name = ?2 WHERE"), name, hidden(name));
}

const whereNamed = (statement: string): Sql => ({
  sqlite: `${statement} ${NAMED.sqlite}`,
  postgres: `${statement} ${NAMED.postgres}`,
});

/** Notes that keys belong to a user of this name. Throws PersonError where it is a person's. */
export function* useName(name: string): Steps<void> {
  yield* run("INSERT INTO user_names (name, holder) VALUES (?, 'keys') ON CONFLICT DO NOTHING", name);
  if ((yield* holderOf(name)) === "keys") return;
  throw new PersonError(
    `${name} is a person who signs in, and their conversations are nobody else's. Give the key another user, with --user.`,
  );
}

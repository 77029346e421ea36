import { get, run, type Sql, type Steps } from "../steps.ts";

/** Who has a user's name: keys that were made here, however many, or one person. It is never given to the other. */
export type NameHolder = "keys" | "person";

/** Something about people that cannot be done; the message says why and what to do. */
export class PersonError extends Error {
  override readonly name = "PersonError";
}

const HOLDER: Sql = {
  sqlite: "SELECT holder FROM user_names WHERE name = ?",
  postgres: "SELECT holder FROM user_names WHERE md5(name) = md5(?1) AND name = ?1",
};

/** Who has this name; undefined: nobody ever had. */
export function* holderOf(name: string): Steps<NameHolder | undefined> {
  return (yield* get<{ holder: NameHolder }>(HOLDER, name))?.holder;
}

/** Takes a name for a person. False where anybody ever had it: what was asked and kept under it is not this person's. */
export function* takeName(name: string): Steps<boolean> {
  return (yield* run("INSERT INTO user_names (name, holder) VALUES (?, 'person') ON CONFLICT DO NOTHING", name)) > 0;
}

/** Notes that keys belong to a user of this name. Throws PersonError where it is a person's. */
export function* useName(name: string): Steps<void> {
  yield* run("INSERT INTO user_names (name, holder) VALUES (?, 'keys') ON CONFLICT DO NOTHING", name);
  if ((yield* holderOf(name)) === "keys") return;
  throw new PersonError(
    `${name} is a person who signs in, and their conversations are nobody else's. Give the key another user, with --user.`,
  );
}

import { createHash, randomBytes, randomInt } from "node:crypto";
import { type Caller, defaultSettings, type Role } from "../context.ts";
import { LOCAL_ISSUER } from "../store/people/persons.ts";
import { type Grant, unionOf } from "../store/people/rules.ts";
import { holderOf, useName } from "../store/people/user-names.ts";
import { all, get, run, type Steps, value, withJson } from "../store/steps.ts";

/** What a new key may do and see. */
export interface NewKey {
  name: string;
  /** Owner of the key's sessions; default: the name. */
  user?: string;
  role: Role;
  groups?: string[];
  /** Names of visible document sets; absent: all. */
  documentSets?: readonly string[] | null;
  /** The extension this key was made for. */
  origin?: string;
}

/** A key as it is listed; the key itself is not kept. */
export interface ListedKey extends Caller {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly origin: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** Number of the person who signed in, whose rights it has; null: its own stand here. */
  readonly personId: number | null;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
  /** To the hour, of a person's keys. */
  readonly usedAt: number | null;
}

/** A fresh key: 256 random bits behind a prefix that tells what it is. */
export function mintKey(): string {
  return `tl_${randomBytes(32).toString("base64url")}`;
}

/**
 * Stores a key by its hash; answers its number. Adding the same key again changes nothing. Throws PersonError where its user
 * is a person who signs in.
 */
export function* addKey(key: string, settings: NewKey, now: number): Steps<number> {
  yield* useName(settings.user ?? settings.name);
  yield* run(
    `INSERT INTO keys (hash, name, "user", role, groups, document_sets, origin, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
    hashOf(key),
    settings.name,
    settings.user ?? settings.name,
    settings.role,
    JSON.stringify(settings.groups ?? []),
    settings.documentSets == null ? null : JSON.stringify(settings.documentSets),
    settings.origin ?? null,
    new Date(now).toISOString(),
  );
  return yield* value("SELECT id FROM keys WHERE hash = ?", hashOf(key));
}

/** Every key ever added, oldest first. */
export function* listKeys(): Steps<ListedKey[]> {
  const rows = yield* all(
    `SELECT id, name, ${RIGHTS}, origin, created_at AS "createdAt", revoked_at AS "revokedAt", person AS "personId",
            expires_at AS "expiresAt", used_at AS "usedAt"
     FROM keys ORDER BY id`,
  );
  return rows.map((row) => withJson(row, "groups", "documentSets"));
}

const RIGHTS = '"user", role, groups, document_sets AS "documentSets"';

/** Makes a key worthless from now on; its extension has to be paired anew. Answers whether there was such a key. */
export function* revokeKey(id: number, now: number): Steps<boolean> {
  const at = new Date(now).toISOString();
  return (yield* run("UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", at, id)) > 0;
}

/**
 * Who holds this key; undefined when it is unknown, revoked, too old, or its person is disabled. Compared by hash, so time
 * tells nothing of the key. A person's rights are joined here, each time: nothing of them stands in the key. Who has to sign
 * in with their company again has none.
 * @param signInDays how long a sign-in there is believed
 */
export function* callerOf(
  key: string,
  now: number,
  signInDays: number = defaultSettings.signInDays,
): Steps<Caller | undefined> {
  const rows = yield* all<HeldKey>(HELD_KEY, hashOf(key));
  const [held] = rows;
  if (held === undefined) return undefined;
  if (held.person === null) {
    const { user, role, groups, documentSets } = held;
    return withJson<Caller>({ user, role, groups, documentSets }, "groups", "documentSets");
  }
  if (held.disabledAt !== null || isTooOld(held, now)) return undefined;
  const isLapsed = held.issuer !== LOCAL_ISSUER && now - (held.signedInAt ?? 0) > signInDays * 86_400_000;
  const rules = isLapsed ? [] : rows.filter(({ rule }) => rule !== null);
  const groups = rules
    .map(({ groupIssuer, group }) => ({ issuer: groupIssuer ?? "", name: group ?? "" }))
    .filter(({ name }) => name !== "");
  const { role, seesAll, documentSets, pairs } = unionOf(rules.map(grantOf));
  return {
    user: held.user,
    role,
    groups: groups.map(({ name }) => name),
    documentSets: seesAll ? null : documentSets,
    pairs: seesAll ? [] : pairs,
    person: {
      id: held.person,
      email: held.email,
      name: held.personName,
      keyId: held.id,
      usedAt: held.usedAt,
      groups,
      isLapsed,
    },
  };
}

/**
 * A key, once by itself and once for each rule about a group of its person, who is always in the group of everybody. Groups that
 * no rule is about are not looked at: somebody may be in a thousand.
 */
const HELD_KEY = `
  WITH held AS (
    SELECT keys.id, keys."user", keys.role, keys.groups, keys.document_sets AS "documentSets",
           keys.created_at AS "createdAt", keys.expires_at AS "expiresAt", keys.used_at AS "usedAt", persons.id AS person,
           persons.email, persons.name AS "personName", persons.disabled_at AS "disabledAt", persons.issuer,
           persons.signed_in_at AS "signedInAt"
    FROM keys LEFT JOIN persons ON persons.id = keys.person WHERE hash = ? AND revoked_at IS NULL)
  SELECT held.*, group_rules.id AS rule, group_rules.name AS "group", group_rules.issuer AS "groupIssuer",
         group_rules.role AS "ruleRole", group_rules.sees_all AS "seesAll", group_rules.document_sets AS "ruleSets",
         group_rules.pairs AS "rulePairs"
  FROM held JOIN memberships ON memberships.person = held.person
       JOIN group_rules ON group_rules.issuer = memberships.issuer AND group_rules.name = memberships.name
  UNION ALL SELECT held.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM held
  ORDER BY rule`;

interface HeldKey {
  readonly id: number;
  readonly user: string;
  readonly role: Role;
  /** JSON, as what follows. */
  readonly groups: string;
  readonly documentSets: string | null;
  readonly createdAt: string;
  readonly expiresAt: number | null;
  readonly usedAt: number | null;
  readonly person: number | null;
  readonly email: string | null;
  readonly personName: string | null;
  readonly disabledAt: number | null;
  readonly issuer: string | null;
  readonly signedInAt: number | null;
  readonly rule: number | null;
  readonly group: string | null;
  readonly groupIssuer: string | null;
  readonly ruleRole: Role | null;
  readonly seesAll: number | null;
  readonly ruleSets: string | null;
  readonly rulePairs: string | null;
}

function grantOf({ ruleRole, seesAll, ruleSets, rulePairs }: HeldKey): Grant {
  return {
    role: ruleRole,
    seesAll: seesAll === 1,
    documentSets: JSON.parse(ruleSets ?? "[]") as string[],
    pairs: JSON.parse(rulePairs ?? "[]") as number[],
  };
}

// ── Keys of persons ─────────────────────────────────────────────────────────────────────────────────────────────

/** A person's key ends a year after it was made, and after 90 days in which it was not used. Milliseconds. */
export const PERSON_KEY_MS = 365 * 86_400_000;
const UNUSED_KEY_MS = 90 * 86_400_000;
/** How exactly the last use of a person's key is known. */
const NOTED_MS = 3_600_000;
/** Keys one person may have; beyond, the one used longest ago ends. */
const MAX_PERSON_KEYS = 50;

function isTooOld({ createdAt, expiresAt, usedAt }: Pick<HeldKey, "createdAt" | "expiresAt" | "usedAt">, now: number) {
  return now >= (expiresAt ?? 0) || now - (usedAt ?? Date.parse(createdAt)) > UNUSED_KEY_MS;
}

/**
 * Makes a key of a person who signed in, for what it says; answers the key, which is not kept.
 * @param origin of the browser extension it is for, whose pages may read answers from then on
 */
export function* addPersonKey(
  person: { id: number; user: string },
  purpose: string,
  now: number,
  origin?: string,
): Steps<string> {
  const key = mintKey();
  const at = new Date(now).toISOString();
  yield* run(
    `UPDATE keys SET revoked_at = ? WHERE id IN (
       SELECT id FROM keys WHERE person = ? AND revoked_at IS NULL
       ORDER BY coalesce(used_at, expires_at - ${PERSON_KEY_MS}) DESC, id DESC LIMIT 1000 OFFSET ${MAX_PERSON_KEYS - 1})`,
    at,
    person.id,
  );
  // Whoever forgot to join a person's rights would find none here.
  yield* run(
    `INSERT INTO keys (hash, name, "user", role, groups, document_sets, origin, created_at, person, expires_at)
     VALUES (?, ?, ?, 'ordinary', '[]', '[]', ?, ?, ?, ?)`,
    hashOf(key),
    purpose,
    person.user,
    origin ?? null,
    at,
    person.id,
    now + PERSON_KEY_MS,
  );
  return key;
}

/** A key as its person sees it. */
export interface PersonKey {
  readonly id: number;
  /** What it is for, in the words of the program that asked for it. */
  readonly purpose: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly usedAt: number | null;
}

/** The keys of a person that are good for something, the newest first. */
export function* listPersonKeys(person: number, now: number): Steps<PersonKey[]> {
  const rows = yield* all<PersonKey>(
    `SELECT id, name AS purpose, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt" FROM keys
     WHERE person = ? AND revoked_at IS NULL ORDER BY id DESC`,
    person,
  );
  return rows.filter((key) => !isTooOld(key, now));
}

/** Ends a key of this person, of nobody else. Answers whether it was theirs and good until now. */
export function* revokePersonKey(person: number, id: number, now: number): Steps<boolean> {
  const at = new Date(now).toISOString();
  const theirs = "UPDATE keys SET revoked_at = ? WHERE id = ? AND person = ? AND revoked_at IS NULL";
  return (yield* run(theirs, at, id, person)) > 0;
}

/** What is kept of a key. */
export function keptOf(key: string): string {
  return hashOf(key);
}

/** Ends the key of which this is kept. */
export function* revokeKept(hash: string, now: number): Steps<void> {
  const at = new Date(now).toISOString();
  yield* run("UPDATE keys SET revoked_at = ? WHERE hash = ? AND revoked_at IS NULL", at, hash);
}

/** Whether the use of a person's key is worth to be noted. */
export function isUseToBeNoted({ person }: Caller, now: number): boolean {
  return person !== undefined && now - (person.usedAt ?? 0) > NOTED_MS;
}

/** Notes that a key was used about now. */
export function* noteKeyUse(id: number, now: number): Steps<void> {
  yield* run("UPDATE keys SET used_at = ? WHERE id = ? AND (used_at IS NULL OR used_at < ?)", now, id, now);
}

// ── Pairing ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** What a paired extension's key may do and see. */
export interface PairingOptions {
  /** Default: editor, since an extension also adds pages. */
  role?: "ordinary" | "editor";
  /** Names of visible document sets; absent: all. */
  documentSets?: string[];
  /** How long the code is valid, seconds. Default 600. */
  seconds?: number;
}

/** Wrong codes after which every code shown so far is void: a code is short, so it must not be guessed at leisure. */
const PAIRING_ATTEMPTS = 5;

/** No letter or digit that is taken for another when read aloud or typed. */
const CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** Makes a code such as `K7QD-M2XA` for a person to type into the extension, once, within ten minutes. */
export function* createPairing(now: number, options: PairingOptions = {}): Steps<string> {
  const letters = Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join("");
  yield* run("DELETE FROM pairings WHERE expires_at <= ?", now);
  yield* run(
    "INSERT INTO pairings (code_hash, role, document_sets, expires_at) VALUES (?, ?, ?, ?)",
    hashOf(letters),
    options.role ?? "editor",
    options.documentSets === undefined ? null : JSON.stringify(options.documentSets),
    now + (options.seconds ?? 600) * 1_000,
  );
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/**
 * Exchanges a typed code for a key that belongs to `origin`, which may call the service from then on. Undefined when
 * the code is wrong, used or too old; five wrong ones make every open code void.
 */
export function* redeemPairing(code: string, origin: string, now: number) {
  const hash = hashOf(code.toUpperCase().replace(/[\s-]/g, ""));
  const row = yield* get(
    `DELETE FROM pairings WHERE code_hash = ? AND expires_at > ? RETURNING role, document_sets AS "documentSets"`,
    hash,
    now,
  );
  if (row === undefined) {
    yield* run("UPDATE pairings SET attempts = attempts + 1");
    yield* run("DELETE FROM pairings WHERE attempts >= ?", PAIRING_ATTEMPTS);
    return undefined;
  }
  const key = mintKey();
  const { role, documentSets } = withJson<Pick<ListedKey, "role" | "documentSets">>(row, "documentSets");
  yield* addKey(key, { name: "extension", user: yield* newExtensionUser(), role, documentSets, origin }, now);
  return { key, role };
}

/**
 * A user nobody is yet, such as `extension-2`: what others asked and uploaded is not shown to a paired extension. The
 * origin says nothing of the person, since one extension has the same in every browser.
 */
function* newExtensionUser(): Steps<string> {
  let number = yield* value<number>("SELECT coalesce(max(id), 0) + 1 FROM keys");
  while ((yield* holderOf(`extension-${number}`)) !== undefined) number++;
  return `extension-${number}`;
}

/**
 * Whether a key was ever made for this origin. Revoking the key does not undo it: the extension could not read the 401
 * that tells its person why, and would take the service for absent.
 */
export function* wasPaired(origin: string): Steps<boolean> {
  return (yield* get("SELECT 1 FROM keys WHERE origin = ?", origin)) !== undefined;
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

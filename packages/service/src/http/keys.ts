import { createHash, randomBytes, randomInt } from "node:crypto";
import type { Caller, Role } from "../context.ts";
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
}

/** A fresh key: 256 random bits behind a prefix that tells what it is. */
export function mintKey(): string {
  return `tl_${randomBytes(32).toString("base64url")}`;
}

/** Stores a key by its hash; answers its number. Adding the same key again changes nothing. */
export function* addKey(key: string, settings: NewKey, now: number): Steps<number> {
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
    `SELECT id, name, ${RIGHTS}, origin, created_at AS "createdAt", revoked_at AS "revokedAt" FROM keys ORDER BY id`,
  );
  return rows.map((row) => withJson(row, "groups", "documentSets"));
}

const RIGHTS = '"user", role, groups, document_sets AS "documentSets"';

/** Makes a key worthless from now on; its extension has to be paired anew. Answers whether there was such a key. */
export function* revokeKey(id: number, now: number): Steps<boolean> {
  const at = new Date(now).toISOString();
  return (yield* run("UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", at, id)) > 0;
}

/** Who holds this key; undefined when it is unknown or revoked. Compared by hash, so time tells nothing of the key. */
export function* callerOf(key: string): Steps<Caller | undefined> {
  const row = yield* get(`SELECT ${RIGHTS} FROM keys WHERE hash = ? AND revoked_at IS NULL`, hashOf(key));
  return row && withJson<Caller>(row, "groups", "documentSets");
}

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
  while ((yield* get('SELECT 1 FROM keys WHERE "user" = ?', `extension-${number}`)) !== undefined) number++;
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

import { createHash, randomBytes } from "node:crypto";
import { get, insert, run, type Steps, sweep } from "../steps.ts";

/** What a person agreed to: who gets a key, and for what. A code for it is worth something to nobody else. */
export interface AgreedCode {
  /** What the program is called, in its own words. */
  readonly client: string;
  /** What the key is for, in the same words. */
  readonly purpose: string;
  /** Where the code was sent. */
  readonly redirect: string;
  /** SHA-256 of what the program alone knows, in base64url (RFC 7636). */
  readonly challenge: string;
  readonly person: number;
}

/** A code is good for so long, seconds: a browser hands it on at once, to an instance whose clock may be a minute ahead. */
export const CODE_SECONDS = 120;
/** How long a used code is known, so that using it again ends the key that was given for it. Milliseconds. */
const KNOWN_MS = 86_400_000;

/** Notes what a person agreed to; answers the code, of which only a hash is kept. */
export function* giveCode(agreed: AgreedCode, now: number): Steps<string> {
  yield* sweep("authorization_codes", "code_hash", "expires_at <= ?", now - KNOWN_MS);
  const code = randomBytes(32).toString("base64url");
  yield* insert("authorization_codes", {
    code_hash: hashOf(code),
    client: agreed.client,
    purpose: agreed.purpose,
    redirect: agreed.redirect,
    challenge: agreed.challenge,
    person: agreed.person,
    expires_at: now + CODE_SECONDS * 1_000,
  });
  return code;
}

/** What a code is good for: what was agreed to, the first time; after that, the key that was given for it. */
export type TakenCode =
  | { readonly state: "agreed"; readonly agreed: AgreedCode }
  | { readonly state: "used"; readonly keyHash: string }
  | { readonly state: "worthless" };

/** Takes a code: whoever comes with it first, at whatever instance, uses it up. */
export function* takeCode(code: string, now: number): Steps<TakenCode> {
  const hash = hashOf(code);
  const agreed = yield* get<AgreedCode>(
    `UPDATE authorization_codes SET is_used = 1 WHERE code_hash = ? AND is_used = 0 AND expires_at > ?
     RETURNING client, purpose, redirect, challenge, person`,
    hash,
    now,
  );
  if (agreed !== undefined) return { state: "agreed", agreed };
  const given = yield* get<{ keyHash: string }>(
    `SELECT key_hash AS "keyHash" FROM authorization_codes WHERE code_hash = ? AND key_hash IS NOT NULL`,
    hash,
  );
  return given === undefined ? { state: "worthless" } : { state: "used", ...given };
}

/** Notes which key was given for a code. */
export function* noteKeyOf(code: string, keyHash: string): Steps<void> {
  yield* run("UPDATE authorization_codes SET key_hash = ? WHERE code_hash = ?", keyHash, hashOf(code));
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

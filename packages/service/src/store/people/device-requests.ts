import { createHash, randomBytes, randomInt } from "node:crypto";
import { all, get, insert, run, type Steps, sweep, value } from "../steps.ts";
import { activePerson } from "./persons.ts";

/** What a program says of itself that asks for a person's key. None of it is known to be true. */
export interface DeviceAsk {
  readonly client: string;
  readonly purpose: string;
  /** Whoever agrees has to have this address. Null: anybody may. */
  readonly expectedEmail: string | null;
}

/** Codes are good for so long, seconds; a program asks no more often than this. */
export const DEVICE_SECONDS = 600;
const INTERVAL_S = 2;
/** Requests that wait for a person, of all who ask. */
const MAX_WAITING = 20_000;

/** No letter that is taken for another, and none that makes words (RFC 8628, section 6.1). */
const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** A request for a person's key: what the program keeps, and what the person types. */
export interface BegunDevice {
  readonly deviceCode: string;
  /** Such as `BDWP-HQNK`. */
  readonly userCode: string;
  /** Seconds. */
  readonly interval: number;
}

/** Notes a request. Undefined: too many wait. */
export function* beginDevice(ask: DeviceAsk, now: number): Steps<BegunDevice | undefined> {
  yield* sweep("device_requests", "device_hash", "expires_at <= ?", now);
  const waiting = yield* value<number>("SELECT count(*) FROM device_requests WHERE expires_at > ?", now);
  if (waiting >= MAX_WAITING) return undefined;
  const deviceCode = randomBytes(32).toString("base64url");
  const letters = Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join("");
  yield* insert("device_requests", {
    device_hash: hashOf(deviceCode),
    user_hash: hashOf(letters),
    client: ask.client,
    purpose: ask.purpose,
    expected_email: ask.expectedEmail,
    expires_at: now + DEVICE_SECONDS * 1_000,
    interval_s: INTERVAL_S,
  });
  return { deviceCode, userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`, interval: INTERVAL_S };
}

/** A code as people type it, without what they put between. */
function lettersOf(code: string): string {
  return code
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z]/g, "")
    .slice(0, 20);
}

const OPEN = "user_hash = ? AND expires_at > ? AND person IS NULL AND is_refused = 0";

/** Who asks under a code; undefined: it is wrong, too old, or was answered. */
export function* deviceAsk(userCode: string, now: number): Steps<DeviceAsk | undefined> {
  return yield* get<DeviceAsk>(
    `SELECT client, purpose, expected_email AS "expectedEmail" FROM device_requests WHERE ${OPEN}`,
    hashOf(lettersOf(userCode)),
    now,
  );
}

/** Answers a request, once. False where there is none to be answered any more. */
export function* answerDevice(userCode: string, person: number, agrees: boolean, now: number): Steps<boolean> {
  const by = hashOf(lettersOf(userCode));
  const answered = agrees
    ? yield* run(`UPDATE device_requests SET person = ? WHERE ${OPEN}`, person, by, now)
    : yield* run(`UPDATE device_requests SET is_refused = 1 WHERE ${OPEN}`, by, now);
  return answered > 0;
}

/** What a program is told that asks whether its person has answered: a word of RFC 8628, or whose key it may have. */
export type DeviceState =
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token"
  | { readonly person: number; readonly user: string; readonly purpose: string };

/** Asks what became of a request. Whose key it is is told once. */
export function* pollDevice(deviceCode: string, now: number): Steps<DeviceState> {
  const hash = hashOf(deviceCode);
  const [row] = yield* all<{
    expires: number;
    interval: number;
    polled: number | null;
    person: number | null;
    refused: number;
  }>(
    `SELECT expires_at AS expires, interval_s AS "interval", polled_at AS polled, person, is_refused AS refused
     FROM device_requests WHERE device_hash = ?`,
    hash,
  );
  if (row === undefined || row.expires <= now) return "expired_token";
  if (row.refused === 1) return "access_denied";
  // The clock of another instance may be ahead: a moment to come is no reason.
  const since = row.polled === null ? Number.POSITIVE_INFINITY : now - row.polled;
  if (since >= 0 && since < row.interval * 1_000 - TOLERANCE_MS) {
    const more = "UPDATE device_requests SET polled_at = ?, interval_s = interval_s + 5 WHERE device_hash = ?";
    yield* run(more, now, hash);
    return "slow_down";
  }
  yield* run("UPDATE device_requests SET polled_at = ? WHERE device_hash = ?", now, hash);
  if (row.person === null) return "authorization_pending";
  const agreed = yield* get<{ person: number; purpose: string }>(
    "DELETE FROM device_requests WHERE device_hash = ? AND person IS NOT NULL RETURNING person, purpose",
    hash,
  );
  // Another call with the same code was quicker, or the person was disabled meanwhile.
  if (agreed === undefined) return "expired_token";
  const person = yield* activePerson(agreed.person);
  return person === undefined ? "access_denied" : { ...agreed, user: person.user };
}

/** What the way takes may bring two calls closer together, milliseconds. */
const TOLERANCE_MS = 1_000;

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

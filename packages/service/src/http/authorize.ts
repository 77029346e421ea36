import type { Caller, ServiceContext } from "../context.ts";
import { counterOf } from "../listening/addresses/address.ts";
import { arrivalOf, toldOrigin } from "./arrival.ts";
import { callersOf } from "./connections.ts";
import { callerOf, isUseToBeNoted, noteKeyUse } from "./keys.ts";
import { refusal } from "./problem.ts";
import type { Route } from "./route.ts";
import { followTrace, tellUser } from "./watched.ts";

const RANK = { anonymous: 0, caller: 0, ordinary: 1, editor: 2, admin: 3 } as const;

/** Of a route that needs no key: somebody who sees nothing. */
const ANYONE: Caller = { user: "", role: "anonymous", groups: [], documentSets: [] };

/**
 * Who is calling, if they may call this route: the one place where that is decided. Throws 401 for a missing or wrong key,
 * 429 for too many wrong ones, 403 for a key of too low a role. Whoever has to sign in with their company again is told so
 * with a 401.
 */
export async function authorize(
  context: ServiceContext,
  { role, metadata, isForLapsed }: Pick<Route, "role" | "metadata" | "isForLapsed">,
  request: Request,
  throttle: KeyThrottle,
): Promise<Caller> {
  if (role === "anyone") return ANYONE;
  const challenge = challengeOf(metadata, request);
  const header = request.headers.get("authorization") ?? undefined;
  // A program waits for this to learn how to get in (RFC 9728, section 5.1): a refusal for good would end its search.
  if (header === undefined && metadata !== undefined) throw unauthenticated(NO_KEY, challenge);
  const caller = await authenticate(context, header, () => throttle(addressOf(request)), challenge);
  tellUser(request, caller.user);
  if (caller.role !== "anonymous") {
    followTrace(request);
    noteCaller(request, caller);
  }
  if (caller.person?.isLapsed === true && isForLapsed !== true) throw signInAgain(context, request, challenge);
  noteUse(context, caller);
  if (RANK[caller.role] >= RANK[role]) return caller;
  throw refusal(403, "INSUFFICIENT_PERMISSIONS", `This needs a key of the role ${role}; yours is ${caller.role}.`);
}

/** That it could not be noted is no reason to refuse anything: a full disk is told of elsewhere. */
function noteUse({ store, now, keepOpen }: ServiceContext, caller: Caller): void {
  const { person } = caller;
  if (person !== undefined && isUseToBeNoted(caller, now()))
    keepOpen(store.write(() => noteKeyUse(person.keyId, now())));
}

/** For whoever holds its connection, and counts what comes over it. */
function noteCaller(request: Request, caller: Caller): void {
  callersOf.set(request, turnOf(caller));
  const arrival = arrivalOf(request);
  if (arrival === undefined) return;
  arrival.user = caller.user;
  arrival.spend?.(caller.user);
}

/** Of who asks from elsewhere; this machine is one. */
function addressOf(request: Request): string {
  const arrival = arrivalOf(request);
  return arrival?.isLocal === false ? counterOf(arrival.address) : "";
}

/** How to get in, for programs. */
function challengeOf(metadata: string | undefined, request: Request): string {
  return metadata === undefined
    ? "Bearer"
    : `Bearer resource_metadata="${new URL(metadata, toldOrigin(request)).href}"`;
}

/** Who takes turns with whom: each user with all others; callers without a key are one. */
export function turnOf({ role, user }: Caller): string {
  return role === "anonymous" ? "" : `+${user}`;
}

/** Wrong keys answered per second and address; more are told to wait. Right keys are never held up by others' guesses. */
const WRONG_KEYS_PER_SECOND = 5;
/** Addresses that are kept in mind; those that guessed longest ago are forgotten. */
const MAX_GUESSERS = 10_000;

/** Counts one more wrong key of an address; answers whether there were too many in the last second. */
export type KeyThrottle = (address: string) => boolean;

/** A throttle by this clock. */
export function keyThrottle(clock: () => number): KeyThrottle {
  const guesses = new Map<string, number[]>();
  return (address) => {
    const now = clock();
    const recent = (guesses.get(address) ?? []).filter((at) => Math.abs(now - at) < 1_000);
    guesses.delete(address);
    guesses.set(address, recent);
    const [oldest] = guesses.keys();
    if (guesses.size > MAX_GUESSERS && oldest !== undefined) guesses.delete(oldest);
    if (recent.length >= WRONG_KEYS_PER_SECOND) return true;
    recent.push(now);
    return false;
  };
}

/** Who holds the key in an Authorization header. A wrong key is refused even where callers without a key may ask. */
async function authenticate(
  { store, settings, now }: ServiceContext,
  header: string | undefined,
  throttle: () => boolean,
  challenge: string,
): Promise<Caller> {
  if (header === undefined) {
    if (settings.anonymous) return { user: "anonymous", role: "anonymous", groups: [], documentSets: [] };
    throw unauthenticated(NO_KEY, challenge);
  }
  const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
  const caller = key === undefined ? undefined : await store.read(callerOf(key, now(), settings.signInDays));
  if (caller !== undefined) return caller;
  if (throttle()) {
    throw refusal(429, "TOO_MANY_WRONG_KEYS", "Too many wrong keys. Wait a second.", { "Retry-After": "1" });
  }
  throw unauthenticated(
    "Access denied. This service does not know that key; `threadlore key add` makes one.",
    challenge,
  );
}

const NO_KEY = "Access denied. Send a key of this service as `Authorization: Bearer KEY`.";

function signInAgain({ settings }: ServiceContext, request: Request, challenge: string): Error {
  const { signInDays: days } = settings;
  return refusal(
    401,
    "SIGN_IN_AGAIN",
    `Sign in again: you did so with your company more than ${days} ${days === 1 ? "day" : "days"} ago. Open ` +
      `${toldOrigin(request)}/sign-in in a browser and sign in there; this key then goes on as before.`,
    { "WWW-Authenticate": challenge },
  );
}

function unauthenticated(detail: string, challenge: string): Error {
  return refusal(401, "UNAUTHENTICATED", detail, { "WWW-Authenticate": challenge });
}

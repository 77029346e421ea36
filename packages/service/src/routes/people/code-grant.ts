import type { ServiceContext } from "../../context.ts";
import { addPersonKey, keptOf, revokeKept } from "../../http/keys.ts";
import { isExtensionOrigin } from "../../http/checks.ts";
import { placeOf } from "../../sign-in/browser.ts";
import { isSameExtension, isVerifier } from "../../sign-in/code-request.ts";
import { countAttempt, dropOldAttempts, takeBack } from "../../store/people/attempts.ts";
import { noteKeyOf, takeCode } from "../../store/people/authorization-codes.ts";
import { activePerson } from "../../store/people/persons.ts";
import type { Steps } from "../../store/steps.ts";

/** What a program sends to have the key for its code (RFC 6749, section 4.1.3). */
export interface CodeGrant {
  readonly code: string;
  readonly client: string;
  readonly redirect: string;
  readonly verifier: string;
}

/** What comes of a code. */
export type GrantedKey =
  | { readonly key: string; readonly user: string }
  | "invalid_grant"
  | { readonly waitSeconds: number };

/** Wrong codes of one place. */
const FROM_PLACE = { most: 60, seconds: 600 };

/**
 * The key for a code. A code is good for one try, for the program that asked for it alone: whoever has it without the rest has
 * it from somewhere else. Used again it ends the key that was given for it (RFC 6749, section 4.1.2), as one of the two who had
 * it is not whom the person agreed to.
 */
export function keyForCode({ store, now }: ServiceContext, request: Request, grant: CodeGrant): Promise<GrantedKey> {
  const origin = request.headers.get("origin");
  return store.write(() => granted(grant, placeOf(request), origin, now()));
}

function* granted(grant: CodeGrant, place: string, origin: string | null, now: number): Steps<GrantedKey> {
  yield* dropOldAttempts(now);
  const counted = `extension codes from ${place}`;
  const waitSeconds = yield* countAttempt(counted, FROM_PLACE, now);
  if (waitSeconds > 0) return { waitSeconds };
  const taken = yield* takeCode(grant.code, now);
  if (taken.state === "used") yield* revokeKept(taken.keyHash, now);
  if (taken.state !== "agreed") return "invalid_grant";
  const { agreed } = taken;
  const isTheirs = agreed.client === grant.client && agreed.redirect === grant.redirect;
  if (!isTheirs || !isVerifier(grant.verifier, agreed.challenge)) return "invalid_grant";
  if (!isSameExtension(origin, agreed.redirect)) return "invalid_grant";
  const person = yield* activePerson(agreed.person);
  if (person === undefined) return "invalid_grant";
  // Its pages may read what the service answers from then on, as those of one that was paired.
  const reader = origin !== null && isExtensionOrigin(origin) ? origin : undefined;
  const key = yield* addPersonKey(person, agreed.purpose, now, reader);
  yield* noteKeyOf(grant.code, keptOf(key));
  yield* takeBack(counted);
  return { key, user: person.user };
}

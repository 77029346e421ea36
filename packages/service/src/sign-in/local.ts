import type { ServiceContext } from "../context.ts";
import {
  countAttempt,
  dropOldAttempts,
  forgetAttempts,
  isRemembered,
  remember,
  takeBack,
} from "../store/people/attempts.ts";
import { noteSignIn, passwordOf, userNameOf } from "../store/people/persons.ts";
import type { Steps } from "../store/steps.ts";
import { isPassword, TooManyChecksError } from "./password.ts";

/** What came of a name and a password. */
export type Attempted =
  | { readonly id: number; readonly user: string }
  | "wrong"
  | "busy"
  | { readonly waitSeconds: number };

/** Attempts from one place at all accounts, from one place at one account, and from everywhere at one account. */
const FROM_PLACE = { most: 60, seconds: 600 };
const AT_ACCOUNT_FROM_PLACE = { most: 10, seconds: 600 };
const AT_ACCOUNT = { most: 100, seconds: 900 };
/** A place from which somebody signed in is not held up by what others try elsewhere, for so long. Milliseconds. */
const KNOWN_MS = 30 * 86_400_000;

/**
 * Whether a password is this account's. The answer is the same, and takes as long, for a name nobody has, an account that is
 * disabled, and one of an identity provider. Attempts are counted before anything is looked at, for all instances together;
 * nobody is locked out for longer than a quarter of an hour, and not at all where they signed in before.
 * @param place where the attempt comes from, see `placeOf`
 */
export async function attemptPassword(
  { store, now }: ServiceContext,
  place: string,
  user: string,
  password: string,
): Promise<Attempted> {
  const name = userNameOf(user);
  const waitSeconds = await store.write(() => countAttempts(place, name, now()));
  if (waitSeconds > 0) return { waitSeconds };
  const account = await store.read(passwordOf(name));
  try {
    if (!(await isPassword(password, account?.password)) || account === undefined) return "wrong";
  } catch (error) {
    if (error instanceof TooManyChecksError) return "busy";
    throw error;
  }
  const { id } = account;
  await store.write(function* () {
    // Many people of one place sign in on a morning, and each is right.
    yield* takeBack(fromPlace(place));
    yield* takeBack(atAccount(name));
    yield* forgetAttempts(atAccountFrom(name, place));
    yield* remember(knownAt(name, place), now() + KNOWN_MS);
    yield* noteSignIn(id, now());
  });
  return { id, user: name };
}

const fromPlace = (place: string): string => `place ${place}`;
const atAccount = (name: string): string => `account ${name}`;
const atAccountFrom = (name: string, place: string): string => `password ${JSON.stringify([name, place])}`;
const knownAt = (name: string, place: string): string => `known ${JSON.stringify([name, place])}`;

function* countAttempts(place: string, name: string, now: number): Steps<number> {
  yield* dropOldAttempts(now);
  if (yield* isRemembered(knownAt(name, place), now)) {
    return yield* countAttempt(atAccountFrom(name, place), AT_ACCOUNT_FROM_PLACE, now);
  }
  // Where a place has none left nothing more is noted of it.
  return (
    (yield* countAttempt(fromPlace(place), FROM_PLACE, now)) ||
    (yield* countAttempt(atAccountFrom(name, place), AT_ACCOUNT_FROM_PLACE, now)) ||
    (yield* countAttempt(atAccount(name), AT_ACCOUNT, now))
  );
}

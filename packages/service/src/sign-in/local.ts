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
  /** `password`: what is kept of it, as it was compared; by the time it was, another may be kept. */
  | { readonly id: number; readonly user: string; readonly password: string }
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
  const { waitSeconds, counted } = await store.write(() => countAttempts(place, name, now()));
  if (waitSeconds > 0) return { waitSeconds };
  const account = await store.read(passwordOf(name));
  try {
    const isRight = await inTurn(place, () => isPassword(password, account?.password));
    if (!isRight || account === undefined) return "wrong";
  } catch (error) {
    if (!(error instanceof TooManyChecksError)) throw error;
    // Nobody looked at it, so it was none.
    await store.write(() => takeBackAll(counted));
    return "busy";
  }
  const { id } = account;
  await store.write(function* () {
    // Many people of one place sign in on a morning, and each is right. What was not counted is not taken back either, or
    // one who is known there could make room for guesses at all others.
    yield* takeBackAll(counted);
    yield* forgetAttempts(atAccountFrom(name, place));
    yield* remember(knownAt(name, place), now() + KNOWN_MS);
    yield* noteSignIn(id, now());
  });
  return { id, user: name, password: account.password };
}

/** Checks of one place that wait or run in this process: no place keeps all others waiting. */
const MAX_CHECKS_OF_PLACE = 16;
const checks = new Map<string, number>();

/** Throws TooManyChecksError where a place has enough of them already. */
async function inTurn<Result>(place: string, check: () => Promise<Result>): Promise<Result> {
  const running = checks.get(place) ?? 0;
  if (running >= MAX_CHECKS_OF_PLACE) throw new TooManyChecksError();
  checks.set(place, running + 1);
  try {
    return await check();
  } finally {
    const left = (checks.get(place) ?? 1) - 1;
    if (left === 0) checks.delete(place);
    else checks.set(place, left);
  }
}

const fromPlace = (place: string): string => `place ${place}`;
const atAccount = (name: string): string => `account ${name}`;
const atAccountFrom = (name: string, place: string): string => `password ${JSON.stringify([name, place])}`;
const knownAt = (name: string, place: string): string => `known ${JSON.stringify([name, place])}`;

/** How long to wait, and where the attempt was counted. */
interface Counted {
  readonly waitSeconds: number;
  readonly counted: readonly string[];
}

function* countAttempts(place: string, name: string, now: number): Steps<Counted> {
  yield* dropOldAttempts(now);
  const ofBoth = [atAccountFrom(name, place), AT_ACCOUNT_FROM_PLACE] as const;
  const isKnown = yield* isRemembered(knownAt(name, place), now);
  const limits = isKnown
    ? [ofBoth]
    : [[fromPlace(place), FROM_PLACE] as const, ofBoth, [atAccount(name), AT_ACCOUNT] as const];
  const counted: string[] = [];
  for (const [what, limit] of limits) {
    const waitSeconds = yield* countAttempt(what, limit, now);
    // Where a place has none left nothing more is noted of it.
    if (waitSeconds > 0) return { waitSeconds, counted };
    counted.push(what);
  }
  return { waitSeconds: 0, counted };
}

function* takeBackAll(counted: readonly string[]): Steps<void> {
  for (const what of counted) yield* takeBack(what);
}

import { arrivalOf } from "../http/arrival.ts";
import type { ServiceContext } from "../context.ts";
import { tellUser } from "../http/watched.ts";
import { counterOf } from "../listening/addresses/address.ts";
import {
  beginBrowserSession,
  endBrowserSession,
  noteBrowserUse,
  personOfBrowser,
} from "../store/people/browser-sessions.ts";
import type { Person } from "../store/people/persons.ts";
import { cookieOf, type CookieNames, heldBy } from "./cookies.ts";
import { leadTo } from "./page.ts";

/** Somebody who is signed in with a browser. */
export type SignedIn = Pick<Person, "id" | "user" | "email" | "name" | "issuer">;

const SESSION: CookieNames = { secure: "__Host-threadlore", plain: "threadlore-session" };

/** What the browser's session cookie holds; undefined: there is none. */
function sessionToken(request: Request): string | undefined {
  return heldBy(request, SESSION);
}

function cookie(request: Request, token: string): string {
  return cookieOf(request, SESSION, token, token === "" ? 0 : undefined);
}

/** Who is signed in with the browser that sent a request. */
export async function signedIn(
  { store, now, keepOpen, settings }: ServiceContext,
  request: Request,
): Promise<SignedIn | undefined> {
  const token = sessionToken(request);
  if (token === undefined) return undefined;
  const found = await store.read(personOfBrowser(token, now(), settings.signInDays));
  if (found === undefined) return undefined;
  const { isToBeNoted, ...person } = found;
  tellUser(request, person.user);
  const arrival = arrivalOf(request);
  // For the log: who did it, as for keys.
  if (arrival !== undefined) arrival.user = person.user;
  if (isToBeNoted) keepOpen(store.write(() => noteBrowserUse(token, now())));
  return person;
}

/**
 * Signs a browser in as a person and leads on: the end of every way to sign in. The session is a new one; what the browser
 * held before is worth nothing from then on.
 * @param next where to; only what `ownPath` lets through
 */
export async function beginSession(
  { store, now }: ServiceContext,
  request: Request,
  person: Pick<Person, "id" | "user"> & { readonly password?: string },
  next: string | undefined,
): Promise<Response> {
  tellUser(request, person.user);
  const before = sessionToken(request);
  const token = await store.write(function* () {
    if (before !== undefined) yield* endBrowserSession(before);
    return yield* beginBrowserSession(person.id, now(), person.password);
  });
  if (token === undefined) return leadTo("/sign-in");
  return leadTo(ownPath(next), { "Set-Cookie": cookie(request, token) });
}

/** Signs a browser out. */
export async function endSession({ store }: ServiceContext, request: Request): Promise<Response> {
  const token = sessionToken(request);
  if (token !== undefined) await store.makeRoom(() => endBrowserSession(token));
  return leadTo("/sign-in", { "Set-Cookie": cookie(request, "") });
}

/** Where a person goes on after signing in: one of three pages, whatever a link says. */
export function ownPath(next: string | undefined): string {
  // What is asked there is looked at there.
  if (/^\/sign-in\/authorize\?[\w.~%+&=*-]{1,4000}$/.test(next ?? "")) return next ?? "";
  const code = /^\/sign-in\/device(?:\?user_code=([A-Za-z-]{1,20}))?$/.exec(next ?? "");
  if (code === null) return "/account";
  return code[1] === undefined ? "/sign-in/device" : `/sign-in/device?user_code=${code[1]}`;
}

/** The page to sign in, on the way to another. */
export function signInFirst(next: string): Response {
  return leadTo(`/sign-in?next=${encodeURIComponent(next)}`);
}

/** What attempts from one place are counted under. */
export function placeOf(request: Request): string {
  const arrival = arrivalOf(request);
  return arrival?.isLocal === false ? counterOf(arrival.address) : "here";
}

import { randomBytes } from "node:crypto";
import { cookieOf, type CookieNames, heldBy } from "./cookies.ts";

/** How long a browser that began is known, seconds: as long as a sign-in may take. */
const LASTS_S = 600;
const BEGUN: CookieNames = { secure: "__Host-threadlore-begun", plain: "threadlore-begun" };

/**
 * What a browser that began a sign-in is told apart by; undefined: it began none. One that another browser began is not ended
 * in it: whoever sends somebody the answer that was meant for themselves would have them work under a name that is not theirs.
 */
export function browserThatBegan(request: Request): string | undefined {
  return heldBy(request, BEGUN);
}

/** A browser nobody is yet. */
export function newBrowser(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The cookie that makes it known. It goes along when the provider sends the browser back, which is from another site; scripts
 * and pages of other sites get nothing of it.
 */
export function begunCookie(request: Request, browser: string): string {
  return cookieOf(request, BEGUN, browser, LASTS_S);
}

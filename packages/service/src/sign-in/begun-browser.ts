import { randomBytes } from "node:crypto";
import { toldOrigin } from "../http/arrival.ts";

/** How long a browser that began is known, seconds: as long as a sign-in may take. */
const LASTS_S = 600;

/**
 * What a browser that began a sign-in is told apart by; undefined: it began none. One that another browser began is not ended
 * in it: whoever sends somebody the answer that was meant for themselves would have them work under a name that is not theirs.
 */
export function browserThatBegan(request: Request): string | undefined {
  const prefix = `${nameOf(request)}=`;
  const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/);
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** A browser nobody is yet. */
export function newBrowser(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The cookie that makes it known. It goes along when the provider sends the browser back, which is from another site; scripts
 * and pages of other sites get nothing of it. Over TLS its name keeps other hosts of the domain from setting one.
 */
export function begunCookie(request: Request, browser: string): string {
  const secure = isSecure(request) ? "; Secure" : "";
  return `${nameOf(request)}=${browser}; Path=/; Max-Age=${LASTS_S}; HttpOnly; SameSite=Lax${secure}`;
}

function nameOf(request: Request): string {
  return isSecure(request) ? "__Host-threadlore-begun" : "threadlore-begun";
}

function isSecure(request: Request): boolean {
  return toldOrigin(request).startsWith("https:");
}

import { toldOrigin } from "../http/arrival.ts";

/** What a cookie is called over TLS, by a name that only this very host can set and that never travels in the clear; and without. */
export interface CookieNames {
  readonly secure: `__Host-${string}`;
  readonly plain: string;
}

/** What a cookie of ours holds; undefined: there is none, or nothing that we set. */
export function heldBy(request: Request, names: CookieNames): string | undefined {
  const prefix = `${nameOf(request, names)}=`;
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((one) => one.trim());
  const value = cookies.find((one) => one.startsWith(prefix))?.slice(prefix.length);
  return value !== undefined && /^[\w-]{20,100}$/.test(value) ? value : undefined;
}

/**
 * A cookie that no script and no other site gets, but for links that lead here.
 * @param seconds how long the browser keeps it; 0: no longer; undefined: as long as it runs
 */
export function cookieOf(request: Request, names: CookieNames, value: string, seconds: number | undefined): string {
  const kept = seconds === undefined ? "" : `; Max-Age=${seconds}`;
  const secure = isSecure(request) ? "; Secure" : "";
  return `${nameOf(request, names)}=${value}; Path=/${kept}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * Cookies are of a host, whatever the port: the port in the name keeps two services of one machine from signing people out of
 * each other. It hides nothing from another program that listens there.
 */
function nameOf(request: Request, { secure, plain }: CookieNames): string {
  const { port } = new URL(toldOrigin(request));
  return `${isSecure(request) ? secure : plain}${port === "" ? "" : `-${port}`}`;
}

function isSecure(request: Request): boolean {
  return toldOrigin(request).startsWith("https://");
}

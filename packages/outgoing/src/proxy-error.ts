import type { Proxy, UnusableProxy } from "./proxies.ts";

/** What can be wrong on the way through a proxy; the code of a {@link ProxyError}. */
export type ProxyTrouble =
  | "PROXY_SETTING"
  | "PROXY_UNREACHABLE"
  | "PROXY_UNTRUSTED"
  | "PROXY_WANTS_PASSWORD"
  | "PROXY_REFUSES"
  | "PROXY_FAILED"
  | "PROXY_SILENT";

/** No way through a proxy: not a byte of a request has reached the server. Holds no password. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly code: ProxyTrouble;
  /** What happened, as half a sentence. */
  readonly what: string;
  /** What to do, as a whole sentence. */
  readonly fix: string;

  constructor(code: ProxyTrouble, what: string, fix: string, cause?: unknown) {
    super(`${what}. ${fix.replace(/\.$/, "")}`, { cause });
    this.code = code;
    this.what = what;
    this.fix = fix;
  }
}

/** The setting names nothing that could be asked. */
export function unusable({ problem, fix }: UnusableProxy): ProxyError {
  return new ProxyError("PROXY_SETTING", problem, fix);
}

/** No connection to the proxy itself. */
export function notConnected(proxy: Proxy, cause: unknown): ProxyError {
  const code = codeOf(cause);
  const name = nameOf(proxy);
  if (/CERT|TLS|SSL|UNABLE_TO|EPROTO|HOSTNAME/.test(code)) {
    const fix = `If it is the right one, name the authority of its certificate in THREADLORE_CA_FILE; if it speaks plain HTTP, begin ${proxy.by} with http://.`;
    return new ProxyError(
      "PROXY_UNTRUSTED",
      `${name} shows a certificate that nothing here trusts (${code})`,
      fix,
      cause,
    );
  }
  const fix = `Check ${proxy.by}, and whether the proxy runs.`;
  return new ProxyError("PROXY_UNREACHABLE", `${name} cannot be reached${code === "" ? "" : ` (${code})`}`, fix, cause);
}

/** The proxy did not answer in time. */
export function silent(proxy: Proxy, ms: number): ProxyError {
  const fix = `Check ${proxy.by}, and whether the proxy runs.`;
  return new ProxyError("PROXY_SILENT", `${nameOf(proxy)} did not answer within ${ms / 1000} s`, fix);
}

/** What a proxy's status says that lets nothing through. */
export function refusedBy(proxy: Proxy, status: number, target: string): ProxyError {
  const { by, label, authorization } = proxy;
  const name = nameOf(proxy);
  if (status === 407) {
    const what =
      authorization === undefined
        ? `${name} wants a name and a password (407)`
        : `${name} does not take the name and the password in ${by} (407)`;
    const fix = `Write them into ${by}: ${proxy.protocol}//NAME:PASSWORD@${label}, with %40 for an @ in them.`;
    return new ProxyError("PROXY_WANTS_PASSWORD", what, fix);
  }
  if (status >= 500) {
    const fix = `Check the address; where this machine reaches it without the proxy, name it in NO_PROXY.`;
    return new ProxyError("PROXY_FAILED", `${name} does not get through to ${target} (${status})`, fix);
  }
  const fix = `Ask whoever runs the proxy to let this machine through to ${target}; where it is reached without, name it in NO_PROXY.`;
  return new ProxyError("PROXY_REFUSES", `${name} does not let this machine through to ${target} (${status})`, fix);
}

function nameOf({ label, by }: Proxy): string {
  return `the proxy ${label} (${by})`;
}

/** The code of an error, or of the first one it is made of. */
function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? code : "";
}

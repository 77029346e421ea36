import { isNetworkError } from "ky";
import { UnavailableError } from "./errors.ts";

/** Codes that only occur while a connection is being made: no byte of a request can have left. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_\w+|ERR_SSL_\w+|HOSTNAME_MISMATCH|PROXY_\w+)$/;

/**
 * Turns what `fetch` threw into an error that says whether the server may have acted on the call.
 *
 * Node names the cause; browsers do not, so there every network failure counts as possibly carried out. The error
 * fetch threw stays as `cause`, without the request around it, which holds the key.
 */
export function networkFailure(thrown: unknown, host: string): UnavailableError {
  const raw = isNetworkError(thrown) ? thrown.cause : thrown;
  const evidence = [...causes(raw)];
  if (isBlockedPort(host)) return new UnavailableError(blocked(host), false, { host }, { cause: raw });
  const sentNothing = evidence.some(isBeforeSending);
  const code = evidence.map((error) => textField(error, "code")).find((found) => found !== undefined);
  // What made the connection tells of the proxy it was to go through in whole words.
  const ofProxy = evidence.find((error) => textField(error, "code")?.startsWith("PROXY_") === true);
  const why = textField(ofProxy, "message") ?? reason(code);
  const message = sentNothing ? `The server at ${host} cannot be reached: ${why}.` : lost(host, code);
  return new UnavailableError(message, !sentNothing, { host, code }, { cause: raw });
}

/** Ports that fetch sends nothing to, as the Fetch standard lists them under "bad port". */
const BLOCKED_PORTS = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 " +
    "135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 " +
    "995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
  ).split(" "),
);

function isBlockedPort(host: string): boolean {
  return BLOCKED_PORTS.has(/:(\d+)$/.exec(host)?.[1] ?? "");
}

function blocked(host: string): string {
  const port = host.slice(host.lastIndexOf(":") + 1);
  return (
    `The server at ${host} cannot be reached: port ${port} is kept for another service, and neither browsers nor this ` +
    "program send anything there. Check the port."
  );
}

function lost(host: string, code: string | undefined): string {
  const maybe = "The server may have carried the call out all the same.";
  if (code !== undefined) return `The connection to ${host} was lost before the whole answer had come. ${maybe}`;
  // A browser gives no code: an unreachable host, a refused origin and a broken connection look alike to a page.
  return `${host} gave no whole answer. It may be unreachable, or not allow calls from this origin. Check the address, and that the server allows this origin. ${maybe}`;
}

function reason(code = ""): string {
  if (code === "ECONNREFUSED") return "nothing listens there. Check that the service is running, and its port";
  if (/^(ENOTFOUND|EAI_)/.test(code)) return "its name is not known. Check the spelling and your network";
  if (/CERT|TLS|SSL|UNABLE_TO|EPROTO|HOSTNAME/.test(code)) {
    return `no trusted encrypted connection could be made (${code}). Check https:// against http://, and the certificate`;
  }
  return `no connection could be made${code === "" ? "" : ` (${code})`}. Check the address and your network`;
}

function isBeforeSending(error: unknown): boolean {
  const code = textField(error, "code") ?? "";
  if (BEFORE_SENDING.test(code)) return true;
  const call = textField(error, "syscall");
  if (call === "connect" || call === "getaddrinfo") return true;
  // A TLS handshake that fails carries a general code, and says in words or by its library how far it got.
  if (code === "EPROTO" || textField(error, "library") === "SSL routines") return true;
  return (textField(error, "message") ?? "").includes("before secure TLS connection was established");
}

/** An error, its causes, and the members of an aggregate (one per address tried), a few steps deep. */
function* causes(error: unknown, depth = 0): Generator<unknown> {
  if (typeof error !== "object" || error === null || depth > 4) return;
  yield error;
  if ("cause" in error) yield* causes(error.cause, depth + 1);
  if ("errors" in error && Array.isArray(error.errors)) {
    for (const member of error.errors) yield* causes(member, depth + 1);
  }
}

function textField(error: unknown, field: string): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const value: unknown = Reflect.get(error, field);
  return typeof value === "string" ? value : undefined;
}

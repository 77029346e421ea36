import { isLoopback } from "@threadlore/client";
import { type IsExempt, readExempt } from "./exempt.ts";

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that a setting names. */
export interface Proxy {
  /** The variable that names it. */
  readonly by: string;
  readonly protocol: "http:" | "https:";
  /** As a connection is made to it: an address of version 6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and port, for people. Holds no password. */
  readonly label: string;
  /** Value of the `proxy-authorization` header; absent: it is given no name. Never shown. */
  readonly authorization?: string;
}

/** A setting that names no proxy that can be used. */
export interface UnusableProxy {
  readonly by: string;
  /** What is wrong with it, as half a sentence. Holds no password. */
  readonly problem: string;
  /** What to do, as a whole sentence. */
  readonly fix: string;
}

/** What the environment says of proxies. */
export interface Proxies {
  /** For https and wss. */
  readonly secure: Proxy | UnusableProxy | undefined;
  /** For http and ws. */
  readonly plain: Proxy | UnusableProxy | undefined;
  readonly isExempt: IsExempt;
  /** What must stand in no log: passwords as they are written and as they are meant, and what is sent of them. */
  readonly secrets: readonly string[];
}

/** How an address is reached. */
export type Way =
  | { readonly kind: "direct"; readonly because: "this machine" | "NO_PROXY" | "no proxy is set" }
  | { readonly kind: "proxy"; readonly proxy: Proxy }
  | { readonly kind: "unusable"; readonly setting: UnusableProxy };

/**
 * Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY. In small letters they come first, as everywhere; an empty one counts as not
 * set. One does not stand in for the other.
 */
export function readProxies(env: Environment): Proxies {
  const secrets: string[] = [];
  return {
    secure: proxyIn(env, "HTTPS_PROXY", secrets),
    plain: proxyIn(env, "HTTP_PROXY", secrets),
    isExempt: readExempt(settingIn(env, "NO_PROXY")?.text ?? ""),
    secrets,
  };
}

/** How this address is reached. What is on this machine is never reached by a proxy. */
export function wayTo(url: URL, proxies: Proxies): Way {
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  const setting = isSecure ? proxies.secure : proxies.plain;
  if (isThisMachine(url.hostname)) return { kind: "direct", because: "this machine" };
  if (setting === undefined) return { kind: "direct", because: "no proxy is set" };
  if (proxies.isExempt(url.hostname, portOf(url))) return { kind: "direct", because: "NO_PROXY" };
  return "problem" in setting ? { kind: "unusable", setting } : { kind: "proxy", proxy: setting };
}

/**
 * Whether calling this name calls this machine, under whatever name. Wider than `isLoopback`, which says where keys may
 * travel in the clear: nothing is allowed by this one, only kept from a proxy.
 */
function isThisMachine(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name === "0.0.0.0" || name === "[::]") return true;
  // Version 4 within version 6, as a URL writes it: [::ffff:7f00:1].
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(name) ?? [];
  if (high !== undefined && low !== undefined) {
    const [first, rest] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
    return first >> 8 === 127 || (first === 0 && rest === 0);
  }
  return isLoopback(name);
}

/** The port an address is called at. */
export function portOf({ port, protocol }: Pick<URL, "port" | "protocol">): number {
  if (port !== "") return Number(port);
  return protocol === "https:" || protocol === "wss:" ? 443 : 80;
}

function settingIn(env: Environment, name: string): { by: string; text: string } | undefined {
  return [name.toLowerCase(), name].map((by) => ({ by, text: env[by]?.trim() ?? "" })).find(({ text }) => text !== "");
}

const FORM = "Name one of HTTP, such as http://proxy.example.com:3128.";

function proxyIn(env: Environment, name: string, secrets: string[]): Proxy | UnusableProxy | undefined {
  const setting = settingIn(env, name);
  if (setting === undefined) return undefined;
  const { by, text } = setting;
  const { secret, isMisread } = beforeHost(text);
  if (isMisread) {
    if (secret !== "") secrets.push(...new Set([secret, decoded(secret)]));
    return {
      by,
      problem: `${by} has a sign in its name or password that means something else in an address`,
      fix: "Write / as %2F, # as %23, ? as %3F, @ as %40 and \\ as %5C in the name and the password.",
    };
  }
  // Without a scheme it is one of HTTP, as curl has it.
  const url = URL.parse(/^[a-z][\w+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || url.hostname === "") {
    // It may hold a password all the same.
    if (secret !== "") secrets.push(...new Set([secret, decoded(secret)]));
    return { by, problem: `${by} is no address of a proxy`, fix: FORM };
  }
  const { protocol } = url;
  const password = decoded(url.password);
  secrets.push(...[url.password, password].filter((one) => one !== ""));
  if (protocol !== "http:" && protocol !== "https:") {
    return {
      by,
      problem: `${by} names a proxy of the kind ${protocol.slice(0, -1)}, which is not spoken here`,
      fix: FORM,
    };
  }
  const port = portOf(url);
  const proxy: Proxy = {
    by,
    protocol,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    label: `${url.hostname}:${port}`,
  };
  if (url.username === "" && url.password === "") return proxy;
  const credentials = Buffer.from(`${decoded(url.username)}:${password}`).toString("base64");
  secrets.push(credentials);
  return { ...proxy, authorization: `Basic ${credentials}` };
}

/**
 * The password a setting is meant to have, however it is written: all between the first `:` and the last `@`. It is misread
 * where a URL would end it, and take the rest for a host or a path that may be shown.
 */
function beforeHost(text: string): { secret: string; isMisread: boolean } {
  const rest = text.replace(/^[a-z][\w+.-]*:\/\//i, "");
  const before = rest.slice(0, Math.max(0, rest.lastIndexOf("@")));
  const colon = before.indexOf(":");
  return { secret: colon === -1 ? "" : before.slice(colon + 1), isMisread: /[/?#@\\]/.test(before) };
}

/** What `%40` and the like stand for; as it is where it is not written that way. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

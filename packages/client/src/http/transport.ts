import ky from "ky";
import type * as z from "zod/mini";
import { normalizeBaseUrl, type BaseUrlRules } from "../address/base-url.ts";
import { CallWatch, DEFAULT_TIMEOUTS, type Timeouts } from "./call-watch.ts";
import { AuthError, InvalidRequestError, ProtocolError, type ClientError } from "../errors/errors.ts";
import { readable } from "../errors/error-body.ts";
import { networkFailure } from "../errors/network-failure.ts";
import { refusalOf, wrongBaseUrl, type Refusal } from "../errors/reply-error.ts";
import { discard, readErrorText, readText } from "./reply-body.ts";
import { DEFAULT_RETRIES, nextWait, type RetryLimits } from "./retry-policy.ts";
import { parseWireJson } from "./wire-json.ts";
import { withDefaults } from "../with-defaults.ts";

/** What every client of a server is made of. */
export interface ConnectionOptions extends BaseUrlRules {
  /** Where the service answers, with or without `/api` at the end, as the server is set up. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer …`. Absent or empty: no credential is sent. */
  apiKey?: string;
  /** Used instead of the global `fetch`: a test's, or an embedded service's own. */
  fetch?: (input: Request) => Promise<Response>;
  /** Longest waits; what is absent has its default. */
  timeouts?: Partial<Timeouts>;
  /** When calls are repeated; what is absent has its default. */
  retries?: Partial<RetryLimits>;
  /**
   * Called with the server's origin when it refuses the key, once until a call succeeds again, however many calls fail
   * together. The key is not cleared.
   */
  onAuthFailure?: (origin: string) => void;
}

/** One call, before it is sent. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the base URL on, beginning with a slash; variable parts already encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as the JSON body. */
  json?: unknown;
  /** Sent as a multipart body, instead of `json`. */
  form?: FormData;
  /** Doing it twice is as good as doing it once, so it may be repeated after a loss or a server error. */
  repeatable: boolean;
  /** The server works in silence before it answers: waits follow `slowFirstByteMs`. */
  slow?: boolean;
  /** The `accept` header. Default `application/json`. */
  accept?: string;
  /** Sent without the key, as for health. */
  anonymous?: boolean;
  /** Parts of the body that must be in no error, whatever the server repeats. */
  secrets?: readonly string[];
  signal?: AbortSignal;
}

/** A successful reply whose body is still to be read. Whoever opens one must `close` it. */
export interface OpenReply {
  status: number;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
  watch: CallWatch;
  /** Gives the connection back or drops it. Safe to call twice. */
  close(): void;
}

/** The one way to a server: shared by every client of it, so that they share its waits. */
export interface Transport {
  readonly baseUrl: string;
  readonly origin: string;
  /** Host and port, for messages. */
  readonly host: string;
  readonly timeouts: Timeouts;
  /** Sends a call, repeating it as the policy allows, and gives the reply with its body unread. */
  open(call: Call): Promise<OpenReply>;
  /** Reads the body of an opened reply whole, as text, and closes it. */
  read(reply: OpenReply): Promise<TextReply>;
  /** Sends a call and reads its body whole, as text. */
  text(call: Call): Promise<TextReply>;
  /** Sends a call whose answer is JSON of this shape. Throws ProtocolError when it is not. */
  json<Schema extends z.ZodMiniType>(call: Call, schema: Schema): Promise<z.output<Schema>>;
}

/** A reply read whole. */
export interface TextReply {
  status: number;
  headers: Headers;
  text: string;
}

/** Longest body read whole, in bytes. */
const MAX_WHOLE_BYTES = 64_000_000;

/** Makes the transport. Throws InvalidRequestError for a base URL or key that can never work. */
export function createTransport(options: ConnectionOptions): Transport {
  const baseUrl = normalizeBaseUrl(options.baseUrl, options);
  const { origin, host } = new URL(baseUrl);
  const apiKey = checkedKey(options.apiKey);
  const timeouts = withDefaults(DEFAULT_TIMEOUTS, options.timeouts);
  const retries = withDefaults(DEFAULT_RETRIES, options.retries);
  let waitUntil = 0;
  let authFailureTold = false;

  async function open(call: Call): Promise<OpenReply> {
    const watch = new CallWatch(host, timeouts.totalMs, call.signal);
    try {
      for (let attempt = 0; ; attempt++) {
        watch.check();
        // Another call may be told to wait longer meanwhile.
        while (waitUntil > performance.now()) await watch.pause(waitUntil - performance.now());
        const result = await tryOnce(call, watch);
        if (!("error" in result)) {
          if (call.anonymous !== true) authFailureTold = false;
          return result;
        }
        const elapsedMs = performance.now() - watch.startedAt;
        const leftMs = timeouts.totalMs - elapsedMs;
        const { repeatable } = call;
        const wait = nextWait({ ...result, attempt, elapsedMs, leftMs, repeatable }, retries);
        if (wait === undefined) throw tell(result.error);
        // A wait the server asked for holds for every call of this client, not only for the one that was told.
        if (result.waitMs === undefined) await watch.pause(wait);
        else waitUntil = Math.max(waitUntil, performance.now() + wait);
      }
    } catch (error) {
      watch.done();
      throw error;
    }
  }

  function tell(error: ClientError): ClientError {
    if (error instanceof AuthError && !authFailureTold) {
      authFailureTold = true;
      options.onAuthFailure?.(origin);
    }
    return error;
  }

  async function tryOnce(call: Call, watch: CallWatch): Promise<OpenReply | Refusal> {
    watch.allowSilence(call.slow === true ? timeouts.slowFirstByteMs : timeouts.firstByteMs);
    const sent = send(call, watch.signal);
    let response: Response;
    try {
      response = await watch.race(sent);
    } catch (error) {
      // An injected fetch may ignore the signal and answer later; nobody reads that answer.
      sent.then(discard, () => {});
      watch.check();
      return { error: networkFailure(error, host), waitMs: undefined };
    }
    if (isRedirect(response)) {
      discard(response);
      throw redirected(response, host);
    }
    return response.ok ? opened(response, watch) : await refused(call, response, watch);
  }

  async function send(call: Call, signal: AbortSignal): Promise<Response> {
    const headers = new Headers({ accept: call.accept ?? "application/json" });
    if (apiKey !== "" && call.anonymous !== true) headers.set("authorization", `Bearer ${apiKey}`);
    const body = call.form === undefined ? (call.json === undefined ? {} : { json: call.json }) : { body: call.form };
    return ky(urlOf(baseUrl, call), {
      ...body,
      method: call.method,
      headers,
      signal,
      // A redirect is never followed: it could carry the key to another origin.
      redirect: "manual",
      // The key alone says who is calling; a browser's cookies for the host would be a second answer.
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      // Ky's own retry and timers know nothing of operations, events and streams: ours stand in their place.
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      ...(options.fetch === undefined ? {} : { fetch: withRequest(options.fetch) }),
    });
  }

  async function refused(call: Call, response: Response, watch: CallWatch): Promise<Refusal> {
    const body = await readErrorText(response, watch);
    watch.check();
    const operation = `${call.method} ${call.path}`;
    // A server that repeats the Authorization header in its reply must not put the key into an error, and so into a log.
    const withoutKey = apiKey === "" ? body : body.replaceAll(apiKey, "(key)");
    const clean = withoutSecrets(withoutKey, call.secrets ?? []);
    return refusalOf({ status: response.status, headers: response.headers, body: clean, host, operation });
  }

  async function text(call: Call): Promise<TextReply> {
    return read(await open(call));
  }

  async function read(reply: OpenReply): Promise<TextReply> {
    try {
      reply.watch.allowSilence(timeouts.slowFirstByteMs);
      const whole = await readText(reply.body, reply.watch, MAX_WHOLE_BYTES);
      if (whole === undefined) throw new ProtocolError(`${host} sent more than 64 MB at once.`, { host });
      return { status: reply.status, headers: reply.headers, text: whole };
    } catch (error) {
      reply.watch.check();
      throw error instanceof ProtocolError ? error : networkFailure(error, host);
    } finally {
      reply.close();
    }
  }

  async function json<Schema extends z.ZodMiniType>(call: Call, schema: Schema): Promise<z.output<Schema>> {
    const reply = await text(call);
    return readJson(reply, schema, host);
  }

  return { baseUrl, origin, host, timeouts, open, read, text, json };
}

function opened(response: Response, watch: CallWatch): OpenReply {
  const close = () => {
    watch.done();
    discard(response);
  };
  return { status: response.status, headers: response.headers, body: response.body, watch, close };
}

/** Most places named where a reply has another shape. */
const MOST_PLACES = 3;

/** A JSON reply of the shape it must have. Throws WrongBaseUrlError for a web page, ProtocolError for anything else. */
export function readJson<Schema extends z.ZodMiniType>(
  reply: TextReply,
  schema: Schema,
  host: string,
): z.output<Schema> {
  const facts = { status: reply.status, host };
  const type = reply.headers.get("content-type") ?? "no content type";
  if (/^\s*</.test(reply.text)) throw wrongBaseUrl(host, reply.status, facts);
  let value: unknown;
  try {
    value = parseWireJson(reply.text);
  } catch (cause) {
    throw new ProtocolError(`${host} answered with ${type} that is no JSON.`, facts, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path }) => readable(path.join(".")) || "the whole reply");
  const more = places.length > MOST_PLACES ? ` and ${places.length - MOST_PLACES} more places` : "";
  const where = `${places.slice(0, MOST_PLACES).join(", ")}${more}`;
  throw new ProtocolError(`${host} answered with JSON of another shape than agreed (at ${where}).`, facts);
}

/** Whole values, and the parts of them that blanks divide: servers also repeat a token without its scheme. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]).filter((part) => part.length >= 8);
  return parts.reduce((clean, part) => clean.replaceAll(part, "(secret)"), text);
}

function urlOf(baseUrl: string, { path, query = {} }: Call): URL {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function checkedKey(apiKey = ""): string {
  const key = apiKey.trim();
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  const message = "The API key holds characters no key has. Copy it again, without blanks or line ends.";
  throw new InvalidRequestError(message, [{ loc: ["api_key"], msg: message, type: "api_key" }]);
}

/** Ky calls fetch with a Request it has made; an injected fetch gets exactly that. */
function withRequest(fetch: (input: Request) => Promise<Response>) {
  return (input: string | URL | Request, init?: RequestInit) => fetch(new Request(input, init));
}

function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

function redirected(response: Response, host: string): ProtocolError {
  const target = URL.parse(response.headers.get("location") ?? "", `http://${host}`);
  return wrongBaseUrl(host, response.status, { status: response.status, host }, target?.host ?? "another address");
}

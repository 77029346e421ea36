import ky, { isHTTPError } from "ky";
import type { Fetch } from "../ambient.ts";
import type { ClientError } from "../errors/errors.ts";
import { networkFailure } from "../errors/network-failure.ts";
import { refusalOf, wrongBaseUrl, type Refusal } from "../errors/reply-error.ts";
import type { CallWatch } from "./call-watch.ts";
import { discard } from "./reply-body.ts";
import type { RetryLimits } from "./connection-options.ts";
import { longestWait } from "./retry-policy.ts";
import { withoutSecrets } from "./secrets.ts";

/** One call, before it is sent. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the base URL on, beginning with a slash; variable parts already encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as the JSON body. */
  json?: unknown;
  /** Sent as a form, instead of `json`: multipart, or of texts alone (`application/x-www-form-urlencoded`). */
  form?: FormData | URLSearchParams;
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

/** Where calls go, and in whose name; without a key no credential is sent. */
interface Connection {
  readonly baseUrl: string;
  readonly host: string;
  readonly apiKey: string;
  readonly retries: RetryLimits;
  readonly fetch: Fetch | undefined;
}

/**
 * Makes what sends the calls of one connection, each repeated as the policy allows: ky counts, backs off with full
 * jitter and reads the body of a refusal; which failure may be repeated is `longestWait`'s to say. Gives a reply of
 * success with its body unread; throws a ClientError for everything else, or what ended the call.
 */
export function createSender(
  connection: Connection,
): (call: Call, watch: CallWatch, silenceMs: number) => Promise<Response> {
  const { baseUrl, host, apiKey, retries, fetch } = connection;
  // A wait the server asked for holds for every call of this connection, not only for the one that was told.
  let quietUntil = 0;

  return async (call, watch, silenceMs) => {
    let backoffMs = 0;
    const beforeSending = async () => {
      // Another call may be told to wait longer meanwhile.
      while (quietUntil > performance.now()) await watch.delay(quietUntil - performance.now());
      watch.check();
      watch.allowSilence(silenceMs);
    };
    const mayRepeat = (error: Error, attempt: number): boolean => {
      const { waitMs, ...refusal } = refusalFor(error, call, connection);
      const elapsedMs = performance.now() - watch.startedAt;
      const leftMs = watch.totalMs - elapsedMs;
      const failed = { ...refusal, waitMs, attempt, elapsedMs, leftMs, repeatable: call.repeatable };
      const longest = watch.ended ? undefined : longestWait(failed, retries);
      if (longest === undefined) return false;
      // Between two attempts nobody waits for a sign of the server.
      watch.hold();
      backoffMs = waitMs === undefined ? longest : 0;
      if (waitMs !== undefined) quietUntil = Math.max(quietUntil, performance.now() + waitMs);
      return true;
    };
    const sent = ky(call.path.slice(1), {
      prefix: baseUrl,
      searchParams: call.query,
      method: call.method,
      json: call.form === undefined ? call.json : undefined,
      body: call.form,
      headers: headersOf(call, apiKey),
      signal: watch.signal,
      // A redirect is never followed: it could carry the key to another origin.
      redirect: "manual",
      throwHttpErrors: (status) => status >= 400,
      // The key alone says who is calling; a browser's cookies for the host would be a second answer.
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      // One clock holds for a call from its first attempt to the last packet of its stream: the watch's.
      timeout: false,
      retry: {
        limit: retries.retries,
        methods: [call.method],
        delay: () => backoffMs,
        jitter: true,
        shouldRetry: ({ error, retryCount }) => mayRepeat(error, retryCount - 1),
      },
      hooks: {
        beforeRequest: [beforeSending],
        beforeRetry: [beforeSending],
        beforeError: [({ error }) => refusalFor(error, call, connection).error],
      },
      // The body of a refusal is read by `refusalOf`, whatever type it calls itself.
      parseJson: (text) => text,
      // What ky fetches is a request with all that was asked for above.
      fetch: fetch && ((request) => fetch(request as Request)),
    });
    let response: Response;
    try {
      response = await watch.race(sent);
    } catch (error) {
      // An injected fetch may ignore the signal and answer later; nobody reads that answer.
      sent.then(discard, () => {});
      watch.check();
      throw error;
    }
    if (!isRedirect(response)) return response;
    discard(response);
    throw redirected(response, host);
  };
}

function headersOf({ accept = "application/json", anonymous }: Call, apiKey: string): Record<string, string> {
  return apiKey === "" || anonymous === true ? { accept } : { accept, authorization: `Bearer ${apiKey}` };
}

/** What a failed attempt means. */
function refusalFor(thrown: Error, call: Call, { host, apiKey }: Connection): Refusal {
  if (!isHTTPError(thrown)) return { error: networkFailure(thrown, host), waitMs: undefined };
  const { response, data } = thrown;
  const body = typeof data === "string" ? data : "";
  // A server that repeats the Authorization header in its reply must not put the key into an error, and so into a log.
  const withoutKey = apiKey === "" ? body : body.replaceAll(apiKey, "(key)");
  const clean = withoutSecrets(withoutKey, call.secrets ?? []);
  const operation = `${call.method} ${call.path}`;
  return refusalOf({ status: response.status, headers: response.headers, body: clean, host, operation });
}

function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

function redirected(response: Response, host: string): ClientError {
  const target = URL.parse(response.headers.get("location") ?? "", `http://${host}`);
  return wrongBaseUrl(host, response.status, { status: response.status, host }, target?.host ?? "another address");
}

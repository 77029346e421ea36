import { WebClient, type FetchFunction, type Logger, LogLevel, type WebClientOptions } from "@slack/web-api";

import { CALL_TIMEOUT_MS, PACE } from "./limits.ts";

/** How to reach the platform. */
export interface ClientOptions {
  readonly botToken: string;
  /** Absent: Slack's own. */
  readonly slackApiUrl?: string;
  /** For a proxy or a test. Absent: the global one. */
  readonly fetch?: FetchFunction;
  /** Absent: nothing is logged; every failure reaches the caller anyway. */
  readonly logger?: Logger;
  /** How long one call may take, milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
}

/** See {@link createClients}. */
export type Clients = ReturnType<typeof createClients>;

/**
 * One web client of a workspace per kind of traffic. A client that is told to wait pauses its whole queue, and repeats
 * what it got no answer to: so nothing here waits or repeats by itself but harmless reads, and one kind never stands in
 * another's way. A 429 comes back as an error everywhere, for the pacer to wait out. Opens no connection.
 */
export function createClients(options: ClientOptions) {
  const base = {
    slackApiUrl: options.slackApiUrl,
    fetch: withRetryAfter(options.fetch ?? globalThis.fetch),
    timeout: options.timeoutMs ?? CALL_TIMEOUT_MS,
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  } satisfies WebClientOptions;
  const logger = options.logger ?? silentLogger;
  const never = { retries: 0 };
  const seldom = { retries: 2, minTimeout: 200, maxTimeout: 2000, randomize: true };
  return {
    /** chat.startStream, appendStream, stopStream. Never repeats. */
    streaming: new WebClient(options.botToken, { ...base, logger, retryConfig: never, maxRequestConcurrency: 200 }),
    /** Everything that must not happen twice. Never repeats. */
    posts: new WebClient(options.botToken, { ...base, logger, retryConfig: never }),
    /** Reading: repeats a lost call twice. */
    reads: new WebClient(options.botToken, { ...base, logger, retryConfig: seldom, maxRequestConcurrency: 20 }),
    /** Reading what is to stand in no log, whatever its level. Never repeats. */
    unlogged: new WebClient(options.botToken, { ...base, logger: silentLogger, retryConfig: never }),
    /** For Bolt's own client and that of its sockets: an end to each call, no repeats. */
    boltOptions: { ...base, retryConfig: never },
  };
}

/** A 429 without a usable Retry-After makes the web client throw a bare Error; it gets a time to wait instead. */
function withRetryAfter(inner: FetchFunction): FetchFunction {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.status !== 429 || Number.parseInt(response.headers.get("retry-after") ?? "", 10) >= 0) return response;
    return new Response("", { status: 429, headers: { "retry-after": String(PACE.retryAfterMs / 1000) } });
  };
}

const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

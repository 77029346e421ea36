import type { Logger, ReceiverEvent } from "@slack/bolt";
import { SocketModeClient } from "@slack/socket-mode";
import { WebAPIRateLimitedError, type WebClientOptions } from "@slack/web-api";
import { delay, machineClock } from "./clock.ts";
import { REVOKED } from "./refusals.ts";
import { platformError } from "../read/people.ts";

/** How to hold one connection. */
export interface LineOptions {
  readonly appToken: string;
  readonly logger: Logger;
  readonly clientOptions: Omit<WebClientOptions, "logLevel" | "logger">;
  /**
   * Something came in. Its `ack` tells the platform so, with what it asked for (a modal's errors, a command's reply), and
   * rejects when the socket is gone.
   */
  readonly onDelivery: (delivery: ReceiverEvent) => void;
  /** A connection is up, for the first time or again. */
  readonly onConnected?: () => void;
  /** The platform dropped events: more than 30,000 in an hour. */
  readonly onEventsDropped: () => void;
  /** Connecting can never succeed (a revoked token): it is not tried again. `reason` is the platform's own word. */
  readonly onFatal: (reason: string) => void;
}

/** Words of `apps.connections.open` after which asking again is pointless. */
const FATAL: ReadonlySet<string> = new Set([...REVOKED, "not_allowed_token_type", "missing_scope", "no_permission"]);

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;
/** From the call for an address to the platform's greeting. */
const GREETING_MS = 20_000;
/** A connection that lived this long was a good one: the next begins without waiting. */
const GOOD_LIFE_MS = 5_000;

/**
 * One Socket Mode connection, kept up. The SDK's own reconnecting waits 5 s each time, gives up for good when the
 * platform cannot be reached, and one frame without an inner event ends the process (measured with socket-mode 3.1.0);
 * so each connection is a client of its own here, without its reconnecting, and the next one begins at once.
 */
export class SocketLine {
  readonly #options: LineOptions;
  readonly #stopping = new AbortController();
  #current: Connection | undefined;
  #connected = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Whether events can arrive right now. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Resolves when connected for the first time, or stopped before that; rejects when it can never be. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#ended = this.#keepUp(resolve).then(resolve, reject);
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#current?.close();
    await this.#ended;
  }

  async #keepUp(onFirst: () => void): Promise<void> {
    const { onConnected, onFatal, logger } = this.#options;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const connection = new Connection(this.#options);
      this.#current = connection;
      const begun = Date.now();
      try {
        await connection.open(signal);
        this.#connected = true;
        onConnected?.();
        onFirst();
        await connection.ended;
        failures = Date.now() - begun >= GOOD_LIFE_MS ? 0 : failures + 1;
      } catch (error) {
        const word = platformError(error);
        if (word !== undefined && FATAL.has(word)) {
          onFatal(word);
          throw error;
        }
        failures += 1;
        const why = word ?? (error instanceof Error ? error.name : "unknown");
        logger.warn(`No connection to the chat platform: ${why}. Trying again.`);
        if (error instanceof WebAPIRateLimitedError) await delay(machineClock, error.retryAfter * 1000, signal);
      } finally {
        this.#connected = false;
        connection.close();
      }
      if (failures > 0) await delay(machineClock, waitAfter(failures), signal);
    }
  }
}

/** Exponential, with half of it at random so that many bots do not come back together. */
function waitAfter(failures: number): number {
  const most = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return most / 2 + Math.random() * (most / 2);
}

/** One socket from its opening to its end. */
class Connection extends SocketModeClient {
  /** Resolves when nothing more should be expected of it: closed, lost, or about to be replaced by the platform. */
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #options: LineOptions;

  constructor(options: LineOptions) {
    const { appToken, logger, clientOptions } = options;
    super({ appToken, logger, autoReconnectEnabled: false, clientOptions: { ...clientOptions } });
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.on("slack_event", ({ body, ack, retry_num: retryNum, retry_reason: retryReason }) => {
      options.onDelivery({ body, ack, retryNum, retryReason });
    });
    this.on("disconnected", this.#end);
  }

  /** Resolves when the platform has greeted. */
  async open(signal: AbortSignal): Promise<void> {
    const late = setTimeout(() => this.close(), GREETING_MS);
    const stop = (): void => this.close();
    signal.addEventListener("abort", stop);
    try {
      const started = this.start();
      // Lost while it waits for the address: start() itself would never tell.
      await Promise.race([started, this.ended.then(() => Promise.reject(new Error("closed before it was open")))]);
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", stop);
    }
  }

  close(): void {
    this.#end();
    // Without a socket yet there is nothing to wait for; with one, its end is its own affair.
    this.disconnect().catch(() => undefined);
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const envelope = isBinary ? undefined : parsed(data);
    if (envelope?.["type"] === "disconnect") {
      // The next connection begins now; this one still does its farewell.
      this.#end();
    } else if (envelope?.["type"] === "events_api" && !hasEvent(envelope["payload"])) {
      // `app_rate_limited` has no inner event, on which the SDK fails and never acknowledges.
      this.#options.onEventsDropped();
      this.websocket?.send(JSON.stringify({ envelope_id: envelope["envelope_id"], payload: {} }), () => undefined);
      return;
    }
    await super.onWebSocketMessage(data, isBinary);
  }
}

function parsed(data: string | ArrayBuffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(typeof data === "string" ? data : new TextDecoder().decode(data));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function hasEvent(body: unknown): boolean {
  return typeof body === "object" && body !== null && "event" in body && typeof body.event === "object";
}

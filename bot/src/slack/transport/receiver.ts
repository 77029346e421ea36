import type { App, Receiver, ReceiverEvent } from "@slack/bolt";
import { WebAPIRateLimitedError } from "@slack/web-api";
import { backoffMs, delay } from "@threadlore/client/delay";
import { platformError } from "../read/people.ts";
import { REVOKED } from "./refusals.ts";
import { type ConnectionOptions, SocketConnection } from "./socket-connection.ts";

/** How to receive by Socket Mode. */
export interface SocketReceiverOptions extends Omit<ConnectionOptions, "onDelivery"> {
  /** How many connections: an event goes to any of them, so a second covers the first one's reconnecting. */
  readonly sockets: number;
  /** A connection is up, for the first time or again. */
  readonly onConnected?: () => void;
  /** Connecting can never succeed (a revoked token): it is not tried again. `reason` is the platform's own word. */
  readonly onFatal: (reason: string) => void;
}

/** A receiver that also tells whether events can arrive. */
export interface WatchedReceiver extends Receiver {
  /** How many connections are up. */
  readonly connections: number;
}

/** Words of `apps.connections.open` after which asking again is pointless. */
const FATAL: ReadonlySet<string> = new Set([...REVOKED, "not_allowed_token_type", "missing_scope", "no_permission"]);

/** How waits grow while there is no connection. */
const WAITS = { baseMs: 250, capMs: 30_000 };
/** A connection that lived this long was a good one: the next begins without waiting. */
const GOOD_LIFE_MS = 5_000;

/**
 * Several Socket Mode connections as one receiver, each of them kept up.
 *
 * Bolt acknowledges an event before its listeners run, so that a crash right then loses it. Here the acknowledgement
 * goes out after they ran: listeners keep what came durably and return, and what they could not keep is sent again.
 */
export function createSocketReceiver(options: SocketReceiverOptions): WatchedReceiver {
  const { sockets, logger, onConnected, onFatal } = options;
  const stopping = new AbortController();
  const up = new Set<SocketConnection>();
  let lines: readonly Promise<void>[] = [];
  let app: App | undefined;
  let fatal = false;

  /** Events are acknowledged once their listeners are through; everything else when its listener says so. */
  async function receive(delivery: ReceiverEvent): Promise<void> {
    const isEvent = delivery.body["type"] === "event_callback";
    try {
      await app?.processEvent(isEvent ? { ...delivery, ack: () => Promise.resolve() } : delivery);
      if (isEvent) await delivery.ack();
    } catch (error) {
      // Not acknowledged: the platform sends it again.
      logger.error(`Something that came in could not be kept: ${error instanceof Error ? error.name : "unknown"}`);
    }
  }

  /** One connection after the other until it is stopped. Rejects when there can never be one. */
  async function keepUp(onFirst: () => void): Promise<void> {
    const { signal } = stopping;
    for (let failures = 0; !signal.aborted;) {
      const connection = new SocketConnection({ ...options, onDelivery: (delivery) => void receive(delivery) });
      const stop = (): void => connection.close();
      signal.addEventListener("abort", stop);
      const begun = Date.now();
      try {
        await connection.open();
        up.add(connection);
        onConnected?.();
        onFirst();
        await connection.ended;
        failures = Date.now() - begun >= GOOD_LIFE_MS ? 0 : failures + 1;
      } catch (error) {
        const word = platformError(error);
        if (word !== undefined && FATAL.has(word)) {
          if (!fatal) onFatal(word);
          fatal = true;
          throw error;
        }
        failures += 1;
        const why = word ?? (error instanceof Error ? error.name : "unknown");
        // The error as well: its codes say where on the way it ended, such as at a proxy.
        logger.warn(`No connection to the chat platform: ${why}. Trying again.`, error);
        if (error instanceof WebAPIRateLimitedError) await delay(error.retryAfter * 1000, signal);
      } finally {
        up.delete(connection);
        signal.removeEventListener("abort", stop);
        connection.close();
      }
      // Half of it at random, so that many bots do not come back together.
      if (failures > 0) await delay(backoffMs(failures - 1, WAITS) * (0.5 + Math.random() / 2), signal);
    }
  }

  return {
    init(given) {
      app = given;
    },
    async start() {
      const first = Array.from({ length: sockets }, () => Promise.withResolvers<void>());
      // Also stopped before it was connected for the first time.
      lines = first.map(({ resolve, reject }) => keepUp(resolve).then(resolve, reject));
      await Promise.all(first.map(({ promise }) => promise));
    },
    async stop() {
      stopping.abort();
      await Promise.all(lines);
    },
    get connections() {
      return up.size;
    },
  };
}

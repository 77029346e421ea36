import type { App, Logger, Receiver, ReceiverEvent } from "@slack/bolt";
import type { WebClientOptions } from "@slack/web-api";
import { createSocketLine, type SocketEvent, type SocketLine } from "./socket-line.ts";

/** What a receiver tells of the connection to the platform. */
export interface ReceiverNotices {
  /** A connection is up, for the first time or again. */
  readonly onConnected?: () => void;
  /** The platform dropped events because there were too many. */
  readonly onEventsDropped: () => void;
  /** The app can never connect again as it is (a revoked token); the platform's own word for why. */
  readonly onFatal: (reason: string) => void;
}

/** How to receive by Socket Mode. */
export interface SocketReceiverOptions extends ReceiverNotices {
  readonly appToken: string;
  /** How many connections: an event goes to any of them, so a second covers the first one's reconnecting. */
  readonly sockets: number;
  readonly logger: Logger;
  readonly clientOptions: Omit<WebClientOptions, "logLevel" | "logger">;
}

/** A receiver that also tells whether events can arrive. */
export interface WatchedReceiver extends Receiver {
  /** How many connections are up. */
  readonly connections: number;
}

/** Longest time a call for a socket's address may take; the SDK's own default is never. */
const OPEN_TIMEOUT_MS = 10_000;

/**
 * Several Socket Mode connections as one receiver.
 *
 * Bolt acknowledges an event before its listeners run, so that a crash right then loses it. Here the acknowledgement
 * goes out after they ran: listeners keep what came durably and return, and what they could not keep is sent again.
 */
export function createSocketReceiver(options: SocketReceiverOptions): WatchedReceiver {
  const { appToken, sockets, logger, clientOptions, onConnected, onEventsDropped, onFatal } = options;
  let app: App | undefined;
  let fatal = false;
  const line = (): SocketLine =>
    createSocketLine({
      appToken,
      logger,
      // A token per call and an end to each call: the line itself tries again.
      clientOptions: {
        timeout: OPEN_TIMEOUT_MS,
        ...clientOptions,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
      onDelivery: (delivery) => void receive(delivery),
      onConnected,
      onEventsDropped,
      onFatal(reason) {
        if (!fatal) onFatal(reason);
        fatal = true;
      },
    });
  const lines = Array.from({ length: sockets }, line);

  async function receive(delivery: SocketEvent): Promise<void> {
    try {
      await acknowledgedAfter(delivery, async (event) => app?.processEvent(event));
    } catch (error) {
      // Not acknowledged: the platform sends it again.
      logger.error(`Something that came in could not be kept: ${error instanceof Error ? error.name : "unknown"}`);
    }
  }

  return {
    init(given) {
      app = given;
    },
    start: () => Promise.all(lines.map((one) => one.start())),
    stop: () => Promise.all(lines.map((one) => one.stop())),
    get connections() {
      return lines.filter((one) => one.connected).length;
    },
  };
}

/** Events are acknowledged once their listeners are through; everything else when its listener says so. */
async function acknowledgedAfter(delivery: SocketEvent, work: (event: ReceiverEvent) => Promise<void>): Promise<void> {
  const { body, ack, retryNum, retryReason } = delivery;
  const told = {
    body,
    retryNum,
    retryReason,
  };
  if (body["type"] !== "event_callback") return work({ ...told, ack });
  await work({ ...told, ack: () => Promise.resolve() });
  await ack();
}

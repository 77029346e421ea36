import type { App, Receiver, ReceiverEvent } from "@slack/bolt";
import { type LineOptions, SocketLine } from "./socket-line.ts";

/** How to receive by Socket Mode. */
export interface SocketReceiverOptions extends Omit<LineOptions, "onDelivery"> {
  /** How many connections: an event goes to any of them, so a second covers the first one's reconnecting. */
  readonly sockets: number;
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
  const { sockets, logger, clientOptions, onFatal } = options;
  let app: App | undefined;
  let fatal = false;
  const lines = Array.from(
    { length: sockets },
    () =>
      new SocketLine({
        ...options,
        // A token per call and an end to each call: the line itself tries again.
        clientOptions: {
          timeout: OPEN_TIMEOUT_MS,
          ...clientOptions,
          retryConfig: { retries: 0 },
          rejectRateLimitedCalls: true,
        },
        onDelivery: (delivery) => void receive(delivery),
        onFatal(reason) {
          if (!fatal) onFatal(reason);
          fatal = true;
        },
      }),
  );

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

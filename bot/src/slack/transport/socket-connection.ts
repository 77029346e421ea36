import type { Logger, ReceiverEvent } from "@slack/bolt";
import { SocketModeClient, type SocketModeDispatcher } from "@slack/socket-mode";
import { field } from "@threadlore/documents/slack";
import type { Clients } from "./clients.ts";

/** How to hold one connection. */
export interface ConnectionOptions {
  readonly appToken: string;
  readonly logger: Logger;
  /** How calls for a socket's address are made: with an end to each, and without repeats. */
  readonly clientOptions: Clients["boltOptions"];
  /** How the socket is opened, where a proxy is set; calls go by the global `fetch` anyway. Absent: directly. */
  readonly dispatcher?: SocketModeDispatcher;
  /**
   * Something came in. Its `ack` tells the platform so, with what it asked for (a modal's errors, a command's reply), and
   * rejects when the socket is gone.
   */
  readonly onDelivery: (delivery: ReceiverEvent) => void;
  /** The platform dropped events: more than 30,000 in an hour. */
  readonly onEventsDropped: () => void;
}

/** From the call for an address to the platform's greeting. */
const GREETING_MS = 20_000;

/**
 * One Socket Mode connection from its opening to its end. The SDK's own reconnecting waits 5 s each time, gives up for
 * good when the platform cannot be reached, and one frame without an inner event ends the process (measured with
 * socket-mode 3.1.0); so each connection is a client of its own here, without its reconnecting.
 */
export class SocketConnection extends SocketModeClient {
  /** Resolves when nothing more should be expected of it: closed, lost, or about to be replaced by the platform. */
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #onEventsDropped: () => void;

  constructor({ appToken, logger, clientOptions, dispatcher, onDelivery, onEventsDropped }: ConnectionOptions) {
    super({ appToken, logger, clientOptions, dispatcher, autoReconnectEnabled: false });
    this.#onEventsDropped = onEventsDropped;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.on("slack_event", ({ body, ack, retry_num: retryNum, retry_reason: retryReason }) => {
      onDelivery({ body, ack, retryNum, retryReason });
    });
    this.on("disconnected", this.#end);
  }

  /** Resolves when the platform has greeted. */
  async open(): Promise<void> {
    const late = setTimeout(() => this.close(), GREETING_MS);
    try {
      const started = this.start();
      // Lost while it waits for the address: start() itself would never tell.
      await Promise.race([started, this.ended.then(() => Promise.reject(new Error("closed before it was open")))]);
    } finally {
      clearTimeout(late);
    }
  }

  close(): void {
    this.#end();
    // Without a socket yet there is nothing to wait for; with one, its end is its own affair.
    this.disconnect().catch(() => undefined);
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const envelope = isBinary ? undefined : parsed(data);
    const type = field(envelope, "type");
    if (type === "disconnect") {
      // The next connection begins now; this one still does its farewell.
      this.#end();
    } else if (type === "events_api" && typeof field(field(envelope, "payload"), "event") !== "object") {
      // `app_rate_limited` has no inner event, on which the SDK fails and never acknowledges.
      this.#onEventsDropped();
      this.websocket?.send(
        JSON.stringify({ envelope_id: field(envelope, "envelope_id"), payload: {} }),
        () => undefined,
      );
      return;
    }
    await super.onWebSocketMessage(data, isBinary);
  }
}

function parsed(data: string | ArrayBuffer): unknown {
  try {
    return JSON.parse(typeof data === "string" ? data : new TextDecoder().decode(data));
  } catch {
    return undefined;
  }
}

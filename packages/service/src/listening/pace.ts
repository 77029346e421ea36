import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Of a request or reply that goes too slowly: which of the two. */
export type SlowPart = "body" | "reply";

interface Watched {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  at: number;
  came: number;
  gone: number;
  /** Whether it was this side that did not read, or there was nothing to be read there. */
  isFull: boolean;
  isPending: boolean;
}

/** How long a connection stays for its last words, milliseconds. */
const LAST_MS = 1_000;
/** Looks in one stretch of time. */
const LOOKS = 4;

const SLOW = JSON.stringify({ error_code: "REQUEST_TOO_SLOW", detail: "The body came too slowly. Send it again." });
const SLOW_REPLY =
  "HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\nConnection: close\r\n" +
  `Content-Length: ${Buffer.byteLength(SLOW)}\r\n\r\n${SLOW}`;

/**
 * Ends what holds a place and does not come along: a body that arrives by a few bytes at a time, and a reply nobody reads.
 * An answer that is still being thought about is neither: only what waits to be sent counts.
 */
export class LeastPace {
  readonly #leastRate: number;
  readonly #stretchMs: number;
  readonly #told: (part: SlowPart) => void;
  readonly #watched = new Set<Watched>();
  readonly #timer: NodeJS.Timeout;

  /**
   * @param leastRate bytes a second, over each stretch
   * @param stretchMs how long a stretch is, milliseconds
   * @param told called for each that was ended
   */
  constructor(leastRate: number, stretchMs: number, told: (part: SlowPart) => void = () => undefined) {
    this.#leastRate = leastRate;
    this.#stretchMs = stretchMs;
    this.#told = told;
    this.#timer = setInterval(() => this.#look(), stretchMs / LOOKS).unref();
  }

  /** Watches a request from its head to the end of its reply. */
  watch(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const watched = { incoming, outgoing, ...stateOf(incoming) };
    this.#watched.add(watched);
    outgoing.once("close", () => this.#watched.delete(watched));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const watched of this.#watched) {
      const now = stateOf(watched.incoming);
      if (now.at - watched.at < this.#stretchMs) continue;
      const least = (this.#leastRate * (now.at - watched.at)) / 1_000;
      const { incoming, outgoing } = watched;
      const isSlow = !incoming.complete && !watched.isFull && !now.isFull && now.came - watched.came < least;
      if (isSlow) this.#end(watched, "body", outgoing.headersSent ? "" : SLOW_REPLY);
      else if (watched.isPending && now.isPending && now.gone - watched.gone < least) this.#end(watched, "reply", "");
      else Object.assign(watched, now);
    }
  }

  #end(watched: Watched, part: SlowPart, reply: string): void {
    this.#watched.delete(watched);
    this.#told(part);
    const { socket } = watched.incoming;
    if (reply === "") {
      socket.destroy();
      return;
    }
    // What still comes is read for a moment, or the reply would be lost with it.
    socket.end(reply);
    setTimeout(() => socket.destroy(), LAST_MS).unref();
  }
}

function stateOf(incoming: IncomingMessage) {
  const { socket }: { socket: Socket } = incoming;
  return {
    at: performance.now(),
    came: socket.bytesRead,
    gone: socket.bytesWritten - socket.writableLength,
    isFull: incoming.readableLength >= incoming.readableHighWaterMark,
    isPending: socket.writableLength > 0,
  };
}

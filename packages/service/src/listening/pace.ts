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

/**
 * Bytes of a reply that are written in one. Of what was written in one nobody can see how much is gone before all is, so
 * whoever reads slowly could not be told from who does not.
 */
const PIECE = 16_384;
/** How many stretches a reply has to get along: it is seen to by what a connection takes at once, some 64 kB. */
const REPLY_STRETCHES = 3;
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
      const { incoming, outgoing } = watched;
      const now = stateOf(incoming);
      const took = now.at - watched.at;
      const isReplying = watched.isPending && now.isPending;
      if (took < this.#stretchMs * (isReplying ? REPLY_STRETCHES : 1)) continue;
      const least = (this.#leastRate * took) / 1_000;
      const isSlow = !incoming.complete && !watched.isFull && !now.isFull && now.came - watched.came < least;
      if (isSlow) this.#end(watched, "body", outgoing.headersSent ? "" : SLOW_REPLY);
      else if (isReplying && now.gone - watched.gone < least) this.#end(watched, "reply", "");
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

/** The same reply, to be written piece by piece. */
export function inPieces(reply: Response): Response {
  if (reply.body === null) return reply;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      for (let at = 0; at < bytes.length; at += PIECE) controller.enqueue(bytes.subarray(at, at + PIECE));
    },
  });
  return new Response(reply.body.pipeThrough(cut), reply);
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

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Whose requests those with a right key are. Noted by who looks at keys, read by who holds the connections. */
export const callersOf = new WeakMap<Request, string>();

/** Connections beyond the limit that are still told so in a reply of their own. */
const OVERFLOW = 64;
/** Part of all connections that one caller may keep with requests whose end does not come, and never less than so many. */
const SHARE = 1 / 4;
const LEAST_SHARE = 8;
/** How long such a connection may take for its request, milliseconds. */
const OVERFLOW_MS = 2_000;

interface Held {
  /** Requests that are not answered yet. */
  open: number;
  /** A request with a right key came over it. */
  known: boolean;
  /** What was asked last: as it arrives, and as those who look at keys know it. */
  incoming?: Pick<IncomingMessage, "complete">;
  request?: Request;
  readonly over: boolean;
}

const FULL = JSON.stringify({ error_code: "TOO_MANY_CONNECTIONS", detail: "Too many connections. Try again in 1 s." });
const FULL_REPLY =
  "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n" +
  `Content-Length: ${Buffer.byteLength(FULL)}\r\n\r\n${FULL}`;

/**
 * The connections of a service. When there are as many as there may be, one that nobody uses makes room: first one over
 * which no right key ever came, the longest unused first. So does one whose request never ends: without a right key, or
 * of the caller who keeps most in this way, beyond a caller's share. Where all others are in use, a new one is told to
 * come back.
 */
export class Connections {
  readonly #most: number;
  /** The longest unused first. */
  readonly #held = new Map<Socket, Held>();

  constructor(most: number) {
    this.#most = most;
  }

  /** How many there are. */
  get size(): number {
    return this.#held.size;
  }

  add(socket: Socket): void {
    const over = this.#held.size >= this.#most && !this.#makeRoom();
    if (over && this.#held.size >= this.#most + OVERFLOW) {
      // What it asks for is read, so that the reply is not lost with it.
      socket.on("error", () => undefined).end(FULL_REPLY);
      setTimeout(() => socket.destroy(), OVERFLOW_MS).unref();
      return;
    }
    this.#held.set(socket, { open: 0, known: false, over });
    socket.once("close", () => this.#held.delete(socket));
    if (!over) return;
    setTimeout(() => {
      if (this.#held.get(socket)?.open === 0) socket.destroy();
    }, OVERFLOW_MS).unref();
  }

  /** Ends the connection that is missed least; answers whether there was one. */
  #makeRoom(): boolean {
    const unused = [...this.#held].filter(([, { open }]) => open === 0);
    const [socket] = unused.find(([, { known }]) => !known) ?? unused[0] ?? this.#unended() ?? [];
    if (socket === undefined) return false;
    this.#held.delete(socket);
    socket.destroy();
    return true;
  }

  /** A request that has begun and of which more has to come, whose caller has no right to so many. */
  #unended(): [Socket, Held] | undefined {
    const unended = [...this.#held].filter(([, { incoming }]) => incoming?.complete === false);
    const byCaller = Map.groupBy(unended, ([, held]) => callerOf(held));
    const strangers = byCaller.get(undefined);
    if (strangers !== undefined) return strangers[0];
    const [most = []] = [...byCaller.values()].toSorted((one, other) => other.length - one.length);
    return most.length > Math.max(LEAST_SHARE, this.#most * SHARE) ? most[0] : undefined;
  }

  /** Whether a connection is one too many, and only told so. */
  isOver(socket: Socket): boolean {
    return this.#held.get(socket)?.over ?? true;
  }

  /** A request began. */
  begin(incoming: IncomingMessage): void {
    const held = this.#held.get(incoming.socket);
    if (held === undefined) return;
    held.open++;
    held.incoming = incoming;
    delete held.request;
  }

  /** The request that began last, as those who look at keys get it. */
  ask(socket: Socket, request: Request): void {
    const held = this.#held.get(socket);
    if (held !== undefined) held.request = request;
  }

  /** A request was answered. */
  end(socket: Socket): void {
    const held = this.#held.get(socket);
    if (held === undefined) return;
    held.open--;
    this.#held.delete(socket);
    this.#held.set(socket, held);
  }

  /** A right key came over it. */
  know(socket: Socket): void {
    const held = this.#held.get(socket);
    if (held !== undefined) held.known = true;
  }
}

/** Undefined: nobody who has shown a right key. */
function callerOf({ known, request }: Held): string | undefined {
  return (request === undefined ? undefined : callersOf.get(request)) ?? (known ? "" : undefined);
}

import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { RequestReader, type RequestHead } from "./request-reader.ts";

/** Bytes sent in one write. `after` is waited for before it, then the pause `afterMs`; absent: neither. */
export interface Chunk {
  bytes: Uint8Array;
  after?: Promise<unknown> | undefined;
  afterMs?: number;
}

/** What the server does with one request. Everything absent means a well-behaved 200 with an empty body. */
export interface Reply {
  /** Default 200. */
  status?: number;
  /** Default `content-type: application/json`. `content-length` or `transfer-encoding` is added as framing says. */
  headers?: Record<string, string>;
  /** Text, bytes, or writes of their own with pauses between them. */
  body?: string | Uint8Array | readonly Chunk[];
  /** A value sent as a JSON body, instead of `body`. */
  json?: unknown;
  /** How the body's end is told. `close` ends it by closing the connection. Default `length`. */
  framing?: "length" | "chunked" | "close";
  /** Pause before the first byte of the reply. */
  delayMs?: number;
  /** The whole reply is sent twice over the same connection. */
  duplicate?: boolean;
  /** The connection is closed after the reply, although the head announced nothing of the kind. Default false. */
  closeAfter?: boolean;
  /** The body goes out `bytes` at a time, one write every `everyMs`. */
  trickle?: { bytes: number; everyMs: number };
  /**
   * The connection ends after `at` bytes. `body` counts bytes of the body without its framing; `response` counts
   * everything on the wire, head included. `reset` sends RST where `close` (the default) sends FIN.
   */
  drop?: { at: number; of: "body" | "response"; how?: "close" | "reset" };
  /** Goes silent with the connection open: before the head, after it, or after so many bytes of the body. */
  stall?: "before-head" | "after-head" | { afterBody: number };
  /**
   * RST as soon as so many bytes of the request have come (at least one), with no reply. In a list script it strikes
   * in the middle of the request; in a function script, which sees whole requests, after it.
   */
  resetAfterRequestBytes?: number;
}

/** A request as it arrived. */
export interface RecordedRequest extends RequestHead {
  body: Buffer;
  /** `body` as text. */
  text: string;
  /** `performance.now()` when the request had arrived completely. */
  arrivedAt: number;
  /** Resolves with `performance.now()` when the connection that carried the request was closed, by whichever side. */
  closed: Promise<number>;
}

/** Replies in turn, one per request, the last one repeating; or a function of the request and its number from 0. */
export type Script = readonly Reply[] | ((request: RecordedRequest, attempt: number) => Reply | Promise<Reply>);

/** A running fault server. */
export interface FaultServer {
  /** `http://127.0.0.1:PORT`. The same address with `https:` gives a TLS failure. */
  url: string;
  port: number;
  /** Every request that arrived completely, in order. */
  requests: RecordedRequest[];
  /** How many requests were begun, including those reset before they were complete. */
  readonly attempts: number;
  /** How many connections are open now. */
  readonly openConnections: number;
  /** Resolves once `count` requests have arrived completely, with the newest of them. */
  received(count: number): Promise<RecordedRequest>;
  /** Closes every connection and the listener. */
  close(): Promise<void>;
}

/**
 * Starts a scriptable HTTP/1.1 server on 127.0.0.1, on a free port. It breaks the rules of HTTP exactly where the
 * script says so: each {@link Reply} can drop, stall, trickle, reset, duplicate or mislabel what it sends.
 */
export async function startFaultServer(script: Script): Promise<FaultServer> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  let arrival = Promise.withResolvers<void>();
  let attempts = 0;

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const closed = new Promise<number>((resolve) => {
      socket.once("close", () => {
        sockets.delete(socket);
        resolve(performance.now());
      });
    });
    // A client that resets is part of the game; the close event tells what there is to tell.
    socket.on("error", () => {});
    serve(socket, closed).catch(() => socket.destroy());
  });

  async function serve(socket: Socket, closed: Promise<number>): Promise<void> {
    const reader = new RequestReader(socket);
    let open = true;
    while (open && (await reader.has(1))) {
      if (!reader.speaksHttp) {
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
        return;
      }
      const attempt = attempts++;
      const planned = typeof script === "function" ? undefined : (script[attempt] ?? script.at(-1) ?? {});
      if (planned?.resetAfterRequestBytes !== undefined) {
        await reader.has(planned.resetAfterRequestBytes);
        socket.resetAndDestroy();
        return;
      }
      const head = await reader.head();
      if (head === undefined) return;
      const body = await reader.body(head);
      const request = { ...head, body, text: body.toString("utf8"), arrivedAt: performance.now(), closed };
      requests.push(request);
      arrival.resolve();
      arrival = Promise.withResolvers();
      const reply = planned ?? (typeof script === "function" ? await script(request, attempt) : {});
      open = await send(socket, reply);
    }
    socket.end();
  }

  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get attempts() {
      return attempts;
    },
    get openConnections() {
      return sockets.size;
    },
    async received(count) {
      for (;;) {
        const newest = requests[count - 1];
        if (newest !== undefined) return newest;
        await arrival.promise;
      }
    },
    async close() {
      const done = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await done;
    },
  };
}

/** A base URL on 127.0.0.1 where nobody listens: connecting is refused. */
export async function closedPort(): Promise<string> {
  const server = await startFaultServer([{}]);
  await server.close();
  return server.url;
}

/** Carries out one reply. True: the connection is ready for the next request. */
async function send(socket: Socket, reply: Reply): Promise<boolean> {
  if (reply.resetAfterRequestBytes !== undefined) {
    socket.resetAndDestroy();
    return false;
  }
  if (reply.delayMs) await delay(reply.delayMs);
  if (reply.stall === "before-head") return silence(socket);

  const framing = reply.framing ?? "length";
  const whole = bodyChunks(reply);
  const total = whole.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  const cutAt = bodyCut(reply);
  const body = cutAt === undefined ? whole : firstBytes(whole, cutAt);
  const writes: Chunk[] = [{ bytes: headBytes(reply, framing, total) }, ...body.map((chunk) => framed(chunk, framing))];
  if (framing === "chunked" && cutAt === undefined) writes.push({ bytes: Buffer.from("0\r\n\r\n") });

  const onWire = reply.drop?.of === "response" ? firstBytes(writes, reply.drop.at) : writes;
  for (let round = reply.duplicate === true ? 2 : 1; round > 0; round--) await writeAll(socket, onWire);

  if (reply.stall !== undefined) return silence(socket);
  if (reply.drop !== undefined) {
    if (reply.drop.how === "reset") socket.resetAndDestroy();
    else socket.end();
    return false;
  }
  return framing !== "close" && reply.closeAfter !== true && !socket.destroyed;
}

/** Keeps the connection open and says nothing more until either side closes it. */
async function silence(socket: Socket): Promise<false> {
  if (!socket.destroyed) await once(socket, "close");
  return false;
}

async function writeAll(socket: Socket, writes: readonly Chunk[]): Promise<void> {
  for (const chunk of writes) {
    await chunk.after;
    if (chunk.afterMs !== undefined) await delay(chunk.afterMs);
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => socket.write(chunk.bytes, () => resolve()));
  }
}

function bodyCut(reply: Reply): number | undefined {
  if (reply.stall === "after-head") return 0;
  if (typeof reply.stall === "object") return reply.stall.afterBody;
  return reply.drop?.of === "body" ? reply.drop.at : undefined;
}

function bodyChunks(reply: Reply): readonly Chunk[] {
  const { body = reply.json === undefined ? "" : JSON.stringify(reply.json), trickle } = reply;
  const whole = typeof body === "string" ? Buffer.from(body) : body;
  const chunks: readonly Chunk[] = whole instanceof Uint8Array ? [{ bytes: whole }] : whole;
  if (trickle === undefined) return chunks;
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes));
  const pieces: Chunk[] = [];
  for (let at = 0; at < bytes.length; at += trickle.bytes) {
    pieces.push({ bytes: bytes.subarray(at, at + trickle.bytes), afterMs: trickle.everyMs });
  }
  return pieces;
}

/** The chunks' first `count` bytes, cut inside a chunk where need be. */
function firstBytes(chunks: readonly Chunk[], count: number): Chunk[] {
  const kept: Chunk[] = [];
  let left = count;
  for (const chunk of chunks) {
    if (left <= 0) break;
    kept.push({ ...chunk, bytes: chunk.bytes.subarray(0, left) });
    left -= chunk.bytes.length;
  }
  return kept;
}

function framed(chunk: Chunk, framing: Reply["framing"]): Chunk {
  if (framing !== "chunked") return chunk;
  const size = Buffer.from(`${chunk.bytes.length.toString(16)}\r\n`);
  return { ...chunk, bytes: Buffer.concat([size, chunk.bytes, Buffer.from("\r\n")]) };
}

function headBytes(reply: Reply, framing: Reply["framing"], total: number): Buffer {
  const lines = [`HTTP/1.1 ${reply.status ?? 200} Scripted`];
  const headers: Record<string, string> = { "content-type": "application/json", ...reply.headers };
  if (framing === "length") headers["content-length"] ??= String(total);
  else if (framing === "chunked") headers["transfer-encoding"] = "chunked";
  else headers["connection"] = "close";
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
}

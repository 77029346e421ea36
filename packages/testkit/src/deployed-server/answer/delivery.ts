import type { ServerResponse } from "node:http";
import type { ReplyCut } from "../faults.ts";
import type { DoubleReply } from "../routes/replies.ts";
import type { Streaming } from "../routes/routing.ts";
import type { Run } from "./run.ts";
import { packet, wireJson } from "../../fixtures/wire-json.ts";

/** How what is sent is spoilt, and what is said beside it. */
interface Conditions {
  cut?: ReplyCut | undefined;
  /** Absent: silence is not broken. */
  heartbeatMs?: number | undefined;
  /** Whether each line goes out twice. */
  twice?: boolean;
  /** Added to the reply's own. */
  headers?: Record<string, string>;
}

const heartbeat = wireJson(packet({ type: "chat_heartbeat" }, { model: null }));

const streamHeaders = { "content-type": "text/event-stream; charset=utf-8", vary: "Origin" };

/** Sends a reply, as far as the cut lets it. True: all of it was sent. */
export async function deliver(
  response: ServerResponse,
  reply: DoubleReply | Streaming,
  conditions: Conditions = {},
): Promise<boolean> {
  const { cut, headers: extra } = conditions;
  if (cut?.at === "before-head") return breakOff(response, cut);
  if ("stream" in reply) {
    if (reply.stream.state === "died") return breakOff(response, { at: "before-head" });
    response.writeHead(200, { ...streamHeaders, ...extra });
    response.flushHeaders();
    return stream(response, reply.stream, conditions);
  }
  if (response.destroyed) return false;
  const { status, headers, body } = reply;
  const streamed = headers["content-type"]?.startsWith("text/event-stream") === true;
  const length = streamed || status === 307 ? {} : { "content-length": String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...length, ...headers, ...extra });
  if (cut === undefined) {
    response.end(body);
    return true;
  }
  response.flushHeaders();
  const out = outgoing(response, cut);
  if (cut.at === "after-head" || !(await out(Buffer.from(body), true))) return breakOff(response, cut);
  if (cut.at === "before-end") return breakOff(response, cut);
  response.end();
  return true;
}

async function stream(response: ServerResponse, run: Run, { cut, heartbeatMs, twice }: Conditions): Promise<boolean> {
  if (cut?.at === "after-head") return breakOff(response, cut);
  const out = outgoing(response, cut);
  const closed = new Promise<void>((resolve) => response.once("close", () => resolve()));
  const heart = heartbeatMs && setInterval(() => void response.write(`${heartbeat}\n`), heartbeatMs);
  try {
    for (let next = 0; ;) {
      for (; next < run.lines.length; next++) {
        const line = run.lines[next] ?? "";
        for (let times = twice ? 2 : 1; times > 0; times--)
          if (!(await out(Buffer.from(line), line.startsWith('{"placement"')))) return breakOff(response, cut);
        if (response.destroyed) return false;
      }
      if (run.state === "died") return breakOff(response, { at: "before-end" });
      if (run.state === "ended") break;
      // Silence begins anew.
      if (heart) heart.refresh();
      await Promise.race([run.changed, closed]);
      if (response.destroyed) return false;
    }
  } finally {
    clearInterval(heart);
  }
  if (cut?.at === "before-end") return breakOff(response, cut);
  response.end();
  return true;
}

/**
 * Counts what goes out, and stops at the cut: the function sends a line, or what the cut leaves of it. False: this was
 * where it cuts.
 */
function outgoing(response: ServerResponse, cut: ReplyCut | undefined) {
  const sent = { lines: 0, packets: 0, bytes: 0 };
  const at = typeof cut?.at === "object" ? cut.at : undefined;

  function allowed(line: Buffer, isPacket: boolean): number {
    if (at === undefined) return Infinity;
    const half = Math.ceil(line.length / 2);
    if ("lines" in at) return sent.lines >= at.lines ? 0 : Infinity;
    if ("packets" in at) return isPacket && sent.packets >= at.packets ? 0 : Infinity;
    if ("insideLine" in at) return sent.lines >= at.insideLine ? half : Infinity;
    if ("insidePacket" in at) return isPacket && sent.packets >= at.insidePacket ? half : Infinity;
    return Math.max(0, at.bytes - sent.bytes);
  }

  /** Whether nothing more is to come, although the server may be silent for long before it writes more. */
  function reached(): boolean {
    if (at === undefined) return false;
    if ("lines" in at) return sent.lines >= at.lines;
    if ("packets" in at) return at.packets > 0 && sent.packets >= at.packets;
    return "bytes" in at && sent.bytes >= at.bytes;
  }

  /** Waits only where it matters: for a reader who is slow, and for what must have left before the connection breaks. */
  function send(bytes: Buffer): Promise<void> | void {
    if (response.destroyed || response.writableEnded) return undefined;
    if (cut === undefined && response.write(bytes)) return undefined;
    return new Promise((resolve) => {
      response.once("close", resolve);
      const left = () => {
        response.off("close", resolve);
        resolve();
      };
      if (cut === undefined) response.once("drain", left);
      else response.write(bytes, left);
    });
  }

  return async (line: Buffer, isPacket: boolean): Promise<boolean> => {
    const left = allowed(line, isPacket);
    sent.lines++;
    if (isPacket) sent.packets++;
    sent.bytes += line.length;
    if (left > 0) await send(line.subarray(0, left));
    return left >= line.length && !reached();
  };
}

/** Ends what cannot go on: breaks the connection, ends the reply as if it were whole, or leaves it hanging. */
function breakOff(response: ServerResponse, cut: ReplyCut | undefined): false {
  const { socket } = response;
  switch (cut?.how ?? "close") {
    case "clean":
      // A length that was announced cannot be kept; the connection's end is the only end then.
      if (response.headersSent && response.hasHeader("content-length")) socket?.destroySoon();
      else response.end();
      break;
    case "reset":
      socket?.resetAndDestroy();
      break;
    case "stall":
      break;
    case "close":
      socket?.destroySoon();
      break;
  }
  return false;
}

import { setTimeout as delay } from "node:timers/promises";
import { cutBody, type Cut } from "./cut-body.ts";
import type { Exchange } from "./exchanges.ts";
import { startFaultServer, type FaultServer, type RecordedRequest, type Reply } from "./fault-server.ts";

/** What a replay needs of an exchange: a recorded one fits, and so does an own fixture. */
export type Replayable = Pick<Exchange, "response" | "timing">;

/** How a replayed body reaches its reader. */
export interface ReplayOptions {
  /** Where the body is cut. Default: in one piece. */
  cut?: Cut;
}

const framingHeaders = new Set(["content-length", "transfer-encoding", "connection"]);

/**
 * A `fetch` that answers every request with this exchange, without a socket. An aborted signal ends the body with its
 * reason, and `redirect: "error"` refuses a recorded redirect, as the real `fetch` does.
 */
export function replayFetch(exchange: Replayable, options: ReplayOptions = {}): typeof fetch {
  const { status, body } = exchange.response;
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const redirect = init?.redirect ?? (input instanceof Request ? input.redirect : "follow");
    if (redirect === "error" && status >= 300 && status < 400) throw new TypeError("fetch failed: unexpected redirect");
    const headMs = headDelay(exchange, options);
    if (headMs > 0) await delay(headMs);
    const chunks = cutBody(body, options.cut ?? "whole", exchange.timing).values();
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true });
      },
      async pull(controller) {
        const { value: chunk, done } = chunks.next();
        if (done === true) return controller.close();
        if (chunk.afterMs !== undefined) await delay(chunk.afterMs);
        if (signal?.aborted !== true) controller.enqueue(new Uint8Array(chunk.bytes));
      },
    });
    return new Response(body.length === 0 ? null : stream, { status, headers: replayedHeaders(exchange) });
  };
}

/** Which exchange answers a request: always the same one, several in turn (the last repeats), or as a function says. */
export type ReplayPlan =
  | Replayable
  | readonly Replayable[]
  | ((request: RecordedRequest, attempt: number) => Replayable | undefined);

/**
 * Replays exchanges over a real socket, framed as they were recorded. A function that answers undefined gives the
 * deployed servers' reply to an unknown path.
 */
export function startReplayServer(plan: ReplayPlan, options: ReplayOptions = {}): Promise<FaultServer> {
  if (typeof plan === "function") {
    return startFaultServer((request, attempt) => {
      const exchange = plan(request, attempt);
      return exchange === undefined ? unknownPath : replyOf(exchange, options);
    });
  }
  return startFaultServer([plan].flat().map((exchange) => replyOf(exchange, options)));
}

const unknownPath: Reply = { status: 404, json: { detail: "404: Not Found" } };

function replyOf(exchange: Replayable, options: ReplayOptions): Reply {
  const { status, headers, body } = exchange.response;
  const chunked = Object.keys(headers).some((name) => name.toLowerCase() === "transfer-encoding");
  return {
    status,
    headers: replayedHeaders(exchange),
    framing: chunked ? "chunked" : "length",
    body: cutBody(body, options.cut ?? "whole", exchange.timing),
    delayMs: headDelay(exchange, options),
  };
}

/** The pause before the head, as recorded; none for any other cut. */
function headDelay({ timing }: Replayable, { cut }: ReplayOptions): number {
  return typeof cut === "object" && "timing" in cut ? (timing?.headMs ?? 0) / cut.timing : 0;
}

function replayedHeaders(exchange: Replayable): Record<string, string> {
  const entries = Object.entries(exchange.response.headers);
  return Object.fromEntries(entries.filter(([name]) => !framingHeaders.has(name.toLowerCase())));
}

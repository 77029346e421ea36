import type { SimulatedTime } from "./relay-time.ts";

/** A call as it was handed to the HTTP layer. */
export interface SlackCall {
  /** Such as `chat.appendStream`. */
  readonly method: string;
  /** The workspace: its name is in the address. */
  readonly team: string;
  readonly channel: string;
  /** Text in it, as Slack's markdown; empty: nothing of the answer. */
  readonly text: string;
  /** Simulated time, milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds from what made the program call (a packet, a reply, a timer) until it did, by the machine's clock. */
  readonly ownMs: number;
}

/** Told of each call. Seconds of a Retry-After refuse it; nothing: it is taken. */
export type OnCall = (call: SlackCall) => number | void;

/** Its replies take so long, simulated milliseconds. */
const LATENCY_MS = 80;

/** Slack, as far as a relay of answers sees it, behind a `fetch`: no socket, no workspace, nothing is kept. */
export function imitateSlack(time: SimulatedTime, onCall: OnCall) {
  let streams = 0;

  async function reply(call: SlackCall, ts: string | null): Promise<Response> {
    const retryAfter = onCall(call);
    await new Promise<void>((resolve) => void time.after(LATENCY_MS, resolve));
    if (typeof retryAfter === "number")
      return new Response("", { status: 429, headers: { "retry-after": `${retryAfter}` } });
    return Response.json({
      ok: true,
      channel: call.channel,
      ts: ts ?? `1790000000.${`${(streams += 1)}`.padStart(6, "0")}`,
    });
  }

  return {
    /** The address of one workspace's API. */
    apiUrl: (team: string) => `https://${team}.slack.example/api/`,
    fetch(address: string | URL | Request, init?: RequestInit): Promise<Response> {
      const now = performance.now();
      const url = new URL(address instanceof Request ? address.url : address);
      const fields = new URLSearchParams(typeof init?.body === "string" ? init.body : "");
      const call: SlackCall = {
        method: url.pathname.replace("/api/", ""),
        team: url.hostname.split(".")[0] ?? "",
        channel: fields.get("channel") ?? "",
        text: textIn(fields.get("chunks")),
        at: time.now(),
        ownMs: now - time.touchedAt,
      };
      return reply(call, fields.get("ts"));
    },
  };
}

/** The markdown of a call's chunks. */
function textIn(chunks: string | null): string {
  if (chunks === null) return "";
  const parts = JSON.parse(chunks) as { type?: string; text?: string }[];
  return parts.map(({ type, text }) => (type === "markdown_text" ? (text ?? "") : "")).join("");
}

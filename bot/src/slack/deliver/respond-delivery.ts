import type { Delivered, Delivery, Ending, Journal } from "./delivery-seam.ts";
import type { Clock } from "../transport/clock.ts";
import { delay } from "../transport/clock.ts";
import type { PostedMessage } from "../transport/calls.ts";
import { Unreachable } from "../transport/refusals.ts";

/** What an answer by response address needs. */
export interface RespondDeps {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly journal: Journal;
  /** As `DeliveryDeps.hold`, before each message. */
  readonly hold?: () => Promise<void>;
  /** How long to go on without an answer of the platform, milliseconds. Default 60,000. */
  readonly patienceMs?: number;
}

const CALL_TIMEOUT_MS = 10_000;
/** The address takes five messages in half an hour. */
const MAX_MESSAGES = 5;

/**
 * An answer to a command, by the address that came with it: only the asker sees it, also where the bot is not in the
 * channel. Nobody can read such a message back, so one whose reply was lost is sent again.
 */
export function respondDelivery(address: string, deps: RespondDeps): Delivery {
  const { clock, journal, patienceMs = 60_000 } = deps;
  const never = new AbortController().signal;

  async function send(messages: readonly PostedMessage[]): Promise<Delivered> {
    const until = clock.now() + patienceMs;
    for (const message of messages.slice(0, MAX_MESSAGES)) {
      const gone = await sendOne(message, until);
      if (gone !== undefined) return { kind: "gone", reason: gone, messages: [] };
    }
    const shown = [{ ts: "", how: "ephemeral" as const }];
    await journal.save({ stage: "closed", messages: shown });
    return { kind: "delivered", messages: [], how: "ephemeral" };
  }

  /** Undefined: shown. Else the platform's word for why it never can be. */
  async function sendOne(message: PostedMessage, until: number): Promise<string | undefined> {
    let blocks = message.blocks;
    for (let tries = 0; ; tries += 1) {
      const text = blocks === undefined ? (message.plain ?? message.text) : message.text;
      const body = {
        response_type: "ephemeral",
        replace_original: false,
        text,
        ...(blocks === undefined ? {} : { blocks }),
      };
      await deps.hold?.();
      const reply = await post(body);
      if (reply?.ok === true) return undefined;
      if (reply !== undefined && reply.status < 500 && reply.status !== 429) {
        if (blocks === undefined || reply.status === 404 || reply.status === 410) return `response_url_${reply.status}`;
        blocks = undefined;
        continue;
      }
      if (clock.now() >= until) throw new Unreachable("response_url");
      await delay(clock, Math.min(8_000, 250 * 2 ** tries));
    }
  }

  async function post(body: unknown): Promise<Response | undefined> {
    try {
      const reply = await deps.fetch(address, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        redirect: "error",
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      await reply.body?.cancel();
      return reply;
    } catch {
      return undefined;
    }
  }

  return {
    how: "ephemeral",
    already: undefined,
    stoppedByUser: never,
    unseen: never,
    show() {},
    finish: (ending: Ending) => send(ending.messages()),
    fail: (message) => send([message]),
    stop: () => Promise.resolve({ kind: "stopped", messages: [], how: "ephemeral" }),
    // It does nothing by itself, and nobody could find what it left.
    abandon: () => Promise.resolve({ touched: [], lostStarts: [] }),
  };
}

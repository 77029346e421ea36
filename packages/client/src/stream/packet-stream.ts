import { AbortedError, PartialAnswerError, UnavailableError } from "../errors/errors.ts";
import type { Timeouts } from "../http/connection-options.ts";
import type { OpenReply } from "../http/transport.ts";
import type { Packet } from "../models.ts";
import type { PacketDecoder } from "./packet-decoder.ts";

/** The `accept` header of a call whose answer is a stream of packets. */
export const STREAM_TYPES = "text/event-stream, application/x-ndjson, application/json;q=0.5";

/** Packets as they come: a batch for each chunk the network gave. */
export interface Batches {
  /** The next packets, never none; undefined at the end, and ever after. Called again only when it has answered. */
  next(): Promise<Packet[] | undefined>;
  /** Nobody wants more. Safe to call twice. */
  leave(): void;
}

/**
 * Reads a stream to its end. `next` throws what ended the call, after everything before it was given: AbortedError,
 * PartialAnswerError, ProtocolError, or UnavailableError when the server fell silent before the first packet.
 *
 * No generator: each layer of those costs more than reading a packet does.
 */
export function readBatches(reply: OpenReply, decoder: PacketDecoder, idle: Idle): Batches {
  const { watch } = reply;
  watch.allowSilence(idle.quietIdleMs);
  const reader = reply.body?.getReader();
  // Cancelling ends a pending read at once, also where an injected fetch ignores the signal.
  const cancel = () => reader?.cancel().catch(() => {});
  watch.signal.addEventListener("abort", cancel, { once: true });
  let heartbeats = false;
  let signs = 0;
  let delivered = false;
  let finished = false;
  let left = false;

  function packetsOf(bytes: Uint8Array | undefined, lost: unknown): Packet[] {
    finished = bytes === undefined;
    const packets = bytes === undefined ? decoder.finish(lost) : decoder.push(bytes);
    if (decoder.heartbeats && !heartbeats) watch.allowSilence(idle.idleMs);
    heartbeats = decoder.heartbeats;
    if (packets.length > 0) {
      delivered = true;
      watch.hold();
    } else if (decoder.signs > signs) {
      // The clock counts complete events: a server that trickles bytes is as good as silent.
      watch.sign();
    }
    signs = decoder.signs;
    return packets;
  }

  async function next(): Promise<Packet[] | undefined> {
    if (left) return undefined;
    if (delivered) watch.sign();
    try {
      for (;;) {
        if (watch.ended) throw endedEarly(watch.signal.reason, delivered);
        if (decoder.failure !== undefined) throw decoder.failure;
        if (finished) break;
        let bytes: Uint8Array | undefined;
        let lost: unknown;
        try {
          bytes = (await reader?.read())?.value;
          watch.check();
        } catch (error) {
          if (watch.ended) throw endedEarly(watch.signal.reason, delivered);
          bytes = undefined;
          lost = error;
        }
        const packets = packetsOf(bytes, lost);
        if (packets.length > 0) return packets;
      }
    } catch (error) {
      leave();
      throw error;
    }
    leave();
    return undefined;
  }

  function leave(): void {
    if (left) return;
    left = true;
    watch.signal.removeEventListener("abort", cancel);
    cancel();
    reader?.releaseLock();
    reply.close();
  }

  return { next, leave };
}

/** The idle limits of a stream, in milliseconds: with heartbeats and without. */
export type Idle = Pick<Timeouts, "idleMs" | "quietIdleMs">;

/** Silence after the answer began leaves a part of it. A stop by the caller is always a stop. */
function endedEarly(reason: unknown, delivered: boolean): unknown {
  if (!(reason instanceof UnavailableError) || !delivered) return reason;
  return new PartialAnswerError(`The answer broke off. ${reason.message}`, { host: reason.host }, { cause: reason });
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Batches of a stream that is opened when the first of them is asked for; `open` is given a signal that ends with `given`
 * or when the reader leaves. `onEnd` is called once, when no more will come of what was asked for: `stopped` says whether
 * somebody ended it, rather than the stream itself.
 */
export function openLater(
  open: (signal: AbortSignal) => Promise<Batches>,
  given: AbortSignal | undefined,
  onEnd = (_stopped: boolean) => {},
): Batches {
  const leaving = new AbortController();
  const signal = given === undefined ? leaving.signal : AbortSignal.any([given, leaving.signal]);
  let batches: Batches | undefined;
  let waiting = false;
  let state: "unopened" | "open" | "over" = "unopened";

  function end(stopped: boolean): void {
    if (state === "open") onEnd(stopped);
    state = "over";
    batches?.leave();
  }

  return {
    async next() {
      if (state === "over") return undefined;
      const wasStopped = state === "unopened" && signal.aborted;
      state = "open";
      waiting = true;
      try {
        batches ??= await open(signal);
        const packets = await batches.next();
        if (packets === undefined) end(false);
        return packets;
      } catch (error) {
        end(!wasStopped && error instanceof AbortedError);
        throw error;
      } finally {
        waiting = false;
      }
    },
    leave() {
      leaving.abort();
      // Where packets are waited for, that wait ends with the signal.
      if (!waiting) end(true);
    },
  };
}

/** Batches as single packets. Packets already there cost no further wait than the loop's own. */
export function flatten(batches: Batches): AsyncIterableIterator<Packet> {
  let batch: readonly Packet[] = [];
  let at = 0;
  let last: Promise<IteratorResult<Packet>> | undefined;
  let waiting = 0;
  let gone = false;

  function next(): Promise<IteratorResult<Packet>> {
    const packet = batch[at];
    if (packet !== undefined) {
      at++;
      return Promise.resolve({ done: false, value: packet });
    }
    // Calls that overlap take their turns.
    last = refill(waiting === 0 ? undefined : last);
    return last;
  }

  async function refill(before: Promise<unknown> | undefined): Promise<IteratorResult<Packet>> {
    waiting++;
    try {
      if (before !== undefined) await before.catch(() => {});
      if (at >= batch.length) {
        const more = await batches.next();
        if (more === undefined || gone) return DONE;
        batch = more;
        at = 0;
      }
      const value = batch[at++];
      return value === undefined ? DONE : { done: false, value };
    } catch (error) {
      if (gone) return DONE;
      throw error;
    } finally {
      waiting--;
    }
  }

  return {
    next,
    async return() {
      gone = true;
      batch = [];
      batches.leave();
      await last?.catch(() => {});
      return DONE;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

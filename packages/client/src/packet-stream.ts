import { PartialAnswerError, UnavailableError } from "./errors.ts";
import type { OpenReply } from "./http.ts";
import type { Packet } from "./models.ts";
import type { PacketDecoder } from "./packets.ts";

/**
 * Reads a stream to its end, a batch of packets for each chunk the network gave. Throws what ended the call, after
 * everything before it was given: AbortedError, PartialAnswerError, ProtocolError, or UnavailableError when the server
 * fell silent before the first packet.
 */
export async function* readBatches(reply: OpenReply, decoder: PacketDecoder, idle: Idle): AsyncGenerator<Packet[]> {
  const { watch } = reply;
  watch.allowSilence(idle.quietIdleMs);
  const reader = reply.body?.getReader();
  // Cancelling ends a pending read at once, also where an injected fetch ignores the signal.
  const cancel = () => reader?.cancel().catch(() => {});
  watch.signal.addEventListener("abort", cancel, { once: true });
  let heartbeats = false;
  let signs = 0;
  let delivered = false;
  try {
    for (;;) {
      const chunk = await nextChunk(reader, watch, delivered);
      const packets = chunk.bytes === undefined ? decoder.finish(chunk.lost) : decoder.push(chunk.bytes);
      // The clock counts complete events: a server that trickles bytes is as good as silent.
      if (decoder.signs > signs) watch.sign();
      signs = decoder.signs;
      if (decoder.heartbeats && !heartbeats) watch.allowSilence(idle.idleMs);
      heartbeats = decoder.heartbeats;
      delivered ||= packets.length > 0;
      if (packets.length > 0) {
        watch.hold();
        yield packets;
        watch.sign();
      }
      if (watch.ended) throw endedEarly(watch.signal.reason, delivered);
      if (decoder.failure !== undefined) throw decoder.failure;
      if (chunk.bytes === undefined) return;
    }
  } finally {
    watch.signal.removeEventListener("abort", cancel);
    cancel();
    reader?.releaseLock();
    reply.close();
  }
}

/** The idle limits of a stream, in milliseconds: with heartbeats and without. */
export interface Idle {
  idleMs: number;
  quietIdleMs: number;
}

interface Chunk {
  /** Absent at the end. */
  bytes?: Uint8Array;
  /** What broke the connection, where the stream did not end by itself. */
  lost?: unknown;
}

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  watch: OpenReply["watch"],
  delivered: boolean,
): Promise<Chunk> {
  if (reader === undefined) return {};
  try {
    const { value } = await reader.read();
    watch.check();
    return value === undefined ? {} : { bytes: value };
  } catch (lost) {
    if (watch.ended) throw endedEarly(watch.signal.reason, delivered);
    return { lost };
  }
}

/** Silence after the answer began leaves a part of it. A stop by the caller is always a stop. */
function endedEarly(reason: unknown, delivered: boolean): unknown {
  if (!(reason instanceof UnavailableError) || !delivered) return reason;
  const facts = reason.host === undefined ? {} : { host: reason.host };
  return new PartialAnswerError(`The answer broke off. ${reason.message}`, facts, { cause: reason });
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Batches as single packets. Packets already there cost no further wait than the loop's own. `leave` is called when the
 * reader goes away, to end a wait for the next batch.
 */
export function flatten(batches: AsyncGenerator<Packet[]>, leave = () => {}): AsyncIterableIterator<Packet> {
  let batch: readonly Packet[] = [];
  let at = 0;
  let busy: Promise<unknown> = Promise.resolve();
  let gone = false;

  function next(): Promise<IteratorResult<Packet>> {
    const packet = batch[at];
    if (packet !== undefined) {
      at++;
      return Promise.resolve({ done: false, value: packet });
    }
    // Calls that overlap take their turns.
    const turn = busy.then(refill);
    busy = turn.catch(() => {});
    return turn;
  }

  async function refill(): Promise<IteratorResult<Packet>> {
    if (at < batch.length) return next();
    const result = await batches.next().catch((error: unknown) => {
      if (gone) return DONE;
      throw error;
    });
    if (result.done === true || gone) return DONE;
    batch = result.value;
    at = 0;
    return next();
  }

  return {
    next,
    async return() {
      gone = true;
      batch = [];
      leave();
      await batches.return(undefined).catch(() => {});
      return DONE;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

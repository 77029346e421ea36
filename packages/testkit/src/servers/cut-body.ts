import type { Chunk } from "./fault-server.ts";
import { seededRandom } from "../seeded-random.ts";

/** When a recorded body's parts came: pauses in milliseconds and byte counts that add up to the body. */
export interface Timing {
  /** From the request sent to the reply's head. */
  headMs: number;
  chunks: readonly { afterMs: number; bytes: number }[];
}

/**
 * Where a body is cut into chunks. A network cuts anywhere, also inside a line, a CRLF or a character.
 *
 * - `whole`: one chunk.
 * - `bytes`: every byte a chunk of its own.
 * - `{ seed, most }`: at random points, the same for the same seed; pieces of 1 to `most` bytes (default 64).
 * - `{ at }`: at exactly these offsets.
 * - `{ timing }`: as recorded, the recorded pauses divided by this number (1: true to life). Without a recording: whole.
 */
export type Cut = "whole" | "bytes" | { seed: number; most?: number } | { at: readonly number[] } | { timing: number };

/** Cuts a body into chunks that put together are the body. An empty body gives no chunk. */
export function cutBody(body: Uint8Array, cut: Cut, timing?: Timing): Chunk[] {
  if (typeof cut === "object" && "timing" in cut && timing !== undefined) return asRecorded(body, cut.timing, timing);
  const offsets = [0, ...new Set(cutPoints(body.length, cut)), body.length];
  const chunks: Chunk[] = [];
  for (const [index, start] of offsets.entries()) {
    const end = offsets[index + 1];
    if (end !== undefined && end > start) chunks.push({ bytes: body.subarray(start, end) });
  }
  return chunks;
}

function cutPoints(length: number, cut: Cut): number[] {
  if (cut === "bytes") return Array.from({ length }, (_, at) => at);
  if (typeof cut === "object" && "at" in cut) return cut.at.filter((at) => at < length).toSorted((a, b) => a - b);
  if (typeof cut === "object" && "seed" in cut) {
    const random = seededRandom(cut.seed);
    const points: number[] = [];
    for (let at = 0; at < length; at += 1 + Math.floor(random() * (cut.most ?? 64))) points.push(at);
    return points;
  }
  return [];
}

function asRecorded(body: Uint8Array, speed: number, timing: Timing): Chunk[] {
  let start = 0;
  return timing.chunks.map(({ afterMs, bytes }) => {
    const chunk = { bytes: body.subarray(start, start + bytes), afterMs: afterMs / speed };
    start += bytes;
    return chunk;
  });
}

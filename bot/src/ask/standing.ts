import type { LastMessage } from "../slack/deliver/delivery-seam.ts";

/**
 * Messages of this process below which something can be pressed, by thread, the newest threads last. Nothing of an
 * answer is kept anywhere else: after a restart what stood before keeps its buttons.
 */
export type Standing = Map<string, readonly LastMessage[]>;

/** Threads remembered; the oldest are forgotten. */
const MOST = 500;

/** A message is the newest of its thread with buttons. */
export function stands(standing: Standing, thread: string, last: LastMessage): void {
  const before = standing.get(thread) ?? [];
  standing.delete(thread);
  standing.set(thread, [...before.filter(({ ts }) => ts !== last.ts), last]);
  for (const oldest of standing.keys()) {
    if (standing.size <= MOST) break;
    standing.delete(oldest);
  }
}

import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../context.ts";

/** Set where what is done is part of something that waits as a whole. */
const within = new AsyncLocalStorage<true>();

/** Beyond, moments follow one another by so much. */
const MAX_BETWEEN_MS = 400;

/**
 * Does something whose time grows with documents that are hidden from who asked, and gives what came of it, also a failure,
 * at one of few moments after it was begun: `firstMs`, twice that, four times that, … Whatever is done within the same two
 * of them takes the same time to whoever asked (docs/threats.md, T48). Nothing waits where the caller sees everything; of what is
 * done within another the whole waits once.
 */
export async function evenly<Result>(
  caller: Caller,
  firstMs: number | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (firstMs === undefined || firstMs === 0 || !isLimited(caller) || within.getStore() === true) return work();
  const begun = performance.now();
  const passed = (): number => performance.now() - begun;
  let moment = firstMs;
  // Set before the work: a timer that is set when it ends, or first waits for something, tells when that was.
  let timer = pause(moment);
  const state = { doneAfter: Number.POSITIVE_INFINITY };
  const done = within.run(true, work).finally(() => (state.doneAfter = passed()));
  // What it ends with is told below: until then it is nobody's.
  done.catch(() => undefined);
  for (;;) {
    await timer;
    // Work that lets no timer go off has gone on beyond the moment: what it ended with is given at one that is still to come.
    if (state.doneAfter <= moment) return done;
    const now = passed();
    do moment += Math.min(moment, MAX_BETWEEN_MS);
    while (moment <= now);
    timer = pause(Math.ceil(moment - now));
  }
}

/** Whether there may be documents that are hidden from a caller. */
export function isLimited({ role, documentSets }: Pick<Caller, "role" | "documentSets">): boolean {
  return role === "anonymous" || documentSets !== null;
}

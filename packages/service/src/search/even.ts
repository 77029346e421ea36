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
  try {
    return await within.run(true, work);
  } finally {
    await until(begun + momentAfter(performance.now() - begun, firstMs));
  }
}

/** Whether there may be documents that are hidden from a caller. */
export function isLimited({ role, documentSets }: Pick<Caller, "role" | "documentSets">): boolean {
  return role === "anonymous" || documentSets !== null;
}

/** The first moment at or behind `elapsed`, milliseconds. */
export function momentAfter(elapsed: number, firstMs: number): number {
  let moment = firstMs;
  while (moment < elapsed) moment += Math.min(moment, MAX_BETWEEN_MS);
  return moment;
}

/** A timer counts from when the loop last looked at the clock, and so may end too early. */
async function until(moment: number): Promise<void> {
  for (let left = moment - performance.now(); left > 0; left = moment - performance.now()) await pause(Math.ceil(left));
}

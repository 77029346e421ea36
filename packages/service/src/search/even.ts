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
  const state = { isDone: false };
  const done = within.run(true, work).finally(() => (state.isDone = true));
  // What it ends with is told below: until then it is nobody's.
  done.catch(() => undefined);
  // The timers begin with the work: set when it ends, they would tell parts of a millisecond of when that was.
  let waited = 0;
  do {
    const more = waited === 0 ? firstMs : Math.min(waited, MAX_BETWEEN_MS);
    await pause(more);
    waited += more;
  } while (!state.isDone);
  return done;
}

/** Whether there may be documents that are hidden from a caller. */
export function isLimited({ role, documentSets }: Pick<Caller, "role" | "documentSets">): boolean {
  return role === "anonymous" || documentSets !== null;
}

import { setTimeout as pause } from "node:timers/promises";

/** Whether a condition holds within so many milliseconds, by looks every so many: resolves as soon as one finds that it does. */
export async function heldWithin(
  ms: number,
  condition: () => boolean | Promise<boolean>,
  everyMs = 100,
): Promise<boolean> {
  const began = performance.now();
  while (performance.now() - began < ms) {
    if (await condition()) return true;
    await pause(everyMs);
  }
  return false;
}

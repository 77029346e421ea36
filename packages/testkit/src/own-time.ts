/**
 * Runs `work` and tells how many milliseconds of this thread it took: what other programs of the machine do in the
 * meantime does not count, so that a busy machine fails no test of how work grows.
 */
export function ownTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * How long something took at its quickest, milliseconds: it is done again, up to `tries` times, until it takes less than
 * `within`. For what waits, and so takes no time of its own: a busy machine makes it late, though not every time, and what
 * waits for something it should not is late each time. `once` does it, and resolves with how long it took.
 */
export async function quickest(within: number, once: () => Promise<number>, tries = 6): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && least >= within; count += 1) least = Math.min(least, await once());
  return least;
}

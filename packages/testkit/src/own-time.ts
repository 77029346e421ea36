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

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { seededRandom } from "@threadlore/testkit";

/** One thing that is measured. `run` throws when its result is wrong: a fast wrong answer is no figure. */
export interface Contestant {
  readonly name: string;
  run(): void | Promise<void>;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Median milliseconds of CPU per contestant: what this thread used, so that other programs on the machine count as
 * little as they can. Every round runs each of them once, in a new random order, so that a noisy
 * minute hits all alike; the first two rounds warm up and do not count.
 */
export async function measure(contestants: readonly Contestant[], rounds: number): Promise<Map<string, number>> {
  const random = seededRandom(1);
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -2; round < rounds; round++) {
    for (const { name, run } of shuffled(contestants, random)) {
      collectGarbage();
      const before = process.threadCpuUsage();
      await run();
      const { user, system } = process.threadCpuUsage(before);
      if (round >= 0) times.get(name)?.push((user + system) / 1_000);
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
}

/** The middle of a list; the mean of the two middle ones when there are two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? low;
  return (low + high) / 2;
}

/** In a new random order. */
export function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

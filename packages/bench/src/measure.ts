import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { seededRandom } from "@threadlore/testkit";
import type { Row } from "./report.ts";

/** One thing that is measured, as often as there are rounds. */
export interface Contestant<Given = Row["figures"]> {
  readonly name: string;
  readonly ours: boolean;
  /** One round: figures by the titles of their columns. Throws when its result is wrong: a fast wrong answer is no figure. */
  run(round: number): Given | Promise<Given>;
}

/**
 * What each contestant gives, round by round. Every round runs each of them once, in a new random order, so that a noisy
 * minute hits all alike; `warmUp` more before them do not count.
 */
export async function takeTurns<Given>(
  contestants: readonly Contestant<Given>[],
  rounds: number,
  { warmUp = 0, random = seededRandom(1) }: { readonly warmUp?: number; readonly random?: () => number } = {},
): Promise<Map<Contestant<Given>, Given[]>> {
  const taken = new Map(contestants.map((one) => [one, [] as Given[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const one of shuffled(contestants, random)) {
      const given = await one.run(round);
      if (round >= 0) taken.get(one)?.push(given);
    }
  }
  return taken;
}

/** A row for each contestant: of each of its figures the median. */
export async function medianRows(contestants: readonly Contestant[], rounds: number, warmUp: number): Promise<Row[]> {
  const taken = await takeTurns(contestants, rounds, { warmUp });
  return [...taken].map(([{ name, ours }, all]) => {
    const titles = Object.keys(all[0] ?? {});
    const medians = titles.map((title) => [title, median(all.map((figures) => figures[title] ?? Number.NaN))]);
    return { name, ours, figures: Object.fromEntries(medians) };
  });
}

/** Adds to each row a figure of it as a multiple of what the row `beside` has there. */
export function withRatio(rows: readonly Row[], title: string, column: string, beside: string): Row[] {
  const one = rows.find(({ name }) => name === beside)?.figures[column] ?? Number.NaN;
  return rows.map((row) => ({
    ...row,
    figures: { ...row.figures, [title]: (row.figures[column] ?? Number.NaN) / one },
  }));
}

setFlagsFromString("--expose-gc");
/** Frees at once what nobody holds any more. */
export const collectGarbage = runInNewContext("gc") as () => void;

/** Milliseconds of CPU that this thread uses for it, so that other programs on the machine count as little as they can. */
export async function cpuMs(work: () => unknown): Promise<number> {
  collectGarbage();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The middle of a list; the mean of the two middle ones when there are two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? low;
  return (low + high) / 2;
}

/** The smallest value that so large a share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** In a new random order. */
export function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

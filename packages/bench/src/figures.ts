import { median, shuffled } from "./measure.ts";
import { seededRandom } from "@threadlore/testkit";

/** One thing whose figures are taken as often as there are rounds. */
export interface Measured {
  readonly name: string;
  readonly ours: boolean;
  /** One round: figures by the titles of their columns. Throws where the result is wrong. */
  run(): Promise<Readonly<Record<string, number>>>;
}

/** Medians by contestant and column. Every round runs each once, in a new random order; `warmUp` more before them do not count. */
export async function mediansOf(
  contestants: readonly Measured[],
  rounds: number,
  warmUp: number = 1,
): Promise<Map<Measured, Record<string, number>>> {
  const random = seededRandom(1);
  const taken = new Map(contestants.map((one) => [one, [] as Readonly<Record<string, number>>[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const one of shuffled(contestants, random)) {
      const figures = await one.run();
      if (round >= 0) taken.get(one)?.push(figures);
    }
  }
  return new Map(
    [...taken].map(([one, all]) => {
      const titles = Object.keys(all[0] ?? {});
      return [one, Object.fromEntries(titles.map((title) => [title, median(all.map((f) => f[title] ?? Number.NaN))]))];
    }),
  );
}

import { type Bar, missedOf } from "../bars.ts";
import { columnsOf, type Outcome } from "../report.ts";
import { manyTests, OURS, SECONDS } from "./many-tests.ts";
import { seedRegressions, TOTAL, UNCHANGED } from "./regressions.ts";

/** How many answer tests are asked over how many passages, and how often. */
interface Size {
  readonly tests: number;
  readonly passages: number;
  readonly rounds: number;
}

/** How long many answer tests take. */
export async function benchAnswerTests(size: Size): Promise<Outcome> {
  const many = await manyTests(size);
  return { groups: [many], missed: missedOf([many], [{ group: many.name, row: OURS, column: SECONDS, most: 15 }]) };
}

const SEEDED = "seeded regressions of the handbook";

/**
 * What answer tests find of what goes wrong behind answers.
 * @param asked tests of the handbook that are asked after each regression
 */
export async function benchRegressions({
  regressions,
  asked,
}: {
  readonly regressions: number;
  readonly asked: number;
}): Promise<Outcome> {
  const { rows, missed } = await seedRegressions(regressions, asked, (seed) => {
    if (seed % 10 === 0) console.error(`… regression ${seed} of ${regressions}`);
  });
  for (const words of missed) console.error(words);
  const columns = columnsOf({ seeded: 0, found: 0, "cause named": 0, runs: 0, "false alarms": 0 });
  const groups = [{ name: SEEDED, columns, rows }];
  const bars: readonly Bar[] = [
    { group: SEEDED, row: TOTAL, column: "found", least: Math.ceil(0.95 * regressions) },
    { group: SEEDED, row: UNCHANGED, column: "false alarms", most: 0 },
  ];
  return { groups, missed: missedOf(groups, bars) };
}

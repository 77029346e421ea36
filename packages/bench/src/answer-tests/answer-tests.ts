import { type Bar, missedOf } from "../bars.ts";
import { columnsOf, type Outcome } from "../report.ts";
import { manyTests, OURS, SECONDS } from "./many-tests.ts";
import { seedRegressions, TOTAL, UNCHANGED } from "./regressions.ts";

/** How much is measured. */
interface Size {
  readonly tests: number;
  readonly passages: number;
  readonly rounds: number;
  readonly regressions: number;
  /** Tests of the handbook that are asked after each regression. */
  readonly asked: number;
}

const SEEDED = "seeded regressions of the handbook";

/** How long many answer tests take, and what they find of what goes wrong behind answers. */
export async function benchAnswerTests({ tests, passages, rounds, regressions, asked }: Size): Promise<Outcome> {
  const many = await manyTests({ tests, passages, rounds });
  const { rows, missed } = await seedRegressions(regressions, asked, (seed) => {
    if (seed % 10 === 0) console.error(`… regression ${seed} of ${regressions}`);
  });
  for (const words of missed) console.error(words);
  const columns = columnsOf({ seeded: 0, found: 0, "cause named": 0, runs: 0, "false alarms": 0 });
  const groups = [many, { name: SEEDED, columns, rows }];
  const bars: readonly Bar[] = [
    { group: many.name, row: OURS, column: SECONDS, most: 15 },
    { group: SEEDED, row: TOTAL, column: "found", least: Math.ceil(0.95 * regressions) },
    { group: SEEDED, row: UNCHANGED, column: "false alarms", most: 0 },
  ];
  return { groups, missed: missedOf(groups, bars) };
}

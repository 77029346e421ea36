import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { barChart } from "./chart.ts";
import { benchDecode } from "./decode.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { benchRelay } from "./relay.ts";
import { type Group, type Result, tableOf, withTable } from "./report.ts";

/** A bench: how it is run, and what of it is drawn. */
interface Bench {
  readonly note: string;
  /** Of the drawing. */
  readonly title: string;
  /** Which column is drawn, and of which groups: the others are on another scale and stand in the table only. */
  readonly column: string;
  drawn(groups: readonly Group[]): readonly Group[];
  /** `missed`: the bars that were not met, in plain words. */
  run(): Promise<{ readonly groups: readonly Group[]; readonly missed: readonly string[] }>;
}

/** Every bench by the name it is called with. */
const BENCHES: Readonly<Record<string, Bench>> = {
  decode: {
    note: "Medians of CPU time.",
    title: "Time to decode 50,000 packets, as a multiple of JSON.parse alone",
    column: "times the limit",
    drawn: (groups) => groups.slice(0, -1),
    run: async () => ({ groups: await benchDecode({ packets: 50_000, rounds: 9, largeBytes: 8_000_000 }), missed: [] }),
  },
  relay: {
    note: "Own time is time of the machine's clock; waits are simulated.",
    title: "From the first text to the first call that holds any, p50: milliseconds of waiting",
    column: "waits p50 ms",
    drawn: (groups) => groups.slice(0, -2),
    run: () => benchRelay({ questions: 500, streams: 1000, workspaces: 50, seconds: 60 }),
  },
};

const FOLDER = join(import.meta.dirname, "..");

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !(name in BENCHES));
  if (unknown !== undefined) {
    console.error(`There is no bench "${unknown}". There are: ${Object.keys(BENCHES).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  for (const name of names.length === 0 ? Object.keys(BENCHES) : names) {
    const bench = BENCHES[name];
    if (bench !== undefined) await runOne(name, bench);
  }
}

async function runOne(name: string, { note, title, column, drawn, run }: Bench): Promise<void> {
  const machine: Machine = describeMachine();
  console.log(`${name}: ${machine.processor}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load}`);
  const { groups, missed } = await run();
  const result: Result = { bench: name, measuredOn: new Date().toISOString().slice(0, 10), machine, note, groups };
  console.log(tableOf(result));
  const bars = drawn(groups).map((group) => ({
    name: group.name,
    bars: group.rows.map((row) => ({ label: row.name, value: row.figures[column] ?? 0, ours: row.ours })),
  }));
  writeFileSync(join(FOLDER, "results", `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(join(FOLDER, "results", `${name}.svg`), barChart(title, bars));
  withTable(join(FOLDER, "README.md"), result);
  for (const words of missed) console.error(`Missed: ${words}`);
  if (missed.length > 0) process.exitCode = 1;
}

await main(process.argv.slice(2));

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { barChart } from "./chart.ts";
import { benchDecode, type Group } from "./decode.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { type Result, tableOf, withTable } from "./report.ts";

/** Every bench by the name it is called with. */
const BENCHES: Readonly<Record<string, { title: string; run(): Promise<Group[]> }>> = {
  decode: {
    title: "Time to decode 50,000 packets, as a multiple of JSON.parse alone",
    run: () => benchDecode({ packets: 50_000, rounds: 9, largeBytes: 8_000_000 }),
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
    if (bench !== undefined) await runOne(name, bench.title, bench.run);
  }
}

async function runOne(name: string, title: string, run: () => Promise<Group[]>): Promise<void> {
  const machine: Machine = describeMachine();
  console.log(`${name}: ${machine.processor}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load}`);
  const groups = await run();
  const result: Result = { bench: name, measuredOn: new Date().toISOString().slice(0, 10), machine, groups };
  console.log(tableOf(result));
  const bars = groups.map((group) => ({
    name: group.name,
    bars: group.rows.map((row) => ({ label: row.name, value: row.ratio ?? row.milliseconds, ours: row.ours })),
  }));
  writeFileSync(join(FOLDER, "results", `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  // The large packet is another scale: it stands in the table only.
  writeFileSync(join(FOLDER, "results", `${name}.svg`), barChart(title, bars.slice(0, -1)));
  withTable(join(FOLDER, "README.md"), result);
}

await main(process.argv.slice(2));

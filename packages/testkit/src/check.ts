/**
 * Every check and test of the repository, then one line that counts them. `--long` runs the long tests (`*.long.ts`) in
 * place of the short ones. Ends with status 1 when anything failed.
 */
import { passSignalsOn, runProgram, type ProgramEnd } from "./checks/run-program.ts";
import { runTests } from "./checks/tests.ts";
import { checkTypes, installPeers, installPrograms, prepareTypes } from "./checks/types.ts";

type Checks = Record<string, () => Promise<ProgramEnd>>;

const first: Checks = {
  format: () => runProgram("oxfmt", ["--check", "."]),
  lint: () => runProgram("oxlint", []),
  "prepared types": prepareTypes,
};
/** What waits for a network does so beside the others; tests that need these programs run last. */
const peers: Checks = { "peers of the bench": installPeers };
const programs: Checks = { "programs from Debian": installPrograms };
/** These take their time, and take it while tests wait. */
const beside: Checks = {
  types: checkTypes,
  "dead exports": () => runProgram("knip", ["--no-progress", "--no-config-hints"], { gently: true }),
};

passSignalsOn();
const failures: string[] = [];
let passed = 0;

const installing = run(programs);
await Promise.all([run(first), run(peers)]);
const besides = Promise.all([run(beside), installing]);
const begun = performance.now();
const tests = await runTests(process.argv.includes("--long"));
await besides;
// Shown again where they are looked for: at the end.
for (const failure of failures) console.log(failure);
console.log(`${tests.failed === 0 ? "ok    " : "FAILED"} tests (${seconds(begun)})`);
passed += tests.passed;
const failed = failures.length + tests.failed;

console.log(`${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;

async function run(checks: Checks): Promise<void> {
  for (const [name, check] of Object.entries(checks)) {
    const start = performance.now();
    const { ok, output } = await check();
    console.log(`${ok ? "ok    " : "FAILED"} ${name} (${seconds(start)})`);
    if (ok) passed++;
    else {
      console.log(output.trimEnd());
      failures.push(`FAILED ${name}\n${output.trimEnd()}`);
    }
  }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Every check and test of the repository, in order, then one line that counts them. `--long` runs the long tests
 * (`*.long.ts`) in place of the short ones. Ends with status 1 when anything failed.
 */
import { passSignalsOn, runProgram, type ProgramEnd } from "./checks/run-program.ts";
import { runTests } from "./checks/tests.ts";
import { checkTypes } from "./checks/types.ts";

const checks: Record<string, () => Promise<ProgramEnd>> = {
  format: () => runProgram("oxfmt", ["--check", "."]),
  lint: () => runProgram("oxlint", []),
  types: checkTypes,
  "dead exports": () => runProgram("knip", ["--no-progress", "--no-config-hints"]),
};

passSignalsOn();
let passed = 0;
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  const begun = performance.now();
  const { ok, output } = await check();
  console.log(`${ok ? "ok    " : "FAILED"} ${name} (${seconds(begun)})`);
  if (ok) passed++;
  else {
    failed++;
    console.log(output.trimEnd());
  }
}

const begun = performance.now();
const tests = await runTests(process.argv.includes("--long"));
console.log(`${tests.failed === 0 ? "ok    " : "FAILED"} tests (${seconds(begun)})`);
passed += tests.passed;
failed += tests.failed;

console.log(`${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

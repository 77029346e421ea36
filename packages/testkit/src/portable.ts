/**
 * The tests that need no package of Debian, as far as this platform can run them, after a list of what is left out and
 * why. `--list` runs none; `--platform <name>` chooses as another platform would. Ends with status 1 when one failed.
 */
import { globSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { portableTests } from "./checks/portable-tests.ts";
import { passSignalsOn, runProgram } from "./checks/run-program.ts";
import { prepareTypes } from "./checks/types.ts";
import { repositoryRoot } from "./shared-folder.ts";

const { values } = parseArgs({ options: { list: { type: "boolean" }, platform: { type: "string" } } });
const found = globSync("{packages/*,bot,extension}/src/**/*.test.{ts,tsx}", { cwd: repositoryRoot });
const files = found.toSorted().map((file) => join(repositoryRoot, file));
// "linux" leaves nothing out: whoever asks for the portable tests there means those that every platform can run.
const asked = values.platform ?? process.platform;
const platform = asked === "linux" ? "darwin" : (asked as NodeJS.Platform);
const { run, leftOut } = portableTests(files, platform);

const reasons = Map.groupBy(leftOut, ({ reason }) => reason);
for (const [reason, left] of reasons) {
  console.log(`Left out, ${left.length} files: a test that ${reason}`);
  for (const { file } of left) console.log(`  ${slashed(file)}`);
}
console.log(`${run.length} of ${files.length} test files run.`);

if (values.list !== true) {
  passSignalsOn();
  const prepared = await prepareTypes();
  if (!prepared.ok) console.error(prepared.output);
  const { ok } = await runProgram("vitest", ["run", ...run.map(slashed)], { live: true });
  process.exitCode = ok && prepared.ok ? 0 : 1;
}

function slashed(file: string): string {
  return relative(repositoryRoot, file).split(sep).join("/");
}

import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../shared-folder.ts";
import { runProgram, type ProgramEnd } from "./run-program.ts";

/** Type-checks every package, sources and tests apart: the tests may use Node where the sources may not. */
export async function checkTypes(): Promise<ProgramEnd> {
  // The extension's own tsconfig.json stands on one its build tool writes.
  const prepared = await runProgram("node", ["extension/src/building/prepare.ts"]);
  if (!prepared.ok) return prepared;
  const waiting = projects();
  const failures: string[] = [];
  const work = async () => {
    for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
      const { ok, output } = await runProgram("tsc", ["-p", project, "--pretty", "false"]);
      if (!ok) failures.push(`${project}:\n${output}`);
    }
  };
  // Two at a time: the machines this runs on have two cores.
  await Promise.all([work(), work()]);
  return { ok: failures.length === 0, output: failures.toSorted().join("\n") };
}

/** The tsconfig files that have something to check. */
function projects(): string[] {
  const configs = globSync("{packages/*,bot,extension}/tsconfig{,.test,.page}.json", { cwd: repositoryRoot });
  const hasTests = (config: string) =>
    globSync("src/**/*.{test,long,harness}.{ts,tsx}", { cwd: join(repositoryRoot, dirname(config)) }).length > 0;
  return configs.filter((config) => !config.endsWith(".test.json") || hasTests(config)).toSorted();
}

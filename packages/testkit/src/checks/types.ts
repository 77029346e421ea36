import { globSync } from "node:fs";
import { repositoryRoot } from "../shared-folder.ts";
import { runProgram, type ProgramEnd } from "./run-program.ts";

/** Writes what the extension's own tsconfig.json stands on; its tests read of it too. */
export function prepareTypes(): Promise<ProgramEnd> {
  return runProgram("node", ["extension/src/building/prepare.ts"]);
}

/** Type-checks every package, sources and tests apart: the tests may use Node where the sources may not. */
export async function checkTypes(): Promise<ProgramEnd> {
  // The largest first, and that is the one of the tests.
  const waiting = projects().toReversed();
  const failures: string[] = [];
  const work = async () => {
    for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
      const { ok, output } = await runProgram("tsc", ["-p", project, "--pretty", "false"], { gently: true });
      if (!ok) failures.push(`${project}:\n${output}`);
    }
  };
  // Two at a time: the machines this runs on have two cores.
  await Promise.all([work(), work()]);
  return { ok: failures.length === 0, output: failures.toSorted().join("\n") };
}

/** Every package's own, and the one of all their tests; the extension has one of its own for them. */
function projects(): string[] {
  return globSync(["tsconfig.test.json", "{packages/*,bot,extension}/tsconfig{,.test,.page,.child}.json"], {
    cwd: repositoryRoot,
  }).toSorted();
}

import { runProgram, type ProgramEnd } from "./run-program.ts";

/** Writes what the extension's own tsconfig.json stands on; its tests read of it too. */
export function prepareTypes(): Promise<ProgramEnd> {
  return runProgram("node", ["extension/src/building/prepare.ts"]);
}

/**
 * Type-checks every package, sources and tests apart: the tests may use Node where the sources may not. What did not
 * change since the last time is not checked again.
 */
export function checkTypes(): Promise<ProgramEnd> {
  return runProgram("tsc", ["-b", "--pretty", "false"], { gently: true });
}

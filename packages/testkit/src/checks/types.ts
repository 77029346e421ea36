import { runProgram, type ProgramEnd } from "./run-program.ts";

/** Writes what the extension's own tsconfig.json stands on; its tests read of it too. */
export function prepareTypes(): Promise<ProgramEnd> {
  return runProgram("node", ["extension/src/building/prepare.ts"]);
}

/** Installs what tests need of Debian's packages; where that cannot be done, they say what is left out. */
export function installPrograms(): Promise<ProgramEnd> {
  return runProgram("node", ["packages/testkit/src/programs/install.ts"]);
}

/** Installs what the bench measures ours beside: its tests run all of it. */
export function installPeers(): Promise<ProgramEnd> {
  return runProgram("node", ["packages/bench/src/install-peers.ts"]);
}

/**
 * Type-checks every package, sources and tests apart: the tests may use Node where the sources may not. What did not
 * change since the last time is not checked again.
 */
export async function checkTypes(): Promise<ProgramEnd> {
  const ours = await runProgram("tsc", ["-b", "--pretty", "false"], { gently: true });
  // What loads the bench's peers stands beside them, outside all that a newcomer's installation reaches.
  const peers = await runProgram("tsc", ["-p", "packages/bench/peers", "--pretty", "false"], { gently: true });
  return { ok: ours.ok && peers.ok, output: ours.output + peers.output };
}

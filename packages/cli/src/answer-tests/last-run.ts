import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { readIfPresent, stateFolder, writePrivateFile } from "../folders.ts";
import { serverName } from "../server/config.ts";
import { note, type Terminal } from "../terminal/output.ts";
import { unreadable } from "../unreadable.ts";
import { runIn, type TestRun } from "./record.ts";

/**
 * The run before: of `--since` where that is given, else of this file at this server from here. Undefined: there is none
 * yet. Throws UsageError where `--since` names something else.
 */
export async function lastRun(
  terminal: Terminal,
  place: RunPlace,
  since: string | undefined,
): Promise<TestRun | undefined> {
  if (since === undefined) return runIn((await readIfPresent(pathOf(terminal, place))) ?? "");
  const text = await readIfPresent(resolve(terminal.folder, since)).catch((error: unknown) => {
    throw new UsageError(`The report ${since} cannot be read: ${unreadable(error)}.`);
  });
  if (text === undefined || text === "") {
    // The first run of a pipeline has none, and one that was killed leaves nothing in it.
    note(terminal, `There is no report ${since} yet: nothing is compared.`);
    return undefined;
  }
  const run = runIn(text);
  if (run === undefined) throw new UsageError(`${since} is no report of \`threadlore test --report\`.`);
  return run;
}

/** Which file of tests at which server. */
export interface RunPlace {
  readonly url: string;
  /** As it was given; `-` is standard input. */
  readonly file: string;
}

/** Keeps a run for the next one to be compared with; whole or not at all, so that of two at once the later stands. */
export async function keepRun(terminal: Terminal, place: RunPlace, run: TestRun): Promise<void> {
  await writePrivateFile(pathOf(terminal, place), JSON.stringify(run));
}

function pathOf(terminal: Terminal, { url, file }: RunPlace): string {
  const path = file === "-" ? file : resolve(terminal.folder, file);
  const name = createHash("sha256")
    .update(JSON.stringify([serverName(url), path]))
    .digest("hex")
    .slice(0, 32);
  return join(stateFolder(terminal), "answer-tests", `${name}.json`);
}

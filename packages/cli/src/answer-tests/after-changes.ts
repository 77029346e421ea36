import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { delay } from "@threadlore/client/delay";
import { UnsupportedError } from "@threadlore/client";
import { EXIT_CODES, UsageError } from "../exit-codes.ts";
import { describeFailure } from "../failure.ts";
import { readSettings } from "../server/config.ts";
import { connection } from "../server/connection.ts";
import { note, type Terminal } from "../terminal/output.ts";
import type { TestFlags } from "./command.ts";

/** What is looked at for changes. */
type Watched = Pick<TestFlags, "url" | "data" | "every" | "rules">;

/**
 * Runs tests, and again whenever something changed that answers rest on, once it is quiet: from one look to the next
 * nothing more changed. Until Ctrl-C, whose exit code it is. What cannot be looked at, or a file of tests that cannot be read while
 * somebody edits it, is said once and looked at again.
 */
export async function afterChanges(
  terminal: Terminal,
  file: string,
  flags: Watched,
  run: () => Promise<number>,
): Promise<number> {
  if (file === "-")
    throw new UsageError("With --after-changes the tests must stand in a file: it is read again each time.");
  const { interrupted } = terminal;
  const settings = await readSettings(terminal, flags);
  const deployment = createDeployment(connection(terminal, settings));
  const look = (): Promise<string> => stateOf(terminal, deployment, [file, ...(flags.rules ?? [])]);
  // A key that may not be told what changed, or a file that is not there, is said before anything is asked.
  let ran = await look();
  let code = await run();
  let said = "";
  const says = (words: string): void => {
    if (words !== said && words !== "") note(terminal, words);
    said = words;
  };
  note(terminal, `Looking for changes every ${flags.every} s. Ctrl-C ends it.`);
  let before = ran;
  while (!interrupted.aborted) {
    await delay(flags.every * 1_000, interrupted);
    if (interrupted.aborted) break;
    try {
      const now = await look();
      const isQuiet = now === before;
      before = now;
      if (now !== ran && isQuiet) {
        // What changes while it runs is found by the next look.
        ran = now;
        note(
          terminal,
          `Something changed: asked again at ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC.`,
        );
        code = await run();
      }
      says("");
    } catch (error) {
      if (interrupted.aborted) break;
      says(describeFailure(error).lines.join(" "));
    }
  }
  return interrupted.aborted ? EXIT_CODES.interrupted.code : code;
}

/**
 * What answers rest on, as one hash: which data the server has, its newest document, how many there are of each pair, who
 * answers, the document sets, and the files. No document is read for it.
 */
async function stateOf(terminal: Terminal, deployment: Deployment, files: readonly string[]): Promise<string> {
  const given = { signal: terminal.interrupted };
  const parts = await Promise.all([
    told(async () => (await deployment.whoami(given)).instance ?? null),
    told(() => deployment.documents({ most: 1 }, given)),
    told(() => deployment.pairs(given)),
    told(() => deployment.personas(given)),
    told(() => deployment.documentSets(given)),
    ...files.map((file) => contentOf(terminal, file)),
  ]);
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Of what a server does not have nothing changes. */
async function told(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UnsupportedError) return null;
    throw error;
  }
}

async function contentOf(terminal: Terminal, file: string): Promise<string> {
  try {
    return createHash("sha256")
      .update(await readFile(resolve(terminal.folder, file)))
      .digest("hex");
  } catch {
    throw new UsageError(`The file ${file} cannot be read, and so nobody can say whether it changed.`);
  }
}

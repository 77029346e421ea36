import { existsSync } from "node:fs";
import { join } from "node:path";

/** Absolute path of the repository's root folder. */
export const repositoryRoot: string = join(import.meta.dirname, "..", "..", "..");

const announced = new Set<string>();

/**
 * Absolute path of `../shared/<relative>` beside the repository's root, for tests that replay reference material which
 * is not part of the repository.
 *
 * Returns undefined when it is not there, after saying so once per process and path; a test then leaves itself out
 * with `it.runIf(folder)`. The repository's own fixtures cover the same phenomena, so a clone alone still tests them.
 */
export function sharedFolder(relative: string): string | undefined {
  const path = join(repositoryRoot, "..", "shared", relative);
  if (existsSync(path)) return path;
  if (!announced.has(relative)) {
    announced.add(relative);
    console.log(
      `skipped: ../shared/${relative} is not beside this clone; tests that replay it are left out, ` +
        `and only the repository's own fixtures are used instead.`,
    );
  }
  return undefined;
}

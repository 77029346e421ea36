import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Ends or removes something; may be called when it has ended already. */
export type Ending = () => unknown;

const [ofTest, ofFile]: [Ending[], Ending[]] = [[], []];

/**
 * Has something ended when the running test is over, the last one first. To be used where a helper would have a hook of
 * its own: test files share their process, and a helper's own hooks are heard by the first file alone that loads it.
 */
export function afterThisTest(end: Ending): void {
  ofTest.push(end);
}

/** The same, when the running test file is over. */
export function afterThisFile(end: Ending): void {
  ofFile.push(end);
}

/** A new folder that is removed when the running test file is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-test-"));
  // A process that was killed may still be writing into it, so it is tried a few times.
  afterThisFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Ends what the test began. Throws what was thrown, once all have been ended. */
export function tidyTest(): Promise<void> {
  return tidy(ofTest);
}

/** Ends what the test file began, likewise. */
export function tidyFile(): Promise<void> {
  return tidy(ofFile);
}

async function tidy(endings: Ending[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of endings.splice(0).toReversed()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "Not everything could be ended.");
}

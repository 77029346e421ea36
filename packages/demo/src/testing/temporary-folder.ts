import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
afterAll(removeTemporaryFolders);

/** A folder that is removed when the test file that asked for it is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-demo-"));
  folders.push(folder);
  return folder;
}

/** Removes them all. A process that was killed may still be writing into one, so it is tried a few times. */
function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

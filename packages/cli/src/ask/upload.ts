import { basename } from "node:path";
import { createDeployment } from "@threadlore/client/deployment";
import type { FileDescriptor } from "@threadlore/client/models";
import { openNamed } from "../folders.ts";
import type { Settings } from "../server/config.ts";
import { connection } from "../server/connection.ts";
import { throwProblems } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";

/**
 * Uploads the files of a question. Throws UsageError when one cannot be read or the server refuses one: a question
 * about a file that is not there would be answered wrongly. UnsupportedError when the server takes no files.
 */
export async function uploadFiles(
  terminal: Terminal,
  settings: Settings,
  paths: readonly string[],
): Promise<FileDescriptor[]> {
  if (paths.length === 0) return [];
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), content: await openNamed(terminal, path) })),
  );
  const deployment = createDeployment(connection(terminal, settings));
  const upload = await deployment.upload(files, { signal: terminal.interrupted });
  throwProblems(upload.rejected.map(({ name, reason }) => `The server refused ${name}: ${reason}`));
  return upload.files.map((file) => file.descriptor);
}

import { openAsBlob } from "node:fs";
import { basename, resolve } from "node:path";
import { createDeployment } from "@threadlore/client/deployment";
import type { FileDescriptor } from "@threadlore/client/models";
import type { Settings } from "../server/config.ts";
import { connection } from "../server/connection.ts";
import { throwProblems, UsageError } from "../exit-codes.ts";
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
    paths.map(async (path) => {
      try {
        return { name: basename(path), content: await openAsBlob(resolve(terminal.folder, path)) };
      } catch {
        throw new UsageError(`The file ${path} cannot be read.`);
      }
    }),
  );
  const deployment = createDeployment(connection(terminal, settings));
  const upload = await deployment.upload(files, { signal: terminal.interrupted });
  throwProblems(upload.rejected.map(({ name, reason }) => `The server refused ${name}: ${reason}`));
  return upload.files.map((file) => file.descriptor);
}

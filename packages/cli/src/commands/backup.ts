import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import { noDatabase, ownedFiles } from "../embedded/embedded.ts";
import { UsageError } from "../exit-codes.ts";
import { type DataFlags, dataOption, jsonOption } from "./options.ts";
import { note, type Terminal, writeJson } from "../terminal/output.ts";

/** `threadlore backup` and `threadlore restore`. */
export function addBackupCommands(program: Command, terminal: Terminal): void {
  program
    .command("backup")
    .summary("copy the embedded service's data into one file")
    .description("Copies the embedded service's database into one file, also while the service runs.")
    .argument("<file>", "where the copy goes")
    .option("--force", "replace the file if it is there")
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (file: string, flags: DataFlags & { force?: boolean }) => {
      const { database } = await ownedFiles(terminal, flags.data);
      const target = resolve(terminal.folder, file);
      if (!(await exists(database))) throw new UsageError(noDatabase(database));
      if (flags.force !== true && (await exists(target))) {
        throw new UsageError(`${file} is there already. Choose another name, or replace it with --force.`);
      }
      const { backUp } = await import("../embedded/database-copy.ts");
      const { documents } = await backUp(database, target);
      if (flags.json === true) writeJson(terminal, { ok: true, documents, file: target });
      else note(terminal, `Copied ${documents} documents and all conversations to ${file}, readable by you only.`);
    });
  program
    .command("restore")
    .summary("put a backup in the place of the data")
    .description("Puts a backup in the place of the embedded service's database. The old one is kept beside it.")
    .argument("<file>", "a file made by `threadlore backup`")
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (file: string, flags: DataFlags) => {
      const files = await ownedFiles(terminal, flags.data);
      const copy = resolve(terminal.folder, file);
      if (!(await exists(copy))) throw new UsageError(`There is no file ${file}.`);
      const { ensureOwnerKey, restore } = await import("../embedded/database-copy.ts");
      const { documents, kept } = await restore(copy, files.database);
      const madeKey = await ensureOwnerKey(files.database, files.key);
      if (flags.json === true) {
        writeJson(terminal, {
          ok: true,
          documents,
          database: files.database,
          kept: kept ?? null,
          key_file: files.key,
          made_key: madeKey,
        });
      } else {
        note(terminal, `Restored ${documents} documents and their conversations.`);
        if (kept !== undefined) note(terminal, `The database before it is kept as ${kept}.`);
        if (madeKey) {
          note(
            terminal,
            `No key that was here fits it; a new one for its owner is in ${files.key}. Others stay valid.`,
          );
        }
        note(terminal, "`threadlore ingest` sends again what is not in it.");
      }
    });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

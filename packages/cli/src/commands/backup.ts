import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { databaseUrl } from "../embedded/database-url.ts";
import { noDatabase, ownedFiles } from "../embedded/embedded.ts";
import { UsageError } from "../exit-codes.ts";
import { addDataOptions, type DataFlags, jsonOption, tell } from "./options.ts";
import type { Terminal } from "../terminal/output.ts";

/** What can be made again takes no room in a backup. */
const WITHOUT_INDEX =
  "The search index is not in it: after a restore it is made again. Vectors of an embedding model are asked for again, " +
  "but for those of the index that lies beside the database then.";

/** Everything is in PostgreSQL, whose own programs copy it. */
function refuseOnServer(terminal: Terminal, commands: string): void {
  if (databaseUrl(terminal) === undefined) return;
  throw new UsageError(
    `Everything is in PostgreSQL (DATABASE_URL is set), and is copied by its own programs: ${commands}.`,
  );
}

/** `threadlore backup`, `threadlore restore`, and `threadlore restored` for PostgreSQL. */
export function addBackupCommands(program: Command, terminal: Terminal): void {
  const backup = program
    .command("backup")
    .summary("copy the embedded service's data into one file")
    .description("Copies the embedded service's database into one file, also while the service runs.")
    .argument("<file>", "where the copy goes")
    .option("--force", "replace the file if it is there");
  addDataOptions(backup).action(async (file: string, flags: DataFlags & { force?: boolean }) => {
    refuseOnServer(terminal, `\`pg_dump --format=custom --schema=threadlore --file=${file} "$DATABASE_URL"\``);
    const { database } = await ownedFiles(terminal, flags.data);
    const target = resolve(terminal.folder, file);
    if (!existsSync(database)) throw new UsageError(noDatabase(database));
    if (flags.force !== true && existsSync(target)) {
      throw new UsageError(`${file} is there already. Choose another name, or replace it with --force.`);
    }
    const { backUp } = await import("../embedded/database-copy.ts");
    const { documents } = await backUp(database, target);
    const said = `Copied ${documents} documents and all conversations to ${file}, readable by you only.`;
    tell(terminal, flags, { json: { ok: true, documents, file: target }, notes: [said, WITHOUT_INDEX] });
  });
  const restoring = program
    .command("restore")
    .summary("put a backup in the place of the data")
    .description("Puts a backup in the place of the embedded service's database. The old one is kept beside it.")
    .argument("<file>", "a file made by `threadlore backup`");
  addDataOptions(restoring).action(async (file: string, flags: DataFlags) => {
    const restored = `\`pg_restore --clean --if-exists --dbname="$DATABASE_URL" ${file}\``;
    refuseOnServer(terminal, `${restored}, while no instance runs, then \`threadlore restored\``);
    const { database, key } = await ownedFiles(terminal, flags.data);
    const copy = resolve(terminal.folder, file);
    if (!existsSync(copy)) throw new UsageError(`There is no file ${file}.`);
    const { ensureOwnerKey, restore } = await import("../embedded/database-copy.ts");
    const { documents, kept } = await restore(copy, database);
    const madeKey = await ensureOwnerKey(database, key);
    const notes = [`Restored ${documents} documents and their conversations.`];
    if (kept !== undefined) notes.push(`The database before it is kept as ${kept}.`);
    if (madeKey) notes.push(`No key that was here fits it; a new one for its owner is in ${key}. Others stay valid.`);
    notes.push("`threadlore ingest` sends again what is not in it.");
    const json = { ok: true, documents, database, kept: kept ?? null, key_file: key, made_key: madeKey };
    tell(terminal, flags, { json, notes });
  });
  const restored = program
    .command("restored")
    .summary("say that the PostgreSQL database was put back to an earlier state")
    .description(
      "Gives the data in PostgreSQL another epoch, after it was put back from a backup: whoever keeps a record of what was sent then sends again what came since.",
    )
    .addOption(jsonOption());
  restored.action(async (flags: { json?: boolean }) => {
    const url = databaseUrl(terminal);
    if (url === undefined) {
      throw new UsageError(
        "DATABASE_URL names no PostgreSQL database. What `threadlore restore` puts back knows it already.",
      );
    }
    const { openStore, renewEpochOf } = await import("@threadlore/service");
    const store = await openStore(url);
    try {
      await store.write(renewEpochOf);
    } finally {
      await store.close();
    }
    const notes = [
      "The data has another epoch. Start the instances; `threadlore ingest` sends again what is not in it.",
    ];
    tell(terminal, flags, { json: { ok: true }, notes });
  });
}

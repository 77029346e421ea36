import type { ListedKey } from "@threadlore/service";
import { type Command, Option } from "commander";
import { type DataFlags, dataOption, jsonOption, repeatable, wholeNumber } from "./options.ts";
import { note, oneLine, table, type Terminal, writeJson } from "../terminal/output.ts";
import { withOwner } from "../embedded/owner.ts";

const ROLES = ["ordinary", "editor", "admin"] as const;

interface AddFlags extends DataFlags {
  role: (typeof ROLES)[number];
  user?: string;
  group?: string[];
  documentSet?: string[];
}

const SHARED_CONVERSATIONS =
  "Mind: another key of this user sees other document sets, and keys of one user share conversations and files. " +
  "Where one of them is to see less, give it a user of its own with --user.";

/** Whether the user of a key holds another one that is bound to other document sets. */
function seesOtherSets(keys: readonly ListedKey[], id: number): boolean {
  const sets = (key: ListedKey): string => JSON.stringify(key.documentSets?.toSorted() ?? null);
  const made = keys.find((key) => key.id === id);
  if (made === undefined) return false;
  return keys.some((key) => key.revokedAt === null && key.user === made.user && sets(key) !== sets(made));
}

/** `threadlore key add|list|revoke`: keys of the embedded service on this machine. */
export function addKeyCommand(program: Command, terminal: Terminal): void {
  const key = program
    .command("key")
    .summary("keys of the embedded service")
    .description("Keys of the embedded service on this machine.")
    .helpCommand(false);
  key
    .command("add")
    .description("Makes a key and prints it, once: the service keeps only its hash.")
    .argument("<name>", "what the key is for, such as the name of a person or a bot")
    .addOption(
      new Option("--role <role>", "ordinary asks; editor also ingests; admin may do everything")
        .choices(ROLES)
        .default("ordinary"),
    )
    .option("--user <user>", "owner of the conversations; keys of one user share them (default: the name)")
    .option("--group <group>", "group for rate limits; repeatable", repeatable)
    .option("--document-set <name>", "the only document sets this key may see; repeatable (default: all)", repeatable)
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (name: string, flags: AddFlags) => {
      const made = await withOwner(terminal, flags.data, (owner) =>
        owner.addKey({
          name,
          role: flags.role,
          user: flags.user,
          groups: flags.group,
          documentSets: flags.documentSet,
        }),
      );
      if (flags.json === true) writeJson(terminal, { ok: true, id: made.id, name, role: flags.role, key: made.key });
      else {
        terminal.out.write(`${made.key}\n`);
        note(terminal, `Key ${made.id} (${oneLine(name)}, ${flags.role}). It is shown this once; keep it safe.`);
        if (seesOtherSets(await withOwner(terminal, flags.data, (owner) => owner.listKeys()), made.id)) {
          note(terminal, SHARED_CONVERSATIONS);
        }
      }
    });
  key
    .command("list")
    .description("Lists keys by number, never the keys themselves.")
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (flags: DataFlags) => {
      const keys = await withOwner(terminal, flags.data, (owner) => owner.listKeys());
      if (flags.json === true) writeJson(terminal, { ok: true, keys });
      else {
        const rows = keys.map((entry) => [
          String(entry.id),
          entry.name,
          entry.role,
          entry.user,
          entry.documentSets === null ? "all" : entry.documentSets.join(", "),
          entry.createdAt.slice(0, 10),
          entry.revokedAt === null ? "" : `revoked ${entry.revokedAt.slice(0, 10)}`,
        ]);
        terminal.out.write(table([["ID", "NAME", "ROLE", "USER", "DOCUMENT SETS", "MADE", ""], ...rows]));
      }
    });
  key
    .command("revoke")
    .description("Ends a key at once. It cannot be taken back; make a new one instead.")
    .argument("<id>", "number of the key, from `key list`", wholeNumber(0))
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (id: number, flags: DataFlags) => {
      await withOwner(terminal, flags.data, (owner) => owner.revokeKey(id));
      if (flags.json === true) writeJson(terminal, { ok: true, id });
      else note(terminal, `Key ${id} is revoked.`);
    });
}

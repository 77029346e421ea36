import type { ListedKey } from "@threadlore/service";
import { type Command, Option } from "commander";
import { addGroup, onData, repeatable, wholeNumber } from "./options.ts";
import { oneLine, table, type Terminal } from "../terminal/output.ts";

const ROLES = ["ordinary", "editor", "admin"] as const;

interface AddFlags {
  role: (typeof ROLES)[number];
  user?: string;
  group?: string[];
  documentSet?: string[];
}

const SHARED_CONVERSATIONS =
  "Mind: another key of this user sees other document sets, and keys of one user share conversations and files. " +
  "Where one of them is to see less, give it a user of its own with --user.";

/** When a key was revoked, or ends. */
function endOf({ revokedAt, expiresAt }: ListedKey): string {
  if (revokedAt !== null) return `revoked ${revokedAt.slice(0, 10)}`;
  return expiresAt === null ? "" : `ends ${new Date(expiresAt).toISOString().slice(0, 10)}`;
}

/** Whether the user of a key holds another one that is bound to other document sets. */
function seesOtherSets(keys: readonly ListedKey[], id: number): boolean {
  const sets = (key: ListedKey): string => JSON.stringify(key.documentSets?.toSorted() ?? null);
  const made = keys.find((key) => key.id === id);
  if (made === undefined) return false;
  return keys.some((key) => key.revokedAt === null && key.user === made.user && sets(key) !== sets(made));
}

/** `threadlore key add|list|revoke`: keys of the embedded service on this machine. */
export function addKeyCommand(program: Command, terminal: Terminal): void {
  const key = addGroup(program, "key", "keys of the embedded service", "Keys of the embedded service on this machine.");
  const add = key
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
    .option("--document-set <name>", "the only document sets this key may see; repeatable (default: all)", repeatable);
  onData(add, terminal, async (owner, name: string, { role, user, group, documentSet }: AddFlags) => {
    const made = await owner.addKey({ name, role, user, groups: group, documentSets: documentSet });
    const notes = [`Key ${made.id} (${oneLine(name)}, ${role}). It is shown this once; keep it safe.`];
    if (seesOtherSets(await owner.listKeys(), made.id)) notes.push(SHARED_CONVERSATIONS);
    return { json: { ok: true, id: made.id, name, role, key: made.key }, out: `${made.key}\n`, notes };
  });
  onData(
    key
      .command("list")
      .description("Lists keys by number, also those of people who signed in, never the keys themselves."),
    terminal,
    async (owner) => {
      const keys = await owner.listKeys();
      const rows = keys.map((entry) => [
        String(entry.id),
        entry.name,
        // What a person may do is said by the rules about their groups.
        entry.personId === null ? entry.role : "(by groups)",
        entry.user,
        entry.personId !== null ? "(by groups)" : entry.documentSets === null ? "all" : entry.documentSets.join(", "),
        entry.createdAt.slice(0, 10),
        endOf(entry),
      ]);
      return {
        json: { ok: true, keys },
        out: table([["ID", "NAME", "ROLE", "USER", "DOCUMENT SETS", "MADE", ""], ...rows]),
      };
    },
  );
  const revoke = key
    .command("revoke")
    .description("Ends a key at once. It cannot be taken back; make a new one instead.")
    .argument("<id>", "number of the key, from `key list`", wholeNumber(0));
  onData(revoke, terminal, async (owner, id: number) => {
    await owner.revokeKey(id);
    return { json: { ok: true, id }, notes: [`Key ${id} is revoked.`] };
  });
}

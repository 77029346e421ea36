import type { Membership, PersonHoldings } from "@threadlore/service";
import type { Command } from "commander";
import type { Owner } from "../embedded/owner.ts";
import { UsageError } from "../exit-codes.ts";
import { note, oneLine, table, type Terminal } from "../terminal/output.ts";
import { addGroup, onData, repeatable } from "./options.ts";

interface AddFlags {
  email?: string;
  name?: string;
  group?: string[];
  stdin?: boolean;
}

const SHOWN_ONCE = "The password is shown this once. It can be changed at /account of the service.";

/** `threadlore person add|list|change|disable|enable|remove|password`: people who sign in to the embedded service. */
export function addPersonCommand(program: Command, terminal: Terminal): void {
  const person = addGroup(
    program,
    "person",
    "people who sign in to the embedded service",
    "People who sign in to the embedded service. What they may do and see is said by the rules of `group`.",
  );
  const add = person
    .command("add")
    .description("Makes an account that signs in with a password, and prints the password, once.")
    .argument("<user>", "name to sign in with; it is given once and to nobody else")
    .option("--email <address>", "e-mail address")
    .option("--name <name>", "name as others see it")
    .option("--group <group>", "group of this service to put them into; repeatable", repeatable)
    .option("--stdin", "take the password from standard input instead of making one");
  onData(add, terminal, async (owner, user: string, { email, name, group = [], stdin }: AddFlags) => {
    const { password, isMade } = await chosenPassword(owner, terminal, user, stdin);
    const made = await owner.addPerson({ user, email, name, groups: group }, password);
    const notes = [`${oneLine(made.user)} can sign in.`];
    if (isMade) notes.push(SHOWN_ONCE);
    const json = { ok: true, id: made.id, user: made.user, ...(isMade && { password }) };
    return { json, ...(isMade && { out: `${password}\n` }), notes };
  });
  onData(
    person.command("list").description("Lists people by name, and the groups they are in."),
    terminal,
    async (owner) => {
      const persons = await owner.listPersons();
      const day = (at: number | null): string => (at === null ? "never" : new Date(at).toISOString().slice(0, 10));
      const rows = persons.map((one) => [
        one.user,
        one.name ?? "",
        one.email ?? "",
        one.issuer,
        one.groups.map(groupText).join(", "),
        day(one.signedInAt),
        one.disabledAt === null ? "" : `disabled ${day(one.disabledAt)}`,
      ]);
      return {
        json: { ok: true, persons },
        out: table([["USER", "NAME", "E-MAIL", "SIGNS IN WITH", "GROUPS", "LAST TIME", ""], ...rows]),
      };
    },
  );
  const change = person
    .command("change")
    .description("Gives a person another e-mail address or name. Those of an identity provider are changed there.")
    .argument("<user>", "name of the person, from `person list`")
    .option("--email <address>", "e-mail address")
    .option("--name <name>", "name as others see it");
  onData(change, terminal, async (owner, user: string, { email, name }: Pick<AddFlags, "email" | "name">) => {
    if (email === undefined && name === undefined) throw new UsageError("Say what is to change: --email or --name.");
    await owner.changePerson(user, { email, name });
    return { json: { ok: true, user }, notes: [`${oneLine(user)} is changed.`] };
  });
  addStanding(person, terminal);
  addRemoval(person, terminal);
  addPassword(person, terminal);
}

/** Whether somebody may sign in at all. */
function addStanding(person: Command, terminal: Terminal): void {
  const disable = person
    .command("disable")
    .description("Ends an account at once: its keys are revoked for good, its browsers signed out.")
    .argument("<user>", "name of the person, from `person list`");
  onData(disable, terminal, async (owner, user: string) => {
    const keys = await owner.disablePerson(user);
    const said =
      keys === undefined
        ? `${oneLine(user)} was disabled before.`
        : `${oneLine(user)} is disabled; keys revoked: ${keys}.`;
    return { json: { ok: true, user, keys_revoked: keys ?? 0 }, notes: [said] };
  });
  const enable = person
    .command("enable")
    .description("Lets a person sign in again. Keys they had stay revoked.")
    .argument("<user>", "name of the person, from `person list`");
  onData(enable, terminal, async (owner, user: string) => {
    const isChanged = await owner.enablePerson(user);
    const said = isChanged ? `${oneLine(user)} can sign in again.` : `${oneLine(user)} was not disabled.`;
    return { json: { ok: true, user }, notes: [said] };
  });
}

interface RemoveFlags {
  yes?: boolean;
  lastAdmin?: boolean;
}

/** The end of an account for good, with what is theirs. */
function addRemoval(person: Command, terminal: Terminal): void {
  const remove = person
    .command("remove")
    .description(
      "Removes a disabled person for good: account, groups, keys, browsers, conversations, files. Documents stay; so do entries " +
        "of the audit log, without a name. Shows what goes, and asks.",
    )
    .argument("<user>", "name of the person, from `person list`")
    .option("--yes", "do not ask")
    .option("--last-admin", "also the last one who may administer the service");
  onData(remove, terminal, async (owner, user: string, { yes, lastAdmin }: RemoveFlags) => {
    const { person: found, holdings } = await owner.holdingsOf(user);
    const name = oneLine(found.user);
    if (found.disabledAt === null) {
      throw new UsageError(
        `Nothing was removed: ${name} can still sign in. \`person disable ${name}\` ends that at once and can be undone; then remove.`,
      );
    }
    const going = holdingWords(holdings);
    note(terminal, `With ${name} (${oneLine(found.issuer)}) go for good: ${going.join(", ")}.`);
    note(terminal, staysWords(holdings));
    if (yes !== true) await agree(terminal, name);
    await owner.removePerson(found, { isLastAdminMeant: lastAdmin === true });
    const again =
      found.issuer === "local"
        ? "The name is given to nobody again."
        : `The name is given to nobody again. Who still has an account at ${oneLine(found.issuer)} can sign in as a new person: close it there.`;
    return { json: { ok: true, user: found.user, removed: holdings }, notes: [`${name} is removed. ${again}`] };
  });
}

async function agree(terminal: Terminal, name: string): Promise<void> {
  if (!terminal.stdinIsTerminal || !terminal.err.isTerminal) {
    throw new UsageError("Nothing was removed: nobody can be asked here. Say --yes where it is meant.");
  }
  const answer = await terminal.prompt(`Remove ${name} for good? (yes or no): `);
  if (!/^y(?:es)?$/i.test(answer)) throw new UsageError("Nothing was removed.");
}

function holdingWords(holdings: PersonHoldings): string[] {
  const { keys, browsers, requests, groups, conversations, messages, files, gapQuestions } = holdings;
  const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
  const more = [
    [groups, "group membership"],
    [keys, "key"],
    [browsers, "signed-in browser"],
    [requests, "waiting request"],
    [conversations, "conversation"],
    [messages, "message"],
    [files, "file"],
    [gapQuestions, "unanswered question"],
  ] as const;
  return ["the account", ...more.flatMap(([count, one]) => (count === 0 ? [] : [counted(count, one)]))];
}

function staysWords({ auditEntries }: PersonHoldings): string {
  const audit = auditEntries === 0 ? "" : `; ${auditEntries} entries of the audit log stay without name and address`;
  return `Documents they sent stay, as the service's (\`documents delete\` deletes one)${audit}. Copies of the database keep what they hold.`;
}

function addPassword(person: Command, terminal: Terminal): void {
  const password = person
    .command("password")
    .description("Makes another password, prints it, once, and signs every browser of the person out.")
    .argument("<user>", "name of the person, from `person list`")
    .option("--stdin", "take the password from standard input instead of making one");
  onData(password, terminal, async (owner, user: string, { stdin }: Pick<AddFlags, "stdin">) => {
    const chosen = await chosenPassword(owner, terminal, user, stdin);
    await owner.setPassword(user, chosen.password);
    const { isMade } = chosen;
    return {
      json: { ok: true, user, ...(isMade && { password: chosen.password }) },
      ...(isMade && { out: `${chosen.password}\n` }),
      notes: [`${oneLine(user)} has another password; keys stay.`, ...(isMade ? [SHOWN_ONCE] : [])],
    };
  });
}

function groupText({ issuer, name }: Membership): string {
  return issuer === "local" ? name : `${name} (${issuer})`;
}

async function chosenPassword(
  owner: Owner,
  terminal: Terminal,
  user: string,
  fromInput: boolean | undefined,
): Promise<{ password: string; isMade: boolean }> {
  if (fromInput !== true) return { password: owner.mintPassword(), isMade: true };
  const password = terminal.stdinIsTerminal
    ? await terminal.prompt("Password (not shown): ", { hidden: true })
    : (await terminal.readStdin()).replace(/\r?\n$/, "");
  terminal.hide(password);
  if (owner.weaknessOf(password, user) === undefined) return { password, isMade: false };
  throw new UsageError(
    "The password must have 12 to 256 characters and be more than the user's name. Nothing was changed.",
  );
}

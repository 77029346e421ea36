import type { Membership } from "@threadlore/service";
import type { Command } from "commander";
import type { Owner } from "../embedded/owner.ts";
import { UsageError } from "../exit-codes.ts";
import { oneLine, table, type Terminal } from "../terminal/output.ts";
import { addGroup, onData, repeatable } from "./options.ts";

interface AddFlags {
  email?: string;
  name?: string;
  group?: string[];
  stdin?: boolean;
}

const SHOWN_ONCE = "The password is shown this once. It can be changed at /account of the service.";

/** `threadlore person add|list|disable|enable|password`: people who sign in to the embedded service. */
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
    const note =
      keys === undefined
        ? `${oneLine(user)} was disabled before.`
        : `${oneLine(user)} is disabled; keys revoked: ${keys}.`;
    return { json: { ok: true, user, keys_revoked: keys ?? 0 }, notes: [note] };
  });
  const enable = person
    .command("enable")
    .description("Lets a person sign in again. Keys they had stay revoked.")
    .argument("<user>", "name of the person, from `person list`");
  onData(enable, terminal, async (owner, user: string) => {
    const isChanged = await owner.enablePerson(user);
    const note = isChanged ? `${oneLine(user)} can sign in again.` : `${oneLine(user)} was not disabled.`;
    return { json: { ok: true, user }, notes: [note] };
  });
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

import type { GroupRule } from "@threadlore/service";
import { type Command, Option } from "commander";
import type { NamedGroup } from "../embedded/owner.ts";
import { UsageError } from "../exit-codes.ts";
import { oneLine, table, type Terminal } from "../terminal/output.ts";
import { addGroup, onData, repeatable, wholeNumber } from "./options.ts";

interface GroupFlags {
  everybody?: boolean;
  issuer?: string;
}

interface GiveFlags extends GroupFlags {
  role?: "ordinary" | "editor" | "admin";
  documentSet?: string[];
  pair?: number[];
  all?: boolean;
}

/** `threadlore group give|take|list|join|leave`: what people who sign in may do and see. */
export function addGroupCommand(program: Command, terminal: Terminal): void {
  const group = addGroup(
    program,
    "group",
    "what people who sign in may do and see",
    "What people who sign in may do and see, by the groups they are in. Whoever signed in may ask, and sees nothing " +
      "before a rule shows it. Every change counts at once, also for keys they have.",
  );
  const give = withGroup(group.command("give"))
    .description("Gives the members of a group a role, document sets or pairs, besides what they have.")
    .addOption(
      new Option("--role <role>", "ordinary asks; editor also ingests; admin may do everything").choices([
        "ordinary",
        "editor",
        "admin",
      ]),
    )
    .option("--document-set <name>", "document set they see; repeatable", repeatable)
    .option("--pair <number>", "pair they see; repeatable", numbers)
    .option("--all", "they see everything");
  onData(give, terminal, async (owner, name: string | undefined, flags: GiveFlags) => {
    const { role, documentSet, pair, all } = flags;
    if (role === undefined && documentSet === undefined && pair === undefined && all === undefined) {
      throw new UsageError("Say what the group is given: --role, --document-set, --pair or --all.");
    }
    const change = { role, documentSets: documentSet, pairs: pair, seesAll: all };
    const rule = await owner.setRule(groupOf(name, flags), change);
    return { json: { ok: true, rule }, notes: [`${who(rule)}: ${what(rule)}.`] };
  });
  const take = withGroup(group.command("take")).description(
    "Takes away what the members of a group were given, all of it. Give the rest anew.",
  );
  onData(take, terminal, async (owner, name: string | undefined, flags: GroupFlags) => {
    const isTaken = await owner.removeRule(groupOf(name, flags));
    if (!isTaken) throw new UsageError("Nothing was given to this group. `group list` shows what is given to whom.");
    return { json: { ok: true }, notes: ["Its members have nothing by it from now on."] };
  });
  onData(group.command("list").description("Lists what is given to which group."), terminal, async (owner) => {
    const rules = await owner.listRules();
    const rows = rules.map((rule) => [who(rule), rule.issuer === "" ? "" : rule.issuer, what(rule)]);
    return { json: { ok: true, rules }, out: table([["GROUP", "OF", "GIVEN"], ...rows]) };
  });
  const join = group
    .command("join")
    .description("Puts a person into a group of this service.")
    .argument("<group>", "name of the group")
    .argument("<user>", "name of the person, from `person list`");
  onData(join, terminal, async (owner, name: string, user: string) => {
    const isNew = await owner.joinGroup(user, name);
    const note = `${oneLine(user)} ${isNew ? "is in" : "was in"} ${oneLine(name)}${isNew ? " from now on" : " before"}.`;
    return { json: { ok: true, group: name, user }, notes: [note] };
  });
  const leave = group
    .command("leave")
    .description("Takes a person out of a group of this service. Groups of an identity provider are changed there.")
    .argument("<group>", "name of the group")
    .argument("<user>", "name of the person, from `person list`");
  onData(leave, terminal, async (owner, name: string, user: string) => {
    if (!(await owner.leaveGroup(user, name))) {
      throw new UsageError(`${user} is in no group ${name} of this service. \`person list\` shows who is in which.`);
    }
    return { json: { ok: true, group: name, user }, notes: [`${oneLine(user)} is no longer in ${oneLine(name)}.`] };
  });
}

function withGroup(command: Command): Command {
  return command
    .argument("[group]", "name of the group; left out with --everybody")
    .option("--everybody", "everybody who signed in, instead of a group")
    .option("--issuer <address>", "identity provider that says who is in the group; otherwise this service does");
}

function groupOf(name: string | undefined, { everybody = false, issuer }: GroupFlags): NamedGroup {
  if ((name === undefined) !== everybody || (everybody && issuer !== undefined)) {
    throw new UsageError("Name a group, or say --everybody: one of them.");
  }
  return { name, issuer };
}

function numbers(value: string, before: readonly number[] = []): number[] {
  return [...before, wholeNumber(1)(value)];
}

function who({ issuer, name }: GroupRule): string {
  return issuer === "" ? "(everybody who signed in)" : oneLine(name);
}

function what({ role, seesAll, documentSets, pairs }: GroupRule): string {
  const seen = seesAll
    ? ["sees everything"]
    : [...documentSets.map((name) => `sees ${oneLine(name)}`), ...pairs.map((pair) => `sees pair ${pair}`)];
  return [...(role === null ? [] : [role]), ...seen].join(", ") || "nothing";
}

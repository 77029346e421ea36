import type { Command } from "commander";
import type { Assistant, Launch } from "../assistants/assistant.ts";
import type { Installation } from "../assistants/installation.ts";
import { ASSISTANTS } from "../assistants/known-assistants.ts";
import { launchOf, running } from "../assistants/launch.ts";
import { fileOf, isInstalled } from "../assistants/places.ts";
import { UsageError } from "../exit-codes.ts";
import { parsePair } from "../ingest/pair-choice.ts";
import type { ServerFlags } from "../server/config.ts";
import { lastingTarget } from "../server/lasting-target.ts";
import { table, type Terminal } from "../terminal/output.ts";
import { versionOfPackage } from "../version.ts";
import { addServerOptions, jsonOption, type Report, tell } from "./options.ts";

interface ClientFlags {
  client?: string;
  dryRun?: boolean;
  json?: boolean;
}

interface InstallFlags extends ClientFlags, ServerFlags {
  pair?: string;
  print?: boolean;
}

/** `threadlore mcp install` and `threadlore mcp uninstall`. */
export function addMcpInstallCommands(mcp: Command, terminal: Terminal): void {
  const client = ["--client <name>", "which one, such as claude-desktop, vscode or cursor"] as const;
  const dryRun = ["--dry-run", "only show what would change"] as const;
  addServerOptions(mcp.command("install"))
    .summary("give an editor or assistant the tools")
    .description(
      "Writes into the file of an editor or assistant how it starts the tools of threadlore. All else in the file " +
        "stays as it is, what was there is kept beside it, and no key is written: the tools use what `threadlore " +
        "login` kept, or the service on this machine. Without --client, lists the editors and assistants.",
    )
    .option(...client)
    .option(...dryRun)
    .option("--pair <number>", "pair of what assistants add, or none; otherwise the saved one")
    .option("--print", "print what is to be added, and leave the file alone")
    .action(async (_: InstallFlags, command: Command) => {
      // `mcp` has options of the same names, and takes those behind the name of its subcommand too.
      const flags = command.optsWithGlobals<InstallFlags>();
      tell(terminal, flags, await (flags.client === undefined ? listing(terminal) : installing(terminal, flags)));
    });
  mcp
    .command("uninstall")
    .summary("take the tools from an editor or assistant")
    .description("Takes out of the file of an editor or assistant what `mcp install` wrote, and nothing else.")
    .requiredOption(...client)
    .option(...dryRun)
    .addOption(jsonOption())
    .action(async (flags: ClientFlags) => {
      tell(terminal, flags, await uninstalling(terminal, flags));
    });
}

async function listing(terminal: Terminal): Promise<Report> {
  const entries = await Promise.all(
    ASSISTANTS.map(async (assistant) => ({
      client: assistant.id,
      name: assistant.name,
      file: await fileOf(assistant, terminal),
      found: await isInstalled(assistant, terminal),
    })),
  );
  const rows = (some: typeof entries) => table(some.map(({ client, name, file }) => [client, name, file]));
  const here = entries.filter(({ found }) => found);
  const others = entries.filter(({ found }) => !found);
  const found = here.length === 0 ? "None was found on this machine.\n" : `Found on this machine:\n${rows(here)}`;
  return {
    json: { ok: true, entries },
    out: `${found}\nKnown besides:\n${rows(others)}`,
    notes: [`Give one of them the tools: \`threadlore mcp install --client ${here[0]?.client ?? "NAME"}\`.`],
  };
}

async function installing(terminal: Terminal, flags: InstallFlags): Promise<Report> {
  const assistant = named(flags.client);
  const { launch, notes, server } = await startOf(terminal, flags);
  const { install, sampleOf } = await import("../assistants/installation.ts");
  if (flags.print === true) {
    const [file, text] = [await fileOf(assistant, terminal), await sampleOf(assistant, launch)];
    return {
      json: { ok: true, client: assistant.id, file, text },
      out: text,
      notes: [`It belongs into ${file}.`, ...notes],
    };
  }
  const done = await install(terminal, { assistant, launch, isDryRun: flags.dryRun === true });
  const outcome = { changed: "has the tools of threadlore now", same: "has the tools of threadlore already" };
  const { json, out, notes: told } = reportOf(assistant, flags, done, outcome);
  return {
    json: { ...json, server, entry: assistant.entry(launch), next: assistant.next },
    ...(out !== undefined && { out }),
    notes: [...told, ...notes, ...(flags.dryRun === true ? [] : [assistant.next])],
  };
}

async function uninstalling(terminal: Terminal, flags: ClientFlags): Promise<Report> {
  const assistant = named(flags.client);
  const { install } = await import("../assistants/installation.ts");
  const done = await install(terminal, { assistant, launch: undefined, isDryRun: flags.dryRun === true });
  const outcome = { changed: "has the tools of threadlore no more", same: "does not have the tools of threadlore" };
  return reportOf(assistant, flags, done, outcome);
}

/** How the assistant is to start the server, and what a person should know of that. */
async function startOf(
  terminal: Terminal,
  flags: InstallFlags,
): Promise<{ launch: Launch; server: string | null; notes: string[] }> {
  if (flags.pair !== undefined) parsePair(flags.pair);
  const { args, target, isKeyMissing } = await lastingTarget(terminal, flags);
  const said = flags.pair === undefined ? args : [...args, "--pair", flags.pair];
  const launch = await launchOf(running(versionOfPackage(), terminal.env), said, terminal.env);
  const notes = [
    target ??
      "No server is configured yet. Start one with `threadlore serve`, or run `threadlore login URL`; then run this again.",
  ];
  if (isKeyMissing) {
    notes.push(
      "The key in THREADLORE_API_KEY was not written down. Run `threadlore login` with this address, and the tools find it.",
    );
  }
  return { launch, server: target ?? null, notes };
}

/** What was done to the file, and where; or what would be. */
function reportOf(
  { id, name }: Assistant,
  { dryRun = false }: ClientFlags,
  { file, isChanged, difference, backup }: Installation,
  outcome: { readonly changed: string; readonly same: string },
): Report & { notes: readonly string[] } {
  const json = { ok: true, client: id, file, changed: isChanged, dry_run: dryRun, backup: backup ?? null, difference };
  if (!isChanged) return { json, notes: [`${name} ${outcome.same}: ${file}`] };
  if (dryRun) return { json, out: difference, notes: [`Nothing was written; this is what would change in ${file}.`] };
  const kept = backup === undefined ? [] : [`What was there before is in ${backup}.`];
  return { json, notes: [`${name} ${outcome.changed}: ${file}`, ...kept] };
}

function named(client: string | undefined): Assistant {
  const found = ASSISTANTS.find(({ id }) => id === client);
  if (found !== undefined) return found;
  const known = ASSISTANTS.map(({ id }) => id).join(", ");
  throw new UsageError(
    `No editor or assistant is known as "${client ?? ""}". Known are ${known}.`,
    "For any other, `--client claude-desktop --print` prints what most of them take.",
  );
}

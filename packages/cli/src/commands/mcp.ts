import type { Command } from "commander";
import { addServing } from "../assistants/serving.ts";
import { ASSISTANTS } from "../assistants/known-assistants.ts";
import { fileOf, isInstalled } from "../assistants/places.ts";
import { table, type Terminal } from "../terminal/output.ts";
import { addGroup, jsonOption, tell } from "./options.ts";

/** `threadlore mcp install`. */
export function addMcpCommands(program: Command, terminal: Terminal): void {
  const mcp = addGroup(
    program,
    "mcp",
    "tools for editors and assistants",
    "Tools for editors and assistants that speak the Model Context Protocol. Without a subcommand it serves one over " +
      "standard input and output: an editor starts it like that.",
  );
  addServing(mcp, terminal);
  mcp
    .command("install")
    .description("Lists the editors and assistants on this machine that can be given the tools, and their files.")
    .addOption(jsonOption())
    .action(async (flags: { json?: boolean }) => {
      tell(terminal, flags, await listing(terminal));
    });
}

async function listing(terminal: Terminal) {
  const entries = await Promise.all(
    ASSISTANTS.map(async (assistant) => ({
      client: assistant.id,
      name: assistant.name,
      file: await fileOf(assistant, terminal),
      found: await isInstalled(assistant, terminal),
    })),
  );
  const rows = entries.map(({ client, found, file, name }) => [client, found ? "found" : "", name, file]);
  return { json: { ok: true, entries }, out: table([["CLIENT", "", "NAME", "FILE"], ...rows]) };
}

import type { Command } from "commander";
import { addServing } from "../assistants/serving.ts";
import type { Terminal } from "../terminal/output.ts";
import { addMcpInstallCommands } from "./mcp-install.ts";
import { addGroup } from "./options.ts";

/** `threadlore mcp`, and `threadlore mcp install|uninstall`. */
export function addMcpCommands(program: Command, terminal: Terminal): void {
  const mcp = addGroup(
    program,
    "mcp",
    "tools for editors and assistants",
    "Tools for editors and assistants that speak the Model Context Protocol. Without a subcommand it serves one over " +
      "standard input and output: an editor starts it like that.",
  );
  addServing(mcp, terminal);
  addMcpInstallCommands(mcp, terminal);
}

import { Command, CommanderError } from "commander";
import { addAskCommand } from "./commands/ask.ts";
import { addAuditCommand } from "./commands/audit.ts";
import { addBackupCommands } from "./commands/backup.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addConnectorCommands } from "./commands/connector.ts";
import { addCredentialCommand } from "./commands/credential.ts";
import { addDocumentsCommand } from "./commands/documents.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addGapsCommand } from "./commands/gaps.ts";
import { addIngestCommand } from "./commands/ingest.ts";
import { addGroupCommand } from "./commands/group.ts";
import { addKeyCommand } from "./commands/key.ts";
import { addLoginCommand } from "./commands/login.ts";
import { addLogoutCommand } from "./commands/logout.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addMcpCommands } from "./commands/mcp.ts";
import { addPersonCommand } from "./commands/person.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addTestCommand } from "./commands/test.ts";
import { addToolCommand } from "./commands/tool.ts";
import { type Exit, EXIT_CODES, UsageError } from "./exit-codes.ts";
import { reportFailure } from "./failure.ts";
import type { Terminal } from "./terminal/output.ts";
import { versionOfPackage } from "./version.ts";

/** The areas of the program, in the order help lists them. */
const AREAS = [
  addAskCommand,
  addIngestCommand,
  addDocumentsCommand,
  addGapsCommand,
  addServeCommand,
  addMcpCommands,
  addLoginCommand,
  addLogoutCommand,
  addDoctorCommand,
  addTestCommand,
  addKeyCommand,
  addPersonCommand,
  addGroupCommand,
  addAuditCommand,
  addConnectorCommands,
  addCredentialCommand,
  addToolCommand,
  addBackupCommands,
  addMigrateCommand,
  addCompletionCommand,
];

/** The whole command line, ready to parse. */
export function createProgram(terminal: Terminal, exit: Exit): Command {
  const program = new Command("threadlore")
    .description("Ask your company's knowledge, and add to it, from the terminal.")
    .version(versionOfPackage(), "--version", "print the version of threadlore")
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({ subcommandTerm })
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      getOutHelpWidth: () => terminal.out.columns,
      getErrHelpWidth: () => terminal.err.columns,
      getOutHasColors: () => terminal.out.colours,
      getErrHasColors: () => terminal.err.colours,
      // Reported below, together with all other failures.
      outputError: () => {},
    });
  for (const addArea of AREAS) addArea(program, terminal, exit);
  program.addHelpText("after", `\n${exitCodeHelp()}`);
  return program;
}

/** A command in the list of its parent: its name and arguments; that it has options goes without saying. */
function subcommandTerm(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? "..." : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(" ");
}

/** The exit codes as help prints them. */
export function exitCodeHelp(): string {
  const lines = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}\n`);
  return `Exit codes:\n${lines.join("")}`;
}

/** Runs one command line, such as `["ask", "How many days?"]`. Never throws; returns the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const exit: Exit = { code: EXIT_CODES.ok.code };
  const json = args.includes("--json");
  const program = createProgram(terminal, exit);
  try {
    if (args.length === 0) {
      program.outputHelp({ error: true });
      return EXIT_CODES.usage.code;
    }
    await traced(program, args, terminal);
    return exit.code;
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error, terminal, json);
    return reportFailure(terminal, terminal.interrupted.aborted ? terminal.interrupted.reason : error, json);
  }
}

/** Commands that go on until they are told to stop: what is asked of them is traced, and not they. */
const LASTING = new Set(["serve", "mcp"]);

/** Does what a command line says, as a span of the command's name. */
async function traced(program: Command, args: readonly string[], { tracing }: Terminal): Promise<void> {
  const parse = async (): Promise<void> => void (await program.parseAsync([...args], { from: "user" }));
  const command = program.commands.map((one) => one.name()).find((name) => name === args[0]);
  if (tracing === undefined || command === undefined || LASTING.has(command)) return parse();
  return tracing.run(`threadlore ${command}`, {}, parse);
}

/** Help was asked for, or the arguments are wrong. */
function endOfParsing(error: CommanderError, terminal: Terminal, json: boolean): number {
  if (error.exitCode === 0) return EXIT_CODES.ok.code;
  if (error.code === "commander.help") return EXIT_CODES.usage.code;
  const message = error.message.replace(/^error: /, "").replace(/\.$/, "");
  return reportFailure(terminal, new UsageError(`${message}. See \`threadlore --help\`.`), json);
}

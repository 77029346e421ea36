import { Command, CommanderError } from "commander";
import { addAccountsCommand } from "./operations/accounts-command.ts";
import { addDoctorCommand } from "./operations/doctor-command.ts";
import { addManifestCommand } from "./settings/manifest-command.ts";
import { addRulesCommands } from "./settings/rules-command.ts";
import { addRunCommand, type MakeBot } from "./operations/run-command.ts";
import { addSetupCommand } from "./setup/setup-command.ts";
import { EXIT_CODES, reportFailure, type CommandIo } from "./settings/command-line.ts";

/** Runs one command line, such as `["doctor"]`. Never throws; resolves with the exit code. */
export async function run(args: readonly string[], surroundings: CommandIo, makeBot: MakeBot): Promise<number> {
  let code: number = EXIT_CODES.ok;
  const program = new Command("threadlore-bot")
    .description("Answers questions in Slack from your company's knowledge. Without a command: runs the bot.")
    .option("--settings <file>", "settings from this file, as the unit reads them, besides those of the environment")
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: surroundings.out, writeErr: surroundings.err });
  const end = (ended: number): void => {
    code = ended;
  };
  addRunCommand(program, surroundings, { makeBot, end });
  addSetupCommand(program, surroundings, end);
  addDoctorCommand(program, surroundings, end);
  addManifestCommand(program, surroundings);
  addRulesCommands(program, surroundings);
  addAccountsCommand(program, surroundings);
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    return reportFailure(surroundings, error);
  }
}

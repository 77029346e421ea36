import { userInfo } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandIo } from "../settings/command-line.ts";
import { addManifestOptions, type ManifestFlags, manifestOptions } from "../settings/manifest-command.ts";
import { type Places, USUAL_PLACES } from "./places.ts";

interface SetupFlags extends ManifestFlags, Partial<Places> {
  write?: boolean;
}

const { account, folder, state, units } = USUAL_PLACES;

/** `threadlore-bot setup`; resolves with the exit code through `end`. */
export function addSetupCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  const command = program
    .command("setup")
    .summary("from an app to a bot that can be started: manifest, tokens, keys, doctor, unit")
    .description(
      "Prints the manifest and where to paste it, asks for tokens and keys (none is shown), tries each, keeps them where " +
        "only the bot's account reads them, runs the doctor, and prints the unit of systemd. Run again, it asks only for what " +
        "is missing or wrong. Without a terminal everything comes from the environment, as README.md lists it.",
    )
    .option("--write", "write the unit into its folder instead of printing it")
    .option("--account <name>", `account the bot runs as; by root ${account}, made where it is missing`)
    .option("--folder <path>", `where its settings go; otherwise ${folder}`)
    .option("--state <path>", `where it keeps what it remembers; otherwise ${state}`)
    .option("--units <path>", `where the unit goes; otherwise ${units}`);
  addManifestOptions(command).action(async (flags: SetupFlags) => {
    const at = (path: string): string => resolve(io.folder, path);
    // Slack's SDK and the database's client take a second to load; the other commands need neither.
    const { setUp } = await import("./setup.ts");
    end(
      await setUp(io, {
        places: {
          account: flags.account ?? (process.getuid?.() === 0 ? account : userInfo().username),
          folder: at(flags.folder ?? folder),
          state: at(flags.state ?? state),
          units: at(flags.units ?? units),
        },
        manifest: manifestOptions(flags),
        write: flags.write === true,
      }),
    );
  });
}

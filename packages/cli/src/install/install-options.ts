import type { Command } from "commander";
import { SYSTEM_PLACES } from "./service-unit.ts";

/** What `serve --install` takes besides what `serve` does. */
export interface InstallFlags {
  install?: boolean;
  write?: boolean;
  account?: string;
  settings?: string;
  units?: string;
}

/** Gives `serve` the options of its installation. */
export function addInstallOptions(command: Command): Command {
  return command
    .option(
      "--install",
      "make it a service of this machine instead: data folder, first key, unit of systemd; all other options go into the unit",
    )
    .option("--write", "with --install: write the unit into its folder instead of printing it")
    .option(
      "--account <name>",
      `with --install: the account it runs as; by root, ${SYSTEM_PLACES.account}, made where missing`,
    )
    .option("--settings <file>", `with --install: where MODEL_* and proxies go; by root, ${SYSTEM_PLACES.settings}`)
    .option("--units <folder>", `with --install: where the unit goes; otherwise ${SYSTEM_PLACES.units}`);
}

const OURS: Readonly<Record<string, boolean>> = {
  // Whether a value follows.
  "--install": false,
  "--write": false,
  "--account": true,
  "--settings": true,
  "--units": true,
  // Said in the unit by its whole path.
  "--data": true,
};

/** What else was said behind `serve`: it goes into the unit as it is. */
export function argumentsForUnit(args: readonly string[]): string[] {
  const said = args.slice(args.indexOf("serve") + 1);
  return said.filter((word, index) => {
    const [name = ""] = word.split("=");
    return OURS[name] === undefined && OURS[said[index - 1] ?? ""] !== true;
  });
}

/** The words a command line was parsed from: what a command's parent keeps of them, which its types do not tell. */
export function commandLineOf({ parent }: Command): readonly string[] {
  const words: unknown = parent === null ? [] : Reflect.get(parent, "rawArgs");
  return Array.isArray(words) ? words.map(String) : [];
}

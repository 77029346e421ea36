import { type Command, InvalidArgumentError, Option } from "commander";
import { type Owner, withOwner } from "../embedded/owner.ts";
import { note, type Terminal, writeJson } from "../terminal/output.ts";

/** What commands on the embedded service's data take. */
export interface DataFlags {
  data?: string;
  json?: boolean;
}

/** What a command has to say: one document with `--json`, otherwise a result on stdout and notes on stderr. */
export interface Report {
  readonly json: Record<string, unknown>;
  readonly out?: string;
  readonly notes?: readonly string[];
}

/** Says it as the person asked for. */
export function tell(terminal: Terminal, flags: { json?: boolean }, { json, out, notes = [] }: Report): void {
  if (flags.json === true) {
    writeJson(terminal, json);
    return;
  }
  if (out !== undefined) terminal.out.write(out);
  for (const line of notes) note(terminal, line);
}

/** `--json`: one document instead of text. */
export function jsonOption(): Option {
  return new Option("--json", "print one JSON document, also when it fails");
}

/** `--json` of a command that may have much to tell. */
export function jsonLinesOption(of: string): Option {
  return new Option("--json", `print JSON lines, also when it fails: one for each ${of}, a summary last`);
}

/** What every command that talks to a server takes: which one, and how it is to report. */
export function addServerOptions(command: Command, json: Option = jsonOption()): Command {
  return command
    .addOption(json)
    .option("--url <address>", "server to talk to; otherwise THREADLORE_URL, or the one you logged in to")
    .option("--data <folder>", "talk to the embedded service that runs on this data folder; otherwise THREADLORE_DATA");
}

/** What every command on the embedded service's own data takes. */
export function addDataOptions(command: Command): Command {
  return command
    .addOption(jsonOption())
    .option(
      "--data <folder>",
      "data folder of the embedded service; otherwise THREADLORE_DATA, the service that runs here, or ~/.local/share/threadlore",
    );
}

/** A command whose work is done on the embedded service's database, whether the service runs or not. */
export function onData<Given extends unknown[]>(
  command: Command,
  terminal: Terminal,
  work: (owner: Owner, ...given: Given) => Report | Promise<Report>,
): void {
  addDataOptions(command).action(async (...given: Given) => {
    const flags = command.opts<DataFlags>();
    tell(terminal, flags, await withOwner(terminal, flags.data, (owner) => work(owner, ...given)));
  });
}

/** A command that has only others below it. */
export function addGroup(program: Command, name: string, summary: string, description: string): Command {
  return program.command(name).summary(summary).description(description).helpCommand(false);
}

/** Gathers an option that may be given several times. */
export function repeatable(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** A whole number of at least `least`. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new InvalidArgumentError(
        `It must be a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ""}.`,
      );
    }
    return number;
  };
}

/** Gathers an option that may be given several times, each time one of these words. */
export function choices<const Word extends string>(
  ...words: readonly Word[]
): (value: string, before?: readonly Word[]) => Word[] {
  return (value, before = []) => {
    const word = words.find((one) => one === value);
    if (word === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(", ")}.`);
    return [...before, word];
  };
}

import { type Argument, type Command, Help, type Option } from "commander";

/** What stands in the place of a value or an argument. */
export type Expected =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  /** Nothing a shell could know. */
  | { readonly kind: "unknown" };

/** An option, as it is typed. */
export interface CompletedOption {
  /** With its dashes, the long one first. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  /** Absent: it takes no value. */
  readonly value?: Expected;
}

/** A command, and what can follow it. */
export interface CompletedCommand {
  /** All its words, such as `threadlore documents list`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  readonly argument: Expected;
}

/** Every command there is, from the program's own tree: what is in no help is in no completion, and the other way round. */
export function completedCommands(command: Command, path: string = command.name()): CompletedCommand[] {
  const help = new Help();
  const inner = help.visibleCommands(command);
  const itself: CompletedCommand = {
    path,
    commands: inner.map((one) => ({ name: one.name(), description: help.subcommandDescription(one) })),
    options: help.visibleOptions(command).flatMap((option) => completedOption(option, help)),
    argument: expectedOf(command.registeredArguments[0]),
  };
  return [itself, ...inner.flatMap((one) => completedCommands(one, `${path} ${one.name()}`))];
}

function completedOption(option: Option, help: Help): CompletedOption[] {
  const [first, ...rest] = [option.long, option.short].filter((name) => name != null);
  if (first === undefined) return [];
  const takesValue = option.required || option.optional;
  const placeholder = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1] ?? "";
  const value = takesValue ? expected(placeholder, option.argChoices) : undefined;
  return [{ names: [first, ...rest], description: help.optionDescription(option), ...(value && { value }) }];
}

function expectedOf(argument: Argument | undefined): Expected {
  return argument === undefined ? { kind: "unknown" } : expected(argument.name(), argument.argChoices);
}

function expected(name: string, choices: readonly string[] | undefined): Expected {
  if (choices !== undefined) return { kind: "words", words: choices };
  return /\b(?:file|folder|path)\b/.test(name) ? { kind: "files" } : { kind: "unknown" };
}

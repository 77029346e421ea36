import type { CompletedCommand, CompletedOption, Expected } from "./tree.ts";

/** What fish is told once, by `threadlore completion fish | source` or as a file in its `completions` folder. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.flatMap(({ path, commands: inner }) => inner.map(({ name }) => quoted(`${path} ${name}`)));
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) => (value === undefined ? [] : names.map((name) => quoted(`${path} ${name}`)))),
  );
  const lines = commands.flatMap((command) =>
    [
      ...command.commands.map(({ name, description }) => `-a ${name} -d ${quoted(description)}`),
      ...command.options.map(optionInFish),
      ...(command.commands.length === 0 ? argumentInFish(command.argument) : []),
    ].map((what) => `complete -c threadlore -n ${quoted(`__threadlore_at ${quoted(command.path)}`)} ${what}`),
  );
  return `# Completion of threadlore for fish: threadlore completion fish | source
function __threadlore_at
    set -l at threadlore
    set -l value ""
    set -l typed (commandline -opc)
    for word in $typed[2..-1]
        if test -n "$value"
            set value ""
            continue
        end
        switch "$at $word"
            case ${paths.join(" ")}
                set at "$at $word"
            case ${values.join(" ")}
                set value 1
        end
    end
    test "$at" = "$argv[1]"
end
complete -c threadlore -e
complete -c threadlore -f
${lines.join("\n")}
`;
}

function optionInFish({ names, description, value }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...(value === undefined ? [] : [valueInFish(value)]), `-d ${quoted(description)}`].join(" ");
}

function valueInFish(value: Expected): string {
  if (value.kind === "files") return "-r -F";
  return value.kind === "words" ? `-x -a ${quoted(value.words.join(" "))}` : "-x";
}

function argumentInFish(argument: Expected): string[] {
  if (argument.kind === "files") return ["-F"];
  return argument.kind === "words" ? [`-a ${quoted(argument.words.join(" "))}`] : [];
}

/** In single quotes, in which fish reads nothing but these two. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

import type { CompletedCommand, Expected } from "./tree.ts";

/** What bash is told once, with `source <(threadlore completion bash)`. Also for bash 3.2, which macOS has. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# Completion of threadlore for bash: source <(threadlore completion bash)
_threadlore_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current")
}
_threadlore_files() {
  local word
  compopt -o filenames 2>/dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
}
_threadlore() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at=threadlore value="" word
  local -i index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    # --pair=3 comes as three words.
    if [[ $word == "=" ]]; then continue; fi
    if [[ -n $value ]]; then value=""; continue; fi
    case "$at $word" in
${pathCases(commands, 'at="$at $word"', 'value="$at $word"')}
    esac
  done
  if [[ $current == "=" ]]; then current=""; fi
  if [[ -n $value ]]; then
    case "$value" in
${valueCases(commands, expectedInBash)}
    esac
  elif [[ $current == -* ]]; then
    case "$at" in
${commands.map(({ path, options }) => `      "${path}") _threadlore_words "${options.flatMap(({ names }) => names).join(" ")}" ;;`).join("\n")}
    esac
  else
    case "$at" in
${commands.map((command) => `      "${command.path}") ${expectedInBash(whatFollows(command))} ;;`).join("\n")}
    esac
  fi
}
complete -F _threadlore threadlore
`;
}

function expectedInBash(expected: Expected): string {
  if (expected.kind === "words") return `_threadlore_words "${expected.words.join(" ")}"`;
  return expected.kind === "files" ? "_threadlore_files" : ":";
}

/** What comes next on the line that is no option: a command, or an argument. */
function whatFollows({ commands, argument }: CompletedCommand): Expected {
  return commands.length === 0 ? argument : { kind: "words", words: commands.map(({ name }) => name) };
}

/** Branches for words that lead to another command, and for options that take a value. Of bash and zsh alike. */
export function pathCases(commands: readonly CompletedCommand[], onCommand: string, onValue: string): string {
  const paths = commands.flatMap(({ path, commands: inner }) => inner.map(({ name }) => `"${path} ${name}"`));
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) => (value === undefined ? [] : names.map((name) => `"${path} ${name}"`))),
  );
  return [`      ${paths.join(" | ")}) ${onCommand} ;;`, `      ${values.join(" | ")}) ${onValue} ;;`].join("\n");
}

/** Branches for the values of options. Of bash and zsh alike. */
export function valueCases(commands: readonly CompletedCommand[], show: (expected: Expected) => string): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap(({ names, value }) =>
        value === undefined || value.kind === "unknown"
          ? []
          : [`      ${names.map((name) => `"${path} ${name}"`).join(" | ")}) ${show(value)} ;;`],
      ),
    )
    .join("\n");
}

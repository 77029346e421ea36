import { pathCases, valueCases } from "./bash.ts";
import type { CompletedCommand, Expected } from "./tree.ts";

/** What zsh is told once, by `source <(threadlore completion zsh)` or as a file `_threadlore` in its `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef threadlore
# Completion of threadlore for zsh: source <(threadlore completion zsh)
_threadlore() {
  local at=threadlore value="" word
  local -i index
  local -a found
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ -n $value ]]; then value=""; continue; fi
    case "$at $word" in
${pathCases(commands, 'at="$at $word"', 'value="$at $word"')}
    esac
  done
  if [[ -n $value ]]; then
    case "$value" in
${valueCases(commands, (expected) => expectedInZsh(expected))}
    esac
  elif [[ $PREFIX == -* ]]; then
    case "$at" in
${commands.map(({ path, options }) => `      "${path}") ${described(options.flatMap(({ names, description }) => names.map((name) => ({ name, description }))))}; _describe -o option found ;;`).join("\n")}
    esac
  else
    case "$at" in
${commands.map((command) => `      "${command.path}") ${followingInZsh(command)} ;;`).join("\n")}
    esac
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _threadlore "$@"; else compdef _threadlore threadlore; fi
`;
}

function followingInZsh({ commands, argument }: CompletedCommand): string {
  return commands.length === 0 ? expectedInZsh(argument) : `${described(commands)}; _describe command found`;
}

function expectedInZsh(expected: Expected): string {
  if (expected.kind === "words") return `compadd -- ${expected.words.join(" ")}`;
  return expected.kind === "files" ? "_files" : ":";
}

function described(entries: readonly { readonly name: string; readonly description: string }[]): string {
  const quoted = entries.map(({ name, description }) => {
    const text = `${name.replaceAll(":", "\\:")}:${description.replaceAll("\\", "\\\\").replaceAll(":", "\\:")}`;
    return `'${text.replaceAll("'", "'\\''")}'`;
  });
  return `found=(${quoted.join(" ")})`;
}

import { Argument, type Command } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { completedCommands } from "../completion/tree.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { Terminal } from "../terminal/output.ts";
import { jsonOption, tell } from "./options.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

const EXAMPLES = `
To have it in every new shell:
  echo 'source <(threadlore completion bash)' >> ~/.bashrc
  echo 'source <(threadlore completion zsh)' >> ~/.zshrc    (behind compinit)
  echo 'threadlore completion fish | source' >> ~/.config/fish/config.fish
`;

/** `threadlore completion`. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .summary("let a shell complete commands and options")
    .description("Prints what a shell has to be told once to complete the commands and options of this version.")
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SHELLS)))
    .addOption(jsonOption())
    .addHelpText("after", EXAMPLES)
    .action((shell: keyof typeof SHELLS, flags: { json?: boolean }) => {
      const script = SHELLS[shell](completedCommands(program));
      tell(terminal, flags, { json: { ok: true, shell, script }, out: script });
    });
}

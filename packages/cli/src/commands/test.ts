import { type Command, Option } from "commander";
import type { TestFlags } from "../answer-tests/command.ts";
import type { Exit } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";
import { addServerOptions, repeatable, wholeNumber } from "./options.ts";

/** `threadlore test`. */
export function addTestCommand(program: Command, terminal: Terminal, exit: Exit): void {
  const command = program
    .command("test")
    .summary("ask a file of questions and check the answers")
    .description(
      "Asks the questions of a file and checks what each answer says, cites or refuses. Says what is different from " +
        "the last run of this file, and which document did it.",
    )
    .argument("<file>", "tests as YAML (docs/answer-tests.md); - reads them from standard input")
    .option("--only <text>", "only tests with this in their id, name or question; repeatable", repeatable)
    .addOption(
      new Option("--at-once <number>", "questions that are asked at one time").argParser(wholeNumber(1, 32)).default(4),
    )
    .addOption(
      new Option("--patience <seconds>", "longest time for one whole answer")
        .argParser(wholeNumber(1, 3_600))
        .default(300),
    )
    .option("--since <file>", "compare with this report instead of the last run from here")
    .option("--report <file>", "write all of the run as JSON, also for --since of a later one")
    .option("--junit <file>", "write the results as JUnit XML")
    .option("--strict", "fail also where an answer passes and documents it rests on changed");
  addServerOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, flags: TestFlags) => {
      // Loaded when it is needed: nothing else reads YAML.
      const { runTestCommand } = await import("../answer-tests/command.ts");
      exit.code = await runTestCommand(terminal, file, flags);
    });
}

const EXAMPLES = `
Examples:
  threadlore test questions.yaml
  threadlore test questions.yaml --only leave --only travel
  threadlore test questions.yaml --since last.json --report last.json \\
    --junit results.xml
`;

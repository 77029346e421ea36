import { type Command, Option } from "commander";
import type { TestFlags } from "../answer-tests/command.ts";
import type { RecordFlags } from "../answer-tests/recording/record-command.ts";
import type { Exit } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";
import { addGroup, addServerOptions, choices, repeatable, wholeNumber } from "./options.ts";

/** `threadlore test run|record`; without one of them `run`. */
export function addTestCommand(program: Command, terminal: Terminal, exit: Exit): void {
  const tests = addGroup(
    program,
    "test",
    "ask a file of questions and check the answers",
    "Asks the questions of a file and checks the answers, as `threadlore test <file>`; or makes such a file from what people asked. Without a command it is `run`.",
  );
  addRun(tests, terminal, exit);
  addRecord(tests, terminal, exit);
}

function addRun(tests: Command, terminal: Terminal, exit: Exit): void {
  const command = tests
    .command("run", { isDefault: true })
    .summary("ask the questions of a file")
    .description(
      "Asks the questions of a file and checks what each answer says, cites or refuses. Says what is different from " +
        "the last run of this file, and which document did it.",
    )
    .argument("<file>", "tests as YAML (docs/answer-tests.md); - reads them from standard input")
    .option("--only <text>", "only tests with this in their id, name or question; repeatable", repeatable)
    .addOption(atOnce())
    .addOption(patience())
    .option("--since <file>", "compare with this report instead of the last run from here")
    .option("--report <file>", "write all of the run as JSON, also for --since of a later one")
    .option("--junit <file>", "write the results as JUnit XML")
    .option("--strict", "fail also where an answer passes and documents it rests on changed")
    .option(
      "--after-changes",
      "stay, and ask again once documents, personas or document sets have changed and it is quiet, until Ctrl-C",
    )
    .addOption(
      new Option("--every <seconds>", "with --after-changes: from one look to the next")
        .argParser(wholeNumber(1, 86_400))
        .default(60),
    )
    .option("--rules <file>", "with --after-changes: also when this file has changed; repeatable", repeatable);
  addServerOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, flags: TestFlags) => {
      // Loaded when it is needed: nothing else reads YAML.
      const { runTestCommand } = await import("../answer-tests/command.ts");
      exit.code = await runTestCommand(terminal, file, flags);
    });
}

function addRecord(tests: Command, terminal: Terminal, exit: Exit): void {
  const command = tests
    .command("record")
    .summary("make tests of what people asked")
    .description(
      "Makes tests of shared questions: those whose answers people marked as good, gaps that are closed, kept answers and " +
        "pinned messages. Each must cite what answers it, is asked once before it is written, and added behind what the file " +
        "has. Needs an admin key.",
    )
    .argument("<file>", "file of tests, made where there is none; - writes to standard output")
    .addOption(
      new Option("--from <source>", "only from here: good, gaps, kept or pins; repeatable").argParser(
        choices("good", "gaps", "kept", "pins"),
      ),
    )
    .option("--open-gaps", "also questions nobody has answered: to them it must be said that nothing was found")
    .option("--no-check", "write them without asking them")
    .option("--dry-run", "show what would be added, and add nothing")
    .addOption(atOnce())
    .addOption(patience());
  addServerOptions(command).action(async (file: string, flags: RecordFlags) => {
    const { runRecordCommand } = await import("../answer-tests/recording/record-command.ts");
    exit.code = await runRecordCommand(terminal, file, flags);
  });
}

const atOnce = (): Option =>
  new Option("--at-once <number>", "questions that are asked at one time").argParser(wholeNumber(1, 32)).default(4);

const patience = (): Option =>
  new Option("--patience <seconds>", "longest time for one whole answer").argParser(wholeNumber(1, 3_600)).default(300);

const EXAMPLES = `
Examples:
  threadlore test questions.yaml
  threadlore test questions.yaml --only leave --only travel
  threadlore test questions.yaml --since last.json --report last.json \\
    --junit results.xml
  threadlore test questions.yaml --after-changes --rules rules.yaml
`;

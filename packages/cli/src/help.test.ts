import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "./exit-codes.ts";
import type { Terminal } from "./terminal/output.ts";
import { createProgram, exitCodeHelp, run } from "./program.ts";

const written: string[] = [];
const screen = {
  isTerminal: false,
  colours: false,
  columns: 80,
  rows: 24,
  write: (text: string) => written.push(text),
};
const terminal: Terminal = {
  out: screen,
  err: screen,
  env: {},
  folder: "/",
  stdinIsTerminal: false,
  readStdin: async () => "",
  readStdinBytes: async () => new Uint8Array(),
  prompt: async () => "",
  interrupted: new AbortController().signal,
  hide: () => {},
};

/** Every command with its full name, such as `credential swap`. */
function commandsOf(command: Command, name = ""): { name: string; command: Command }[] {
  return command.commands.flatMap((inner) => {
    const full = `${name} ${inner.name()}`.trim();
    return [{ name: full, command: inner }, ...commandsOf(inner, full)];
  });
}

const program = createProgram(terminal, { code: 0 });
const commands = commandsOf(program);
/** Without the spaces that align the columns of its tables. */
const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8").replaceAll(/ +\|/g, " |");

function helpOf(command: Command): string {
  written.length = 0;
  command.outputHelp();
  return written.join("");
}

describe("help", () => {
  it("of threadlore itself lists every command and every exit code", async () => {
    await expect(helpOf(program)).toMatchFileSnapshot("fixtures/help/threadlore.txt");
  });

  it.each(commands)("of $name", async ({ name, command }) => {
    const help = helpOf(command);
    expect(command.description().length).toBeGreaterThan(5);
    for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    await expect(help).toMatchFileSnapshot(`fixtures/help/${name.replaceAll(" ", "-")}.txt`);
  });

  it("has --json on every command that ends by itself", () => {
    const silent = commands
      .filter(({ name, command }) => command.commands.length === 0 && name !== "serve")
      .filter(({ command }) => command.options.every(({ long }) => long !== "--json"));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it("has the version", async () => {
    written.length = 0;
    expect(await run(["--version"], terminal)).toBe(0);
    expect(written.join("")).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("explains every option and argument", () => {
    const silent = commands.flatMap(({ name, command }) =>
      [...command.options, ...command.registeredArguments]
        .filter((option) => option.description === "")
        .map((option) => `${name}: ${option.name()}`),
    );
    expect(silent).toEqual([]);
  });
});

describe("README", () => {
  const leaves = commands.filter(({ command }) => command.commands.length === 0);

  it.each(leaves)("documents $name", ({ name }) => {
    expect(readme).toContain(`threadlore ${name}`);
  });

  it.each(leaves)("documents every option of $name", ({ command }) => {
    for (const option of command.options) expect(readme).toContain(`\`${option.long}`);
  });

  it("has the table of exit codes", () => {
    for (const { code, meaning } of Object.values(EXIT_CODES)) expect(readme).toContain(`| ${code} | ${meaning} |`);
    expect(new Set(Object.values(EXIT_CODES).map(({ code }) => code)).size).toBe(Object.keys(EXIT_CODES).length);
    expect(exitCodeHelp().split("\n")).toHaveLength(Object.keys(EXIT_CODES).length + 2);
  });

  it("names every environment variable the sources read, and no other", () => {
    const named = new Set(readme.match(/\b(?:THREADLORE|MODEL|XDG)_[A-Z_]+\b/g));
    const sources = [
      "server/config",
      "server/connection",
      "folders",
      "embedded/serve-settings",
      "embedded/company-settings",
      "failure",
      "cache-folder",
      "commands/login",
      "answer-tests/asked-by",
      "../../outgoing/src/authorities",
    ];
    const text = sources.map((name) => readFileSync(join(import.meta.dirname, `${name}.ts`), "utf8")).join("\n");
    const read = new Set([...(text.match(/\b(?:THREADLORE|MODEL|XDG)_[A-Z_]+\b/g) ?? []), "MODEL_API_KEY_FILE"]);
    expect([...named].toSorted()).toEqual([...read].toSorted());
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { runHere } from "../testing/in-process.ts";

const home = realpathSync(temporaryFolder());
mkdirSync(join(home, "hand book"));
for (const name of ["a.md", "hand book/b.md", "*.md", "it's.md"]) writeFileSync(join(home, name), "");

const scriptOf = async (shell: string): Promise<string> =>
  (await runHere(["completion", shell], { home, isTerminal: false })).stdout;

/** What is typed, the cursor behind it, and what is offered then. */
const TYPED: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ["threadlore ing", ["ingest"]],
  ["threadlore documents ", ["delete", "list", "show"]],
  ["threadlore documents list --st", ["--status"]],
  ["threadlore documents list --status ", ["failed", "indexed", "pending"]],
  ["threadlore documents list --status p", ["pending"]],
  // What follows a value is no value.
  ["threadlore documents list --status failed --na", ["--name"]],
  // A value that is called like a command is no command.
  ["threadlore ingest --collection documents --sy", ["--sync"]],
  ["threadlore completion ", ["bash", "fish", "zsh"]],
  ["threadlore key revoke --js", ["--json"]],
  ["threadlore mcp ins", ["install"]],
  ["threadlore ask --no-w", []],
  ["threadlore --vers", ["--version"]],
];

describe("completion", () => {
  it("in bash offers what the command line takes, after every word", async () => {
    const cases = TYPED.map(([line]) => {
      const words = line.split(" ").map((word) => `'${word}'`);
      return `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _threadlore; printf '%s\\n' "\${COMPREPLY[@]}" ''`;
    });
    const files = (word: string) =>
      `COMP_WORDS=(threadlore ingest ${word}); COMP_CWORD=2; _threadlore; printf '%s\\n' "\${COMPREPLY[@]}" ''`;
    const equals =
      "COMP_WORDS=(threadlore documents list --status = f); COMP_CWORD=5; _threadlore; printf '%s\\n' \"${COMPREPLY[@]}\" ''";
    const script = [await scriptOf("bash"), ...cases, equals, files("''"), files("'hand'")].join("\n");
    const said = execFileSync("bash", ["--norc", "-u"], { cwd: home, input: script, encoding: "utf8" });
    const wanted = TYPED.map(([, words]) => words);
    expect(blocksOf(said)).toEqual([...wanted, ["failed"], ["*.md", "a.md", "hand book", "it's.md"], ["hand book"]]);
  });

  it("in bash knows every command and option there is", async () => {
    const { createProgram } = await import("../program.ts");
    const { completedCommands } = await import("./tree.ts");
    const screen = { isTerminal: false, colours: false, columns: 80, rows: 24, write: () => {} };
    const terminal = { out: screen, err: screen } as unknown as Parameters<typeof createProgram>[0];
    const commands = completedCommands(createProgram(terminal, { code: 0 }));
    const cases = commands.map(({ path }) => {
      const words = [...path.split(" "), "-"].map((word) => `'${word}'`);
      return `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _threadlore; printf '%s ' "\${COMPREPLY[@]}"; echo`;
    });
    const script = [await scriptOf("bash"), ...cases].join("\n");
    const said = execFileSync("bash", ["--norc", "-u"], { cwd: home, input: script, encoding: "utf8" });
    const offered = said
      .trimEnd()
      .split("\n")
      .map((line) => line.trim());
    expect(offered).toEqual(commands.map(({ options }) => options.flatMap(({ names }) => names).join(" ")));
    expect(commands.length).toBeGreaterThan(30);
    expect(commands.every(({ options }) => options.some(({ names }) => names[0] === "--help"))).toBe(true);
  });

  it("is printed for the shells it knows, and refused for others", async () => {
    expect(await runHere(["completion", "tcsh"], { home })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Allowed choices are bash, zsh, fish"),
    });
    expect(JSON.parse((await runHere(["completion", "fish", "--json"], { home })).stdout)).toMatchObject({ ok: true });
  });

  const zsh = shellAt("zsh");
  it.runIf(zsh !== undefined)("in zsh offers the same", async () => {
    // The parts of its completion system that would draw say what they were given.
    const stubs = `compdef() { :; }
_describe() { for each in "\${found[@]}"; do say "\${each%%:*}"; done }
compadd() { shift; for each in "$@"; do say "$each"; done }
_files() { say FILES; }
say() { [[ $1 == "$PREFIX"* || $1 == FILES ]] && print -r -- "$1"; return 0; }`;
    const cases = [...TYPED.map(([line]) => line), "threadlore ingest "].map((line) => {
      const words = line.split(" ").map((word) => `'${word}'`);
      return `words=(${words.join(" ")}); CURRENT=${words.length}; PREFIX=${words.at(-1)}; _threadlore; print`;
    });
    const script = [stubs, await scriptOf("zsh"), ...cases].join("\n");
    const said = execFileSync(zsh ?? "", ["-f"], { cwd: home, input: script, encoding: "utf8" });
    expect(blocksOf(said)).toEqual([...TYPED.map(([, words]) => words), ["FILES"]]);
  });

  const fish = shellAt("fish");
  it.runIf(fish !== undefined)("in fish offers the same", async () => {
    const cases = [...TYPED.map(([line]) => line), "threadlore ingest a"].map(
      (line) => `complete -C '${line}' | string replace -r '\\t.*' ''; echo`,
    );
    const script = [await scriptOf("fish"), ...cases].join("\n");
    const env = { ...process.env, HOME: home };
    const said = execFileSync(fish ?? "", ["--no-config", "-c", script], { cwd: home, encoding: "utf8", env });
    expect(blocksOf(said)).toEqual([...TYPED.map(([, words]) => words), ["a.md"]]);
  });
});

/** Where a shell is installed; undefined where it is not. */
function shellAt(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(":")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** What was said up to each empty line, in order. */
function blocksOf(said: string): string[][] {
  const blocks: string[][] = [[]];
  for (const line of said.split("\n").slice(0, -1)) {
    if (line === "") blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.slice(0, -1).map((block) => block.toSorted());
}

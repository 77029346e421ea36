import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "../checks/run-program.ts";
import { repositoryRoot } from "../shared-folder.ts";

/** Packages that run in Node, in a page and in a worker alike, so that they may lean on none of them. */
const neutral = ["client", "ask", "documents", "files", "language"];

/** One line of each kind that ties a file to one place. */
const tied: Record<string, string> = {
  "a module of Node": 'import { readFileSync } from "node:fs"; export const read = readFileSync;',
  "the process": "export const variables = process.env;",
  Buffer: 'export const bytes = Buffer.from("a");',
  "the document of a page": "export const title = document.title;",
  "the browser's extension interface": "export const id = chrome.runtime.id;",
};

const everywhere =
  'export const text = async () => (await fetch("https://x.example")).body?.pipeThrough(new TextDecoderStream());';

const folder = mkdtempSync(join(tmpdir(), "threadlore-neutral-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles each line as a file of its own with the tsconfig given; the kinds the compiler refused. */
async function refused(name: string, extended: string, options: object = {}): Promise<string[]> {
  const project = join(folder, name);
  mkdirSync(project);
  const typeRoots = [join(repositoryRoot, "node_modules", "@types")];
  const config = { extends: extended, compilerOptions: { typeRoots, ...options }, include: ["*.ts"], exclude: [] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  writeFileSync(join(project, "everywhere.ts"), everywhere);
  for (const [index, line] of Object.values(tied).entries()) writeFileSync(join(project, `tied-${index}.ts`), line);
  const { output } = await runProgram("tsc", ["-p", project, "--pretty", "false"]);
  const files = new Set([...output.matchAll(/(\w[\w-]*)\.ts\(\d+,\d+\): error TS/g)].map(([, file]) => file));
  const kinds = Object.keys(tied).filter((_, index) => files.has(`tied-${index}`));
  return files.has("everywhere") ? ["what runs everywhere", ...kinds] : kinds;
}

describe("the compiler", () => {
  it.each(neutral)("refuses in %s whatever runs in one place only", async (name) => {
    const config = join(repositoryRoot, "packages", name, "tsconfig.json");
    expect(await refused(name, config)).toEqual(Object.keys(tied));
  });

  it("accepts the same lines where Node and a page are allowed", async () => {
    const config = join(repositoryRoot, "tsconfig.base.json");
    const options = { types: ["node"], lib: ["ES2024", "DOM"] };
    expect(await refused("control", config, options)).toEqual(["the browser's extension interface"]);
  });
});

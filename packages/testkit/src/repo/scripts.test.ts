import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../shared-folder.ts";
import { committedFiles, readManifest, workspacePackages } from "./workspace.ts";

/** What pnpm does itself. */
const BUILT_IN = ["exec", "install"];

const rootScripts = Object.keys(readManifest(join(repositoryRoot, "package.json")).scripts ?? {});

/** A command of a document that leads nowhere, or undefined. `words` are those behind `npx -y pnpm@12`. */
function missing(words: readonly string[]): string | undefined {
  const [first = "", second = "", third = ""] = words;
  if (first === "--filter") {
    const scripts = workspacePackages().find(({ manifest }) => manifest.name === second)?.manifest.scripts;
    return scripts?.[third] === undefined && third !== "exec" ? words.slice(0, 3).join(" ") : undefined;
  }
  if (first === "exec" && !existsSync(join(repositoryRoot, "node_modules/.bin", second))) return `exec ${second}`;
  return BUILT_IN.includes(first) || rootScripts.includes(first) ? undefined : first;
}

/** The words behind each `npx -y pnpm@12` of a text. */
function commandsIn(text: string): string[][] {
  return [...text.matchAll(/npx -y pnpm@12 ([^`\n]+)/g)].map(([, words = ""]) => words.trim().split(/\s+/));
}

const documents = committedFiles()
  .filter((path) => path.endsWith(".md") && existsSync(join(repositoryRoot, path)))
  .map((path) => ({ path, commands: commandsIn(readFileSync(join(repositoryRoot, path), "utf8")) }))
  .filter(({ commands }) => commands.length > 0);

describe("commands in documents", () => {
  it("are there to be looked at", () => {
    const paths = documents.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["CONTRIBUTING.md", "README.md"]));
  });

  it.each(documents)("of $path can be typed", ({ commands }) => {
    expect(commands.flatMap((words) => missing(words) ?? [])).toEqual([]);
  });

  it("would be missed", () => {
    const text =
      "`npx -y pnpm@12 no-such`, `npx -y pnpm@12 exec no-such`, `npx -y pnpm@12 --filter @threadlore/demo no`";
    expect(commandsIn(text).flatMap((words) => missing(words) ?? [])).toEqual([
      "no-such",
      "exec no-such",
      "--filter @threadlore/demo no",
    ]);
  });

  it("name test files that are there", () => {
    for (const { path, commands } of documents) {
      const files = commands.flatMap((words) => words.filter((word) => /\.(test|long)\.tsx?$/.test(word)));
      for (const file of files) expect(existsSync(join(repositoryRoot, file)), `${path}: ${file}`).toBe(true);
    }
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SOURCE_PACKAGES } from "./sources.ts";

const EXTENSION = join(import.meta.dirname, "../..");
const OURS = "@threadlore/";

/** Packages of the workspace that what lies in this folder needs to run, and those that they need. */
function neededBy(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  const named = Object.keys(dependencies).filter((name) => name.startsWith(OURS));
  const direct = named.map((name) => name.slice(OURS.length));
  return direct.flatMap((name) => [name, ...neededBy(join(EXTENSION, "../packages", name))]);
}

it("knows every package that a change of makes another build, and that reviewers need", () => {
  expect([...new Set(neededBy(EXTENSION))].toSorted()).toEqual(SOURCE_PACKAGES);
});

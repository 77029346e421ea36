import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { declaredTypesOf } from "./source-file.ts";
import { repositoryRoot } from "../shared-folder.ts";
import { committedFiles, workspacePackages } from "./workspace.ts";

/** Each name of a type that is exported in two files of one package, with the files. */
function namedTwice(files: readonly { readonly path: string; readonly names: readonly string[] }[]): string[] {
  const where = new Map<string, string[]>();
  for (const { path, names } of files) {
    for (const name of new Set(names)) where.set(name, [...(where.get(name) ?? []), path]);
  }
  return [...where].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(", ")}`);
}

const isTest = (path: string): boolean => /\.(?:test|long|harness)\.tsx?$/.test(path);

describe("a name", () => {
  it.each(workspacePackages())("of an exported type means one thing in $name", ({ folder, sources }) => {
    const files = sources
      .filter((path) => !isTest(path))
      .map((path) => ({ path, names: declaredTypesOf(join(folder, path)) }));
    expect(namedTwice(files)).toEqual([]);
  });

  it("that means two things is found", () => {
    const files = [
      { path: "rooms.ts", names: ["Place", "Room"] },
      { path: "packets.ts", names: ["Place"] },
    ];
    expect(namedTwice(files)).toEqual(["Place: rooms.ts, packets.ts"]);
  });

  it("of a limit begins with MAX", () => {
    const limit = /\b(?:MOST|LONGEST|LARGEST|WIDEST|BIGGEST)_[A-Z_]+/g;
    const named = committedFiles()
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith("vocabulary.test.ts"))
      .flatMap((path) =>
        [...readFileSync(join(repositoryRoot, path), "utf8").matchAll(limit)].map(([name]) => `${path}: ${name}`),
      );
    expect(named).toEqual([]);
  });

  it("that a class keeps to itself begins with #, but where every character of an answer passes", () => {
    const hot = /^(?:packages\/ask\/src\/markdown|extension\/src\/panel\/answer|bot\/src\/slack\/render)\//;
    const marked = committedFiles()
      .filter((path) => /\.tsx?$/.test(path))
      .filter((path) => /^\s+private /m.test(readFileSync(join(repositoryRoot, path), "utf8")));
    expect(marked.length).toBeGreaterThan(5);
    expect(marked.filter((path) => !hot.test(path))).toEqual([]);
  });
});

import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { hasDefaultExport } from "./source-file.ts";
import { repositoryRoot } from "../shared-folder.ts";
import { committedFiles, workspacePackages } from "./workspace.ts";

/** Source files a folder may hold, tests among them. */
const MAX_FILES = 25;

const meaningless = new Set(
  "util utils helper helpers common shared core lib libs misc manager managers payload payloads item items data info processor processors".split(
    " ",
  ),
);
const meaninglessFolders = new Set([...meaningless, "service", "services"]);

/** The part of a path that is called after nothing, if there is one. */
function emptyName(path: string): string | undefined {
  const [file = "", ...folders] = path.split("/").toReversed();
  const lastWord = file.replace(/\..*$/, "").split("-").at(-1) ?? "";
  // The package called service is one; a drawer called services is not.
  const drawers = folders.filter((folder, depth) => !(folder === "service" && folders[depth + 1] === "packages"));
  if (meaningless.has(lastWord) && !(folders.includes("slack") && lastWord === "payload")) return file;
  return drawers.find((folder) => meaninglessFolders.has(folder));
}

/** Folders with more files than one sees at a glance. */
function crowded(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count}`);
}

describe("files and folders", () => {
  it("stand where one finds them: no folder of a package holds more than 25", () => {
    const paths = workspacePackages().flatMap(({ folder, sources }) =>
      sources.map((source) => relative(repositoryRoot, join(folder, source))),
    );
    expect(paths.length).toBeGreaterThan(700);
    expect(crowded(paths)).toEqual([]);
    expect(crowded(Array.from({ length: 26 }, (_, index) => `bot/src/pins/${index}.ts`))).toEqual(["bot/src/pins: 26"]);
  });

  it("are called after the thing they hold", () => {
    expect(committedFiles().filter((path) => emptyName(path) !== undefined)).toEqual([]);
  });

  it.each([
    ["packages/ask/src/utils/links.ts", "utils"],
    ["packages/ask/src/link-helpers.ts", "link-helpers.ts"],
    ["packages/cli/src/data.test.ts", "data.test.ts"],
    ["packages/cli/src/services/ask.ts", "services"],
  ])("refuse %s", (path, name) => {
    expect(emptyName(path)).toBe(name);
  });

  it.each(["packages/service/src/http/app.ts", "packages/testkit/src/shared-folder.ts", "bot/src/slack/payload.ts"])(
    "accept %s",
    (path) => {
      expect(emptyName(path)).toBeUndefined();
    },
  );

  it("have no default export outside entry points of a framework and configuration", () => {
    const found = workspacePackages().flatMap(({ name, folder, sources }) =>
      sources
        .filter((file) => !file.startsWith("entrypoints/") && !file.endsWith(".config.ts"))
        .filter((file) => hasDefaultExport(join(folder, file)))
        .map((file) => `${name}/${file}`),
    );
    expect(found).toEqual([]);
  });
});

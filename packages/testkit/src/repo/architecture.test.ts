import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../shared-folder.ts";
import { workspacePackages } from "./workspace.ts";

const packages = workspacePackages();
const firsts = ["packages", "docs", "deploy", ...packages.map(({ name }) => name)].join("|");

/** Paths as the document writes them: from the root, or with a package's name in front of what lies in its `src`. */
function pathsIn(text: string): string[] {
  const written = text.matchAll(new RegExp(`(?<![\\w./@-])(?:${firsts})/[\\w./-]*\\w`, "g"));
  return [...new Set([...written].map(([path]) => path))];
}

/** A file, with or without its ending, a folder, or an entry a package exports. */
function isThere(path: string): boolean {
  const [first = "", ...rest] = path.split("/");
  const room = packages.find(({ name }) => name === first);
  const inRoom =
    room === undefined ? [] : ["src", "entrypoints", "."].map((folder) => join(room.folder, folder, ...rest));
  const exported = room?.manifest.exports?.[`./${rest.join("/")}`] !== undefined;
  const places = [join(repositoryRoot, path), ...inRoom];
  return exported || places.some((place) => ["", ".ts", ".tsx"].some((ending) => existsSync(place + ending)));
}

describe("ARCHITECTURE.md", () => {
  const text = readFileSync(join(repositoryRoot, "ARCHITECTURE.md"), "utf8");

  it("names only files and folders that are there", () => {
    const paths = pathsIn(text);
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it("names every room", () => {
    const rooms = packages.map(({ folder }) => relative(repositoryRoot, folder));
    expect(rooms.filter((room) => !text.includes(`\`${room}\``))).toEqual([]);
  });

  it("would be refused with a path that went elsewhere", () => {
    expect(pathsIn("see `packages/ask/src/gone.ts`, and bot/nowhere").filter(isThere)).toEqual([]);
  });
});

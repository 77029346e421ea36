import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import type { System } from "./assistant.ts";
import { ASSISTANTS } from "./known-assistants.ts";
import { expandedPath, fileOf, isInstalled, isOfProject, thisSystem } from "./places.ts";

const SYSTEMS: readonly System[] = ["linux", "macos", "windows"];

function assistant(id: string) {
  const found = ASSISTANTS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

describe("the path of an assistant's file", () => {
  const world = { env: { HOME: "/people/ada" }, folder: "/projects/one" };

  it.each([
    ["claude-desktop", "macos", "/people/ada/Library/Application Support/Claude/claude_desktop_config.json"],
    ["claude-desktop", "windows", "/people/ada/AppData/Roaming/Claude/claude_desktop_config.json"],
    ["claude-code", "linux", "/people/ada/.claude.json"],
    ["vscode", "linux", "/people/ada/.config/Code/User/mcp.json"],
    ["vscode", "macos", "/people/ada/Library/Application Support/Code/User/mcp.json"],
    ["vscode", "windows", "/people/ada/AppData/Roaming/Code/User/mcp.json"],
    ["vscode-project", "linux", "/projects/one/.vscode/mcp.json"],
    ["goose", "windows", "/people/ada/AppData/Roaming/Block/goose/config/config.yaml"],
    ["codex", "windows", "/people/ada/.codex/config.toml"],
    ["zed", "macos", "/people/ada/.config/zed/settings.json"],
  ] as const)("of %s on %s is %s", async (id, system, path) => {
    expect(await fileOf(assistant(id), world, system)).toBe(resolve(path));
  });

  it("follows the variables the assistant follows, and passes over one that is no absolute path", () => {
    const path = "${CODEX_HOME:-~/.codex}/config.toml";
    expect(expandedPath(path, { ...world, env: { ...world.env, CODEX_HOME: "/opt/codex" } })).toBe(
      resolve("/opt/codex/config.toml"),
    );
    expect(expandedPath(path, { ...world, env: { ...world.env, CODEX_HOME: "codex" } })).toBe(
      resolve("/people/ada/.codex/config.toml"),
    );
    expect(expandedPath("~/x", { ...world, env: { HOME: "/people/$& ünï 家" } })).toBe(resolve("/people/$& ünï 家/x"));
  });

  it("of Claude Desktop on Windows is that of the package, where it was installed as one", async () => {
    const home = temporaryFolder();
    const packaged = join(home, "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude");
    const here = { env: { HOME: home }, folder: home };
    expect(await fileOf(assistant("claude-desktop"), here, "windows")).toContain(join("Roaming", "Claude"));
    mkdirSync(packaged, { recursive: true });
    expect(await fileOf(assistant("claude-desktop"), here, "windows")).toBe(
      join(packaged, "claude_desktop_config.json"),
    );
  });
});

describe("an assistant", () => {
  it("is found by its folder, or by the sign of it, and one of a project never", async () => {
    const home = temporaryFolder();
    const world = { env: { HOME: home }, folder: home };
    const found = async () => {
      const all = await Promise.all(
        ASSISTANTS.map(async (one) => ((await isInstalled(one, world, "linux")) ? [one.id] : [])),
      );
      return all.flat();
    };
    expect(await found()).toEqual([]);
    for (const folder of [".cursor", ".junie", ".vscode", ".config/zed"]) {
      mkdirSync(join(home, folder), { recursive: true });
    }
    writeFileSync(join(home, ".claude.json"), "{}");
    expect(await found()).toEqual(["claude-code", "cursor", "junie", "zed"]);
  });

  it("has an id of its own, places on each system, and a page that says so", () => {
    const ids = ASSISTANTS.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    for (const { file, source, next, under } of ASSISTANTS) {
      for (const system of SYSTEMS) expect(file.paths[system].length).toBeGreaterThan(0);
      expect(source).toMatch(/^https:\/\//);
      expect(next).toMatch(/threadlore|tools/);
      expect(under.length).toBeGreaterThan(0);
    }
    expect(ASSISTANTS.filter(({ file }) => isOfProject(file)).map(({ id }) => id)).toEqual([
      "claude-code-project",
      "cursor-project",
      "vscode-project",
    ]);
  });

  it("lies where Linux keeps things on whatever is neither macOS nor Windows", () => {
    expect(["linux", "freebsd", "darwin", "win32"].map((name) => thisSystem(name as NodeJS.Platform))).toEqual([
      "linux",
      "linux",
      "macos",
      "windows",
    ]);
  });
});

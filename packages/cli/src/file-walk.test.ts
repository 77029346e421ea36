import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { LARGEST_FILE, readFoundFile, walkFiles } from "./file-walk.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

/** A folder to walk, with a secret beside it that must stay unread. */
function newFarm(): { root: string; outside: string } {
  const base = realpathSync(temporaryFolder());
  const root = join(base, "root");
  mkdirSync(join(root, "inner"), { recursive: true });
  writeFileSync(join(root, "b.md"), "b");
  writeFileSync(join(root, "a.md"), "a");
  writeFileSync(join(root, "inner", "c.md"), "c");
  const outside = join(base, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.md"), "secret");
  return { root, outside };
}

describe("walkFiles", () => {
  it("finds files in a stable order, named relative to the folder", async () => {
    const { root } = newFarm();
    const { files, refused } = await walkFiles(["root"], { from: join(root, "..") });
    expect(files.map((file) => file.name)).toEqual(["a.md", "b.md", "inner/c.md"]);
    expect(refused).toEqual([]);
  });

  it("passes over dotfiles and node_modules in silence", async () => {
    const { root } = newFarm();
    for (const folder of [".git", "node_modules"]) {
      mkdirSync(join(root, folder));
      writeFileSync(join(root, folder, "x.md"), "x");
    }
    writeFileSync(join(root, ".env"), "KEY=1");
    const { files, refused } = await walkFiles([root], { from: "/" });
    expect(files).toHaveLength(3);
    expect(refused).toEqual([]);
  });

  it("refuses links unless asked to follow them", async () => {
    const { root, outside } = newFarm();
    symlinkSync(join(root, "a.md"), join(root, "link.md"));
    symlinkSync(outside, join(root, "away"));
    const { files, refused } = await walkFiles([root], { from: "/" });
    expect(files).toHaveLength(3);
    expect(refused.map((refusal) => refusal.name)).toEqual(["away", "link.md"]);
    expect(refused[0]?.reason).toContain("--follow-symlinks");
  });

  it("asked to follow links, stays inside the folder and ends on circles", async () => {
    const { root, outside } = newFarm();
    symlinkSync(join(root, "inner"), join(root, "twin"));
    symlinkSync(root, join(root, "inner", "up"));
    symlinkSync(outside, join(root, "away"));
    symlinkSync("../outside/secret.md", join(root, "secret.md"));
    symlinkSync("nowhere", join(root, "dangling"));
    const { files, refused } = await walkFiles([root], { from: "/", followSymlinks: true });
    expect(files.every((file) => file.path.startsWith(`${root}/`))).toBe(true);
    expect(files.map((file) => file.name)).toEqual(["a.md", "b.md", "inner/c.md"]);
    expect(refused.map((refusal) => refusal.name)).toEqual(["away", "dangling", "secret.md"]);
  });

  it("refuses pipes and paths that do not exist, and goes on", async () => {
    const { root } = newFarm();
    execFileSync("mkfifo", [join(root, "pipe")]);
    const { files, refused } = await walkFiles(["missing", root], { from: "/" });
    expect(files).toHaveLength(3);
    expect(refused).toEqual([
      { name: "missing", reason: "there is no such file or folder" },
      { name: "pipe", reason: "it is neither a file nor a folder" },
    ]);
  });

  const vectors = sharedFolder("vectors");
  it.runIf(vectors !== undefined)("finds nothing at any listed traversal path", async () => {
    const { root, outside } = newFarm();
    const patterns = readFileSync(join(vectors ?? "", "path-traversal-patt.txt"), "utf8").split("\n");
    for (const pattern of patterns.filter((line) => line !== "")) {
      const name = pattern.replaceAll("{FILE}", "secret.md").replaceAll("\0", "");
      writeFileSync(join(root, name.replaceAll(/[/\0]/g, "_").slice(0, 100)), "x");
    }
    const { files } = await walkFiles([root], { from: "/" });
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(realpathSync(file.path).startsWith(`${root}/`)).toBe(true);
    expect(files.some((file) => file.path.startsWith(outside))).toBe(false);
  });
});

describe("readFoundFile", () => {
  it("does not follow a link that took the file's place after the walk", async () => {
    const { root, outside } = newFarm();
    const path = join(root, "swapped.md");
    symlinkSync(join(outside, "secret.md"), path);
    await expect(readFoundFile({ path, name: "swapped.md" })).rejects.toThrow();
  });

  it("does not hang on a pipe that took the file's place", async () => {
    const { root } = newFarm();
    const path = join(root, "pipe");
    execFileSync("mkfifo", [path]);
    await expect(readFoundFile({ path, name: "pipe" })).rejects.toThrow("not a plain file");
  });

  it("refuses a file above the limit without reading it", async () => {
    const { root } = newFarm();
    const path = join(root, "large.md");
    writeFileSync(path, "");
    truncateSync(path, LARGEST_FILE + 1);
    await expect(readFoundFile({ path, name: "large.md" })).rejects.toThrow("it is 20 MB; the most is 20 MB");
  });
});

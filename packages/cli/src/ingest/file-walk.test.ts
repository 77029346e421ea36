import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { sharedFolder, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import {
  type FoundFile,
  MAX_FILE_BYTES,
  readFoundFile,
  type Refusal,
  walkFiles,
  type WalkOptions,
} from "./file-walk.ts";
import { asOrdinaryUser } from "../testing/ordinary-user.ts";

/** A walk to its end. */
async function walk(
  paths: readonly string[],
  options: WalkOptions,
): Promise<{ files: FoundFile[]; refused: Refusal[] }> {
  const [files, refused]: [FoundFile[], Refusal[]] = [[], []];
  for await (const found of walkFiles(paths, options)) {
    if ("reason" in found) refused.push(found);
    else files.push(found);
  }
  return { files, refused };
}

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
    const { files, refused } = await walk(["root"], { from: join(root, "..") });
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
    const { files, refused } = await walk([root], { from: "/" });
    expect(files).toHaveLength(3);
    expect(refused).toEqual([]);
  });

  it("refuses links unless asked to follow them", async () => {
    const { root, outside } = newFarm();
    symlinkSync(join(root, "a.md"), join(root, "link.md"));
    symlinkSync(outside, join(root, "away"));
    const { files, refused } = await walk([root], { from: "/" });
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
    const { files, refused } = await walk([root], { from: "/", followSymlinks: true });
    expect(files.every((file) => file.path.startsWith(`${root}/`))).toBe(true);
    expect(files.map((file) => file.name)).toEqual(["a.md", "b.md", "inner/c.md"]);
    expect(refused.map((refusal) => refusal.name)).toEqual(["away", "dangling", "secret.md"]);
  });

  it("finds as many where it trusts what folders list, in links and folders too", async () => {
    const { root } = newFarm();
    symlinkSync(join(root, "a.md"), join(root, "link.md"));
    mkdirSync(join(root, ".git"));
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), "x");
    const usual = await walk([root], { from: "/" });
    const quick = await walk([root], { from: "/", trustsListing: true });
    const names = ({ files, refused }: typeof usual) => [...files, ...refused].map(({ name }) => name).toSorted();
    expect(names(quick)).toEqual(names(usual));
    expect(names(usual)).toEqual(["a.md", "b.md", "caf\\xE9", "inner/c.md", "link.md"]);
  });

  it("refuses pipes and paths that do not exist, and goes on", async () => {
    const { root } = newFarm();
    execFileSync("mkfifo", [join(root, "pipe")]);
    const { files, refused } = await walk(["missing", root], { from: "/" });
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
    const { files } = await walk([root], { from: "/" });
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(realpathSync(file.path).startsWith(`${root}/`)).toBe(true);
    expect(files.some((file) => file.path.startsWith(outside))).toBe(false);
  });
});

describe("an entry that cannot be looked at", () => {
  it("is refused alone: a name that is no UTF-8, of a file and of a folder", async () => {
    const { root } = newFarm();
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from(".md")]), "x");
    mkdirSync(Buffer.concat([Buffer.from(`${root}/inner/`), Buffer.from([0xff, 0xfe])]));
    writeFileSync(join(root, "日本語.md"), "x");
    const { files, refused } = await walk([root], { from: "/" });
    expect(files.map((file) => file.name)).toEqual(["a.md", "b.md", "inner/c.md", "日本語.md"]);
    expect(refused.map(({ name }) => name).toSorted()).toEqual(["caf\\xE9.md", "inner/\\xFF\\xFE"]);
    for (const { reason } of refused) expect(reason).toContain("no valid UTF-8");
  });

  it("is refused alone: a folder and a file without the right to read them", async () => {
    const { root } = newFarm();
    chmodSync(join(root, ".."), 0o755);
    mkdirSync(join(root, "locked"), { mode: 0o700 });
    writeFileSync(join(root, "locked/d.md"), "d");
    writeFileSync(join(root, "own.md"), "own", { mode: 0o600 });
    const { found, reads } = await asOrdinaryUser(async () => {
      const seen = await walk([root, join(root, "locked")], { from: "/" });
      const own = seen.files.find(({ name }) => name === "own.md");
      return { found: seen, reads: await readFoundFile(own ?? { path: "" }).catch((error: unknown) => String(error)) };
    });
    expect(found.files.map((file) => file.name)).toEqual(["a.md", "b.md", "inner/c.md", "own.md"]);
    expect(found.refused).toEqual([
      { name: "locked", reason: expect.stringContaining("was not looked at: you may not read it") },
      { name: join(root, "locked"), reason: expect.stringContaining("you may not read it") },
    ]);
    expect(reads).toContain("you may not read it");
  });

  it("is refused alone: sockets, links in a circle, and what went while the walk was under way", async () => {
    const { root } = newFarm();
    const server = createServer().listen(join(root, "socket"));
    await once(server, "listening");
    symlinkSync("loop-b", join(root, "loop-a"));
    symlinkSync("loop-a", join(root, "loop-b"));
    mkdirSync(join(root, "gone"));
    const seen: string[] = [];
    const refused: Refusal[] = [];
    for await (const found of walkFiles([root, join(root, "loop-a")], { from: "/", followSymlinks: true })) {
      if (seen.length === 0) {
        rmSync(join(root, "b.md"));
        rmSync(join(root, "gone"), { recursive: true });
      }
      seen.push(found.name);
      if ("reason" in found) refused.push(found);
    }
    server.close();
    expect(refused).toEqual([
      { name: "b.md", reason: "it is not there any more" },
      { name: "gone", reason: "it is not there any more" },
      { name: "loop-a", reason: expect.stringContaining("nowhere") },
      { name: "loop-b", reason: expect.stringContaining("nowhere") },
      { name: "socket", reason: "it is neither a file nor a folder" },
      { name: join(root, "loop-a"), reason: expect.stringContaining("circle") },
    ]);
  });

  it("does not include a file 900 folders down, which is found", async () => {
    const { root } = newFarm();
    const deep = join(root, ...Array.from({ length: 900 }, () => "d"));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, "e.md"), "e");
    const { files } = await walk([root], { from: "/" });
    expect(files.map(({ path }) => path)).toContain(join(deep, "e.md"));
  });
});

describe("readFoundFile", () => {
  it("does not follow a link that took the file's place after the walk", async () => {
    const { root, outside } = newFarm();
    const path = join(root, "swapped.md");
    symlinkSync(join(outside, "secret.md"), path);
    await expect(readFoundFile({ path })).rejects.toThrow();
  });

  it("does not hang on a pipe that took the file's place", async () => {
    const { root } = newFarm();
    const path = join(root, "pipe");
    execFileSync("mkfifo", [path]);
    await expect(readFoundFile({ path })).rejects.toThrow("not a plain file");
  });

  it("says of a file that is written to while it is read that it is neither old nor new, and of no other", async () => {
    const { root } = newFarm();
    const path = join(root, "growing.log");
    writeFileSync(path, Buffer.alloc(8_000_000, "x"));
    const read = new AbortController();
    const reading = readFoundFile({ path }).finally(() => read.abort());
    while (!read.signal.aborted) {
      appendFileSync(path, "y");
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await reading).isTorn).toBe(true);
    expect((await readFoundFile({ path })).isTorn).toBe(false);
  });

  it("refuses a file above the limit without reading it", async () => {
    const { root } = newFarm();
    const path = join(root, "large.md");
    writeFileSync(path, "");
    truncateSync(path, MAX_FILE_BYTES + 1);
    await expect(readFoundFile({ path })).rejects.toThrow("it is 20 MB; the most is 20 MB");
  });
});

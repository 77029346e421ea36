import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { findFile, replaceFile } from "./config-file.ts";

const isRoot = process.getuid?.() === 0;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe("a config file", () => {
  it("is replaced whole, keeps its permissions, and what was there lies beside it", async () => {
    const folder = folderWith({ "a.json": "old" });
    const path = join(folder, "a.json");
    chmodSync(path, 0o640);
    expect(await replaceFile(await findFile(path), "new")).toBe(`${path}.before-threadlore`);
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(readFileSync(`${path}.before-threadlore`, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a.json", "a.json.before-threadlore"]);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o640);
  });

  it("that was not there is made with its folders, for its owner alone", async () => {
    const path = join(temporaryFolder(), "家 x", "b", "a.json");
    expect(await replaceFile(await findFile(path), "new")).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each(["there", "not there yet"])("behind links is the one that is changed, where it is %s", async (state) => {
    const folder = folderWith(state === "there" ? { "real.json": "old" } : {});
    mkdirSync(join(folder, "links"));
    symlinkSync("../real.json", join(folder, "links", "one"));
    symlinkSync("one", join(folder, "links", "two"));
    const found = await findFile(join(folder, "links", "two"));
    expect(found.text).toBe(state === "there" ? "old" : undefined);
    await replaceFile(found, "new");
    expect(readFileSync(join(folder, "real.json"), "utf8")).toBe("new");
    expect(readdirSync(join(folder, "links"))).toEqual(["one", "two"]);
  });

  it("that somebody else wrote meanwhile is left as they wrote it", async () => {
    const folder = folderWith({ "a.json": "old" });
    const path = join(folder, "a.json");
    const found = await findFile(path);
    writeFileSync(path, "theirs");
    await expect(replaceFile(found, "new")).rejects.toThrow("it changed while this ran");
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(readdirSync(folder)).not.toContain(expect.stringMatching(/draft$/));
  });

  it("is not written through what somebody put in the place of the draft", async () => {
    const folder = folderWith({ "a.json": "old", precious: "precious" });
    const path = join(folder, "a.json");
    symlinkSync("precious", `${path}.${process.pid}.draft`);
    await replaceFile(await findFile(path), "new");
    expect(readFileSync(join(folder, "precious"), "utf8")).toBe("precious");
    expect(readFileSync(path, "utf8")).toBe("new");
  });
});

describe("what is there instead of a config file", () => {
  it.each([
    ["a folder", (path: string) => mkdirSync(path), "it is a folder"],
    ["links in a circle", (path: string) => symlinkSync("a.json", path), "its links lead in a circle"],
    [
      "text in another encoding",
      (path: string) => writeFileSync(path, "\uFEFF{}", "utf16le"),
      "it is no text in UTF-8",
    ],
  ])("is said: %s", async (_, make, why) => {
    const path = join(temporaryFolder(), "a.json");
    make(path);
    await expect(findFile(path)).rejects.toThrow(why);
  });

  it("is said: a file where its folder should be", async () => {
    const path = join(folderWith({ a: "" }), "a", "b.json");
    const found = findFile(path).then((file) => replaceFile(file, "new"));
    await expect(found).rejects.toThrow("what should be a folder on its path is a file");
  });

  it("is said: a file larger than any config", async () => {
    const path = join(folderWith({ "a.json": "" }), "a.json");
    truncateSync(path, 60_000_000);
    await expect(findFile(path)).rejects.toThrow("larger than 50 MB");
  });

  it("is said: a file that may only be read, and it stays so", async () => {
    const path = join(folderWith({ "a.json": "old" }), "a.json");
    chmodSync(path, 0o444);
    await expect(findFile(path).then((file) => replaceFile(file, "new"))).rejects.toThrow("it may only be read");
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  it.skipIf(isRoot)("is said: a file or a folder that is somebody else's", async () => {
    const folder = folderWith({ "a.json": "old" });
    chmodSync(join(folder, "a.json"), 0o200);
    await expect(findFile(join(folder, "a.json"))).rejects.toThrow("you may not read it");
    chmodSync(folder, 0o500);
    const written = findFile(join(folder, "b.json")).then((file) => replaceFile(file, "new"));
    await expect(written).rejects.toThrow("you may not write it");
    chmodSync(folder, 0o700);
  });
});

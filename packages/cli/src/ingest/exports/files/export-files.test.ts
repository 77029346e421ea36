import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterThisTest, temporaryFolder } from "@threadlore/testkit";
import { packedTimes, zipOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { folderFiles } from "./folder-files.ts";
import { withNested } from "./nested-zips.ts";
import { zipFiles } from "./zip-files.ts";

const MOST = 1_000_000;

async function opened(bytes: Uint8Array) {
  const path = join(temporaryFolder(), "export.zip");
  writeFileSync(path, bytes);
  const files = await zipFiles(path, "export.zip");
  afterThisTest(() => files.close());
  return files;
}

/** The same archive with other bytes in place of some, which have as many. */
function patched(bytes: Uint8Array, from: string, to: string | Buffer): Uint8Array {
  const buffer = Buffer.from(bytes);
  const put = Buffer.from(to);
  for (let at = buffer.indexOf(from); at !== -1; at = buffer.indexOf(from, at + 1)) put.copy(buffer, at);
  return buffer;
}

const texts = async ({ files }: Awaited<ReturnType<typeof opened>>) =>
  Promise.all(
    files.map(async (file) => [
      file.path,
      await file.read(MOST).then(
        (bytes) => new TextDecoder().decode(bytes),
        (error: Error) => error.message,
      ),
    ]),
  );

describe("files of a ZIP archive", () => {
  it("are read one by one, by their names in any script, however these are marked or put together", async () => {
    const zip = zipOf({
      "港口/船费.md": "四百",
      "الميناء ⚓.md": "x",
      ["Lände".normalize("NFD")]: "y",
      "back\\slash.md": "z",
      "__MACOSX/a.md": "no",
      "a/.DS_Store": "no",
    });
    expect(await texts(await opened(zip))).toEqual([
      ["Lände", "y"],
      ["back/slash.md", "z"],
      ["الميناء ⚓.md", "x"],
      ["港口/船费.md", "四百"],
    ]);
    // No UTF-8: the code page of the first machines that packed files.
    expect(
      (await opened(patched(zipOf({ "Xnde.md": "y" }), "Xnde", Buffer.from([0x84, 0x6e, 0x64, 0x65])))).files,
    ).toMatchObject([{ path: "ände.md" }]);
  });

  it("that lead out of it, or are there twice, are refused by name", async () => {
    const zip = zipOf({
      "AA/BB.md": "1",
      "c:/x.md": "2",
      "/x.md": "3",
      "ok.md": "4",
      "ök.md": "5",
      ["ök.md".normalize("NFD")]: "6",
    });
    const files = await opened(patched(zip, "AA/BB", "../BB"));
    expect(await texts(files)).toEqual([
      ["ok.md", "4"],
      ["ök.md", "5"],
    ]);
    expect(files.refused.map(({ name }) => name)).toEqual(["../BB.md", "c:/x.md", "/x.md", "ök.md"]);
  });

  it("that are damaged, protected, too large or larger than they say are refused when they are read", async () => {
    const zip = zipOf({
      "a.md": "A berth costs 412 crowns.",
      "big.md": "x".repeat(MOST + 1),
      "bomb.md": packedTimes("x", 5_000_000),
    });
    expect(await texts(await opened(zip))).toEqual([
      ["a.md", "A berth costs 412 crowns."],
      ["big.md", "it is larger than 1 MB (2 MB). Split it."],
      ["bomb.md", "it is damaged in the ZIP archive. Fetch the export once more"],
    ]);
    const broken = Buffer.from(zip);
    const packed = broken.indexOf("a.md") + 4;
    broken.writeUInt8(broken.readUInt8(packed + 3) ^ 0xff, packed + 3);
    expect((await texts(await opened(broken)))[0]).toEqual(["a.md", expect.stringContaining("it is damaged")]);
    const marked = Buffer.from(zipOf({ "a.md": "x" }));
    marked.writeUInt8(1, marked.indexOf("PK\u0001\u0002") + 8);
    expect(await texts(await opened(marked))).toEqual([["a.md", expect.stringContaining("protected by a password")]]);
  });

  it("are none where the archive is cut short, is none, or lies over itself", async () => {
    const zip = zipOf({ "a.md": "1".repeat(500), "b.md": "2" });
    for (const bytes of [zip.subarray(0, zip.length - 30), zip.subarray(40), Buffer.from("hello"), new Uint8Array()]) {
      await expect(opened(bytes)).rejects.toThrow("export.zip is no whole ZIP archive");
    }
    const twice = Buffer.from(zip);
    // Its second entry says that it lies where the first one does.
    twice.writeUInt32LE(0, twice.lastIndexOf("PK\u0001\u0002") + 42);
    await expect(opened(twice)).rejects.toThrow("lie over each other");
  });
});

describe("archives in an archive", () => {
  it("are one export with it, and no more than they can hold is put aside", async () => {
    const part = (name: string) => zipOf({ [name]: name, "both.md": "x", "inner.zip": zipOf({ "deep.md": "d" }) });
    const files = await withNested(
      await opened(zipOf({ "P-1.zip": part("a.md"), "P-2.zip": part("b.md") })),
      /^P-.*zip$/,
    );
    expect(files.files.map(({ path }) => path)).toEqual(["a.md", "b.md", "both.md", "inner.zip"]);
    expect(files.refused.map(({ name }) => name)).toEqual(["both.md", "inner.zip"]);
    await files.close();
    const bomb = await opened(zipOf({ "P-1.zip": new Uint8Array(10_000_000) }));
    await expect(withNested(bomb, /^P-/)).rejects.toThrow("P-1.zip within the export: it unfolds to far more");
    await expect(withNested(await opened(zipOf({ "P-1.zip": "no" })), /^P-/)).rejects.toThrow("no whole ZIP archive");
  });
});

describe("files of a folder", () => {
  it("are those in it, whatever its links lead to", async () => {
    const root = temporaryFolder();
    for (const path of ["a/b.md", "c.md", ".git/x", "a/.DS_Store"]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), path);
    }
    symlinkSync("/etc", join(root, "etc"));
    symlinkSync("/etc/hostname", join(root, "name.md"));
    const files = await folderFiles(root, "export");
    expect(await texts(files)).toEqual([
      ["a/b.md", "a/b.md"],
      ["c.md", "c.md"],
    ]);
    expect(files.refused.map(({ name }) => name).toSorted()).toEqual(["etc", "name.md"]);
    await expect(files.files[0]?.read(2)).rejects.toThrow("larger than");
  });
});

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { walkFiles, type WalkOptions } from "../file-walk.ts";
import { IGNORE_FILE, parseGlob, type SelectionRule } from "./selection.ts";

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(temporaryFolder());
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

async function taken(root: string, options: Partial<WalkOptions> = {}, paths: readonly string[] = [root]) {
  const found = { files: [] as string[], leftOut: [] as string[], refused: [] as string[] };
  const onLeftOut = (name: string): void => void found.leftOut.push(name);
  for await (const one of walkFiles(paths, { from: root, onLeftOut, ...options })) {
    if ("reason" in one) found.refused.push(`${one.name}: ${one.reason}`);
    else found.files.push(one.name);
  }
  return found;
}

const TREE = {
  "a.md": "",
  "draft-a.md": "",
  "table.csv": "",
  "archive/2025/old.md": "",
  "archive/2026/new.md": "",
  "docs/guide.md": "",
  "docs/Guide.pdf": "",
  "docs/deep/draft-b.md": "",
};

/** `-*.pdf` leaves out, `+*.md` takes, in this order. */
const typed = (...rules: string[]): { rules: SelectionRule[]; ignoreFiles: string[] } => ({
  rules: rules.map((rule) => ({ kind: rule.startsWith("+") ? "include" : "exclude", glob: rule.slice(1) })),
  ignoreFiles: [],
});

describe("--include and --exclude", () => {
  it.each([
    [
      ["-*.csv", "-archive/"],
      ["a.md", "docs/Guide.pdf", "docs/deep/draft-b.md", "docs/guide.md", "draft-a.md"],
    ],
    [["+*.csv"], ["table.csv"]],
    [
      ["+*.md", "-draft*"],
      ["a.md", "archive/2025/old.md", "archive/2026/new.md", "docs/guide.md"],
    ],
    [
      ["+docs/", "-*.pdf"],
      ["docs/deep/draft-b.md", "docs/guide.md"],
    ],
    [
      ["-draft*", "+draft-b.md", "-archive", "-*.csv"],
      ["a.md", "docs/Guide.pdf", "docs/deep/draft-b.md", "docs/guide.md"],
    ],
    [
      ["-/a.md", "-./docs", "-*.csv", "-archive/*", "+archive/2026"],
      ["archive/2026/new.md", "draft-a.md"],
    ],
    [
      ["-*.PDF", "-**/2025", "-*.csv", "-draft*"],
      ["a.md", "archive/2026/new.md", "docs/Guide.pdf", "docs/guide.md"],
    ],
  ])("%j", async (rules, files) => {
    expect((await taken(folderWith(TREE), { selection: typed(...rules) })).files).toEqual(files);
  });

  it("hold for a file that is named itself, too", async () => {
    const root = folderWith(TREE);
    const { files, leftOut } = await taken(root, { selection: typed("-*.csv") }, ["a.md", "table.csv"]);
    expect([files, leftOut]).toEqual([["a.md"], ["table.csv"]]);
  });

  it("bring back nothing of a folder that is left out, as in a .gitignore", async () => {
    const { files } = await taken(folderWith(TREE), { selection: typed("-archive/", "+archive/2026/new.md") });
    expect(files.filter((name) => name.startsWith("archive"))).toEqual([]);
  });

  it("take no pattern that is empty, or that says not", () => {
    expect(() => parseGlob("  ")).toThrow("is empty");
    expect(() => parseGlob("!a.md")).toThrow("--include, without it");
    expect(parseGlob("#1.md")).toBe("#1.md");
  });

  it("take a name that begins like a comment", async () => {
    const root = folderWith({ "#1.md": "", "a.md": "" });
    expect((await taken(root, { selection: typed("-#1.md") })).files).toEqual(["a.md"]);
  });
});

describe("ignore files", () => {
  const ignoreFiles = [".gitignore", IGNORE_FILE];
  const selection = { rules: [], ignoreFiles };

  it("hold for their folder and all in it; an inner one decides over an outer one", async () => {
    const root = folderWith({
      ...TREE,
      [IGNORE_FILE]: "# what nobody needs\n*.csv\r\ndraft*\n/archive/2025\n",
      [`docs/${IGNORE_FILE}`]: "!draft-b.md\n/guide.md\n",
    });
    const { files, leftOut } = await taken(root, { selection });
    expect(files).toEqual(["a.md", "archive/2026/new.md", "docs/Guide.pdf", "docs/deep/draft-b.md"]);
    expect(leftOut).toEqual(["archive/2025", "docs/guide.md", "draft-a.md", "table.csv"]);
  });

  it("of git are read only where that was asked for, and ours decides over them", async () => {
    const root = folderWith({ "a.md": "", "b.md": "", ".gitignore": "*.md\n", [IGNORE_FILE]: "!a.md\n" });
    expect((await taken(root, { selection: { rules: [], ignoreFiles: [IGNORE_FILE] } })).files).toHaveLength(2);
    expect((await taken(root, { selection })).files).toEqual(["a.md"]);
  });

  it("of the folders above hold as well, up to the collection's root, also for one file", async () => {
    const root = folderWith({
      ...TREE,
      [IGNORE_FILE]: "draft*\n/archive/\n",
      "archive/.threadloreignore": "!new.md\n",
    });
    const options = { selection, topOf: () => root };
    expect((await taken(root, options, ["docs"])).files).toEqual(["Guide.pdf", "guide.md"]);
    expect((await taken(root, options, ["docs/deep/draft-b.md", "a.md"])).files).toEqual(["a.md"]);
    // A folder that is left out stays so, whoever points at it.
    expect(await taken(root, options, ["archive"])).toEqual({ files: [], leftOut: ["archive"], refused: [] });
  });

  it("leave out what no option brings back", async () => {
    const root = folderWith({ "a.md": "", "secret.md": "", [IGNORE_FILE]: "secret*\n" });
    expect((await taken(root, { selection: { ...typed("+*.md"), ignoreFiles } })).files).toEqual(["a.md"]);
  });

  it("that cannot be read keep their folder from being sent, and nothing else", async () => {
    const root = folderWith({ "a.md": "", "inner/b.md": "" });
    mkdirSync(join(root, "inner", IGNORE_FILE));
    const { files, refused } = await taken(root, { selection });
    expect(files).toEqual(["a.md"]);
    expect(refused).toEqual([
      "inner: nothing of it was sent: its .threadloreignore says what to leave out, and it is a folder",
    ]);
  });

  it("keep no more than some thousand paths in mind, and go on deciding", async () => {
    const { Selecting } = await import("./selection.ts");
    const selecting = new Selecting(typed("-*.tmp"));
    const entry = (name: string) => ({ place: `/x/${name}`, name });
    for (let n = 0; n < 12_000; n += 1) selecting.takes(entry(`${n}.md`), false, []);
    expect(selecting.takes(entry("a.tmp"), false, [])).toBe(false);
    expect(selecting.takes(entry("a.md"), false, [])).toBe(true);
  });
});

import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileCandidate } from "./candidates.ts";
import { sentHash } from "./ingestion.ts";
import { type Serving, startServing } from "../embedded/serving.ts";
import { runHere } from "../testing/in-process.ts";
import { temporaryFolder } from "@threadlore/testkit";

let home: string;
let serving: Serving;

beforeEach(async () => {
  home = realpathSync(temporaryFolder());
  serving = await startServing({ folder: join(home, ".local/share/threadlore"), port: 0, log: () => {} });
});
afterEach(() => serving.close());

function write(name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}

const ingest = (...args: string[]) => runHere(["ingest", "--pair", "1", ...args], { home });

/** Ids and titles of all documents of a pair. */
async function documents(pairId = 1): Promise<string[]> {
  const deployment = createDeployment({ baseUrl: serving.url, apiKey: serving.apiKey });
  const listed = await deployment.documents({ pairId });
  return listed.map(({ semantic_id }) => semantic_id ?? "").toSorted();
}

/** What an earlier version did with a file: an id of its name alone, and a line of the journal without a folder. */
async function sentByEarlierVersion(folder: string, name: string): Promise<void> {
  const file = { path: join(home, folder, name), name, folder: join(home, folder) };
  const { document } = await fileCandidate(file).read();
  await createClient({ baseUrl: serving.url, apiKey: serving.apiKey }).ingest({ document, cc_pair_id: 1 });
  const line = { server: "embedded", pair: 1, id: document.id, hash: sentHash(document), at: "2026-10-01T00:00:00Z" };
  writeFileSync(serving.files.journal, `${JSON.stringify(line)}\n`, { flag: "a" });
}

describe("folders with files of the same names", () => {
  it("never replace each other's documents, in one pair or in two", async () => {
    write("public-site/index.md", "# Opening hours\n\nTen to six.\n");
    write("hr-secret/index.md", "# Salaries\n\nNobody may know.\n");
    expect((await ingest("public-site")).stderr).toContain("1 added.");
    expect((await ingest("hr-secret")).stderr).toContain("1 added.");
    expect(await documents()).toEqual(["Opening hours", "Salaries"]);
  });

  it("whose names look alike in one folder are not one document by turns: the second is refused by name", async () => {
    write("docs/caf\u00e9.md", "# One\n\nText.\n");
    write("docs/cafe\u0301.md", "# Other\n\nText.\n");
    for (const told of ["1 added, 1 not sent.", "1 unchanged, 1 not sent."]) {
      const { code, stderr } = await ingest("docs");
      expect([code, stderr]).toEqual([9, expect.stringContaining(told)]);
      expect(stderr).toMatch(
        /not sent caf\S+\.md: its name differs from another one only in how .* Rename one of them\./,
      );
    }
    write("docs/Caf\u00e9.md", "# Third\n\nText.\n");
    expect((await ingest("docs")).stderr).toContain("1 added, 1 unchanged, 1 not sent.");
  });

  it("stay apart when only the machine differs, and stay the same on one machine", async () => {
    const { chooseCollections } = await import("./collections.ts");
    const { openJournal } = await import("./journal.ts");
    write("docs/a.md", "a");
    const folder = join(home, "docs");
    const idOn = async (machine: string) => {
      const journal = openJournal(join(temporaryFolder(), "journal"));
      const choice = { journal, shelf: { server: "s", pair: 1 }, say: () => {}, machine };
      const chosen = await chooseCollections(choice, [folder]);
      journal.close();
      return (await chosen.identify({ folder, name: "a.md", path: join(folder, "a.md") })).id;
    };
    expect(await idOn("one")).toBe(await idOn("one"));
    expect(await idOn("one")).not.toBe(await idOn("two"));
  });
});

describe("a folder without a repository, on a machine that is there for one run", () => {
  it.each([true, false])("is said to need a name of its own: %s", async (isPassing) => {
    const { chooseCollections } = await import("./collections.ts");
    const { openJournal } = await import("./journal.ts");
    write("docs/a.md", "a");
    const said: string[] = [];
    const journal = openJournal(join(temporaryFolder(), "journal"));
    const choice = { journal, shelf: { server: "s", pair: 1 }, say: (line: string) => void said.push(line), isPassing };
    await chooseCollections(choice, [join(home, "docs")]);
    await chooseCollections(choice, [join(home, "docs")]);
    journal.close();
    expect(said.filter((line) => line.includes("--collection NAME"))).toHaveLength(isPassing ? 1 : 0);
  });
});

describe("one folder", () => {
  it("is not there twice when a part of it is sent, before or after the whole, or from elsewhere", async () => {
    for (const name of ["md/1.md", "md/9/x.md", "md/9/y.md", "other/9/x.md"]) write(name, `# ${name}\n\ntext\n`);
    expect((await ingest("md")).stderr).toContain("3 added.");
    expect((await ingest("md/9")).stderr).toContain("2 unchanged.");
    const there = await runHere(["ingest", "--pair", "1", "x.md", "../1.md"], { home, folder: join(home, "md/9") });
    expect(there.stderr).toContain("2 unchanged.");
    expect((await ingest("other/9")).stderr).toContain("1 added.");
    expect((await ingest("other")).stderr).toContain("1 unchanged.");
    expect(await documents()).toEqual(["md/1.md", "md/9/x.md", "md/9/y.md", "other/9/x.md"]);
  });

  it("is what its repository is: one collection for every clone, whatever lies in the address", async () => {
    const remotes = ["https://ada:tl_secret@git.example.com/team/book.git", "git@git.example.com:team/book.git"];
    for (const [at, url] of remotes.entries()) {
      write(`clone-${at}/.git/config`, `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`);
      write(`clone-${at}/docs/a.md`, "# A\n\ntext\n");
    }
    const first = await ingest("clone-0/docs");
    expect(first.stderr).toContain(`collection git.example.com/team/book (${join(home, "clone-0")})`);
    expect(first.stderr + readFileSync(serving.files.journal, "utf8")).not.toContain("tl_secret");
    const second = await ingest("clone-1");
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining("--take-over") });
    renameSync(join(home, "clone-0"), join(home, ".gone"));
    const moved = await ingest("clone-1");
    expect(moved.stderr).toContain(`lies in ${join(home, "clone-1")} from now on`);
    expect(moved.stderr).toContain("1 unchanged.");
  });

  it("is not replaced by another repository that lies where it lay", async () => {
    const remote = (name: string) => `[remote "origin"]\n\turl = git@git.example.com:team/${name}.git\n`;
    write("work/.git/config", remote("book"));
    write("work/readme.md", "# Book\n\ntext\n");
    await ingest("work");
    write("work/.git/config", remote("pay"));
    write("work/readme.md", "# Pay\n\ntext\n");
    const refused = await ingest("work");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is git.example.com/team/pay now") });
    expect(await documents()).toEqual(["Book"]);
    expect((await ingest("--collection", "pay", "work")).stderr).toContain("1 added.");
    expect((await ingest("work")).stderr).toContain("1 unchanged.");
    expect(await documents()).toEqual(expect.arrayContaining(["Book", "Pay"]));
  });

  it("goes on where its repository was renamed, once that is said", async () => {
    write("work/.git/config", '[remote "origin"]\n\turl = git@git.example.com:team/book.git\n');
    write("work/readme.md", "# Book\n\ntext\n");
    await ingest("work");
    write("work/.git/config", '[remote "origin"]\n\turl = git@git.example.com:team/handbook.git\n');
    expect((await ingest("--take-over", "work")).stderr).toContain("1 unchanged.");
    expect((await ingest("work")).stderr).toContain("1 unchanged.");
  });

  it("keeps the name it was given", async () => {
    write("docs/a.md", "# A\n\ntext\n");
    expect((await ingest("--collection", "handbook", "docs")).stderr).toContain("; collection handbook (");
    expect((await ingest("docs")).stderr).toMatch(/; collection handbook \(.*\)\n1 unchanged\./);
    expect(await ingest("--collection", " ", "docs")).toMatchObject({ code: 2 });
  });
});

describe("a name that belongs to another folder", () => {
  it("is refused before anything is sent, and taken over only when that is said", async () => {
    write("a/index.md", "# First\n\ntext\n");
    write("b/index.md", "# Second\n\ntext\n");
    await ingest("--collection", "docs", "a");
    const refused = await ingest("--collection", "docs", "b");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(`the ids of collection docs belong to ${join(home, "a")}`);
    expect(refused.stderr).toContain("--collection NAME");
    expect(await documents()).toEqual(["First"]);
    expect((await ingest("--collection", "docs", "--take-over", "b")).stderr).toContain("1 updated.");
    expect(await documents()).toEqual(["Second"]);
  });
});

describe("what an earlier version sent", () => {
  it("goes on under its ids: nothing is there twice, nothing is lost", async () => {
    for (const name of ["a.md", "b.md", "sub/c.md"]) write(`docs/${name}`, `# ${name}\n\ntext\n`);
    for (const name of ["a.md", "b.md", "sub/c.md"]) await sentByEarlierVersion("docs", name);
    write("docs/a.md", "# a.md\n\nanother text\n");
    write("docs/d.md", "# d.md\n\nnew\n");
    const first = await ingest("docs");
    expect(first.stderr).toContain("An earlier version sent documents here");
    expect(first.stderr).toContain("1 added, 3 updated.");
    expect(await documents()).toEqual(["a.md", "b.md", "d.md", "sub/c.md"]);
    expect((await ingest("docs")).stderr).toMatch(/\n4 unchanged\.\n4 documents, .*\n$/);
    expect((await ingest("docs/sub")).stderr).toContain("1 unchanged.");
    expect(await documents()).toHaveLength(4);
  });

  it("goes on also where the folder lies in a repository, whose paths are longer", async () => {
    write("repo/.git/config", "");
    write("repo/docs/a.md", "# a.md\n\ntext\n");
    await sentByEarlierVersion("repo/docs", "a.md");
    expect((await ingest("repo/docs")).stderr).toContain("1 updated.");
    expect((await ingest("repo")).stderr).toContain("1 unchanged.");
    expect(await documents()).toEqual(["a.md"]);
  });

  it("is not replaced by another folder's files of the same names", async () => {
    write("old/index.md", "# Old\n\ntext\n");
    await sentByEarlierVersion("old", "index.md");
    write("new/index.md", "# New\n\ntext\n");
    const unclear = await ingest("new");
    expect(unclear).toMatchObject({ code: 2 });
    expect(unclear.stderr).toContain("did not note from which folder");
    expect(await documents()).toEqual(["Old"]);
    expect((await ingest("--collection", "new", "new")).stderr).toContain("1 added.");
    expect((await ingest("old")).stderr).toContain("1 updated.");
    expect((await ingest("new")).stderr).toContain("1 unchanged.");
    expect(await documents()).toEqual(["New", "Old"]);
  });

  it("is updated with --take-over where every file has changed since", async () => {
    write("docs/a.md", "# Before\n\ntext\n");
    await sentByEarlierVersion("docs", "a.md");
    write("docs/a.md", "# After\n\ntext\n");
    expect(await ingest("docs")).toMatchObject({ code: 2 });
    expect((await ingest("--take-over", "docs")).stderr).toContain("1 updated.");
    expect((await ingest("docs")).stderr).toContain("1 unchanged.");
    expect(await documents()).toEqual(["After"]);
  });

  it("leaves no trace of a dry run", async () => {
    write("docs/a.md", "# A\n\ntext\n");
    const { code, stdout } = await ingest("--dry-run", "docs");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "add a.md\n" });
    expect(readFileSync(serving.files.journal, "utf8")).toBe("");
  });
});

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../shared-folder.ts";
import { committedFiles } from "./workspace.ts";

/** A test a document points at: a link to its file whose text is its title in backticks. */
interface Citation {
  document: string;
  file: string;
  title: string;
}

function citedTests(document: string): Citation[] {
  const text = readFileSync(join(repositoryRoot, document), "utf8");
  return [...text.matchAll(/\[`([^`]+)`\]\(([^)]+\.(?:test|long)\.tsx?)\)/g)].map(([, title = "", target = ""]) => ({
    document,
    file: join(dirname(document), target),
    title: title.replaceAll("\\|", "|"),
  }));
}

const cited = committedFiles()
  .filter((path) => path.endsWith(".md"))
  .flatMap(citedTests);

/** What can go wrong with a deployed server, whichever front end meets it. */
const FAULTS = [
  /^ wrong address, nothing/,
  /^ wrong address, a website/,
  /^ address without `\/api`/,
  /^ wrong key /,
  /^ wrong key where everybody is let in/,
  /^ key of another account/,
  /^ key revoked while answering/,
  /^ key of narrow scope/,
  /^ server restarts before the first packet/,
  /^ server restarts .*in the text/,
  /^ server restarts after the last packet/,
  /^ connection cut, the server writes on/,
  /^ run finished while we were away/,
  /^ conversation deleted or unknown/,
  /^ 429 with the time of reset/,
  /^ 429 without a time/,
  /^ 500 on everything/,
  /^ model fails before the stream/,
  /^ model fails .*in /,
  /^ long silence/,
  /^ embedder away during ingestion/,
  /^ a document that never appears/,
];

describe("tests that documents point at", () => {
  it("are pointed at: the tables of the interface and of the faults each name theirs", () => {
    expect(cited.filter(({ document }) => document === "docs/faults.md").length).toBeGreaterThan(60);
    expect(cited.filter(({ document }) => document === "docs/defended.md").length).toBeGreaterThan(100);
    expect(cited.filter(({ document }) => document === "packages/service/README.md").length).toBeGreaterThan(40);
  });

  it("stand for every fault of a deployed server, in the terminal, the bot and the extension", () => {
    const parts = readFileSync(join(repositoryRoot, "docs/deployed-servers.md"), "utf8").split(/^## /m);
    const tables = parts.filter((part) => part.includes("| what goes wrong"));
    expect(tables.map((part) => part.slice(0, part.indexOf("\n")))).toEqual([
      "In the terminal",
      "In the chat bot",
      "In the browser extension",
    ]);
    for (const table of tables) {
      const rows = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| what goes wrong"));
      const faults = rows.filter((row) => !row.startsWith("| ---"));
      for (const row of faults) expect(row).toMatch(/\]\([^)]+\.test\.tsx?\)/);
      for (const fault of FAULTS)
        expect(faults.map((row) => row.split("|")[1])).toContainEqual(expect.stringMatching(fault));
    }
  });

  it("exist under the title the document gives", () => {
    const missing = cited.filter(
      ({ file, title }) =>
        !existsSync(join(repositoryRoot, file)) ||
        !readFileSync(join(repositoryRoot, file), "utf8")
          .replaceAll(/\\(["'`])/g, "$1")
          .includes(title),
    );
    expect(missing).toEqual([]);
  });
});

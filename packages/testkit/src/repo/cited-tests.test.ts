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

describe("tests that documents point at", () => {
  it("are pointed at: the tables of the interface and of the faults each name theirs", () => {
    expect(cited.filter(({ document }) => document === "SECURITY.md").length).toBeGreaterThan(20);
    expect(cited.filter(({ document }) => document === "packages/service/README.md").length).toBeGreaterThan(40);
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

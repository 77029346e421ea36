import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../shared-folder.ts";
import { committedFiles } from "./workspace.ts";

const FACTS = ["docs/threats.md", "docs/wire.md", "docs/slack.md"];

/** What a list of anchors looks like after a document's name: "T3, T4", "sections 1.1 to 1.4", "table 3A". */
const ANCHORS =
  /^,\s+((?:T\d+|(?:sections?|table|fact)\s+\d+(?:\.\d+)?[A-E]?)(?:(?:,| and| to|, and)\s+(?:T?\d+(?:\.\d+)?[A-E]?)(?![\w]))*)/;

/** Comments' marks taken out, so that a reference broken over two lines reads as one. */
function plain(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8").replaceAll(/\n\s*(?:\*|\/\/)? ?/g, " ");
}

/** "sections 1.3, 1.4" as "section 1.3" and "section 1.4"; "T3, T4" as it is. */
function anchorsIn(list: string): string[] {
  const kind = /^(section|table|fact)/.exec(list)?.[1];
  return [...list.matchAll(/T?\d+(?:\.\d+)?[A-E]?/g)].map(([anchor]) =>
    kind === undefined ? anchor : `${kind} ${anchor}`,
  );
}

/** What a document can be cited by: its numbered headings and tables, and the first cell of each row. */
function anchorsOf(document: string): Set<string> {
  const text = readFileSync(join(repositoryRoot, document), "utf8");
  const headings = [...text.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => `section ${number}`);
  const tables = [...text.matchAll(/^#+ Table (\d[A-E])/gm)].map(([, number]) => `table ${number}`);
  const rows = [...text.matchAll(/^\| (T\d+|fact \d+) +\|/gm)].map(([, row]) => row ?? "");
  return new Set([...headings, ...tables, ...rows]);
}

interface Reference {
  readonly path: string;
  readonly document: string;
  readonly anchor: string;
}

function referencesIn(path: string): Reference[] {
  const text = plain(path);
  return [...text.matchAll(/docs\/(?:threats|wire|slack)\.md(?=,\s)/g)].flatMap(({ 0: document, index }) => {
    const list = ANCHORS.exec(text.slice(index + document.length))?.[1];
    const anchors = list === undefined ? [text.slice(index, index + 60)] : anchorsIn(list);
    return anchors.map((anchor) => ({ path, document, anchor }));
  });
}

const files = committedFiles().filter(
  (path) =>
    /\.(?:tsx?|mjs|md)$/.test(path) && !path.endsWith("references.test.ts") && existsSync(join(repositoryRoot, path)),
);

describe("facts that comments cite", () => {
  it("stand in a document of the repository, under the number that is cited", () => {
    const known = new Map(FACTS.map((document) => [document, anchorsOf(document)]));
    const references = files.flatMap(referencesIn);
    expect(new Set(references.map(({ document }) => document))).toEqual(new Set(FACTS));
    expect(references.length).toBeGreaterThan(80);
    expect(references.filter(({ document, anchor }) => known.get(document)?.has(anchor) !== true)).toEqual([]);
  });

  it("name files of tests that exist", () => {
    const named = FACTS.flatMap((document) =>
      [...readFileSync(join(repositoryRoot, document), "utf8").matchAll(/\]\(([^)]+\.tsx?)\)/g)].map(
        ([, target = ""]) => join(repositoryRoot, "docs", target),
      ),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it("are cited from no paper that is not in the repository", () => {
    const papers = /facts: (?:security|wire|slack|performance|extension)\b/;
    expect(files.filter((path) => papers.test(plain(path)))).toEqual([]);
  });
});

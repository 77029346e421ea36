import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "@threadlore/testkit";

/** A test that a document names. */
export interface NamedTest {
  readonly title: string;
  /** Path from the root of the repository. */
  readonly file: string;
}

/** A file of the repository, by its path from the root. */
export const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");

/** The tests that a part of a document names: links whose words are a title in backticks. */
export function testsIn(part: string, document: string): NamedTest[] {
  return Array.from(part.matchAll(/\[`([^`]+)`\]\(([^)]+)\)/g), ([, title = "", file = ""]) => ({
    title: title.replaceAll("\\|", "|"),
    file: join(dirname(document), file),
  }));
}

/** Whether its file has a test, or a row of tests, that begins with this title. */
export function isThere({ title, file }: NamedTest): boolean {
  const source = read(file).replaceAll(/\\(["'`])/g, "$1");
  return [`it("${title}`, `it('${title}`, `"${title}"`].some((words) => source.includes(words));
}

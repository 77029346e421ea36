import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "@threadlore/testkit";
import { expect, it } from "vitest";

/** Cells of the rows of figures in a text. */
function rows(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| **"))
    .map((line) => line.replaceAll(/\s+/g, " "));
}

it("docs/capacity.md has the figures of the bench as they are", () => {
  const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
  const figures =
    /<!-- capacity: written[\s\S]*?<!-- capacity: end -->/.exec(read("packages/bench/FIGURES.md"))?.[0] ?? "";
  const own = rows(read("docs/capacity.md"));
  expect(own.length).toBeGreaterThan(4);
  expect(own).toEqual(rows(figures));
});

import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { repositoryRoot } from "../shared-folder.ts";

/** The folder of the chart. */
export const CHART = join(repositoryRoot, "deploy/helm/threadlore");

/** Values it is rendered with in tests, by name; each has its rendering beside it in `rendered`. */
export const VALUES: readonly string[] = globSync("values/*.yaml", { cwd: import.meta.dirname })
  .map((path) => basename(path, ".yaml"))
  .toSorted();

/** The file of these values. */
export const valuesFile = (name: string): string => join(import.meta.dirname, "values", `${name}.yaml`);

/** The file of what the chart gives with them. */
export const renderedFile = (name: string): string => join(import.meta.dirname, "rendered", `${name}.yaml`);

/** The first line of a rendering: what it was made from. Another one means that it has to be made anew. */
export function madeFrom(name: string): string {
  const hash = createHash("sha256");
  const files = globSync(["Chart.yaml", "values.yaml", "templates/*"], { cwd: CHART }).toSorted();
  for (const file of files) hash.update(file).update(readFileSync(join(CHART, file)));
  return `# Of the chart and ${name}.yaml, ${hash.update(readFileSync(valuesFile(name))).digest("hex")}\n`;
}

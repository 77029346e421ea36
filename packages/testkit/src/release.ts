/**
 * Makes a release of what lies in `.changeset/`: raises the versions of all packages together and writes what the
 * changes tell users into CHANGELOG.md. Commits and publishes nothing. Ends with status 1 where there is no change.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isChange, sentencesOf, withRelease } from "./checks/changelog.ts";
import { readManifest } from "./repo/workspace.ts";
import { repositoryRoot } from "./shared-folder.ts";

const files = globSync(".changeset/*.md", { cwd: repositoryRoot }).filter(isChange).toSorted();
if (files.length === 0) {
  console.error("Nothing to release: `npx -y pnpm@12 change` writes down a change first.");
  process.exitCode = 1;
} else {
  const changes = files.map((file) => sentencesOf(readFileSync(join(repositoryRoot, file), "utf8")));
  // Fetched when it is needed, so that nobody installs it who makes no release.
  const raise = ["-y", "pnpm@12", "dlx", "@changesets/cli@3.0.3", "version"];
  execFileSync("npx", raise, { cwd: repositoryRoot, stdio: "inherit", shell: process.platform === "win32" });
  const { version = "" } = readManifest(join(repositoryRoot, "packages/client/package.json"));
  const path = join(repositoryRoot, "CHANGELOG.md");
  const told = changes.filter((change) => change !== "");
  writeFileSync(path, withRelease(readFileSync(path, "utf8"), version, new Date().toISOString().slice(0, 10), told));
  console.log(`${version} is ready to be looked at and committed.`);
}

import { basename } from "node:path";

/** Whether a markdown file of `.changeset/` is a change, and not what explains the folder. */
export function isChange(path: string): boolean {
  return basename(path).toLowerCase() !== "readme.md";
}

/** What a file of `.changeset/` tells users: its text, without the packages it names. */
export function sentencesOf(change: string): string {
  return change.replace(/^---\r?\n(?:[\s\S]*?\r?\n)?---\r?\n/, "").trim();
}

/** The changelog with a release on top. `date` is a day, such as 2026-11-23. Throws where there is no title to stand under. */
export function withRelease(changelog: string, version: string, date: string, changes: readonly string[]): string {
  const title = "# Changelog\n\n";
  if (!changelog.startsWith(title)) throw new Error(`CHANGELOG.md does not begin with "${title.trim()}"`);
  const points = changes.map((change) => `- ${change.replaceAll(/\n(?=.)/g, "\n  ")}`);
  return `${title}## ${version} (${date})\n\n${points.join("\n")}\n\n${changelog.slice(title.length)}`;
}

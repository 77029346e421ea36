/** Commands of a page that belong together: what stands under one heading. */
export interface PageSection {
  /** Such as `2. Images`. */
  readonly heading: string;
  /** What a shell is given, as it stands on the page. */
  readonly commands: string;
}

/** The commands of a page that are meant to be run: its fences `sh run`, by the heading they stand under. */
export function runnableSections(markdown: string): PageSection[] {
  const sections = new Map<string, string>();
  let heading = "";
  for (const match of markdown.matchAll(/^## (.*)$|^(`{3,})([^\n`]*)\n([\s\S]*?)^\2[ \t]*$/gm)) {
    const [, title, , info = "", code = ""] = match;
    if (title !== undefined) heading = title.trim();
    else if (info.trim() === "sh run") sections.set(heading, (sections.get(heading) ?? "") + code);
  }
  return [...sections].map(([title, commands]) => ({ heading: title, commands }));
}

/** What each section begins with in what a script of {@link timedScript} tells on descriptor 3. */
const BEGINS = "begins";

/**
 * A script of bash that runs sections one after the other, in one shell as a person would, ends with the first command that
 * fails, and tells on descriptor 3 when each began, and last when all was over.
 */
export function timedScript(sections: readonly PageSection[]): string {
  const mark = (what: string): string =>
    `printf '${BEGINS} %s %s\\n' "$(date +%s%3N)" '${what.replaceAll("'", "")}' >&3`;
  const parts = sections.map(({ heading, commands }) => `${mark(heading)}\n${commands}`);
  return ["set -euo pipefail", ...parts, mark(""), ""].join("\n");
}

/** How long each section took, milliseconds, from what the script told. */
export function timesOf(told: string): Map<string, number> {
  const marks = told
    .split("\n")
    .filter((line) => line.startsWith(`${BEGINS} `))
    .map((line) => /^\S+ (\d+) (.*)$/.exec(line))
    .filter((found) => found !== null)
    .map(([, at, heading = ""]) => ({ at: Number(at), heading }));
  const times = new Map<string, number>();
  for (const [index, { at, heading }] of marks.entries()) {
    const next = marks[index + 1];
    if (next !== undefined) times.set(heading, next.at - at);
  }
  return times;
}

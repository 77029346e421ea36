import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ExportKind } from "./export-kinds.ts";

/** Names of an archive that are looked at. */
const MAX_NAMES = 5_000;

const WORDS: Readonly<Record<ExportKind, string>> = {
  slack: "looks like an export of Slack: --export slack makes a document of each of its threads and days",
  confluence:
    "looks like an export of a Confluence space: --export confluence takes its pages by their titles and numbers, without what the export puts around them",
  notion: "looks like an export of Notion: --export notion takes its pages by their titles and ids, links and all",
};

/**
 * What there is to say of a folder or ZIP file that was named as if it were any other, and is an export; undefined: it does
 * not look like one. Nothing of it is read but names. Never throws.
 */
export async function exportHint(path: string, name: string): Promise<string | undefined> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    if (!isFolder && !/\.zip$/i.test(path)) return undefined;
    const names = isFolder
      ? await namesIn(path)
      : await (await import("./files/zip-files.ts")).zipNames(path, MAX_NAMES);
    const kind = names && kindOf(names);
    return kind && `${name} ${WORDS[kind]}.`;
  } catch {
    return undefined;
  }
}

/** Those in a folder, or in the one folder that is all it holds. */
async function namesIn(path: string): Promise<string[]> {
  const entries = (await readdir(path, { withFileTypes: true })).filter((entry) => !entry.name.startsWith("."));
  const [only] = entries;
  if (entries.length === 1 && only?.isDirectory() === true) return await readdir(join(path, only.name));
  return entries.map((entry) => entry.name);
}

function kindOf(paths: readonly string[]): ExportKind | undefined {
  const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
  if (has(/(?:^|\/)channels\.json$/) && has(/(?:^|\/)(?:org_)?users\.json$/)) return "slack";
  if (has(/(?:^|\/)index\.html$/) && has(/(?:^|[_/])\d{4,}\.html$/)) return "confluence";
  if (has(/(?:^|\/)exportDescriptor\.properties$/)) return "confluence";
  if (has(/[0-9a-f]{32}(?:_all)?\.(?:md|csv|html)$/) || has(/ExportBlock-[^/]*\.zip$/)) return "notion";
  return undefined;
}

import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMissing } from "../../unreadable.ts";

/** What a page was when it was taken last. */
export interface KnownPage {
  /** Its address in the sitemap. */
  readonly url: string;
  /** The one it was found at in the end. Absent: that one, or an earlier version kept it. */
  readonly foundAt?: string | undefined;
  /** Id of its document, and hash of what was made of it. */
  readonly id: string;
  readonly hash: string;
  /** As the site said them: what it is asked with the next time. */
  readonly etag?: string | undefined;
  readonly changed?: string | undefined;
  /** As the sitemap said it. */
  readonly lastmod?: string | undefined;
  /** When the site was asked last, ISO 8601. */
  readonly at: string;
}

/** What is known of a site's pages, from one run to the next. Losing it costs requests, nothing else. */
export interface PageMemory {
  of(url: string): KnownPage | undefined;
  keep(page: KnownPage): void;
}

/** Where such a memory lies. */
export interface MemoryPlace {
  readonly folder: string;
  /** False: what is kept is known until the run ends, and never written. */
  readonly keep: boolean;
}

/** Pages of one site that are kept in mind. */
const MAX_KNOWN = 100_000;

/** Opens what is known of the site at an origin: a file of its own that grows by a line for each page. */
export function openPageMemory({ folder, keep }: MemoryPlace, origin: string): PageMemory {
  const name = createHash("sha256").update(origin).digest("hex").slice(0, 32);
  const path = join(folder, `${name}.jsonl`);
  const known = new Map<string, KnownPage>();
  const text = textOf(path);
  const lines = text.split("\n").filter((line) => line !== "");
  for (const line of lines) remember(known, line);
  if (keep) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A line that was cut short would spoil the next one; and a file in which most lines were overtaken grows with every run.
  const isWhole = text === "" || text.endsWith("\n");
  if (keep && (!isWhole || lines.length > 2 * known.size + 100)) {
    const draft = `${path}.${process.pid}.draft`;
    writeFileSync(draft, [...known.values()].map((page) => `${JSON.stringify(page)}\n`).join(""), { mode: 0o600 });
    renameSync(draft, path);
  }
  return {
    of: (url) => known.get(url),
    keep: (page) => {
      if (known.size >= MAX_KNOWN && !known.has(page.url)) return;
      known.set(page.url, page);
      if (keep) appendFileSync(path, `${JSON.stringify(page)}\n`, { mode: 0o600 });
    },
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

function remember(known: Map<string, KnownPage>, line: string): void {
  try {
    const page = JSON.parse(line) as KnownPage;
    const isWhole = [page.url, page.id, page.hash, page.at].every((field) => typeof field === "string");
    if (isWhole && (known.size < MAX_KNOWN || known.has(page.url))) known.set(page.url, page);
  } catch {
    // A damaged line costs one page one more request.
  }
}

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { seededRandom } from "@threadlore/testkit";
import { shuffled } from "../measure.ts";
import { withFolder } from "../with-folder.ts";
import type { Document } from "./collection.ts";
import { folded } from "./gold.ts";
import { type Paragraph, proseOf } from "./paragraphs.ts";

/** Debian's packages of manuals and guides that people wrote for people, none of them about a company's own affairs. */
const PACKAGES = [
  "debian-handbook",
  "installation-guide-amd64",
  "developers-reference",
  "debian-reference-en",
  "debian-policy",
  "gnome-user-docs",
  "libreoffice-help-en-us",
  "apache2-doc",
  "postgresql-doc-15",
  "python-django-doc",
  "python3.11-doc",
  "git-doc",
  "sqlite3-doc",
  "rust-doc",
  "lilypond-doc-html",
  "octave-doc",
  "exim4-doc-html",
  "shorewall-doc",
  "aptitude-doc-en",
  "linux-doc-6.1",
];

/** Where paragraphs are kept from one run to the next, a file for each package. */
function cacheFolder({ XDG_CACHE_HOME }: NodeJS.ProcessEnv): string {
  return join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "threadlore-bench/prose");
}

/**
 * As many distinct paragraphs of English prose as wanted, each a document, always in the same order; fewer where there
 * are not so many. They come from packages of Debian, which are fetched once with `apt-get download`; where that cannot
 * be done, it is said aloud. Packages move with Debian's mirrors, so another day's paragraphs may differ a little.
 */
export async function realProse(wanted: number): Promise<Document[]> {
  if (wanted === 0) return [];
  const all = await allProse();
  if (all.length < wanted) {
    console.error(`Of ${wanted} passages of other prose there are ${all.length}: the rest is not measured.`);
  }
  return all.slice(0, wanted);
}

/** All there is of it, in an order that is always the same. */
export async function allProse(): Promise<Document[]> {
  const folder = cacheFolder(process.env);
  mkdirSync(folder, { recursive: true });
  const distinct = new Map<string, Paragraph>();
  for (const name of PACKAGES) {
    const kept = join(folder, `${name}.json`);
    if (!existsSync(kept)) await fetchProse(name, kept);
    if (!existsSync(kept)) continue;
    for (const paragraph of JSON.parse(readFileSync(kept, "utf8")) as Paragraph[]) {
      const key = folded(paragraph.text);
      if (!distinct.has(key)) distinct.set(key, paragraph);
    }
  }
  return shuffled([...distinct.values()], seededRandom(50)).map(({ title, text }, index) => ({
    id: `prose-${index}`,
    title: title || "Notes",
    text,
  }));
}

async function fetchProse(name: string, kept: string): Promise<void> {
  const run = promisify(execFile);
  await withFolder(async (folder) => {
    try {
      console.error(`… fetching ${name} of Debian`);
      await run("apt-get", ["download", "-q", name], { cwd: folder });
      const [file = ""] = readdirSync(folder);
      await run("dpkg", ["-x", file, "unpacked"], { cwd: folder });
    } catch (error) {
      const reason = error instanceof Error ? error.message.trim().split("\n").at(-1) : "unknown";
      console.error(`skipped: ${name} of Debian cannot be fetched (${reason}); its prose is left out.`);
      return;
    }
    writeFileSync(kept, JSON.stringify(proseIn(join(folder, "unpacked"))));
  });
}

/** Pages of manuals in English, where their names or folders say the language. */
const PAGES = /\.(?:x?html?|page)(?:\.en)?(?:\.gz)?$/;
const OF_ANOTHER_LANGUAGE = /\/(?!en-)[a-z]{2}-[A-Z]{2}\//;

function proseIn(folder: string): Paragraph[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && PAGES.test(entry.name),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return paths.flatMap((path) => {
    if (OF_ANOTHER_LANGUAGE.test(path)) return [];
    const bytes = readFileSync(path);
    return proseOf((path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString());
  });
}

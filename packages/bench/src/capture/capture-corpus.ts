import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** A page of the corpus, and what a person found to be its content. */
export interface CorpusPage {
  readonly id: string;
  readonly url: string;
  /** One of seven: article, collection, documentation, forum, listing, product, service. */
  readonly kind: string;
  readonly html: string;
  readonly content: string;
  /** Snippets that belong to the content. */
  readonly with: readonly string[];
  /** Snippets that do not. */
  readonly without: readonly string[];
  /** Nothing was learnt from it. */
  readonly heldBack: boolean;
}

/** Reads the archive of pages. Needs `tar` with xz. */
export function readCorpus(archive: string): CorpusPage[] {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-corpus-"));
  try {
    execFileSync("tar", ["xf", archive, "-C", folder]);
    const root = join(folder, "wcxb-dev");
    return readdirSync(join(root, "html"))
      .toSorted()
      .map((file) => readPage(root, file.replace(/\.html$/, "")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Reference {
  url: string;
  type: string;
  main_content: string;
  with?: string[];
  without?: string[];
}

function readPage(root: string, id: string): CorpusPage {
  const reference = JSON.parse(readFileSync(join(root, "ground-truth", `${id}.json`), "utf8")) as Reference;
  return {
    id,
    url: reference.url,
    kind: reference.type,
    html: decoded(readFileSync(join(root, "html", `${id}.html`))),
    content: reference.main_content,
    with: reference.with ?? [],
    without: reference.without ?? [],
    // The same third that the learner of packages/documents leaves alone.
    heldBack: crc32(id) % 3 === 0,
  };
}

/** Text of a page in the encoding it declares. */
function decoded(bytes: Buffer): string {
  const charset = /charset=["']?([\w-]+)/i.exec(bytes.subarray(0, 4_096).toString("latin1"))?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** A page of about so many bytes: as many headings and paragraphs as that takes. */
export function hugePage(bytes: number): CorpusPage {
  const bed =
    "<section><h2>Bed</h2><p>The committee measured every bed for six weeks, and found that two deep waterings a week gave a third more pods than a daily sprinkle did.</p></section>";
  return {
    id: "huge",
    url: "https://allotment.example/beds",
    kind: "article",
    html: `<!doctype html><title>Every bed</title><main>${bed.repeat(Math.ceil(bytes / bed.length))}</main>`,
    content: "",
    with: [],
    without: [],
    heldBack: false,
  };
}

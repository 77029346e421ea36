import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { withFolder } from "../with-folder.ts";

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
export function readCorpus(archive: string): Promise<CorpusPage[]> {
  return withFolder((folder) => {
    execFileSync("tar", ["xf", archive, "-C", folder]);
    const root = join(folder, "wcxb-dev");
    const files = readdirSync(join(root, "html")).toSorted();
    return files.map((file) => readPage(root, file.replace(/\.html$/, "")));
  });
}

type Reference = Pick<CorpusPage, "url"> &
  Partial<Pick<CorpusPage, "with" | "without">> & { readonly type: string; readonly main_content: string };

function readPage(root: string, id: string): CorpusPage {
  const reference = JSON.parse(readFileSync(join(root, "ground-truth", `${id}.json`), "utf8")) as Reference;
  const { url, type: kind, main_content: content, with: wanted = [], without = [] } = reference;
  const html = decoded(readFileSync(join(root, "html", `${id}.html`)));
  // The same third that the learner of packages/documents leaves alone.
  return { id, url, kind, html, content, with: wanted, without, heldBack: crc32(id) % 3 === 0 };
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

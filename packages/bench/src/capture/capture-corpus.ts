import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { withFolder } from "../with-folder.ts";

/** A page of the corpus, and what a person found to be its content. */
export interface CorpusPage {
  readonly id: string;
  /** What the set it is from is called. */
  readonly set: string;
  readonly url: string;
  /** One of seven (article, collection, documentation, forum, listing, product, service), or news. */
  readonly kind: string;
  readonly html: string;
  /** Undefined: only snippets of it are known. */
  readonly content: string | undefined;
  /** Snippets that belong to the content. */
  readonly with: readonly string[];
  /** Snippets that do not. */
  readonly without: readonly string[];
  /** Nothing was learnt from it. */
  readonly heldBack: boolean;
}

/** The archives of pages, and what each is called in tables. */
export const SETS: Readonly<Record<string, string>> = {
  "wcxb-dev": "seven kinds",
  "wcxb-dev-2": "seven kinds, other pages",
  "news-dev": "news and blogs",
};

/** Reads an archive of pages of that name. Needs `tar` with xz. */
export function readCorpus(archive: string, name: string): Promise<CorpusPage[]> {
  return withFolder((folder) => {
    execFileSync("tar", ["xf", archive, "-C", folder]);
    const root = join(folder, name);
    const set = SETS[name] ?? name;
    if (existsSync(join(root, "evaldata.json"))) return newsPages(root, set);
    const files = readdirSync(join(root, "html")).toSorted();
    return files.map((file) => readPage(root, file.replace(/\.html$/, ""), set));
  });
}

/** Of these only strings are known: such as must be there, and such as must not. */
function newsPages(root: string, set: string): CorpusPage[] {
  const pages = JSON.parse(readFileSync(join(root, "evaldata.json"), "utf8")) as Readonly<
    Record<string, { file: string; with: string[]; without: string[] }>
  >;
  return Object.entries(pages).map(([url, { file: id, ...known }]) => {
    const html = decoded(readFileSync(join(root, "html", id)));
    return { id, set, url, kind: "news", html, content: undefined, ...known, heldBack: isHeldBack(id) };
  });
}

/** The corpus does not know everything of every page. */
interface Reference extends Partial<Pick<CorpusPage, "with" | "without">> {
  readonly url: string | null;
  readonly type: string;
  readonly main_content: string | null;
}

/** Of a page whose address is not known. */
const NO_ADDRESS = "https://page.example/";

function readPage(root: string, id: string, set: string): CorpusPage {
  const reference = JSON.parse(readFileSync(join(root, "ground-truth", `${id}.json`), "utf8")) as Reference;
  const { type: kind, with: wanted = [], without = [] } = reference;
  const html = decoded(readFileSync(join(root, "html", `${id}.html`)));
  const [url, content] = [reference.url ?? NO_ADDRESS, reference.main_content ?? undefined];
  return { id, set, url, kind, html, content, with: wanted, without, heldBack: isHeldBack(id) };
}

/** The same third that the learner of packages/documents leaves alone. */
const isHeldBack = (id: string): boolean => crc32(id) % 3 === 0;

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
    set: "large",
    url: "https://allotment.example/beds",
    kind: "article",
    html: `<!doctype html><title>Every bed</title><main>${bed.repeat(Math.ceil(bytes / bed.length))}</main>`,
    content: "",
    with: [],
    without: [],
    heldBack: false,
  };
}

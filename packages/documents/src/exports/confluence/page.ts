import { type Handler, Parser } from "htmlparser2";
import { oneLine } from "@threadlore/files";
import { escapedHtml, HtmlPieces, linkEnd, localReference } from "../html-pieces.ts";
import { exportedDate } from "./exported-date.ts";

/** A page of a space as its HTML export has it. */
export interface ConfluencePage {
  /** Without the space's name. */
  readonly title: string;
  /** The space, and the pages above this one. */
  readonly breadcrumbs: readonly string[];
  /** Who began it. */
  readonly author: string | undefined;
  /** Who changed it last. */
  readonly editor: string | undefined;
  /** When it was changed last, `2026-05-01`; undefined: it is not told in a language that is known. */
  readonly changed: string | undefined;
  /** What people wrote: the page's content and its remarks, as HTML of its own. */
  readonly html: string;
  /** By the path of an attachment in the export, the name it has in the wiki. */
  readonly attachments: ReadonlyMap<string, string>;
}

/** Number of a page by the name of its file: `Title_12345.html`, or `12345.html` where the title is in another script. */
export const confluencePageId = (path: string): string | undefined => /(?:^|[_/])(\d+)\.html?$/i.exec(path)?.[1];

/** Address of a page in the wiki, which leads on to the one it has today. */
export const confluencePageLink = (wiki: string, id: string): string => `${wiki}/pages/viewpage.action?pageId=${id}`;

/** How a page is read. */
export interface PageReadingOptions {
  /** Address links between pages lead to. Absent: they are words only. */
  readonly wiki?: string | undefined;
  /** Name of the space, which the page's title begins with. Default: what its breadcrumbs begin with. */
  readonly space?: string | undefined;
}

/**
 * Reads a page of a space's HTML export. What the export adds (navigation, footer, tables of contents) is left out. Never
 * throws. Linear.
 */
export function confluencePage(source: string, options: PageReadingOptions = {}): ConfluencePage {
  const reading = new PageReading(source, options.wiki);
  const parser = new Parser(reading);
  parser.write(source);
  parser.end();
  return reading.result(options.space);
}

/** What a text is gathered of. */
type Fact = "crumb" | "title" | "heading" | "metadata" | "author" | "editor" | "attachment";

const BY_ID = new Map<string, Fact>([
  ["title-text", "heading"],
  ["title-heading", "heading"],
]);
const BY_CLASS = new Map<string, Fact>([
  ["page-metadata", "metadata"],
  ["author", "author"],
  ["editor", "editor"],
]);

/** Of a text, characters that are kept. */
const MAX_FACT = 1_000;
const MAX_DEPTH = 512;

class PageReading implements Partial<Handler> {
  readonly #pieces: HtmlPieces;
  readonly #wiki: string | undefined;
  readonly #texts = new Map<Fact, string>();
  readonly #crumbs: string[] = [];
  readonly #attachments = new Map<string, string>();
  /** Facts that are open, by the depth they were opened at. */
  readonly #open: { readonly fact: Fact; readonly depth: number }[] = [];
  #depth = 0;
  /** Depth of the element that is taken; 0: none. */
  #takenFrom = 0;
  /** Depth of the element within it that is left out; 0: none. */
  #leftFrom = 0;
  #leftAt = 0;
  #crumbsFrom = 0;
  #metadataFrom = 0;
  /** Depth of the last section beneath the page's content. */
  #sectionFrom = 0;
  #headings = 0;
  /** Address of the link that is open in what is taken. */
  #link: string | undefined;
  #file = "";
  #parser: Parser | undefined;

  constructor(source: string, wiki: string | undefined) {
    this.#pieces = new HtmlPieces(source);
    this.#wiki = wiki;
  }

  onparserinit(parser: Parser): void {
    this.#parser = parser;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) return;
    const { id = "", class: classes = "" } = attributes;
    const named = classes.split(/\s+/);
    if (this.#takenFrom > 0) {
      this.#openTaken(name, attributes, named);
      return;
    }
    if (id === "breadcrumbs") this.#crumbsFrom = this.#depth;
    if (this.#crumbsFrom > 0 && name === "li") this.#begin("crumb");
    if (name === "title") this.#begin("title");
    const byId = BY_ID.get(id);
    if (byId !== undefined && !this.#isOpen(byId)) this.#begin(byId);
    if (named.includes("page-metadata") && this.#metadataFrom === 0) this.#metadataFrom = this.#depth;
    for (const one of named) {
      const fact = BY_CLASS.get(one);
      if (fact !== undefined && this.#metadataFrom > 0) this.#begin(fact);
    }
    const file = name === "a" ? localReference(attributes["href"]) : undefined;
    if (file?.startsWith("attachments/") === true) {
      this.#file = file;
      this.#texts.delete("attachment");
      this.#begin("attachment");
    }
    if (named.includes("pageSection")) this.#sectionFrom = this.#depth;
    if (id === "main-content") this.#take(this.#depth, this.#endOfTag());
    // The heading has the name, and what it stands above is in the section around it.
    else if (id === "comments" && this.#sectionFrom > 0) this.#take(this.#sectionFrom, this.#startOfTag());
  }

  ontext(text: string): void {
    for (const { fact } of this.#open) {
      // The date stands behind the names, which may hold anything.
      if (fact === "metadata" && this.#open.length > 1) continue;
      const before = this.#texts.get(fact) ?? "";
      if (before.length < MAX_FACT) this.#texts.set(fact, before + text);
    }
  }

  onclosetag(name: string): void {
    if (this.#takenFrom > 0) this.#closeTaken(name);
    while (this.#open.at(-1)?.depth === this.#depth) this.#settle(this.#open.pop()?.fact);
    if (this.#crumbsFrom === this.#depth) this.#crumbsFrom = 0;
    if (this.#metadataFrom === this.#depth) this.#metadataFrom = -1;
    this.#depth--;
  }

  result(named: string | undefined): ConfluencePage {
    const fact = (name: Fact): string => oneLine((this.#texts.get(name) ?? "").slice(0, MAX_FACT));
    const [space = named ?? ""] = this.#crumbs;
    const whole = fact("heading") || fact("title");
    const title = withoutSpace(whole, space);
    const [author, editor] = [fact("author") || undefined, fact("editor") || undefined];
    const head = `<!doctype html><meta charset="utf-8"><title>${escapedHtml(title)}</title>`;
    const by = author === undefined ? "" : `<meta name="author" content="${escapedHtml(author)}">`;
    const trail = this.#crumbs.length === 0 ? "" : `<p>${escapedHtml(this.#crumbs.join(" › "))}</p>`;
    return {
      title,
      breadcrumbs: this.#crumbs,
      author,
      editor,
      changed: exportedDate(fact("metadata")),
      html: `${head}${by}<body>${trail}${this.#pieces.text()}`,
      attachments: this.#attachments,
    };
  }

  #begin(fact: Fact): void {
    this.#open.push({ fact, depth: this.#depth });
  }

  #isOpen(fact: Fact): boolean {
    return this.#open.some((one) => one.fact === fact);
  }

  #settle(fact: Fact | undefined): void {
    if (fact === undefined) return;
    const text = oneLine(this.#texts.get(fact) ?? "");
    if (fact === "crumb") {
      if (text !== "") this.#crumbs.push(text);
      this.#texts.delete("crumb");
    } else if (fact === "attachment" && text !== "") this.#attachments.set(this.#file, text);
  }

  // What is taken goes on as it stands, but for links between pages and what the export put in.

  #take(depth: number, from: number): void {
    this.#takenFrom = depth;
    this.#pieces.take(from);
  }

  #openTaken(name: string, attributes: Record<string, string>, classes: readonly string[]): void {
    if (this.#leftFrom > 0) return;
    if (classes.includes("toc-macro")) {
      this.#leftFrom = this.#depth;
      this.#leftAt = this.#startOfTag();
      return;
    }
    if (/^h[1-6]$/.test(name)) this.#headings++;
    const id =
      name === "a" && this.#headings === 0 ? confluencePageId(localReference(attributes["href"]) ?? "") : undefined;
    if (id === undefined || this.#wiki === undefined || this.#link !== undefined) return;
    this.#link = confluencePageLink(this.#wiki, id);
    this.#pieces.replace(this.#startOfTag(), this.#endOfTag(), "[");
  }

  #closeTaken(name: string): void {
    if (this.#leftFrom === this.#depth) {
      this.#leftFrom = 0;
      this.#pieces.replace(this.#leftAt, this.#endOfTag(), "");
    } else if (this.#leftFrom === 0) {
      if (/^h[1-6]$/.test(name)) this.#headings = Math.max(0, this.#headings - 1);
      if (name === "a" && this.#link !== undefined) {
        this.#pieces.replace(this.#startOfTag(), this.#endOfTag(), linkEnd(this.#link));
        this.#link = undefined;
      }
    }
    if (this.#takenFrom !== this.#depth) return;
    this.#takenFrom = 0;
    this.#link = undefined;
    this.#pieces.end(this.#startOfTag());
  }

  #startOfTag(): number {
    return this.#parser?.startIndex ?? 0;
  }

  #endOfTag(): number {
    return (this.#parser?.endIndex ?? -1) + 1;
  }
}

/** `Harbour : Tariffs` of the space Harbour is `Tariffs`. */
function withoutSpace(title: string, space: string): string {
  const lead = `${space} : `;
  if (space !== "" && title.startsWith(lead) && title.length > lead.length) return title.slice(lead.length);
  return title;
}

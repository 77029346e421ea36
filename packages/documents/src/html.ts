import { Parser } from "htmlparser2";
import type { Part } from "./sections.ts";
import { HtmlText } from "./html-text.ts";
import { isConcealed, isLeftOut } from "./html-hidden.ts";

/** What an HTML file says about itself, and what stands under each of its headings. */
export interface HtmlParts {
  readonly parts: Part[];
  /** `<title>`, else the first `<h1>`. */
  readonly title?: string;
  /** `<html lang>`. */
  readonly language?: string;
  /** `<meta>` elements by their `name` or `property`, in lower case; the first of equal names. */
  readonly meta: ReadonlyMap<string, string>;
  /** Letters and signs in elements a browser would not show. Scripts and styles are not counted. */
  readonly hiddenCharacters: number;
  /** The elements nest deeper than MAX_DEPTH; what follows was left out. */
  readonly tooDeep: boolean;
}

/** Elements inside each other (facts: security T26). Browsers stop there too. */
const MAX_DEPTH = 512;

/**
 * Reads what a person would see of an HTML file: no scripts, styles, form values or hidden elements; lists, tables and
 * code as text; one part per heading, whose fragment is the nearest id or else the heading's own words. Linear.
 */
export function partsOfHtml(source: string): HtmlParts {
  // Outside of SVG this mark means nothing to a browser; the parser would take all up to `]]>` for a comment.
  const html = source.replaceAll("<![CDATA[", "");
  const seen = read(html, true);
  // A page that only its scripts would have filled often says the same for readers without any.
  return seen.parts.some((part) => part.heading !== "" || part.text.trim() !== "") ? seen : read(html, false);
}

/** `withScripts`: as a browser that runs scripts shows it, that is without `<noscript>`. */
function read(html: string, withScripts: boolean): HtmlParts {
  const reader = new HtmlReader(withScripts);
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (!reader.open(name, attributes)) parser.pause();
    },
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  });
  parser.write(html);
  if (!reader.tooDeep) parser.end();
  return reader.result();
}

type Attributes = Readonly<Record<string, string>>;

class HtmlReader {
  tooDeep = false;
  readonly #body = new HtmlText();
  readonly #meta = new Map<string, string>();
  #title = "";
  #language: string | undefined;
  #depth = 0;
  /** Depth of the outermost element that is not read; 0 when reading. */
  #skippedFrom = 0;
  #concealed = false;
  #hiddenCharacters = 0;
  #inTitle = false;
  readonly #withScripts: boolean;

  constructor(withScripts: boolean) {
    this.#withScripts = withScripts;
  }

  /** False: nothing more is read. */
  open(name: string, attributes: Attributes): boolean {
    this.#depth++;
    this.tooDeep ||= this.#depth > MAX_DEPTH;
    if (this.tooDeep || this.#skippedFrom > 0) return !this.tooDeep;
    if (name === "html") this.#language = attributes["lang"];
    if (name === "meta") this.#addMeta(attributes);
    if (name === "title" && this.#title === "") this.#inTitle = true;
    const concealed = isConcealed(name, attributes);
    if (concealed || isLeftOut(name, this.#withScripts)) {
      this.#skippedFrom = this.#depth;
      this.#concealed = concealed;
    } else this.#body.open(name, attributes);
    return true;
  }

  text(text: string): void {
    if (this.#inTitle) this.#title += text;
    else if (this.#skippedFrom === 0) this.#body.write(text);
    else if (this.#concealed) this.#hiddenCharacters += text.replace(/\s+/g, "").length;
  }

  close(name: string): void {
    if (name === "title") this.#inTitle = false;
    if (this.#skippedFrom === 0) this.#body.close(name);
    if (this.#skippedFrom === this.#depth) this.#skippedFrom = 0;
    this.#depth--;
  }

  result(): HtmlParts {
    const parts = this.#body.parts();
    const title = oneLine(this.#title) || parts.find((part) => part.level === 1)?.heading;
    return {
      parts,
      ...(title === undefined || title === "" ? {} : { title }),
      ...(this.#language === undefined || this.#language === "" ? {} : { language: this.#language }),
      meta: this.#meta,
      hiddenCharacters: this.#hiddenCharacters,
      tooDeep: this.tooDeep,
    };
  }

  #addMeta(attributes: Attributes): void {
    const name = (attributes["name"] ?? attributes["property"] ?? attributes["itemprop"])?.toLowerCase();
    const content = oneLine(attributes["content"] ?? "");
    if (name !== undefined && content !== "" && !this.#meta.has(name)) this.#meta.set(name, content);
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

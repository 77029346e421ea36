import type { KindText } from "../part.ts";
import { type Handler, Parser } from "htmlparser2";
import { commaSeparated, oneLine } from "../text/visible-text.ts";
import { type Attributes, HtmlText } from "./html-text.ts";
import { isConcealed, isLeftOut } from "./html-hidden.ts";

/** Elements inside each other (docs/threats.md, T26). Browsers stop there too. */
const MAX_DEPTH = 512;

/**
 * Reads what a person would see of an HTML file: no scripts, styles, form values or hidden elements; lists, tables and
 * code as text; one part per heading, whose fragment is the nearest id or else the heading's own words. What nests deeper
 * than 512 elements is left out. Linear.
 * @param characters of text after which nothing more is read. Default: all.
 */
export function partsOfHtml(source: string, characters = Infinity): KindText {
  // Outside of SVG this mark means nothing to a browser; the parser would take all up to `]]>` for a comment.
  const html = source.replaceAll("<![CDATA[", "");
  const seen = unveiled(html, true, characters);
  // A page that only its scripts would have filled often says the same for readers without any.
  return seen.parts.some((part) => part.heading !== "" || part.text.trim() !== "")
    ? seen
    : unveiled(html, false, characters);
}

/** Of all letters, the part that is shown by a page that hides its text until its scripts have run; at most. */
const NEXT_TO_NOTHING = 0.1;
/** Of all letters, the part that such a page's hidden elements hold; at least. */
const VEILING = 0.25;
/** Veils inside each other: a body, what frames the page, and what a framework sends later. */
const MAX_VEILS = 3;

/**
 * Reads what is shown. Where that is next to nothing, because the page hides its body until its scripts have run, what
 * is hidden by the largest elements is taken for shown.
 */
function unveiled(html: string, withScripts: boolean, characters: number): KindText {
  const shown = new Set<number>();
  for (let veils = 0; ; veils++) {
    const reader = read(html, withScripts, characters, shown);
    const most = reader.veils.filter(({ letters }) => letters > VEILING * reader.letters);
    const isVeiled = reader.seenLetters <= NEXT_TO_NOTHING * reader.letters && most.length > 0;
    if (!isVeiled || veils === MAX_VEILS) return reader.result();
    for (const { at } of most) shown.add(at);
  }
}

/** `withScripts`: as a browser that runs scripts shows it, that is without `<noscript>`. */
function read(html: string, withScripts: boolean, characters: number, shown: ReadonlySet<number>): HtmlReader {
  const reader = new HtmlReader(withScripts, characters, shown);
  const parser = new Parser(reader);
  parser.write(html);
  if (!reader.cut) parser.end();
  return reader;
}

/** An element that is not shown: where it begins, and how many letters it holds. */
interface Veil {
  readonly at: number;
  letters: number;
}

/** Pieces of a text that are put together before they are written. */
const TEXTS_AT_ONCE = 1_000;

class HtmlReader implements Partial<Handler> {
  cut = false;
  /** The outermost elements that are not shown. */
  readonly veils: Veil[] = [];
  /** Letters and signs that are shown. */
  seenLetters = 0;
  readonly #body = new HtmlText();
  /** What has come of one text: the parser gives it in pieces, of which each may be a single sign. */
  readonly #texts: string[] = [];
  /** By name or property, in lower case; the first of equal names. */
  readonly #meta = new Map<string, string>();
  #title = "";
  #language: string | undefined;
  #depth = 0;
  /** Depth of the outermost element that is not read; 0 when reading. */
  #skippedFrom = 0;
  /** The element that is not read because it is not shown. */
  #veil: Veil | undefined;
  /** Inside of it, depth of what holds no text: scripts, styles; 0 outside. */
  #silentFrom = 0;
  #inTitle = false;
  readonly #withScripts: boolean;
  /** Characters of text that may still come, white space as it is shown. */
  #room: number;
  /** Where elements begin that are read though they say they are hidden. */
  readonly #shown: ReadonlySet<number>;
  #parser: Parser | undefined;

  constructor(withScripts: boolean, characters: number, shown: ReadonlySet<number>) {
    this.#withScripts = withScripts;
    this.#room = characters;
    this.#shown = shown;
  }

  /** Letters and signs that are shown or hidden. */
  get letters(): number {
    return this.seenLetters + this.#hiddenLetters;
  }

  get #hiddenLetters(): number {
    return this.veils.reduce((sum, { letters }) => sum + letters, 0);
  }

  onparserinit(parser: Parser): void {
    this.#parser = parser;
  }

  onopentag(name: string, attributes: Attributes): void {
    this.#write();
    this.#depth++;
    if (this.#depth > MAX_DEPTH) this.#end();
    if (this.cut) return;
    if (this.#skippedFrom > 0) {
      if (this.#silentFrom === 0 && isLeftOut(name, this.#withScripts)) this.#silentFrom = this.#depth;
      return;
    }
    if (name === "html") this.#language = attributes["lang"];
    if (name === "meta") this.#addMeta(attributes);
    if (name === "title" && this.#title === "") this.#inTitle = true;
    const at = this.#parser?.startIndex ?? 0;
    if (isLeftOut(name, this.#withScripts)) this.#skippedFrom = this.#depth;
    else if (isConcealed(name, attributes) && !this.#shown.has(at)) {
      this.#skippedFrom = this.#depth;
      this.#veil = { at, letters: 0 };
      this.veils.push(this.#veil);
    } else this.#body.open(name, attributes);
  }

  ontext(text: string): void {
    if (this.#inTitle) this.#title += text;
    else if (this.#skippedFrom === 0) {
      this.#texts.push(text);
      if (this.#texts.length >= TEXTS_AT_ONCE) this.#write();
    } else if (this.#veil !== undefined && this.#silentFrom === 0) this.#veil.letters += lettersIn(text);
    if (this.#room < 0) this.#end();
  }

  onclosetag(name: string): void {
    this.#write();
    if (name === "title") this.#inTitle = false;
    if (this.#skippedFrom === 0) this.#body.close(name);
    if (this.#silentFrom === this.#depth) this.#silentFrom = 0;
    if (this.#skippedFrom === this.#depth) {
      this.#skippedFrom = 0;
      this.#veil = undefined;
    }
    this.#depth--;
  }

  result(): KindText {
    this.#write();
    const parts = this.#body.parts();
    const meta = this.#meta;
    const title = oneLine(this.#title) || parts.find((part) => part.level === 1)?.heading;
    const keywords = commaSeparated(meta.get("keywords") ?? "");
    return {
      parts,
      title: title || meta.get("og:title"),
      authors: [meta.get("author") ?? ""].filter((name) => name !== ""),
      updated: meta.get("article:modified_time") ?? meta.get("last-modified") ?? meta.get("article:published_time"),
      metadata: {
        language: this.#language || undefined,
        description: meta.get("description") ?? meta.get("og:description"),
        tags: keywords.length === 0 ? undefined : keywords,
      },
      hiddenCharacters: this.#hiddenLetters,
      cut: this.cut,
    };
  }

  /** Nothing more is read. */
  #end(): void {
    this.cut = true;
    this.#parser?.pause();
  }

  #write(): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.join("");
    this.#texts.length = 0;
    this.#body.write(text);
    this.seenLetters += lettersIn(text);
    this.#room -= oneLine(text).length;
  }

  #addMeta(attributes: Attributes): void {
    const name = (attributes["name"] ?? attributes["property"] ?? attributes["itemprop"])?.toLowerCase();
    const content = oneLine(attributes["content"] ?? "");
    if (name !== undefined && content !== "" && !this.#meta.has(name)) this.#meta.set(name, content);
  }
}

const lettersIn = (text: string): number => text.replace(/\s+/g, "").length;

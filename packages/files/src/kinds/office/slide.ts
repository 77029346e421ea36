import { localName, prefixed, type XmlHandler } from "../archive/xml.ts";
import { type Attributes, HtmlText } from "../html-text.ts";
import { oneLine } from "../../text/visible-text.ts";

/** What a slide shows. */
export interface SlideText {
  readonly title: string;
  readonly text: string;
  /** In shapes that somebody has hidden. They were left out. */
  readonly hiddenCharacters: number;
}

/** Places of a slide that say the same on each, or what is drawn for it. */
const REPEATED = new Set(["ftr", "hdr", "sldNum", "dt", "sldImg"]);
const TITLES = new Set(["title", "ctrTitle"]);
/** Lists inside each other. */
const MAX_LEVEL = 8;

interface Paragraph {
  readonly level: number;
  text: string;
}

/**
 * Reads a slide, its notes, or a drawing within it: text of shapes by paragraphs, lists of the slide's body as lists, tables as
 * tables, pictures by their descriptions. What every slide repeats (date, footer, number) is left out.
 */
export class SlideReading implements XmlHandler {
  readonly #body = new HtmlText();
  readonly #titles: string[] = [];
  /** What of it is wanted: of notes, what somebody wrote. */
  readonly #onlyBody: boolean;
  #hidden = false;
  #hiddenCharacters = 0;
  /** The kind of place a shape fills; undefined: none. */
  #place: string | undefined;
  #shapeHidden = false;
  /** Groups of shapes that are open: whether each is hidden. */
  readonly #groups: boolean[] = [];
  #inGroupHead = false;
  #paragraphs: Paragraph[] = [];
  #paragraph: Paragraph | undefined;
  #inText = false;
  #inNumber = false;
  #tables = 0;
  /** Within what repeats a thing for programs that do not know it. */
  #inFallback = 0;

  constructor(onlyBody = false) {
    this.#onlyBody = onlyBody;
  }

  /** The slide is left out when it is shown. */
  get hidden(): boolean {
    return this.#hidden;
  }

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    if (local === "Fallback") this.#inFallback++;
    if (this.#inFallback > 0) return;
    if (local === "sld") this.#hidden = /^(?:0|false)$/.test(attributes["show"] ?? "");
    else if (local === "sp" || local === "pic" || local === "graphicFrame") this.#openShape();
    else if (local === "grpSp") {
      this.#groups.push(false);
      this.#inGroupHead = true;
    } else if (local === "cNvPr") this.#describe(attributes);
    else if (local === "ph") this.#place = attributes["type"] ?? "obj";
    else if (local === "p") this.#paragraph = { level: 0, text: "" };
    else if (local === "pPr" && this.#paragraph !== undefined) {
      this.#paragraph = { ...this.#paragraph, level: Math.min(MAX_LEVEL, Number(attributes["lvl"] ?? 0) || 0) };
    } else if (local === "t") this.#inText = true;
    else if (local === "fld") this.#inNumber = attributes["type"] === "slidenum";
    else if (local === "br" && this.#paragraph !== undefined) this.#paragraph.text += "\n";
    else this.#openTable(local);
  }

  text(text: string): void {
    if (!this.#inText || this.#inNumber || this.#inFallback > 0 || this.#paragraph === undefined) return;
    this.#paragraph.text += text;
  }

  close(name: string): void {
    const local = localName(name);
    if (local === "Fallback") this.#inFallback = Math.max(0, this.#inFallback - 1);
    if (this.#inFallback > 0) return;
    if (local === "t") this.#inText = false;
    else if (local === "fld") this.#inNumber = false;
    else if (local === "p") this.#closeParagraph();
    else if (local === "sp") this.#closeShape();
    else if (local === "grpSp") this.#groups.pop();
    // A drawing's own parts have paragraphs in no shape.
    else if (local === "pt" || local === "txBody") this.#flush();
    else this.#closeTable(local);
  }

  result(): SlideText {
    this.#flush();
    const text = this.#body
      .parts()
      .map((part) => part.text)
      .join("");
    return { title: oneLine(this.#titles.join(" ")), text, hiddenCharacters: this.#hiddenCharacters };
  }

  #openShape(): void {
    this.#flush();
    this.#inGroupHead = false;
    this.#place = undefined;
    this.#shapeHidden = false;
  }

  /** The first description in a shape is the shape's own. */
  #describe(attributes: Attributes): void {
    const hidden = /^(?:1|true)$/.test(attributes["hidden"] ?? "");
    if (this.#inGroupHead) this.#groups[this.#groups.length - 1] = hidden;
    this.#inGroupHead = false;
    this.#shapeHidden = hidden || this.#groups.includes(true);
    const words = attributes["descr"];
    if (words === undefined || this.#shapeHidden || this.#onlyBody) return;
    this.#body.open("p", {});
    this.#body.open("img", { alt: words.slice(0, MAX_DESCRIPTION) });
    this.#body.close("p");
  }

  #openTable(local: string): void {
    if (this.#shapeHidden) return;
    if (local === "tbl") {
      this.#tables++;
      this.#body.open("table", {});
    } else if (local === "tr" && this.#tables > 0) this.#body.open("tr", {});
    else if (local === "tc" && this.#tables > 0) this.#body.open("td", {});
  }

  #closeTable(local: string): void {
    if (this.#tables === 0) return;
    if (local === "tbl") {
      this.#tables--;
      this.#body.close("table");
    } else if (local === "tr") this.#body.close("tr");
    else if (local === "tc") this.#body.close("td");
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    if (paragraph === undefined || paragraph.text.trim() === "") return;
    if (this.#shapeHidden) this.#hiddenCharacters += paragraph.text.length;
    else if (this.#tables > 0) this.#write(paragraph, "p");
    else this.#paragraphs.push(paragraph);
  }

  #closeShape(): void {
    this.#flush();
    this.#shapeHidden = false;
    this.#place = undefined;
  }

  #flush(): void {
    const paragraphs = this.#paragraphs;
    this.#paragraphs = [];
    const place = this.#place;
    if (paragraphs.length === 0 || (place !== undefined && REPEATED.has(place))) return;
    if (this.#onlyBody && place !== "body") return;
    if (place !== undefined && TITLES.has(place)) this.#titles.push(...paragraphs.map(({ text }) => text));
    else if ((place === "body" || place === "obj") && paragraphs.length > 1 && !this.#onlyBody) this.#list(paragraphs);
    else for (const paragraph of paragraphs) this.#write(paragraph, "p");
  }

  #list(paragraphs: readonly Paragraph[]): void {
    let open = 0;
    const enter = (depth: number) => {
      for (; open < depth; open++) this.#body.open("ul", {});
      for (; open > depth; open--) this.#body.close("ul");
    };
    for (const paragraph of paragraphs) {
      enter(paragraph.level + 1);
      this.#write(paragraph, "li");
    }
    enter(0);
  }

  #write({ text }: Paragraph, as: "p" | "li"): void {
    this.#body.open(as, {});
    for (const [at, line] of text.split("\n").entries()) {
      if (at > 0) this.#body.open("br", {});
      this.#body.write(line);
    }
    this.#body.close(as);
  }
}

/** Characters of a picture's description. */
const MAX_DESCRIPTION = 2_000;

/** The slides of a presentation in the order in which they are shown, by the names it has for them. */
export class SlideOrder implements XmlHandler {
  readonly ids: string[] = [];

  open(name: string, attributes: Attributes): void {
    const id = localName(name) === "sldId" ? prefixed(attributes, "id") : undefined;
    if (id !== undefined && this.ids.length < MAX_SLIDES) this.ids.push(id);
  }

  close(): void {
    // Says nothing.
  }

  text(): void {
    // Says nothing.
  }
}

/** Slides of one presentation. */
const MAX_SLIDES = 5_000;

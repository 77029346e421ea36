import type { Part } from "../../part.ts";
import { type Attributes, HtmlText } from "../html-text.ts";
import type { OpenDocumentStyles } from "./styles.ts";

/** What is no text of the document: what was deleted, remarks, tables of contents, how words are read aloud. */
const LEFT_OUT = new Set([
  "text:tracked-changes",
  "office:annotation",
  "office:annotation-end",
  "text:table-of-content",
  "text:alphabetical-index",
  "text:illustration-index",
  "text:table-index",
  "text:object-index",
  "text:user-index",
  "text:ruby-text",
  "text:note-citation",
  "office:forms",
  "office:scripts",
  "text:page-number",
]);
const PLAIN: Readonly<Record<string, string>> = {
  "table:table": "table",
  "table:table-row": "tr",
  "table:table-cell": "td",
  "table:covered-table-cell": "td",
};
/** Lists inside each other that are told apart. */
const MAX_LISTS = 50;
/** Characters of a picture's description. */
const MAX_DESCRIPTION = 2_000;

/** Text of an OpenDocument file as it would be read: headings, lists, tables, notes in brackets, pictures by their descriptions. */
export class BodyText {
  hiddenCharacters = 0;
  /** Characters that were written. */
  length = 0;
  readonly #text = new HtmlText();
  readonly #styles: OpenDocumentStyles;
  /** Elements that are open, with what each became; "": nothing. */
  readonly #open: string[] = [];
  #leftOutFrom = 0;
  #hiddenFrom = 0;
  readonly #lists: string[] = [];
  /** Place of an item that has no text of its own yet: one that holds only another list is none. */
  #item: number | undefined;
  #notes = 0;
  #description: string | undefined;

  constructor(styles: OpenDocumentStyles) {
    this.#styles = styles;
  }

  open(name: string, attributes: Attributes): void {
    this.#open.push("");
    if (this.#leftOutFrom > 0 || this.#hiddenFrom > 0) return;
    if (LEFT_OUT.has(name)) this.#leftOutFrom = this.#open.length;
    else if (this.#isHidden(name, attributes)) this.#hiddenFrom = this.#open.length;
    else if (name === "svg:title" || name === "svg:desc") this.#description = "";
    else if (name === "text:s" || name === "text:tab") this.#text.write(" ");
    else if (name === "text:line-break") this.#text.open("br", {});
    else if (name === "text:note") {
      this.#notes++;
      this.#text.write(" (");
    } else if (name === "text:list-item" || name === "text:list-header") this.#item = this.#open.length - 1;
    else this.#openBlock(this.#blockOf(name, attributes));
  }

  write(text: string): void {
    if (this.#hiddenFrom > 0) this.hiddenCharacters += text.trim().length;
    else if (this.#description !== undefined) this.#description += text.slice(0, MAX_DESCRIPTION);
    else if (this.#leftOutFrom === 0) {
      this.#text.write(text);
      this.length += text.length;
    }
  }

  close(name: string): void {
    const depth = this.#open.length;
    const block = this.#open.pop() ?? "";
    if (this.#leftOutFrom === depth) this.#leftOutFrom = 0;
    if (this.#hiddenFrom === depth) this.#hiddenFrom = 0;
    if (this.#leftOutFrom > 0 || this.#hiddenFrom > 0) return;
    if (name === "text:note" && this.#notes > 0) {
      this.#notes--;
      this.#text.write(")");
    } else if (name === "svg:title" || name === "svg:desc") {
      const words = this.#description ?? "";
      this.#description = undefined;
      if (words.trim() !== "") this.#text.write(` [image: ${words}] `);
    }
    if (this.#item === depth - 1) this.#item = undefined;
    if (block === "ul" || block === "ol") this.#lists.pop();
    if (block !== "") this.#text.close(block);
  }

  /** What has come, under its headings. They have no place that a link could name. */
  parts(): Part[] {
    return this.#text.parts().map(({ level, heading, text }) => ({ level, heading, text }));
  }

  #openBlock(block: string): void {
    if (block === "") return;
    if (this.#item !== undefined && block !== "ul" && block !== "ol") {
      this.#open[this.#item] = "li";
      this.#text.open("li", {});
    }
    this.#item = undefined;
    this.#open[this.#open.length - 1] = block;
    this.#text.open(block, {});
  }

  #isHidden(name: string, attributes: Attributes): boolean {
    const style = attributes["text:style-name"];
    if (name === "text:span") return this.#styles.isHidden("text", style);
    if (name === "text:p" || name === "text:h") return this.#styles.isHidden("paragraph", style);
    const isHiding = name === "text:hidden-text" || name === "text:hidden-paragraph" || name === "text:section";
    return isHiding && (attributes["text:is-hidden"] === "true" || attributes["text:display"] === "none");
  }

  /** The element of HTML that it is like. */
  #blockOf(name: string, attributes: Attributes): string {
    // A note stands within a line, and its paragraphs with it.
    if (this.#notes > 0) return "";
    if (name === "text:h") {
      const level = Number(attributes["text:outline-level"] ?? 1);
      return `h${Math.min(6, Math.max(1, Math.trunc(level) || 1))}`;
    }
    if (name === "text:p") return this.#styles.origin(attributes["text:style-name"]) === "Title" ? "h1" : "p";
    if (name === "text:list") {
      const list = attributes["text:style-name"] ?? this.#lists.at(-1) ?? "";
      if (this.#lists.length >= MAX_LISTS) return "";
      this.#lists.push(list);
      return this.#styles.isNumbered(list, this.#lists.length) ? "ol" : "ul";
    }
    return PLAIN[name] ?? "";
  }
}

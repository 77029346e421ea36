/**
 * The markdown tree: plain, JSON-safe data that every surface turns into its own output.
 *
 * It holds no HTML: raw HTML of an answer is text here. An `image` is a description of one (what it was called and
 * where it lies), never something to be loaded; a `link` is an address the answer names, which a surface may open only
 * where the provenance rule (`citations.ts`) allows it.
 */

/** Alignment of a table column; null where the table does not say. */
export type Alignment = "left" | "center" | "right" | null;

/** One number of a citation mark, as the server wrote it. */
export interface Mark {
  /** The server's own number: need not be dense and need not start at 1. `Links.cited` gives the reader's. */
  readonly number: number;
  /** The address inside the mark; absent for `[1]` and `[[1]]()`. */
  readonly link?: string;
}

/** Text without formatting. */
export interface TextRun {
  readonly type: "text";
  /** May hold line feeds, where the author broke a line without meaning to break it on screen. */
  readonly text: string;
}
/** Emphasised, strongly emphasised or struck-out text. */
export interface Emphasis {
  readonly type: "emphasis" | "strong" | "strike";
  readonly children: readonly Inline[];
}
/** Code inside a line; shown as it is. */
export interface CodeSpan {
  readonly type: "codespan";
  readonly text: string;
  /** It is no code but a formula in TeX; `display`: one that stands by itself. Where TeX cannot be shown, code is. */
  readonly formula?: "inline" | "display";
}
/** A text that names an address. */
export interface Link {
  readonly type: "link";
  /** As written, escapes and character references resolved. Not to be trusted. */
  readonly url: string;
  readonly title?: string;
  readonly children: readonly Inline[];
}
/** The description of an image. */
export interface Image {
  readonly type: "image";
  /** As written. Never to be loaded. */
  readonly url: string;
  readonly title?: string;
  readonly alt: string;
}
/** A citation mark in the text; `Links.cited` tells what it cites. */
export interface CitationMark {
  readonly type: "citation";
  readonly marks: readonly Mark[];
  /** What stands here when none of the numbers is known: the mark without its address. */
  readonly text: string;
}
/** A line break the author meant. */
export interface LineBreak {
  readonly type: "break";
}
/** What a line of text is made of. */
export type Inline = TextRun | Emphasis | CodeSpan | Link | Image | CitationMark | LineBreak;

/** A paragraph. */
export interface Paragraph {
  readonly type: "paragraph";
  readonly children: readonly Inline[];
}
/** A heading. */
export interface Heading {
  readonly type: "heading";
  /** 1 to 6. */
  readonly level: number;
  readonly children: readonly Inline[];
}
/** A block of code; shown as it is. */
export interface CodeBlock {
  readonly type: "code";
  /** Ends with a line feed unless empty. */
  readonly text: string;
  /** First word of the fence's info string; absent when there is none. */
  readonly language?: string;
}
/** A block quote. */
export interface Quote {
  readonly type: "quote";
  readonly children: readonly Block[];
}
/** An entry of a list. */
export interface ListItem {
  readonly type: "item";
  /** True or false for an entry of a task list, absent otherwise. */
  readonly checked?: boolean;
  readonly children: readonly Block[];
}
/** A list, with bullets or numbers. */
export interface List {
  readonly type: "list";
  readonly ordered: boolean;
  /** Number of the first item; 1 for bullets. */
  readonly start: number;
  /** No blank lines between the items: paragraphs inside are shown without space around them. */
  readonly tight: boolean;
  readonly children: readonly ListItem[];
}
/** A table. */
export interface Table {
  readonly type: "table";
  readonly align: readonly Alignment[];
  /** One list of inline nodes per column. */
  readonly header: readonly (readonly Inline[])[];
  /** Every row has exactly as many cells as the header. */
  readonly rows: readonly (readonly (readonly Inline[])[])[];
}
/** A line across. */
export interface Divider {
  readonly type: "divider";
}
/**
 * What an answer says beside answering: the documents that come closest to a question nobody answered, the sources that
 * differ, the words that were read otherwise. No markdown makes one: it is told by the answer's finding.
 */
export interface Aside {
  readonly type: "aside";
  readonly role: "closest" | "conflict" | "corrected";
  /**
   * A list, each entry of which begins with its document's title; `corrected`: a paragraph.
   */
  readonly children: readonly Block[];
}
/** A part of an answer, from top to bottom. */
export type Block = Paragraph | Heading | CodeBlock | Quote | List | Table | Divider | Aside;

/** The text of inline nodes without any formatting; citation marks leave nothing, images their description. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes.map(plainTextOf).join("");
}

function plainTextOf(node: Inline): string {
  switch (node.type) {
    case "text":
    case "codespan":
      return node.text;
    case "image":
      return node.alt;
    case "break":
      return "\n";
    case "citation":
      return "";
    default:
      return plainText(node.children);
  }
}

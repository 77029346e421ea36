import type { Part } from "../part.ts";

/** Of an element, by their names. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** Elements that begin and end a paragraph of their own. */
const BLOCKS = new Set(
  `address article aside blockquote body center details dialog dd div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr legend main menu nav ol p pre search section summary table tbody tfoot thead
  caption ul`.split(/\s+/),
);
const HEADING = /^h([1-6])$/;
/** What becomes one space; not the spaces that are one already, which most are. */
const BLANKS = /[ \t\n\f\r\u00A0]{2,}|[\t\n\f\r\u00A0]/g;

interface OpenHeading {
  readonly level: number;
  id: string | undefined;
  text: string;
}

interface OpenTable {
  /** Rows that were closed. */
  rows: number;
  /** Of the row that is open. */
  cells: number;
  /** Cells of the first row. */
  columns: number;
  /** Pieces that had been written when the first row was closed. */
  end: number;
}

/** Gathers text as it would be read: blocks apart, one line per row and list item, code untouched. */
export class HtmlText {
  readonly #parts: Part[] = [];
  #open: Omit<Part, "text"> = { level: 0, heading: "" };
  #pieces: string[] = [];
  /** Line ends owed before the next text; -1: nothing was written yet. */
  #owed = -1;
  #spaceOwed = false;
  /** Number of pieces right after an item's mark was written. */
  #atItem = -1;
  #heading: OpenHeading | undefined;
  /** The last id that was passed without text after it: `<section id="a"><h2>`. */
  #pendingId: string | undefined;
  #pre = 0;
  #cells = 0;
  /** The table that is open, none of those inside of it; undefined: none, or a heading has cut it. */
  #table: OpenTable | undefined;
  #tables = 0;
  /** Per open list: the number of its next item, or undefined for marks. */
  readonly #lists: (number | undefined)[] = [];

  open(name: string, attributes: Attributes): void {
    const id = attributes["id"] ?? (name === "a" ? attributes["name"] : undefined);
    if (id !== undefined && id !== "") this.#passId(id);
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined && this.#heading === undefined) {
      this.#heading = { level: Number(level), id: this.#pendingId, text: "" };
      return;
    }
    if (BLOCKS.has(name)) this.#break(2);
    this.#openInline(name, attributes);
  }

  write(text: string): void {
    if (this.#heading !== undefined) this.#heading.text += text;
    else if (this.#pre > 0) this.#put(text.replace(/^\n/, this.#owed === 0 ? "\n" : ""));
    else this.#writeCollapsed(this.#isInGrid() ? text.replaceAll("|", "\\|") : text);
  }

  close(name: string): void {
    if (HEADING.test(name) && this.#heading !== undefined) this.#closeHeading(this.#heading);
    else if (name === "pre" && this.#pre > 0) this.#closePre();
    else if (name === "ul" || name === "ol" || name === "menu") this.#lists.pop();
    else if (name === "td" || name === "th") this.#cells = Math.max(0, this.#cells - 1);
    else if (name === "code" && this.#pre === 0) this.#mark("`", "close");
    else if (name === "tr") this.#closeRow();
    else if (name === "table") this.#closeTable();
    if (BLOCKS.has(name)) this.#break(2);
    else if (name === "tr" || name === "li") this.#break(1);
  }

  parts(): Part[] {
    if (this.#heading !== undefined) this.#closeHeading(this.#heading);
    return [...this.#parts, this.#closed()];
  }

  #openInline(name: string, attributes: Attributes): void {
    if (name === "br") this.#break(1);
    else if (name === "pre") this.#openPre();
    else if (name === "ul" || name === "menu") this.#lists.push(undefined);
    else if (name === "ol") this.#lists.push(Number.parseInt(attributes["start"] ?? "1", 10) || 1);
    else if (name === "li") this.#openItem();
    else if (name === "table") this.#openTable();
    else if (name === "tr") this.#openRow();
    else if (name === "td" || name === "th") this.#openCell();
    else if (name === "code" && this.#pre === 0) this.#mark("`", "open");
    else if (name === "img" && (attributes["alt"] ?? "").trim() !== "")
      this.write(`[image: ${attributes["alt"] ?? ""}]`);
  }

  #openPre(): void {
    this.#pre++;
    if (this.#pre > 1 || this.#heading !== undefined) return;
    this.#put("```");
    this.#owed = 1;
  }

  #closePre(): void {
    this.#pre--;
    if (this.#pre > 0 || this.#heading !== undefined) return;
    const last = this.#pieces.at(-1) ?? "";
    this.#pieces.push(last.endsWith("\n") ? "```" : "\n```");
    this.#owed = 0;
  }

  #openItem(): void {
    this.#break(1);
    const depth = Math.max(0, Math.min(this.#lists.length - 1, 10));
    const number = this.#lists.at(-1);
    if (number !== undefined) this.#lists[this.#lists.length - 1] = number + 1;
    this.#put(`${"  ".repeat(depth)}${number === undefined ? "-" : `${number}.`} `);
    // What the item begins with stands on its line, even if it is a paragraph.
    this.#owed = 0;
    this.#atItem = this.#pieces.length;
  }

  /** In a cell below the first row of a table of several columns, where a bar would end the cell. */
  #isInGrid(): boolean {
    return this.#cells > 0 && this.#table !== undefined && this.#table.rows > 0 && this.#table.columns > 1;
  }

  #openTable(): void {
    this.#tables++;
    if (this.#tables === 1) this.#table = { rows: 0, cells: 0, columns: 0, end: 0 };
  }

  #openRow(): void {
    this.#break(1);
    if (this.#tables === 1 && this.#table !== undefined) this.#table.cells = 0;
  }

  #openCell(): void {
    this.#cells++;
    const isSecond = this.#cells === 1 && this.#table !== undefined && (this.#table.cells += 1) === 2;
    if (this.#owed === 0) {
      this.#spaceOwed = false;
      this.#put(" | ");
      // Without a bar before it, what follows an empty first cell would be taken for the first.
    } else if (isSecond && this.#table !== undefined) this.#put("| | ");
  }

  #closeRow(): void {
    if (this.#tables !== 1 || this.#table === undefined || this.#table.cells === 0) return;
    this.#table.rows++;
    if (this.#table.rows > 1) return;
    this.#table.columns = this.#table.cells;
    this.#table.end = this.#pieces.length;
  }

  /** Below its first row, a table of several columns has the line that makes it one for whoever reads markdown. */
  #closeTable(): void {
    this.#tables = Math.max(0, this.#tables - 1);
    if (this.#tables > 0 || this.#table === undefined) return;
    const { rows, columns, end } = this.#table;
    this.#table = undefined;
    if (rows < 2 || columns < 2 || end === 0 || end === this.#pieces.length) return;
    this.#pieces.splice(end, 0, `\n${Array.from({ length: columns }, () => "---").join(" | ")}`);
  }

  #mark(mark: string, side: "open" | "close"): void {
    if (this.#heading !== undefined) this.#heading.text += mark;
    else if (side === "open") this.#put(mark);
    else this.#pieces.push(mark);
  }

  #writeCollapsed(text: string): void {
    const collapsed = text.replace(BLANKS, " ");
    if (collapsed === "") return;
    const trimmed = collapsed.trim();
    if (trimmed === "") {
      this.#spaceOwed = true;
      return;
    }
    if (collapsed.startsWith(" ")) this.#spaceOwed = true;
    this.#put(collapsed.startsWith(" ") || collapsed.endsWith(" ") ? trimmedOnce(collapsed) : collapsed);
    this.#spaceOwed = collapsed.endsWith(" ");
  }

  /** Writes what is owed, then the text. */
  #put(text: string): void {
    if (text === "") return;
    if (this.#owed > 0) this.#pieces.push("\n".repeat(this.#owed));
    else if (this.#owed === 0 && this.#spaceOwed && !(this.#pieces.at(-1) ?? " ").endsWith(" ")) this.#pieces.push(" ");
    this.#owed = 0;
    this.#spaceOwed = false;
    this.#pendingId = undefined;
    this.#pieces.push(text);
  }

  #break(lines: 1 | 2): void {
    if (this.#heading !== undefined) this.#heading.text += " ";
    else if (this.#cells > 0) this.#spaceOwed = true;
    else if (this.#owed !== -1 && this.#atItem !== this.#pieces.length) {
      this.#owed = Math.max(this.#owed, this.#lists.length > 0 ? 1 : lines);
    }
  }

  #passId(id: string): void {
    if (this.#heading !== undefined) this.#heading.id ??= id;
    else this.#pendingId = id;
  }

  #closeHeading({ level, id, text }: OpenHeading): void {
    this.#heading = undefined;
    const heading = text
      .replace(/\s+/g, " ")
      .replace(/\s*[¶#§]$/, "")
      .trim();
    this.#pendingId = undefined;
    if (heading === "") return;
    this.#table = undefined;
    this.#parts.push(this.#closed());
    const fragment = id === undefined ? `:~:text=${textDirective(heading)}` : encodeURIComponent(id);
    this.#open = { level, heading, fragment };
    this.#pieces = [];
    this.#owed = -1;
    this.#atItem = -1;
    this.#spaceOwed = false;
  }

  #closed(): Part {
    return { ...this.#open, text: this.#pieces.join("") };
  }
}

function trimmedOnce(text: string): string {
  return text.slice(text.startsWith(" ") ? 1 : 0, text.endsWith(" ") ? -1 : undefined);
}

/** Words for a link to a text; the browser finds them on the page. */
function textDirective(heading: string): string {
  return encodeURIComponent(heading.slice(0, 100).toWellFormed()).replaceAll("-", "%2D");
}

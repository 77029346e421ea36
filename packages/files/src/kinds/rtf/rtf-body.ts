import type { Part } from "../../part.ts";
import { HtmlText } from "../html-text.ts";

/** What a paragraph is. */
export interface RtfParagraph {
  /** Of a heading, 1 to 9; 0: none. */
  readonly heading: number;
  /** What stands before an item of a list, such as `1.`; undefined: none. */
  readonly mark?: string | undefined;
  /** Lists the item is within, from 0. */
  readonly depth: number;
}

/** Lists inside each other. */
const MAX_LISTS = 9;
const TELLING = /^\(?[\p{L}\p{N}.]{1,20}[.)]$|^\d[\d.]{0,20}$/u;

/** Paragraphs, items and rows of an RTF file, put together as they would be read. */
export class RtfBody {
  readonly #text = new HtmlText();
  #row: string[] = [];
  #cell: string[] = [];
  #inTable = false;
  readonly #lists: { readonly ordered: boolean; next: number }[] = [];

  paragraph(text: string, paragraph: RtfParagraph): void {
    if (text.trim() === "") return;
    this.#leaveTable();
    const { heading, mark, depth } = paragraph;
    if (heading === 0 && mark !== undefined) {
      this.#item(text, mark, Math.min(depth, MAX_LISTS - 1));
      return;
    }
    this.#leaveLists(0);
    const whole = heading > 0 && mark !== undefined && /\d/.test(mark) ? `${mark} ${text}` : text;
    this.#write(heading === 0 ? "p" : `h${Math.min(6, heading)}`, whole);
  }

  /** A paragraph of a cell that goes on. */
  cellText(text: string): void {
    this.#cell.push(text);
  }

  cell(text: string): void {
    this.#cell.push(text);
    this.#row.push(this.#cell.join(" ").trim());
    this.#cell = [];
  }

  row(): void {
    if (this.#row.length === 0) return;
    this.#leaveLists(0);
    if (!this.#inTable) this.#text.open("table", {});
    this.#inTable = true;
    this.#text.open("tr", {});
    for (const cell of this.#row) this.#write("td", cell);
    this.#text.close("tr");
    this.#row = [];
  }

  parts(): Part[] {
    this.row();
    this.#leaveTable();
    this.#leaveLists(0);
    return this.#text.parts().map(({ level, heading, text }) => ({ level, heading, text }));
  }

  #item(text: string, mark: string, depth: number): void {
    const number = /^\(?(\d{1,6})[.)]?$/.exec(mark)?.[1];
    this.#leaveLists(depth + 1);
    const open = this.#lists[depth];
    const goesOn =
      open !== undefined &&
      open.ordered === (number !== undefined) &&
      (number === undefined || open.next === Number(number));
    if (open !== undefined && !goesOn) this.#leaveLists(depth);
    while (this.#lists.length <= depth) {
      const isOwn = this.#lists.length === depth;
      const ordered = isOwn && number !== undefined;
      this.#text.open(ordered ? "ol" : "ul", { start: number });
      this.#lists.push({ ordered, next: Number(number ?? 1) });
    }
    const list = this.#lists[depth];
    if (list !== undefined) list.next++;
    // A letter or a Roman number says which item it is; a dot, or what a font has drawn for one, says only that it is one.
    const isTelling = number === undefined && TELLING.test(mark);
    this.#write("li", isTelling ? `${mark} ${text}` : text);
  }

  #leaveLists(depth: number): void {
    while (this.#lists.length > depth) this.#text.close(this.#lists.pop()?.ordered === true ? "ol" : "ul");
  }

  #leaveTable(): void {
    if (!this.#inTable) return;
    this.#inTable = false;
    this.#text.close("table");
  }

  #write(element: string, text: string): void {
    this.#text.open(element, {});
    for (const [at, line] of text.split("\n").entries()) {
      if (at > 0) this.#text.open("br", {});
      this.#text.write(line);
    }
    this.#text.close(element);
  }
}

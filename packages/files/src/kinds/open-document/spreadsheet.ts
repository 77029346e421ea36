import type { KindText, Part } from "../../part.ts";
import type { Attributes } from "../html-text.ts";
import { type SheetCell, SheetText } from "../tables/sheet-text.ts";
import { BodyText } from "./body-text.ts";
import type { ContentReading } from "./content-reading.ts";
import { OpenDocumentStyles } from "./styles.ts";

/** Columns a sheet has at most, in every program. */
const MAX_COLUMNS = 16_384;
/** How often a row is written that is said to stand there again: what fills a sheet to its end says nothing more. */
const MAX_REPEATED = 100;

interface OpenCell {
  /** A date as everybody reads it alike; "": it is none. */
  readonly date: string;
  readonly words: boolean;
  readonly repeated: number;
  readonly columns: number;
  readonly rows: number;
  readonly body: BodyText;
}

/** Reads the content of a spreadsheet (ODS): its cells as they are shown. */
export class SpreadsheetReading implements ContentReading {
  readonly #styles = new OpenDocumentStyles();
  readonly #parts: Part[] = [];
  #left: number;
  #cut = false;
  #hiddenSheets = 0;
  #hiddenCharacters = 0;
  #name = "";
  #sheet: SheetText | undefined;
  #depth = 0;
  /** Depth of the table that is open; those inside of its cells are none. */
  #tableFrom = 0;
  #hiddenColumns = new Set<number>();
  #columns = 0;
  #row = 0;
  #repeated = 1;
  #rowHidden = false;
  #cells: (SheetCell | undefined)[] = [];
  #column = 0;
  #cell: OpenCell | undefined;
  /** By column: what stands there over several rows, and up to which. */
  readonly #spanning = new Map<number, { readonly until: number; readonly cell: SheetCell }>();

  constructor(characters: number) {
    this.#left = characters;
  }

  get done(): boolean {
    return this.#cut;
  }

  open(name: string, attributes: Attributes): void {
    this.#depth++;
    if (this.#cell !== undefined) this.#cell.body.open(name, attributes);
    else if (name === "table:table" && this.#tableFrom === 0) this.#openSheet(attributes);
    else if (this.#tableFrom === 0) this.#styles.open(name, attributes);
    else if (name === "table:table-row") this.#openRow(attributes);
    else if (name === "table:table-column") this.#openColumn(attributes);
    else if (name === "table:table-cell") this.#openCell(attributes);
    else if (name === "table:covered-table-cell") this.#column += repeatedIn(attributes, "columns");
  }

  text(text: string): void {
    this.#cell?.body.write(text);
  }

  close(name: string): void {
    const depth = this.#depth--;
    if (name === "table:table-cell" && this.#cell !== undefined) this.#closeCell(this.#cell);
    else if (this.#cell !== undefined) this.#cell.body.close(name);
    else if (name === "table:table-row") this.#closeRow();
    else if (name === "table:table" && depth === this.#tableFrom) this.#closeSheet();
  }

  result(): KindText {
    this.#closeSheet();
    return {
      parts: this.#parts,
      hiddenPages: this.#hiddenSheets,
      hiddenCharacters: this.#hiddenCharacters,
      cut: this.#cut,
    };
  }

  #openSheet(attributes: Attributes): void {
    this.#tableFrom = this.#depth;
    this.#name = attributes["table:name"] ?? "";
    this.#row = 0;
    this.#columns = 0;
    this.#hiddenColumns = new Set();
    this.#spanning.clear();
    if (this.#styles.isHidden("table", attributes["table:style-name"])) this.#hiddenSheets++;
    else this.#sheet = new SheetText(this.#left);
  }

  #closeSheet(): void {
    this.#tableFrom = 0;
    const text = this.#sheet?.text() ?? "";
    this.#sheet = undefined;
    if (text === "") return;
    this.#parts.push({ level: 1, heading: this.#name, text });
    this.#left -= text.length;
  }

  #openColumn(attributes: Attributes): void {
    const from = this.#columns;
    this.#columns = Math.min(MAX_COLUMNS, from + repeatedIn(attributes, "columns"));
    if (attributes["table:visibility"] !== "collapse") return;
    for (let column = from; column < this.#columns; column++) this.#hiddenColumns.add(column);
  }

  #openRow(attributes: Attributes): void {
    this.#cells = [];
    this.#column = 0;
    this.#repeated = repeatedIn(attributes, "rows");
    // Rows that a filter hides come back when nobody looks for anything.
    this.#rowHidden = attributes["table:visibility"] === "collapse";
  }

  #openCell(attributes: Attributes): void {
    const type = attributes["office:value-type"] ?? attributes["calcext:value-type"];
    const date = type === "date" ? (attributes["office:date-value"] ?? "") : "";
    this.#cell = {
      date: date
        .replace(/T00:00:00.*$/, "")
        .replace("T", " ")
        .replace(/:00(?:\.0+)?$/, ""),
      words: type === undefined || type === "string",
      repeated: repeatedIn(attributes, "columns"),
      columns: Number(attributes["table:number-columns-spanned"] ?? 1) || 1,
      rows: Number(attributes["table:number-rows-spanned"] ?? 1) || 1,
      body: new BodyText(this.#styles),
    };
  }

  #closeCell({ date, words, repeated, columns, rows, body }: OpenCell): void {
    this.#cell = undefined;
    const shown = body.parts().map((part) => `${part.heading} ${part.text}`);
    const text = date === "" ? shown.join(" ").trim() : date;
    this.#hiddenCharacters += body.hiddenCharacters;
    const begin = this.#column;
    const end = Math.min(MAX_COLUMNS, begin + repeated);
    this.#column = end;
    // Of a hidden sheet nothing is kept, however often it stands there.
    if (text === "" || this.#sheet === undefined) return;
    for (let column = begin; column < end; column++) {
      const cell = { text, words, columns };
      if (this.#rowHidden || this.#hiddenColumns.has(column)) this.#hiddenCharacters += text.length;
      else {
        this.#cells[column] = cell;
        if (rows > 1) this.#spanning.set(column, { until: this.#row + rows, cell: { text, words } });
      }
    }
  }

  #closeRow(): void {
    const first = this.#row + 1;
    this.#row += this.#repeated;
    if (this.#rowHidden || this.#sheet === undefined || this.#cells.length === 0) return;
    for (const [column, { until, cell }] of this.#spanning) {
      if (until < first) this.#spanning.delete(column);
      else this.#cells[column] ??= cell;
    }
    const times = Math.min(this.#repeated, MAX_REPEATED);
    for (let time = 0; time < times && !this.#sheet.full; time++) this.#sheet.add(first + time, this.#cells);
    this.#cut = this.#sheet.full;
  }
}

/** How often a row, column or cell stands there. */
function repeatedIn(attributes: Attributes, what: "rows" | "columns"): number {
  const times = Number(attributes[`table:number-${what}-repeated`] ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
}

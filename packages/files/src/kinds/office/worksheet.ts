import { localName, type XmlHandler } from "../archive/xml.ts";
import type { Attributes } from "../html-text.ts";
import type { SheetCell, SheetText } from "../tables/sheet-text.ts";
import { cellAt, MAX_COLUMNS, type MergedCells, type SheetLayout } from "./merged-cells.ts";
import { type CellFormats, shownNumber } from "./number-formats.ts";

/** Characters of one cell, as every program has it. */
const MAX_CELL = 32_767;

/** What of a workbook its sheets refer to. */
export interface WorkbookParts {
  /** Texts that cells name by number. */
  readonly shared: readonly string[];
  readonly formats: CellFormats;
  /** Days are counted from 1904, as the first Macs did. */
  readonly from1904: boolean;
}

/** A cell that is being read. */
interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: string | undefined;
  value: string;
}

/**
 * Reads the rows of a sheet into its text: values as they were last computed, formulas left out. Hidden rows and columns
 * are left out and counted, unless a filter hides them. What cells that are shown as one hold stands in each of their rows.
 */
export class WorksheetReading implements XmlHandler {
  hiddenCharacters = 0;
  /** Cells whose text lies beyond what was read of the shared ones. */
  unread = 0;
  readonly #sheet: SheetText;
  readonly #workbook: WorkbookParts;
  readonly #layout: SheetLayout;
  /** By column: 1 where it is hidden. */
  readonly #hiddenColumns = new Uint8Array(MAX_COLUMNS);
  /** Ranges of hidden columns; each takes as long as it is wide. */
  #hidden = 0;
  #row = 0;
  #rowHidden = false;
  #cells: (SheetCell | undefined)[] = [];
  #cell: OpenCell | undefined;
  #nextColumn = 0;
  /** Elements whose text is a cell's; and those within that are how a word is read aloud. */
  #inValue = 0;
  #inReading = 0;
  #nextMerged = 0;
  /** Merged cells that this row is in, with what they hold. */
  #open: { readonly cells: MergedCells; readonly cell: SheetCell }[] = [];

  constructor(sheet: SheetText, workbook: WorkbookParts, layout: SheetLayout) {
    this.#sheet = sheet;
    this.#workbook = workbook;
    this.#layout = layout;
  }

  get done(): boolean {
    return this.#sheet.full;
  }

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    if (local === "v" || local === "t") this.#inValue++;
    else if (local === "c") this.#openCell(attributes);
    else if (local === "row") this.#openRow(attributes);
    else if (local === "rPh") this.#inReading++;
    else if (local === "col" && isTrue(attributes["hidden"])) {
      const { min, max } = attributes;
      this.#hideColumns(Number(min) - 1, Number(max) - 1);
    }
  }

  text(text: string): void {
    if (this.#cell === undefined || this.#inValue === 0 || this.#inReading > 0) return;
    if (this.#cell.value.length < MAX_CELL) this.#cell.value += text.slice(0, MAX_CELL);
  }

  close(name: string): void {
    const local = localName(name);
    if (local === "v" || local === "t") this.#inValue = Math.max(0, this.#inValue - 1);
    else if (local === "c") this.#closeCell();
    else if (local === "rPh") this.#inReading = Math.max(0, this.#inReading - 1);
    else if (local === "row") this.#closeRow();
  }

  #hideColumns(from: number, to: number): void {
    // No program writes more ranges than there are columns; so many wide ones would take a while.
    if (this.#hidden >= MAX_COLUMNS) return;
    this.#hidden++;
    if (from <= to) this.#hiddenColumns.fill(1, Math.max(0, from), to + 1);
  }

  #openRow({ r: number, hidden }: Attributes): void {
    const given = Number(number);
    this.#row = Number.isInteger(given) && given > this.#row ? given : this.#row + 1;
    this.#rowHidden = isTrue(hidden) && !this.#layout.filtered;
    this.#cells = [];
    this.#nextColumn = 0;
  }

  #openCell({ r: reference, t: type, s: style }: Attributes): void {
    const column = cellAt(reference ?? "")?.column ?? this.#nextColumn;
    this.#nextColumn = column + 1;
    this.#cell = column < MAX_COLUMNS ? { column, type: type ?? "n", style, value: "" } : undefined;
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (cell === undefined || cell.value === "") return;
    const shown = this.#shown(cell);
    if (this.#rowHidden || this.#hiddenColumns[cell.column] === 1) this.hiddenCharacters += shown.text.length;
    else this.#cells[cell.column] = shown;
  }

  #shown({ type, style, value }: OpenCell): SheetCell {
    if (type === "s") {
      const text = this.#workbook.shared[Number(value)];
      if (text === undefined) this.unread++;
      return { text: text ?? "", words: true };
    }
    if (type === "inlineStr" || type === "str") return { text: unescaped(value), words: true };
    if (type === "b") return { text: value === "1" ? "TRUE" : "FALSE", words: false };
    if (type === "d") return { text: value.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, ""), words: false };
    if (type === "e") return { text: value, words: false };
    const { formats, from1904 } = this.#workbook;
    return { text: shownNumber(value.trim(), formats.of(style), from1904), words: false };
  }

  #closeRow(): void {
    if (this.#rowHidden) return;
    this.#merge();
    this.#sheet.add(this.#row, this.#cells);
  }

  #merge(): void {
    const row = this.#row;
    if (this.#open.length > 0) this.#open = this.#open.filter(({ cells }) => cells.bottom >= row);
    // A row that holds nothing of its own is no row of a table.
    if (this.#cells.some((cell) => cell !== undefined)) {
      for (const { cells, cell } of this.#open) this.#cells[cells.left] ??= cell;
    }
    const { merged } = this.#layout;
    for (
      let next = merged[this.#nextMerged];
      next !== undefined && next.top <= row;
      next = merged[++this.#nextMerged]
    ) {
      const cell = next.top === row ? this.#cells[next.left] : undefined;
      if (cell === undefined) continue;
      if (next.right > next.left) this.#cells[next.left] = { ...cell, columns: next.right - next.left + 1 };
      if (next.bottom > row) this.#open.push({ cells: next, cell });
    }
  }
}

const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

/** Signs that XML has no way to write stand as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

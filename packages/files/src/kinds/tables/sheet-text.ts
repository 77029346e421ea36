import { NamedRows } from "./named-rows.ts";
import { oneLine } from "../../text/visible-text.ts";

/** One cell of a sheet. */
export interface SheetCell {
  /** As it is shown; "": empty. */
  readonly text: string;
  /** Words, not a number, a date or a truth value. */
  readonly words: boolean;
  /** Columns it stands over, beginning with its own. Default 1. */
  readonly columns?: number;
}

/** Characters of one row; a sheet can have 16,384 columns of 32,767 characters. */
const MAX_ROW = 100_000;

/**
 * Writes a sheet as text. Sheets are laid out for the eye: above a table may stand what it is called, its columns may be
 * named in two rows, and below it, after an empty row, another table may begin. A row that holds words only names the columns
 * of what follows, and each later row says them again; a single cell that stands above or between tables is a line.
 */
export class SheetText {
  readonly #most: number;
  readonly #lines: string[] = [];
  #length = 0;
  #last: number | undefined;
  /** The row that names the columns, until a row follows. */
  #header: readonly SheetCell[] | undefined;
  #rows: NamedRows | undefined;
  /** Columns of the open table that have a name. */
  #named = new Set<number>();
  /** A line stands between the open table and what comes next. */
  #afterLine = false;
  /** Columns of the open table that held something else than words. */
  #numbered = new Set<number>();

  /** @param most characters after which no more is written */
  constructor(most: number) {
    this.#most = most;
  }

  /** Characters that were written. */
  get length(): number {
    return this.#length;
  }

  /** It holds as much as is wanted. */
  get full(): boolean {
    return this.#length > this.#most;
  }

  /** @param number of the row; rows that are empty need not be told. @param cells by their columns; holes are empty */
  add(number: number, cells: readonly (SheetCell | undefined)[]): void {
    const filled = cells.filter(isFilled);
    if (filled.length === 0 || this.full) return;
    const apart = this.#last !== undefined && number > this.#last + 1;
    this.#last = number;
    const single = filled.length === 1;
    if (this.#rows === undefined && this.#header === undefined) this.#begin(cells, filled);
    else if (apart && single) {
      // What the next rows are called; whether they are of the same columns, they tell.
      if (this.#header !== undefined) this.#close();
      this.#write("");
      this.#write(new NamedRows([]).line(valuesOf(cells)));
      this.#afterLine = true;
      return;
    } else if ((apart || this.#afterLine) && this.#beginsAnother(cells, filled)) {
      this.#close();
      if (!this.#afterLine) this.#write("");
      this.#begin(cells, filled);
    } else if (this.#header !== undefined && isInTwoRows(this.#header) && namesColumns(filled)) {
      this.#open(bothNames(this.#header, cells));
    } else {
      if (this.#header !== undefined) this.#open(namesOf(this.#header));
      for (const [column, cell] of cells.entries()) if (isFilled(cell) && !cell.words) this.#numbered.add(column);
      this.#write(this.#rows?.line(valuesOf(cells)) ?? "");
    }
    this.#afterLine = false;
  }

  text(): string {
    this.#close();
    return this.#lines.join("\n").trim();
  }

  #begin(cells: readonly (SheetCell | undefined)[], filled: readonly SheetCell[]): void {
    if (filled.length > 1 && namesColumns(filled)) {
      this.#header = dense(cells);
      return;
    }
    if (filled.length > 1) this.#open([]);
    this.#write(new NamedRows([]).line(valuesOf(cells)));
  }

  #open(names: readonly string[]): void {
    this.#header = undefined;
    this.#rows = new NamedRows(names);
    this.#numbered = new Set();
    this.#named = new Set(names.flatMap((name, column) => (name === "" ? [] : [column])));
  }

  #close(): void {
    // Nothing followed: it names nothing.
    if (this.#header !== undefined) this.#write(new NamedRows([]).line(valuesOf(this.#header)));
    this.#header = undefined;
    this.#rows = undefined;
  }

  /** Words stand where numbers stood, or where nothing had a name: these are other columns. So are few below a line. */
  #beginsAnother(cells: readonly (SheetCell | undefined)[], filled: readonly SheetCell[]): boolean {
    if (filled.length < 2 || !namesColumns(filled)) return false;
    const isElsewhere = (column: number) => this.#named.size > 0 && !this.#named.has(column);
    const isOther = cells.some(
      (cell, column) => isFilled(cell) && cell.words && (this.#numbered.has(column) || isElsewhere(column)),
    );
    return isOther || (this.#afterLine && filled.length <= this.#named.size / 2);
  }

  #write(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }
}

const isFilled = (cell: SheetCell | undefined): cell is SheetCell => cell !== undefined && cell.text !== "";

const YEAR = /^(?:19|20)\d\d$/;

/** Whether a row can name columns: words, and the years, days or months of a plan, one after the other. */
function namesColumns(filled: readonly SheetCell[]): boolean {
  const others = filled.filter(({ words }) => !words).map(({ text }) => text);
  if (others.length === filled.length) return false;
  return others.every((text) => YEAR.test(text)) || isSeries(others);
}

/** Fewest days or months that are told apart from a row of values. */
const MIN_SERIES = 3;

/** Whether they count, one by one, or are dates, one after the other. */
function isSeries(texts: readonly string[]): boolean {
  if (texts.length < MIN_SERIES) return false;
  const follows = (text: string, before: string) =>
    DATE.test(text) && DATE.test(before) ? text > before : Number(text) === Number(before) + 1;
  return texts.slice(1).every((text, at) => follows(text, texts[at] ?? ""));
}

const DATE = /^\d{4}-\d\d-\d\d$/;

const EMPTY: SheetCell = { text: "", words: false };

const dense = (cells: readonly (SheetCell | undefined)[]): SheetCell[] => Array.from(cells, (cell) => cell ?? EMPTY);

/** Whether some of the names stand over several columns, whose own names come in the next row. */
const isInTwoRows = (header: readonly SheetCell[]): boolean => header.some(({ columns = 1 }) => columns > 1);

/** The name of each column: a name over several is the name of each. */
function namesOf(header: readonly SheetCell[]): string[] {
  const names: string[] = [];
  for (const [column, { text, columns = 1 }] of header.entries()) {
    if (text === "") names[column] ??= "";
    else for (let at = column; at < column + Math.min(columns, MAX_SPAN); at++) names[at] = oneLine(text);
  }
  return Array.from(names, (name) => name ?? "");
}

/** Columns one name may stand over. */
const MAX_SPAN = 200;

function bothNames(header: readonly SheetCell[], cells: readonly (SheetCell | undefined)[]): string[] {
  const above = namesOf(header);
  const below = namesOf(dense(cells));
  return Array.from({ length: Math.max(above.length, below.length) }, (_, column) => {
    const [one = "", other = ""] = [above[column], below[column]];
    return one === other ? one : `${one} ${other}`.trim();
  });
}

function valuesOf(cells: readonly (SheetCell | undefined)[]): string[] {
  let left = MAX_ROW;
  return Array.from(cells, (cell) => {
    const value = oneLine(cell?.text ?? "").slice(0, Math.max(0, left));
    left -= value.length;
    return value;
  });
}

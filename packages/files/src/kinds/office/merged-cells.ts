import { localName, type XmlHandler } from "../archive/xml.ts";
import type { Attributes } from "../html-text.ts";

/** Cells that are shown as one: rows and columns from and to, from 1 and 0. */
export interface MergedCells {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** What stands behind the rows of a sheet and says how they are shown. */
export interface SheetLayout {
  /** By their first row. */
  readonly merged: readonly MergedCells[];
  /** Rows are hidden by what somebody looked for, and come back when nobody does. */
  readonly filtered: boolean;
}

/** Merged cells of one sheet; forms have hundreds. */
const MAX_MERGED = 10_000;

/** Reads it. */
export class LayoutReading implements XmlHandler {
  readonly #merged: MergedCells[] = [];
  #filtered = false;

  open(name: string, { ref }: Attributes): void {
    const local = localName(name);
    if (local === "filterColumn") this.#filtered = true;
    if (local !== "mergeCell" || this.#merged.length >= MAX_MERGED) return;
    const [from, to] = (ref ?? "").split(":").map(cellAt);
    if (from === undefined || to === undefined) return;
    this.#merged.push({ top: from.row, bottom: to.row, left: from.column, right: to.column });
  }

  close(): void {
    // Says nothing.
  }

  text(): void {
    // Says nothing.
  }

  layout(): SheetLayout {
    return { merged: this.#merged.toSorted((one, other) => one.top - other.top), filtered: this.#filtered };
  }
}

/** Columns a sheet has at most, in every program. */
export const MAX_COLUMNS = 16_384;

/** Where `B3` is: row 3, column 1. Undefined: it is no cell. */
export function cellAt(reference: string): { row: number; column: number } | undefined {
  let column = 0;
  let at = 0;
  for (; at < 3; at++) {
    const letter = reference.charCodeAt(at) | 0x20;
    if (letter < 0x61 || letter > 0x7a) break;
    column = column * 26 + letter - 0x60;
  }
  const row = Number(reference.slice(at));
  if (at === 0 || column > MAX_COLUMNS || !Number.isInteger(row) || row < 1) return undefined;
  return { row, column: column - 1 };
}

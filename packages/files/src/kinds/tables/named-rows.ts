import { shortened } from "../../text/visible-text.ts";

/** Longest name of a column where it is said again. */
const MAX_NAME = 100;

/**
 * Writes rows as lines, `column: value` joined by semicolons, so that each is understood without the row that names the
 * columns. Long names are said in full once, and shortened to 100 characters afterwards.
 */
export class NamedRows {
  #names: readonly string[];
  #short = false;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  line(row: readonly string[]): string {
    const values = row.map((value, index) => (value === "" ? "" : named(this.#names[index], value)));
    if (!this.#short) this.#names = this.#names.map((name) => shortened(name, MAX_NAME));
    this.#short = true;
    return values.filter((one) => one !== "").join("; ");
  }
}

function named(column: string | undefined, value: string): string {
  return column === undefined || column === "" ? value : `${column}: ${value}`;
}

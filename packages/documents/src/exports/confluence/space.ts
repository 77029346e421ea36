import { oneLine } from "@threadlore/files";
import { type Handler, Parser } from "htmlparser2";

/** What the `index.html` of a space's export tells of it. */
export interface ConfluenceSpace {
  /** As it stands in addresses; undefined: it is not told. */
  readonly key: string | undefined;
  readonly name: string | undefined;
}

/** Reads the table of a space's `index.html`. Never throws. */
export function confluenceSpace(index: string): ConfluenceSpace {
  const cells = new CellReading();
  const parser = new Parser(cells);
  parser.write(index.slice(0, MAX_READ));
  parser.end();
  // The row is called so in every language but a few; else it is the table's first.
  const named = cells.rows.find(([name]) => /^key$/i.test(name?.trim() ?? ""));
  const key = [named?.[1], cells.rows[0]?.[1]].map((one) => one?.trim() ?? "").find((one) => KEY.test(one));
  // The name stands in the row below the key.
  const at = cells.rows.findIndex((row) => row[1]?.trim() === key);
  const name = key === undefined ? undefined : oneLine((cells.rows[at + 1]?.[1] ?? "").slice(0, 500));
  return { key, name: name || undefined };
}

const KEY = /^~?[\w.-]{1,255}$/;

/** The table stands above the list of pages. */
const MAX_READ = 1_000_000;

class CellReading implements Partial<Handler> {
  readonly rows: string[][] = [];
  #cell = false;

  onopentag(name: string): void {
    if (name === "tr") this.rows.push([]);
    if (name === "th" || name === "td") {
      this.#cell = true;
      this.rows.at(-1)?.push("");
    }
  }

  ontext(text: string): void {
    const row = this.rows.at(-1);
    if (this.#cell && row !== undefined && row.length > 0) row.push((row.pop() ?? "") + text);
  }

  onclosetag(name: string): void {
    if (name === "th" || name === "td") this.#cell = false;
  }
}

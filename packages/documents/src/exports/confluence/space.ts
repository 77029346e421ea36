import { type Handler, Parser } from "htmlparser2";

/** The key of a space, by the table of its `index.html`; undefined: it is not told. Never throws. */
export function confluenceSpaceKey(index: string): string | undefined {
  const cells = new CellReading();
  const parser = new Parser(cells);
  parser.write(index.slice(0, MAX_READ));
  parser.end();
  // The row is called so in every language but a few; else it is the table's first.
  const named = cells.rows.find(([name]) => /^key$/i.test(name?.trim() ?? ""));
  return [named?.[1], cells.rows[0]?.[1]].map((key) => key?.trim() ?? "").find((key) => /^~?[\w.-]{1,255}$/.test(key));
}

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

import type { Part } from "../part.ts";
import { oneLine } from "../text/visible-text.ts";
import { NamedRows } from "./tables/named-rows.ts";

/** Longest text made of a table, whatever the limits allow: beyond it a JavaScript string may not be possible. */
const MAX_CHARACTERS = 100_000_000;

/**
 * A table file as text: one line per row, `column: value` joined by semicolons, so that a row is understood without
 * the first one. The first row names the columns. Values in quotes may hold anything. Long names are said in full once,
 * and shortened to 100 characters afterwards. Rows beyond `characters` are not read, which `cut` tells. Linear.
 */
export function partsOfCsv(text: string, characters: number): { parts: Part[]; cut: boolean } {
  const most = Math.min(characters, MAX_CHARACTERS);
  const rows = tableRows(text);
  const header = rows.next().value ?? [];
  const named = new NamedRows(header);
  const lines: string[] = [];
  let length = 0;
  let cut = false;
  for (const row of rows) {
    cut = length > most;
    if (cut) break;
    const line = named.line(row);
    lines.push(line);
    length += line.length + 1;
  }
  const whole = lines.length === 0 ? header.join("; ") : lines.join("\n");
  return { parts: [{ level: 0, heading: "", text: whole }], cut };
}

/** The one of comma, semicolon, tab and bar that the first line holds most often. */
function separatorOf(text: string): string {
  const first = text.slice(0, 10_000).split("\n", 1)[0] ?? "";
  const counts = [",", ";", "\t", "|"].map((mark) => [mark, first.split(mark).length] as const);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** The rows of a table file that hold anything, each value on one line. Linear. */
export function* tableRows(text: string): Generator<string[], undefined> {
  const separator = separatorOf(text);
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = text[at] === '"' ? readQuoted(text, at + 1) : undefined;
    const end = valueEnd(text, quoted?.end ?? at, separator);
    row.push(oneLine(`${quoted?.value ?? ""}${text.slice(quoted?.end ?? at, end)}`));
    if (text[end] !== separator) {
      if (row.some((value) => value !== "")) yield row;
      row = [];
    }
    at = end + 1;
  }
  if (row.some((value) => value !== "")) yield row;
}

/** A value up to the quote that closes it; two quotes in it are one. */
function readQuoted(text: string, from: number): { value: string; end: number } {
  let value = "";
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

function valueEnd(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== "\n") at++;
  return at;
}

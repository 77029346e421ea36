/** A table told in one line: which things it lists, and what it says of each. */

import { plainTextOf } from "./plain.ts";

/** The cells of a table. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const RULE = /^[\s:|]*-[\s:|-]*$/;
/** Characters of a cell that are told. */
const MAX_CELL_LENGTH = 60;
/** What is looked at of a table: the line that tells it has no room for more. */
const MAX_ROWS = 40;
const MAX_COLUMNS = 12;
/** So few rows are told by their numbers too: grades, steps. */
const MAX_COUNTED = 5;

/** The table that a block of lines is, with a row of names above a rule; undefined where it is something else. */
export function tableOf(block: string): Table | undefined {
  const lines = block.split("\n", MAX_ROWS + 2).map((line) => line.trim());
  const [names = "", rule = "", ...rest] = lines;
  if (!isRow(names) || !isRow(rule) || !RULE.test(rule)) return undefined;
  const rows = rest.filter(isRow).map(cellsOf);
  return rows.length === 0 ? undefined : { columns: cellsOf(names), rows };
}

function isRow(line: string): boolean {
  return line.length > 1 && line.startsWith("|") && line.endsWith("|");
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/, MAX_COLUMNS)
    .map((cell) => shortened(plainTextOf(cell.replaceAll("\\|", "|"))));
}

function shortened(cell: string): string {
  return cell.length <= MAX_CELL_LENGTH
    ? cell
    : `${cell
        .slice(0, MAX_CELL_LENGTH)
        .replace(/\s+\S*$/, "")
        .toWellFormed()} …`;
}

/**
 * "City (What we pay): Lisbon, Leith, Gdańsk". So many rows are named as fit into `characters`; undefined where the
 * first column does not say what a row is about, as where it counts many of them.
 */
export function toldTable({ columns, rows }: Table, characters: number): string | undefined {
  const [first = "", ...others] = columns;
  const named = others.filter((name) => name !== "");
  const lead = `${first}${named.length === 0 ? "" : `${first === "" ? "" : " "}(${named.join(", ")})`}`;
  const cells = rows.map(([cell = ""]) => cell).filter((cell) => cell !== "");
  const things = cells.filter((cell) => cells.length <= MAX_COUNTED || /\p{L}{2}|[\p{sc=Hani}\p{sc=Kana}]/u.test(cell));
  if (lead === "" || things.length * 2 < rows.length || new Set(things).size * 2 < things.length) return undefined;
  const told = fitting([...new Set(things)], characters - lead.length - 2);
  return told === "" ? undefined : `${lead}: ${told}`;
}

/** As many things as fit, and a sign that there are more. */
export function fitting(things: readonly string[], characters: number, between = ", "): string {
  let told = "";
  for (const [index, thing] of things.entries()) {
    const longer = index === 0 ? thing : told + between + thing;
    const isLast = index === things.length - 1;
    if (longer.length + (isLast ? 0 : between.length + 1) > characters) return told === "" ? "" : `${told}${between}…`;
    told = longer;
  }
  return told;
}

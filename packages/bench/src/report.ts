import { readFileSync, writeFileSync } from "node:fs";
import type { Machine } from "./machine.ts";

/** A column of figures: what they are, with the unit, and how many digits after the point are worth printing. */
export interface Column {
  readonly title: string;
  readonly digits: number;
  /** Which figure of the row this one counts a part of: printed as "31 of 40". */
  readonly of?: string;
}

/** Columns by their titles: how many digits of each. */
export function columnsOf(digits: Readonly<Record<string, number>>): Column[] {
  return Object.entries(digits).map(([title, count]) => ({ title, digits: count }));
}

/** One contestant's figures, by the titles of their columns; absent: it has none. */
export interface Row {
  readonly name: string;
  readonly ours: boolean;
  readonly figures: Readonly<Record<string, number>>;
}

/** Contestants measured under the same conditions: one table. */
export interface Group {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** What a bench measured, and the bars that were missed, in plain words. */
export interface Outcome {
  readonly groups: readonly Group[];
  readonly missed: readonly string[];
}

/** Where a bench cannot be run, which has been said. */
export const NOTHING: Outcome = { groups: [], missed: ["nothing was measured."] };

/** What a run leaves behind in `results/NAME.json`. */
export interface Result {
  readonly bench: string;
  /** Day of the run. */
  readonly measuredOn: string;
  readonly machine: Machine;
  /** What kind of figures these are, in a sentence below the table's origin. */
  readonly note: string;
  readonly groups: readonly Group[];
}

/** A result as Markdown: the machine in a sentence, a table per group. */
export function tableOf({ measuredOn, machine, note, groups }: Result): string {
  const { processor, cores, memoryGb, system, node, load } = machine;
  const where = `Measured ${measuredOn} on ${processor}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}; load ${load} at the start. ${note}`;
  return [where, ...groups.map(groupTable)].join("\n\n");
}

function groupTable({ name, columns, rows }: Group): string {
  const cells = rows.map((row) => [
    row.ours ? `**${row.name}**` : row.name,
    ...columns.map((column) => printed(row, column)),
  ]);
  return alignedTable([name, ...columns.map(({ title }) => title)], cells);
}

function printed({ figures }: Row, { title, digits, of }: Column): string {
  const figure = figures[title]?.toFixed(digits) ?? "";
  const whole = of === undefined ? undefined : figures[of];
  return figure === "" || whole === undefined ? figure : `${figure} of ${whole}`;
}

/** A Markdown table as the formatter would leave it: the first column to the left, figures to the right. */
function alignedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), title.length),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

const begin = (bench: string) => `<!-- ${bench}: written by src/main.ts -->`;
const end = (bench: string) => `<!-- ${bench}: end -->`;

/** Puts a result's table between its marks in a document, replacing the one of the last run. */
export function withTable(path: string, result: Result): void {
  const text = readFileSync(path, "utf8");
  const from = text.indexOf(begin(result.bench));
  const to = text.indexOf(end(result.bench));
  if (from === -1 || to === -1) throw new Error(`${path} has no place for the results of ${result.bench}.`);
  const before = text.slice(0, from + begin(result.bench).length);
  writeFileSync(path, `${before}\n\n${tableOf(result)}\n\n${text.slice(to)}`);
}

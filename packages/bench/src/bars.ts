import type { Group } from "./report.ts";

/** The most or the least a figure may be. */
interface Bound {
  readonly column: string;
  readonly most?: number;
  readonly least?: number;
}

/** What a figure is held to. */
export interface Bar extends Bound {
  /** Part of the names of the groups it is about. */
  readonly group: string;
  readonly row: string;
  /** Met as well where this is. */
  readonly or?: Bound;
}

/** Which bars are missed, in plain words. A figure that is not there, or is none, is no pass. */
export function missedOf(groups: readonly Group[], bars: readonly Bar[]): string[] {
  return bars.flatMap((bar) => {
    const about = groups.filter(({ name }) => name.includes(bar.group));
    if (about.length === 0) return [`${bar.group}: not measured.`];
    return about.flatMap(({ name, rows }) => {
      const figures = rows.find((row) => row.name === bar.row)?.figures ?? {};
      const told = [bar, ...(bar.or === undefined ? [] : [bar.or])].map((bound) => tellMissed(figures, bound));
      return told.includes(undefined) ? [] : [`${name}: ${bar.row}, ${told.join(", and ")}.`];
    });
  });
}

/** Undefined where it is met. */
function tellMissed(figures: Group["rows"][number]["figures"], { column, most, least }: Bound): string | undefined {
  const figure = figures[column] ?? Number.NaN;
  if (figure <= (most ?? Number.POSITIVE_INFINITY) && figure >= (least ?? Number.NEGATIVE_INFINITY)) return undefined;
  return `${column} ${figure.toFixed(2)}, where ${most === undefined ? `${least} is the least` : `${most} is the most`}`;
}

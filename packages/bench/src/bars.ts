import type { Group } from "./report.ts";

/** What a figure is held to: the most or the least it may be. */
export interface Bar {
  /** How the names of the groups begin it is about. */
  readonly group: string;
  readonly row: string;
  readonly column: string;
  readonly most?: number;
  readonly least?: number;
}

/** Which bars are missed, in plain words. A figure that is not there, or is none, is no pass. */
export function missedOf(groups: readonly Group[], bars: readonly Bar[]): string[] {
  return bars.flatMap((bar) => {
    const about = groups.filter(({ name }) => name.startsWith(bar.group));
    if (about.length === 0) return [`${bar.group}: not measured.`];
    return about.flatMap(({ name, rows }) => {
      const figure = rows.find((row) => row.name === bar.row)?.figures[bar.column] ?? Number.NaN;
      const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = bar;
      if (figure <= most && figure >= least) return [];
      const bound = bar.most === undefined ? `${least} is the least` : `${most} is the most`;
      return [`${name}: ${bar.row}, ${bar.column} ${figure.toFixed(2)}, where ${bound}.`];
    });
  });
}

import type { Bar } from "../bars.ts";
import { median } from "../measure.ts";
import type { Group, Row } from "../report.ts";

/** What reading a page may take and weigh. Milliseconds are of a quiet machine. */
export const CAPTURE_BARS: readonly Bar[] = [
  { group: "time per page", row: "threadlore", column: "median ms", most: 60 },
  { group: "time per page", row: "threadlore", column: "p95 ms", most: 250 },
  { group: "time per page", row: "threadlore", column: "times both extractors", most: 1 },
  { group: "one page of", row: "threadlore", column: "ms", most: 3_000 },
  { group: "the script", row: "threadlore", column: "kB gzip", most: 123 },
];

/** Kinds and averages of all pages where a peer is as good. Of the pages kept back only the average is held to it. */
export function missedOfPeers(groups: readonly Group[], ours: string): string[] {
  return groups
    .filter(({ name, rows }) => !name.includes(", kept back") && rows.some(({ figures }) => "word F1" in figures))
    .flatMap(({ name, rows }) => {
      const own = rows.find((row) => row.name === ours)?.figures["word F1"] ?? Number.NaN;
      return rows
        .filter((row) => row.name !== ours && !(own > (row.figures["word F1"] ?? Number.NaN)))
        .map((row) => `${name}: word F1 is not above that of ${row.name}.`);
    });
}

/** One contestant's time for one page. */
interface Timed {
  readonly page: { readonly id: string };
  readonly name: string;
  readonly milliseconds: number;
}

/** Adds to our row the median, over the pages, of our time as a share of the time the others took together. */
export function ratiosOf(outcomes: readonly Timed[], rows: readonly Row[], ours: string): Row[] {
  const own = new Map<string, number>();
  const others = new Map<string, number>();
  for (const { page, name, milliseconds } of outcomes) {
    const times = name === ours ? own : others;
    times.set(page.id, (times.get(page.id) ?? 0) + milliseconds);
  }
  const ratio = median([...own].map(([id, time]) => time / (others.get(id) ?? Number.NaN)));
  return rows.map((row) => (row.ours ? { ...row, figures: { ...row.figures, "times both extractors": ratio } } : row));
}

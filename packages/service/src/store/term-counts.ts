import type { Database } from "./database.ts";

/** A word in more passages than this says nothing any more; counting on would only take time. */
const COUNTED_UP_TO = 20_000;

/** How many passages the index holds. */
export function countPassages(db: Database): number {
  return Number(db.get("SELECT count(*) AS count FROM passages")?.["count"] ?? 0);
}

/** In how many passages a word occurs, in any of its forms; at most 20,000. */
export function countPassagesWith(db: Database, word: string): number {
  const row = db.get(
    `SELECT count(*) AS count FROM (SELECT 1 FROM passages_index WHERE passages_index MATCH ? LIMIT ${COUNTED_UP_TO})`,
    `"${word.replaceAll('"', "")}"`,
  );
  return Number(row?.["count"] ?? 0);
}

import type { Database } from "./sqlite/database.ts";

/** How many passages the index holds. Asks the index for its lengths, one small row each: the fastest to count. */
export function countPassages(db: Database): number {
  return db.value("SELECT count(*) FROM passages_index_docsize");
}

/** In how many passages a word occurs, in any of its forms, counted no further than `most`. */
export function countPassagesUpTo(db: Database, word: string, most: number): number {
  return db.value(
    "SELECT count(*) FROM (SELECT 1 FROM passages_index WHERE passages_index MATCH ? LIMIT ?)",
    `"${word.replaceAll('"', "")}"`,
    most,
  );
}

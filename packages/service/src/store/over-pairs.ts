import type { Sql } from "./steps.ts";

/**
 * A statement over the documents of some pairs, which are read by these alone: what it takes grows with what is in them, and
 * not with what is hidden from whoever may see no others.
 * @param pairs null: of all
 * @param place where the pairs stand among what is given, as JSON: such as `?1`
 * @param write the statement, with the condition that a document is of these pairs
 * @param column what says of which pair it is
 */
export function overPairs(
  pairs: readonly number[] | null,
  place: string,
  write: (among: string) => string,
  column = "pair_id",
): Sql {
  if (pairs === null) return write(`CAST(${place} AS TEXT) IS NULL`);
  return {
    sqlite: write(`${column} IN (SELECT value FROM json_each(${place}))`),
    // As an array: of a function's rows PostgreSQL does not know that they are few.
    postgres: write(`${column} = ANY (CAST(translate(${place}, '[]', '{}') AS BIGINT[]))`),
  };
}

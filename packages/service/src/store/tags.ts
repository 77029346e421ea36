import { all, type Steps } from "./steps.ts";
import { overPairs } from "./over-pairs.ts";

/** A tag that documents of one source carry. */
export interface ValidTag {
  readonly tag_key: string;
  readonly tag_value: string;
  readonly source: string;
}

/** Which tags to list. */
export interface TagFilter {
  /** Beginning of a key or value, in any case; "" for all. */
  readonly prefix: string;
  /** Sources of the documents; empty for all. */
  readonly sources: readonly string[];
  readonly limit: number;
}

/**
 * The tags of documents in these pairs, and of no others: a tag's value can tell as much as a document's title.
 *
 * @param pairs what the caller may see; null: everything
 */
export function* listTags(pairs: readonly number[] | null, filter: TagFilter): Steps<ValidTag[]> {
  return yield* all(
    overPairs(
      pairs,
      "?3",
      (among) => `
        SELECT DISTINCT tag_key, tag_value, source FROM tags JOIN documents ON number = document
        WHERE (?1 = '' OR lower(substr(tag_key, 1, length(?1))) = ?1 OR lower(substr(tag_value, 1, length(?1))) = ?1)
          AND (?2 = '[]' OR source IN (SELECT value FROM json_each(?2)))
          AND ${among}
        ORDER BY tag_key, tag_value, source LIMIT ?4`,
    ),
    filter.prefix.toLowerCase(),
    JSON.stringify(filter.sources),
    pairs === null ? null : JSON.stringify(pairs),
    filter.limit,
  );
}

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
  return yield* all<ValidTag>(
    pairs === null
      ? OF_ALL
      : overPairs(pairs, "?3", (among) => `${LISTED} WHERE ${MEANT} AND ${FROM_SOURCES} AND ${among} ${IN_ORDER}`),
    filter.prefix.toLowerCase(),
    JSON.stringify(filter.sources),
    pairs === null ? null : JSON.stringify(pairs),
    filter.limit,
  );
}

const LISTED = "SELECT DISTINCT tags.tag_key, tags.tag_value, source FROM tags JOIN documents ON number = document";
const MEANT = "(?1 = '' OR lower(substr(tag_key, 1, length(?1))) = ?1 OR lower(substr(tag_value, 1, length(?1))) = ?1)";
const FROM_SOURCES = "(?2 = '[]' OR source IN (SELECT value FROM json_each(?2)))";
const IN_ORDER = "ORDER BY tags.tag_key, tags.tag_value, source LIMIT ?4";

/** Whoever sees everything is shown the first tags there are: of those alone the documents are asked for their sources. */
const OF_ALL = `
  ${LISTED}
  JOIN (
    SELECT DISTINCT tag_key, tag_value FROM tags
    WHERE ${MEANT} AND (?2 = '[]' OR EXISTS (SELECT 1 FROM documents WHERE number = document AND ${FROM_SOURCES}))
    ORDER BY tag_key, tag_value LIMIT ?4
  ) AS shown ON shown.tag_key = tags.tag_key AND shown.tag_value = tags.tag_value
  WHERE ${FROM_SOURCES} AND CAST(?3 AS TEXT) IS NULL ${IN_ORDER}`;

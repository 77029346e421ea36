import { type BaseFilters, parseMoment } from "@threadlore/client/models";
import type { Caller } from "../context.ts";
import type { Database } from "../store/sqlite/database.ts";
import { pairsInSets, visiblePairs } from "../store/visibility.ts";

/** Which passages a search may rank, as parts of a query over `passages_index`: what they leave out is never ranked. */
export interface Scope {
  /** Joins that `where` needs; "" where everything may be found. */
  readonly join: string;
  /** Conditions, each with AND in front; "" for none. */
  readonly where: string;
  /** For the places in `where`, in order. */
  readonly values: readonly (string | number)[];
  /** Whether the filters leave out some of what the caller may see. */
  readonly isFiltered: boolean;
}

/** What a caller may see of what the filters leave. An empty list is no restriction; several tags are alternatives, as
 * on deployed servers. */
export function scopeOf(db: Database, caller: Caller, filters: BaseFilters): Scope {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, value: string | number): void => {
    where.push(`AND ${condition}`);
    values.push(value);
  };
  const visible = visiblePairs(db, caller);
  const pairs = within(db, visible, filters);
  if (pairs !== null) {
    // What is held back from every pair is under none of these.
    add("documents.pair_id IN (SELECT value FROM json_each(?))", JSON.stringify(pairs));
  }
  if (filters.source_type?.length) {
    add("documents.source IN (SELECT value FROM json_each(?))", JSON.stringify(filters.source_type));
  }
  for (const since of [filters.time_cutoff, filters.updated_at_range?.start]) {
    if (since != null) add("documents.updated_at >= ?", parseMoment(since) ?? 0);
  }
  const until = filters.updated_at_range?.end;
  if (until != null) add("documents.updated_at <= ?", parseMoment(until) ?? 0);
  if (filters.tags?.length) {
    add(
      `EXISTS (SELECT 1 FROM tags, json_each(?) AS asked WHERE tags.document = documents.number
               AND tag_key = asked.value ->> 'tag_key' AND tag_value = asked.value ->> 'tag_value')`,
      JSON.stringify(filters.tags),
    );
  }
  const join =
    where.length === 0
      ? ""
      : `JOIN passages ON passages.id = passages_index.rowid JOIN documents ON documents.number = passages.document`;
  const isFiltered = where.length > (visible === null ? 0 : 1) || (filters.document_set ?? []).length > 0;
  return { join, where: where.join(" "), values, isFiltered };
}

/** Pairs whose documents may be found; null: any. */
function within(db: Database, visible: readonly number[] | null, filters: BaseFilters): readonly number[] | null {
  const sets = filters.document_set ?? [];
  if (sets.length === 0) return visible;
  const asked = pairsInSets(db, sets);
  return visible === null ? asked : asked.filter((pair) => visible.includes(pair));
}

import type { Caller } from "../context.ts";
import { listDocumentSets } from "./connectors.ts";
import { type Steps, values } from "./steps.ts";

/**
 * The pairs whose documents a caller may see; null: every pair. A caller without a key sees public pairs only, a key
 * bound to document sets sees the pairs in them, any other key sees everything. A person sees what rules about their groups
 * give at this moment (`callerOf`): sets, and pairs besides.
 */
export function* visiblePairs(caller: Caller): Steps<number[] | null> {
  if (caller.role === "anonymous") {
    return yield* values("SELECT id FROM pairs WHERE access_type = 'public'");
  }
  if (caller.documentSets === null) return null;
  const inSets = yield* pairsInSets(caller.documentSets);
  if (caller.pairs === undefined || caller.pairs.length === 0) return inSets;
  return [...new Set([...inSets, ...caller.pairs])].toSorted((one, other) => one - other);
}

/** The pairs in any of the document sets with these names. Names nobody gave to a set hold no pair. */
export function* pairsInSets(names: readonly string[]): Steps<number[]> {
  return yield* values(
    `SELECT DISTINCT pair_id FROM document_set_pairs JOIN document_sets ON document_sets.id = document_set_id
     WHERE name IN (SELECT value FROM json_each(?))`,
    JSON.stringify(names),
  );
}

/** Whether a caller sees all of these pairs, and so may change what belongs to them. */
export function seesEvery(visible: readonly number[] | null, pairs: readonly number[]): boolean {
  return visible === null || pairs.every((pair) => visible.includes(pair));
}

/** The names of the document sets a caller may see: without a key, those that hold a public pair. */
export function* visibleSets(caller: Caller): Steps<Set<string>> {
  const pairs = caller.role === "anonymous" ? yield* visiblePairs(caller) : null;
  return new Set(
    (yield* listDocumentSets())
      .filter(
        (set) => caller.role === "anonymous" || caller.documentSets === null || caller.documentSets.includes(set.name),
      )
      .filter((set) => pairs === null || set.pairs.some((pair) => pairs.includes(pair.id)))
      .map((set) => set.name),
  );
}

import type { Caller } from "../context.ts";
import { all, type Steps, values } from "../store/steps.ts";

/**
 * The pairs whose documents everybody sees who sees those of one pair; null: every pair. What stands in others is nothing to be
 * told to whoever asks about this one's documents, whatever the key of the program sees that tells them.
 */
export function* pairsSeenWith(pair: number): Steps<readonly number[] | null> {
  const open = yield* values<number>("SELECT id FROM pairs WHERE access_type = 'public'");
  // It is seen without a key, too.
  if (open.includes(pair)) return open;
  const sets = yield* setsWithPairs();
  const rules = yield* all<{ seesAll: number; documentSets: string; pairs: string }>(
    `SELECT sees_all AS "seesAll", document_sets AS "documentSets", pairs FROM group_rules`,
  );
  const audiences = [
    ...[...sets.values()].map((pairs) => new Set(pairs)),
    ...rules
      .filter(({ seesAll }) => Number(seesAll) !== 1)
      .map((rule) => {
        const named = JSON.parse(rule.documentSets) as string[];
        return new Set([...(JSON.parse(rule.pairs) as number[]), ...named.flatMap((name) => sets.get(name) ?? [])]);
      }),
  ].filter((audience) => audience.has(pair));
  const [first, ...rest] = audiences;
  // Nobody sees it but who sees everything.
  if (first === undefined) return null;
  const shared = [...first].filter((one) => rest.every((audience) => audience.has(one)));
  return [...new Set([...shared, ...open])].toSorted((one, other) => one - other);
}

/** Whoever sees these pairs; null: everything. */
export function callerSeeing(pairs: readonly number[] | null): Caller {
  const nobody = { user: "", role: "editor", groups: [] } as const;
  return pairs === null ? { ...nobody, documentSets: null } : { ...nobody, documentSets: [], pairs };
}

function* setsWithPairs(): Steps<ReadonlyMap<string, readonly number[]>> {
  const rows = yield* all<{ name: string; pair: number }>(
    `SELECT name, pair_id AS pair FROM document_set_pairs JOIN document_sets ON document_sets.id = document_set_id`,
  );
  const sets = new Map<string, number[]>();
  for (const { name, pair } of rows) sets.set(name, [...(sets.get(name) ?? []), pair]);
  return sets;
}

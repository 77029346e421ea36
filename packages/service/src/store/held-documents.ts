import { all, get, type Steps, values } from "./steps.ts";

/**
 * A document that an earlier version united over several pairs. Nobody knows under which of them its text was written
 * last, so that none of them shows it: only keys that see everything do, until it was ingested anew under each pair.
 */
export interface HeldDocument {
  readonly id: string;
  /** Title shown to people. */
  readonly semanticIdentifier: string;
  /** The pairs it was under and was not ingested under since, by number; never empty. */
  readonly pairs: readonly { readonly id: number; readonly name: string }[];
}

/** The documents that are held back from every pair, by id. Empty where nothing has to be done. */
export function* listHeldDocuments(): Steps<HeldDocument[]> {
  const rows = yield* all<{
    readonly number: number;
    readonly id: string;
    readonly semanticIdentifier: string;
    readonly pair: number;
    readonly name: string;
  }>(
    `SELECT number, documents.id, semantic_identifier AS "semanticIdentifier", pairs.id AS pair, pairs.name
     FROM documents JOIN held_pairs ON document = number JOIN pairs ON pairs.id = held_pairs.pair_id
     WHERE documents.pair_id IS NULL ORDER BY documents.id, number, pairs.id`,
  );
  return [...Map.groupBy(rows, ({ number }) => number).values()].flatMap((held) =>
    held.slice(0, 1).map(({ id, semanticIdentifier }) => ({
      id,
      semanticIdentifier,
      pairs: held.map(({ pair, name }) => ({ id: pair, name })),
    })),
  );
}

/**
 * Notes that a pair has its own text for an id again. Answers the numbers of held documents no pair is in need of any
 * more: what they said was replaced wherever they had been.
 */
export function* releaseHeld(id: string, pairId: number): Steps<number[]> {
  const left = yield* values<number>(
    `DELETE FROM held_pairs
     WHERE pair_id = ? AND document IN (SELECT number FROM documents WHERE id = ? AND pair_id IS NULL)
     RETURNING document`,
    pairId,
    id,
  );
  const needed: number[] = [];
  for (const number of left) {
    if ((yield* get("SELECT 1 FROM held_pairs WHERE document = ?", number)) !== undefined) needed.push(number);
  }
  return left.filter((number) => !needed.includes(number));
}

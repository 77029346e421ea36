import { type Database, withJson } from "./sqlite/database.ts";

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
export function listHeldDocuments(db: Database): HeldDocument[] {
  const rows = db.all(
    `SELECT documents.id, semantic_identifier AS semanticIdentifier,
            json_group_array(json_object('id', pairs.id, 'name', pairs.name) ORDER BY pairs.id) AS pairs
     FROM documents JOIN held_pairs ON document = number JOIN pairs ON pairs.id = held_pairs.pair_id
     WHERE documents.pair_id IS NULL GROUP BY number ORDER BY documents.id, number`,
  );
  return rows.map((row) => withJson(row, "pairs"));
}

/**
 * Notes that a pair has its own text for an id again. Answers the numbers of held documents no pair is in need of any
 * more: what they said was replaced wherever they had been.
 */
export function releaseHeld(db: Database, id: string, pairId: number): number[] {
  const left = db.values<number>(
    `DELETE FROM held_pairs
     WHERE pair_id = ? AND document IN (SELECT number FROM documents WHERE id = ? AND pair_id IS NULL)
     RETURNING document`,
    pairId,
    id,
  );
  return left.filter((number) => db.get("SELECT 1 FROM held_pairs WHERE document = ?", number) === undefined);
}

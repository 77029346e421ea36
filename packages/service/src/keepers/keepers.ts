import { all, run, type Steps } from "../store/steps.ts";

/** Who else keeps a document, as far as it is told. */
export interface OtherKeepers {
  readonly id: string;
  readonly others: number;
  /** Names of some of them who have accounts here, as a JSON array. */
  readonly names: string;
  /** When another one sent it after the caller did; null: nobody. */
  readonly updatedAt: number | null;
}

/** Notes that a user keeps a document. Where it is gone meanwhile, nothing is noted. */
export function* noteKeeper(user: string, id: string, pairId: number, now: number): Steps<void> {
  yield* run(
    `INSERT INTO document_keepers (document, "user", kept_at)
     SELECT number, CAST(?1 AS TEXT), CAST(?4 AS BIGINT) FROM documents WHERE id = ?2 AND pair_id = ?3
     ON CONFLICT (document, "user") DO UPDATE SET kept_at = excluded.kept_at`,
    user,
    id,
    pairId,
    now,
  );
}

/** Names of other keepers that are told of one document. */
const MAX_NAMES = 3;

/**
 * Who besides a user keeps these documents, of those this user keeps too and may see: whoever does not keep a document learns
 * nothing of it.
 * @param visible null: every pair
 * @param areNamed whether names are told at all
 */
export function* otherKeepers(
  user: string,
  ids: readonly string[],
  visible: readonly number[] | null,
  areNamed: boolean,
): Steps<OtherKeepers[]> {
  const named = `(
    SELECT json_group_array(name) FROM (
      SELECT persons.name FROM document_keepers AS theirs JOIN persons ON persons."user" = theirs."user"
      WHERE theirs.document = documents.number AND theirs."user" <> ?1 AND persons.name IS NOT NULL
        AND persons.disabled_at IS NULL
      ORDER BY theirs.kept_at DESC LIMIT ${MAX_NAMES}
    ) AS some)`;
  return yield* all(
    `SELECT documents.id,
       (SELECT count(*) FROM document_keepers AS theirs WHERE theirs.document = documents.number AND theirs."user" <> ?1) AS others,
       (SELECT max(theirs.kept_at) FROM document_keepers AS theirs
        WHERE theirs.document = documents.number AND theirs."user" <> ?1 AND theirs.kept_at > mine.kept_at) AS "updatedAt",
       ${areNamed ? named : "'[]'"} AS names
     FROM documents JOIN document_keepers AS mine ON mine.document = documents.number AND mine."user" = ?1
     WHERE documents.id IN (SELECT value FROM json_each(?2)) AND documents.pair_id IS NOT NULL
       AND (CAST(?3 AS TEXT) IS NULL OR documents.pair_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?3)))
     ORDER BY documents.number`,
    user,
    JSON.stringify(ids.map((id) => id.toWellFormed())),
    visible === null ? null : JSON.stringify(visible),
  );
}

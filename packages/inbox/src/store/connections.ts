import type { SqlDialect } from "./engine.ts";

/** What in a text says that the id of an account's connection follows, and where such texts stand. */
const NOTES = {
  conversations: { column: "place", lead: "own:", where: "" },
  settings: { column: "name", lead: "own:", where: "" },
  // In JSON this stands in no text that somebody wrote: there its quotation marks would be escaped.
  tasks: { column: "progress", lead: '"key":"own:', where: "state = 'ended' AND " },
} as const;

/** A table in which something may be noted of what was asked with somebody's account. */
export type NotingTable = keyof typeof NOTES;

/** As much of what follows as an id may be long; progress can be of any length. */
const MAX_ID = 64;

/**
 * How rows are found that bear a connection's id, without a look at all the others: `beginsWithId` is what an index is made of, for
 * rows of which `bearsOne` is true.
 */
export function noted({ placeIn, bytewise }: SqlDialect, table: NotingTable) {
  const { column, lead, where } = NOTES[table];
  const place = `${placeIn}(${column}, '${lead}')`;
  return {
    bearsOne: `${where}${place} > 0`,
    beginsWithId: `(substr(${column}, ${place} + ${lead.length}, ${MAX_ID}) COLLATE ${bytewise})`,
  };
}

/** Which rows of the table bear the id that `idRange` is of; its values are $1 and $2. */
export function bearsId(dialect: SqlDialect, table: NotingTable): string {
  const { bearsOne, beginsWithId } = noted(dialect, table);
  return `${bearsOne} AND ${beginsWithId} >= $1 AND ${beginsWithId} < $2`;
}

/** The least text that begins with this id, and one that is greater than all that do: what follows it is ASCII. */
export const idRange = (id: string): [string, string] => [id, `${id}~`];

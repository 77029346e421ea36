import { ANALYSIS } from "../analysis.ts";

/**
 * What an index is to its database. "sound": made of its data by today's rules; what it lacks comes by the queue.
 * "missing": none was begun. "other_rules": made by a former version's rules. "other_data": made of another database, or of
 * this one before a backup was put back. "ahead": it knows changes the database does not have, so an older copy of that was
 * put in its place. "damaged": it cannot be read.
 */
export type IndexCondition = "sound" | "missing" | "other_rules" | "other_data" | "ahead" | "damaged";

/** Which data an index may be made of. */
export interface DataState {
  readonly id: string;
  readonly epoch: string;
  /** The last change of its documents. */
  readonly lastChange: number;
}

/** What an index says of itself. */
export interface IndexNotes {
  /** `originFor` what it was made of; undefined: it says nothing yet. */
  readonly origin: string | undefined;
  /** All changes of the documents up to this one are in it. */
  readonly applied: number;
}

/** What an index notes of what it was made of, and by which rules. */
export function originFor({ id, epoch }: Pick<DataState, "id" | "epoch">): string {
  return `${id} ${epoch} ${ANALYSIS}`;
}

/** What an index is to a database, as far as both say. */
export function conditionOf({ origin, applied }: IndexNotes, data: DataState): IndexCondition {
  if (origin === undefined) return "missing";
  const [id, epoch, rules] = origin.split(" ");
  if (id !== data.id || epoch !== data.epoch) return "other_data";
  if (applied > data.lastChange) return "ahead";
  return rules === ANALYSIS ? "sound" : "other_rules";
}

/** Whether what an index finds stands in this database: then it may answer until another one is whole. */
export function mayAnswer(condition: IndexCondition): boolean {
  return condition === "sound" || condition === "other_rules";
}

import type { Caller } from "../context.ts";
import { type Database, withJson } from "./sqlite/database.ts";
import { visibleSets } from "./visibility.ts";

/** A way of answering: its instructions for the model, and the document sets it searches. */
export interface Persona {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  /** Names of document sets; empty: whatever the caller may see. */
  readonly documentSets: readonly string[];
}

/** The personas a caller may know of; 0 is the one a question goes to unless it names another. */
export function listPersonas(db: Database, caller: Caller): Persona[] {
  const rows = db.all(
    "SELECT id, name, description, instructions, document_sets AS documentSets FROM personas ORDER BY id",
  );
  const visible = visibleSets(db, caller);
  return rows
    .map((row) => withJson<Persona>(row, "documentSets"))
    .filter(({ documentSets: sets }) => sets.length === 0 || sets.some((name) => visible.has(name)));
}

/** One persona; undefined when there is none of this number that the caller may know of. */
export function findPersona(db: Database, caller: Caller, id: number): Persona | undefined {
  return listPersonas(db, caller).find((persona) => persona.id === id);
}

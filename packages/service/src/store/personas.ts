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

/** Every persona; 0 is the one a question goes to unless it names another. */
export function listPersonas(db: Database): Persona[] {
  const rows = db.all(
    "SELECT id, name, description, instructions, document_sets AS documentSets FROM personas ORDER BY id",
  );
  return rows.map((row) => withJson(row, "documentSets"));
}

/** One persona; undefined when there is none of this number. */
export function findPersona(db: Database, id: number): Persona | undefined {
  return listPersonas(db).find((persona) => persona.id === id);
}

/** Whether a caller may know of a persona: it searches everything, or a set the caller may see. */
export function seesPersona(db: Database, caller: Caller, { documentSets }: Persona): boolean {
  if (documentSets.length === 0) return true;
  const visible = visibleSets(db, caller);
  return documentSets.some((name) => visible.has(name));
}

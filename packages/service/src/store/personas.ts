import type { Caller } from "../context.ts";
import type { Database, Row } from "./sqlite/database.ts";
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
  return db.all("SELECT * FROM personas ORDER BY id").map(personaOfRow);
}

/** One persona; undefined when there is none of this number. */
export function findPersona(db: Database, id: number): Persona | undefined {
  const row = db.get("SELECT * FROM personas WHERE id = ?", id);
  return row === undefined ? undefined : personaOfRow(row);
}

/** Whether a caller may know of a persona: it searches everything, or a set the caller may see. */
export function seesPersona(db: Database, caller: Caller, { documentSets }: Persona): boolean {
  if (documentSets.length === 0) return true;
  const visible = visibleSets(db, caller);
  return documentSets.some((name) => visible.has(name));
}

function personaOfRow(row: Row): Persona {
  return {
    id: Number(row["id"]),
    name: String(row["name"]),
    description: String(row["description"]),
    instructions: String(row["instructions"]),
    documentSets: JSON.parse(String(row["document_sets"])) as string[],
  };
}

import type { Caller } from "../context.ts";
import { all, type Steps, withJson } from "./steps.ts";
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
export function* listPersonas(caller: Caller): Steps<Persona[]> {
  const rows = yield* all(
    'SELECT id, name, description, instructions, document_sets AS "documentSets" FROM personas ORDER BY id',
  );
  const personas = rows.map((row) => withJson<Persona>(row, "documentSets"));
  if (personas.every(({ documentSets: sets }) => sets.length === 0)) return personas;
  const visible = yield* visibleSets(caller);
  return personas.filter(({ documentSets: sets }) => sets.length === 0 || sets.some((name) => visible.has(name)));
}

/** One persona; undefined when there is none of this number that the caller may know of. */
export function* findPersona(caller: Caller, id: number): Steps<Persona | undefined> {
  return (yield* listPersonas(caller)).find((persona) => persona.id === id);
}

import type { Caller } from "../context.ts";
import type { JsonObject } from "@threadlore/client/models";
import { type Database, withJson } from "./sqlite/database.ts";

/** A tool an answer can use. */
export interface Tool {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The validated definition of a custom tool; empty for the built-in search. */
  readonly definition: JsonObject;
}

/** The built-in search over the documents of this service. */
export const SEARCH_TOOL = 1;

/** Every tool, the built-in one first. */
function listTools(db: Database): Tool[] {
  const rows = db.all("SELECT id, name, description, definition FROM tools ORDER BY id");
  return rows.map((row) => withJson(row, "definition"));
}

/** Stores a tool whose definition was validated; undefined when another tool has the name already. */
export function addTool(db: Database, { name, description, definition }: Omit<Tool, "id">): number | undefined {
  return db.transaction(() => {
    if (db.get("SELECT id FROM tools WHERE name = ?", name) !== undefined) return undefined;
    return db.insert("tools", { name, description, definition: JSON.stringify(definition) });
  });
}

/** The tools a caller may know of and have called. A caller without a key must not make the service call other servers. */
export function usableTools(db: Database, { role }: Caller): Tool[] {
  return listTools(db).filter(({ id }) => role !== "anonymous" || id === SEARCH_TOOL);
}

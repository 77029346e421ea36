import type { Caller } from "../context.ts";
import type { JsonObject } from "@threadlore/client/models";
import type { Database, Row } from "./sqlite/database.ts";

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
  return db.all("SELECT id, name, description, definition FROM tools ORDER BY id").map(toolOfRow);
}

/** Stores a tool whose definition was validated; undefined when another tool has the name already. */
export function addTool(db: Database, tool: Omit<Tool, "id">): number | undefined {
  return db.transaction(() => {
    if (db.get("SELECT id FROM tools WHERE name = ?", tool.name) !== undefined) return undefined;
    return db.run(
      "INSERT INTO tools (name, description, definition) VALUES (?, ?, ?)",
      tool.name,
      tool.description,
      JSON.stringify(tool.definition),
    ).lastId;
  });
}

function toolOfRow(row: Row): Tool {
  return {
    id: Number(row["id"]),
    name: String(row["name"]),
    description: String(row["description"]),
    definition: JSON.parse(String(row["definition"])) as JsonObject,
  };
}

/** The tools a caller may know of and have called. A caller without a key must not make the service call other servers. */
export function usableTools(db: Database, { role }: Caller): Tool[] {
  return listTools(db).filter(({ id }) => role !== "anonymous" || id === SEARCH_TOOL);
}

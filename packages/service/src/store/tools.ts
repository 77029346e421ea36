import type { Caller } from "../context.ts";
import type { JsonObject } from "@threadlore/client/models";
import { all, get, insertNumbered, type Steps, withJson } from "./steps.ts";

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
function* listTools(): Steps<Tool[]> {
  const rows = yield* all("SELECT id, name, description, definition FROM tools ORDER BY id");
  return rows.map((row) => withJson(row, "definition"));
}

/** Stores a tool whose definition was validated; undefined when another tool has the name already. */
export function* addTool({ name, description, definition }: Omit<Tool, "id">): Steps<number | undefined> {
  if ((yield* get("SELECT id FROM tools WHERE name = ?", name)) !== undefined) return undefined;
  return yield* insertNumbered("tools", { name, description, definition: JSON.stringify(definition) });
}

/** The tools a caller may know of and have called. A caller without a key must not make the service call other servers. */
export function* usableTools({ role }: Caller): Steps<Tool[]> {
  return (yield* listTools()).filter(({ id }) => role !== "anonymous" || id === SEARCH_TOOL);
}

import type { ValidationError } from "@threadlore/client/models";
import type { Json } from "./ordered-json.ts";

/** Where in the request something is: `["body", "definition", "paths", "/pets", "get"]`. */
export type JsonPath = readonly (string | number)[];

/** Problems listed in one refusal; more would not be read. */
const MAX_PROBLEMS = 20;

/** Collects problems in the order deployed servers look for them. */
export class Problems {
  readonly list: ValidationError[] = [];

  add(loc: JsonPath, msg: string, type = "value_error"): undefined {
    if (this.list.length < MAX_PROBLEMS) this.list.push({ loc: [...loc], msg, type });
  }

  get full(): boolean {
    return this.list.length >= MAX_PROBLEMS;
  }
}

/** What counts as present: everything but null, false, zero and what is empty. */
export function truthy(value: Json | undefined): value is Json {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  return Number.isNaN(value) || Boolean(value);
}

/** Names out of the definition can be a megabyte long; a message is for reading. */
export function brief(text: string): string {
  return (text.length <= 80 ? text : `${text.slice(0, 80)}…`).toWellFormed();
}

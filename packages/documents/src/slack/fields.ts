/** What has come from elsewhere, read without trusting its shape: what is missing or of another kind is empty. */

/** A field of whatever it is. */
export function field(holder: unknown, name: string): unknown {
  return typeof holder === "object" && holder !== null ? Reflect.get(holder, name) : undefined;
}

/** A text; empty for anything else. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** An object's fields; none for anything else. */
export const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** The members of an array, as objects; none for anything else. */
export const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(record) : []);

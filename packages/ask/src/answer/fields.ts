/** Values of packets, read one field at a time: what a server sends is not always what its model says. */

/** An object whose fields are not known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value has fields. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** The text; empty for anything else. */
export const string = (value: unknown): string => (typeof value === "string" ? value : "");

/** The texts of a list. */
export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];

/** The text, where there is more than white space in it. */
export const textOf = (value: unknown): string | undefined => (string(value).trim() === "" ? undefined : string(value));

/** The whole number, where it is one from 0 on. */
export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

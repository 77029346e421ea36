import type { Entry } from "../assistant.ts";

/** What a config file stands for: keys and values. */
export type ConfigValue = { readonly [key: string]: unknown };

/**
 * A way of writing config files that can be edited in its place. What is written is judged by who calls this: only the
 * one entry may differ afterwards.
 */
export interface ConfigLanguage {
  /** What it is called in words. */
  readonly name: string;
  /** What a text stands for; one of nothing but blanks and comments for no keys. Throws BrokenConfigError. */
  read(text: string): ConfigValue;
  /** The text with the entry at this path, in the place of the one that is there, else as the last. */
  put(text: string, path: readonly string[], entry: Entry): string;
  /** The text without the entry at this path, which is there. */
  drop(text: string, path: readonly string[]): string;
  /** The entry as a person would write it into an empty file. */
  sample(path: readonly string[], entry: Entry): string;
}

/** The file is not what it should be, and is left as it is. The message says where and what, without a full stop. */
export class BrokenConfigError extends Error {
  override readonly name = "BrokenConfigError";
}

/** Whether a value has keys. */
export function isKeyed(value: unknown): value is ConfigValue {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** How the lines of a text end: as most of its first lines do. */
export function lineEndOf(text: string): "\r\n" | "\n" {
  return /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
}

/** Where the line that holds this offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line that holds this offset ends, its line break included. */
export function lineEnd(text: string, offset: number): number {
  const found = text.indexOf("\n", offset);
  return found === -1 ? text.length : found + 1;
}

/** A text with what stands between two offsets replaced. */
export function replaced(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** A string in double quotes, as JSON, TOML and YAML all read it. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

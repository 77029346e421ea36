import { type Entry, type FileFormat, SERVER_NAME } from "../assistant.ts";
import { BrokenConfigError, type ConfigLanguage, type ConfigValue, isKeyed } from "./config-language.ts";

/** The language of a format, loaded with the first file of it. */
export async function languageOf(format: FileFormat): Promise<ConfigLanguage> {
  if (format === "toml") return (await import("./toml-text.ts")).TOML;
  if (format === "yaml") return (await import("./yaml-text.ts")).YAML;
  return (await import("./json-text.ts")).JSON_WITH_COMMENTS;
}

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * A config file's text with our entry, or without it where the entry is undefined; the same text where it is so already.
 * All else stays as it is, letter by letter, and it is proven by reading that nothing else stands for anything else.
 * Throws BrokenConfigError.
 * @param under keys that lead to the servers; of several the first that is there, else the last
 */
export function editedText(
  language: ConfigLanguage,
  text: string,
  under: readonly (readonly string[])[],
  entry: Entry | undefined,
): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const body = text.slice(mark.length);
  const { before, path, present } = located(language, body, under);
  if (isSame(present, entry)) return text;
  const after = entry === undefined ? language.drop(body, path) : language.put(body, path, entry);
  if (!isAsWanted(readAfter(language, after), before, path, entry)) {
    throw new BrokenConfigError(
      `it is written in a way in which ${path.join(".")} cannot be changed without changing something else`,
    );
  }
  return mark + after;
}

/** Where our entry is in a text, or would be, and what stands there; undefined for nothing. Throws BrokenConfigError. */
export function entryIn(
  language: ConfigLanguage,
  text: string,
  under: readonly (readonly string[])[],
): { readonly path: readonly string[]; readonly present: unknown } {
  return located(language, text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text, under);
}

function located(language: ConfigLanguage, body: string, under: readonly (readonly string[])[]) {
  const before = readWhole(language, body);
  const path = [...chosenPath(before, under), SERVER_NAME];
  return { before, path, present: valueAt(before, path) };
}

/** Whether only the entry changed. The object it was taken out of may have gone with it, where it is empty now. */
function isAsWanted(
  after: ConfigValue | undefined,
  before: ConfigValue,
  path: readonly string[],
  entry: Entry | undefined,
): boolean {
  const wanted = changedValue(before, path, entry);
  if (isSame(after, wanted)) return true;
  const under = path.slice(0, -1);
  const left = valueAt(wanted, under);
  if (entry !== undefined || !isKeyed(left) || Object.keys(left).length > 0) return false;
  return isSame(after, changedValue(before, under, undefined));
}

/** Whether two values stand for the same, in whatever order their keys are and whatever made them. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (one instanceof Date && other instanceof Date) return one.toString() === other.toString();
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  }
  if (!isKeyed(one) || !isKeyed(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

function readWhole(language: ConfigLanguage, text: string): ConfigValue {
  try {
    return language.read(text);
  } catch (error) {
    // The readers call themselves for what is nested.
    if (error instanceof RangeError) throw new BrokenConfigError("it is nested too deep");
    throw error;
  }
}

/** What was written here and cannot be read is no fault of the file. */
function readAfter(language: ConfigLanguage, text: string): ConfigValue | undefined {
  try {
    return language.read(text);
  } catch {
    return undefined;
  }
}

function chosenPath(value: ConfigValue, under: readonly (readonly string[])[]): readonly string[] {
  const path = under.find((keys) => isKeyed(valueAt(value, keys))) ?? under.at(-1) ?? [];
  path.forEach((_, depth) => {
    const keys = path.slice(0, depth + 1);
    const found = valueAt(value, keys);
    // YAML has nothing behind a key that stands alone.
    if (found !== undefined && found !== null && !isKeyed(found)) {
      throw new BrokenConfigError(`${keys.join(".")} should hold keys and values, and holds something else`);
    }
  });
  return path;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isKeyed(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** The value with this one entry changed; keys on the way to it are made. */
function changedValue(
  value: ConfigValue,
  [key = "", ...rest]: readonly string[],
  entry: Entry | undefined,
): ConfigValue {
  if (rest.length > 0) {
    const inner = value[key];
    return { ...value, [key]: changedValue(isKeyed(inner) ? inner : {}, rest, entry) };
  }
  const { [key]: _, ...others } = value;
  return entry === undefined ? others : { ...others, [key]: entry };
}

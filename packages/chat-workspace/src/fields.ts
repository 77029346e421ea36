/** Arguments of a call: form fields as strings, JSON among them parsed; or a JSON body's members. */
export type Arguments = Readonly<Record<string, unknown>>;

/** An object as it came. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; nothing when it is none. */
export function fieldsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Entries whose field says what that of one before them says, by their place. */
export function repeatedIn(entries: readonly object[], field: string): { index: number; value: unknown }[] {
  const values = entries.map((entry): unknown => Reflect.get(entry, field));
  return values.flatMap((value, index) =>
    value !== undefined && values.indexOf(value) < index ? [{ index, value }] : [],
  );
}

/** Whether an argument was given at all: forms send what is absent as an empty string. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Yes, no or not given; forms write it as a word. */
export function asFlag(value: unknown): boolean | undefined {
  if (value === true || value === "true" || value === "1" || value === 1) return true;
  return isGiven(value) ? false : undefined;
}

/** The value, or undefined when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * JSON whose objects keep the order of their text. `JSON.parse` sorts keys that look like integers to the front, which
 * would move a path `2` before `/b` and a response `200` before `default`; a definition is given back as it was written.
 *
 * Objects are maps, so a key such as `__proto__` is only ever a key. Integers too large for a number are bigints.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonMap;
export type JsonMap = Map<string, Json>;

/** The text is not JSON, or nests deeper than allowed. The message is for people. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
}

/** Levels of arrays and objects a text may nest (docs/threats.md, T26). */
const MAX_DEPTH = 64;

const LITERAL = /true|false|null|NaN|-?Infinity/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const CONSTANTS: Readonly<Record<string, null | boolean>> = { true: true, false: false, null: null };

/**
 * Reads one JSON text, as deployed servers read it: strictly, except that `NaN`, `Infinity` and `-Infinity` are
 * numbers. Of equal keys the last value stays at the first one's place. Linear. Throws JsonTextError.
 */
export function readJson(text: string): Json {
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const skipSpace = (): void => {
    while (" \t\n\r".includes(text[at] ?? "end")) at++;
  };
  const unexpected = (): JsonTextError => {
    const found = text[at];
    if (found === undefined) return new JsonTextError("The JSON ends too early");
    return new JsonTextError(`The JSON is broken at character ${at + 1}, near ${JSON.stringify(found)}`);
  };
  const take = (character: string): boolean => {
    skipSpace();
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const expect = (character: string): void => {
    if (!take(character)) throw unexpected();
  };
  const string = (): string => {
    if (text[at] !== '"') throw unexpected();
    const start = at++;
    // No pattern that repeats a group: with millions of escapes it has no stack left.
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    const found = text.slice(start, ++at);
    try {
      if (at <= text.length) return /[\\\p{Cc}]/u.test(found) ? String(JSON.parse(found)) : found.slice(1, -1);
    } catch {
      // An escape that is none, or a control character: told as where the text began.
    }
    at = start;
    throw unexpected();
  };
  const scalar = (): Json => {
    const literal = match(LITERAL);
    if (literal !== undefined) return literal in CONSTANTS ? (CONSTANTS[literal] ?? null) : Number(literal);
    const digits = match(NUMBER);
    if (digits === undefined) throw unexpected();
    const value = Number(digits);
    // Longer than any integer a schema could mean: converting it would cost the square of its length.
    const isBig = !Number.isSafeInteger(value) && !/[.eE]/.test(digits) && digits.length <= 1000;
    return isBig ? BigInt(digits) : value;
  };
  const value = (depth: number): Json => {
    skipSpace();
    if (text[at] === '"') return string();
    if (text[at] !== "{" && text[at] !== "[") return scalar();
    if (depth === MAX_DEPTH) throw tooDeep();
    if (take("[")) {
      const elements: Json[] = [];
      if (take("]")) return elements;
      do elements.push(value(depth + 1));
      while (take(","));
      expect("]");
      return elements;
    }
    expect("{");
    const members: JsonMap = new Map();
    if (take("}")) return members;
    do {
      skipSpace();
      const key = string();
      expect(":");
      members.set(key, value(depth + 1));
    } while (take(","));
    expect("}");
    return members;
  };
  const whole = value(0);
  skipSpace();
  if (at < text.length) throw unexpected();
  return whole;
}

/** Writes JSON without spaces. NaN and infinities become null: JSON has no words for them. */
export function writeJson(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  let text = "";
  for (const [key, member] of value) text += `${text === "" ? "{" : ","}${JSON.stringify(key)}:${writeJson(member)}`;
  return text === "" ? "{}" : `${text}}`;
}

/** Whether all texts in it are Unicode: half a surrogate pair cannot be sent in UTF-8. */
export function isWellFormed(value: Json): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (!(value instanceof Map)) return true;
  for (const [key, member] of value) if (!key.isWellFormed() || !isWellFormed(member)) return false;
  return true;
}

/** An ordered value for what `JSON.parse` made. Throws JsonTextError where it nests too deep. */
export function fromPlain(value: unknown, depth = 0): Json {
  if (typeof value !== "object" || value === null) return value as Json;
  if (depth >= MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return value.map((element) => fromPlain(element, depth + 1));
  return new Map(Object.entries(value).map(([key, member]) => [key, fromPlain(member, depth + 1)]));
}

function tooDeep(): JsonTextError {
  return new JsonTextError(`The JSON nests deeper than ${MAX_DEPTH} levels`);
}

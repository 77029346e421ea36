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

/**
 * Reads one JSON text, as deployed servers read it: strictly, except that `NaN`, `Infinity` and `-Infinity` are
 * numbers. Of equal keys the last value stays at the first one's place. Linear. Throws JsonTextError.
 */
export function readJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
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

const LITERALS: readonly (readonly [string, null | boolean | number])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Json {
    this.#skipSpace();
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first !== "{" && first !== "[") return this.#scalar();
    if (depth >= MAX_DEPTH) throw tooDeep();
    return first === "{" ? this.#object(depth + 1) : this.#array(depth + 1);
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected();
  }

  #object(depth: number): JsonMap {
    const members: JsonMap = new Map();
    this.#at++;
    if (this.#take("}")) return members;
    do {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"') throw this.#unexpected();
      const key = this.#string();
      if (!this.#take(":")) throw this.#unexpected();
      members.set(key, this.value(depth));
    } while (this.#take(","));
    if (!this.#take("}")) throw this.#unexpected();
    return members;
  }

  #array(depth: number): Json[] {
    const elements: Json[] = [];
    this.#at++;
    if (this.#take("]")) return elements;
    do elements.push(this.value(depth));
    while (this.#take(","));
    if (!this.#take("]")) throw this.#unexpected();
    return elements;
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    let plain = true;
    for (let code = this.#text.charCodeAt(end); code !== QUOTE; code = this.#text.charCodeAt(++end)) {
      if (end >= this.#text.length) throw this.#unexpected();
      if (code === BACKSLASH) end++;
      if (code === BACKSLASH || code < SPACE) plain = false;
    }
    try {
      const text = plain ? this.#text.slice(start + 1, end) : String(JSON.parse(this.#text.slice(start, end + 1)));
      this.#at = end + 1;
      return text;
    } catch {
      throw this.#unexpected();
    }
  }

  #scalar(): null | boolean | number | bigint {
    const literal = LITERALS.find(([word]) => this.#text.startsWith(word, this.#at));
    if (literal === undefined) return this.#number();
    this.#at += literal[0].length;
    return literal[1];
  }

  #number(): number | bigint {
    const pattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw this.#unexpected();
    this.#at = pattern.lastIndex;
    const value = Number(match[0]);
    const whole = match[1] === undefined && match[2] === undefined;
    // Longer than any integer a schema could mean: converting it would cost the square of its length.
    return whole && !Number.isSafeInteger(value) && match[0].length <= 1000 ? BigInt(match[0]) : value;
  }

  #skipSpace(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "end")) this.#at++;
  }

  #take(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #unexpected(): JsonTextError {
    const found = this.#text[this.#at];
    if (found === undefined) return new JsonTextError("The JSON ends too early");
    return new JsonTextError(`The JSON is broken at character ${this.#at + 1}, near ${JSON.stringify(found)}`);
  }
}

import type { Flaw } from "../python-repr.ts";

/** Whether this is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const truths: Record<string, boolean> = {};
for (const word of ["1", "true", "t", "yes", "y", "on"]) truths[word] = true;
for (const word of ["0", "false", "f", "no", "n", "off"]) truths[word] = false;

/**
 * Reads the fields of one JSON object as leniently as the service does, and gathers what is wrong with them. Fields
 * nobody asks for are ignored.
 */
export class FieldReader {
  readonly flaws: Flaw[];
  readonly #record: Record<string, unknown>;
  readonly #loc: (string | number)[];

  constructor(record: Record<string, unknown>, loc: (string | number)[] = ["body"], flaws: Flaw[] = []) {
    this.#record = record;
    this.#loc = loc;
    this.flaws = flaws;
  }

  /** Whether the field was sent at all. */
  has(name: string): boolean {
    return Object.hasOwn(this.#record, name);
  }

  /** The field as sent. */
  raw(name: string): unknown {
    return this.#record[name];
  }

  /** Notes what is wrong with a field. */
  flaw(name: string, type: string, msg: string, ctx?: Record<string, unknown>): undefined {
    this.flaws.push({ type, loc: [...this.#loc, name], msg, input: this.#record[name], ...(ctx ? { ctx } : {}) });
    return undefined;
  }

  /** Says so when a field that must be there is not. */
  require(name: string): boolean {
    if (this.has(name)) return true;
    const [type, msg] = ["missing", "Field required"];
    this.flaws.push({ type, loc: [...this.#loc, name], msg, input: this.#record });
    return false;
  }

  text(name: string, { nullable = true }: { nullable?: boolean } = {}): string | undefined {
    const value = this.raw(name);
    if (!this.has(name) || (value === null && nullable)) return undefined;
    if (typeof value === "string") return value;
    return this.flaw(name, "string_type", "Input should be a valid string");
  }

  truth(name: string, { nullable = false }: { nullable?: boolean } = {}): boolean | undefined {
    const value = this.raw(name);
    if (!this.has(name) || (value === null && nullable)) return undefined;
    if (typeof value === "boolean") return value;
    const word =
      typeof value === "string" || typeof value === "number" ? truths[String(value).toLowerCase()] : undefined;
    if (word !== undefined) return word;
    const unreadable = typeof value === "string" || typeof value === "number";
    return unreadable
      ? this.flaw(name, "bool_parsing", "Input should be a valid boolean, unable to interpret input")
      : this.flaw(name, "bool_type", "Input should be a valid boolean");
  }

  whole(name: string, { nullable = true }: { nullable?: boolean } = {}): number | undefined {
    const value = this.raw(name);
    if (!this.has(name) || (value === null && nullable)) return undefined;
    const number = typeof value === "boolean" ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number)) return number;
    if (typeof number === "string") {
      if (/^\s*[+-]?\d+\s*$/.test(number)) return Number(number);
      const msg = "Input should be a valid integer, unable to parse string as an integer";
      return this.flaw(name, "int_parsing", msg);
    }
    if (typeof number === "number")
      return this.flaw(name, "int_from_float", "Input should be a valid integer, got a number with a fractional part");
    return this.flaw(name, "int_type", "Input should be a valid integer");
  }

  list(name: string, { nullable = true }: { nullable?: boolean } = {}): unknown[] | undefined {
    const value = this.raw(name);
    if (!this.has(name) || (value === null && nullable)) return undefined;
    if (Array.isArray(value)) return value;
    return this.flaw(name, "list_type", "Input should be a valid list");
  }

  /** Says which elements of a list are no words the service knows. */
  wordList(name: string, known: readonly string[]): string[] {
    const list = this.list(name) ?? [];
    const expected = alternatives(known);
    for (const [index, input] of list.entries())
      if (typeof input !== "string" || !known.includes(input)) {
        const loc = [...this.#loc, name, index];
        this.flaws.push({ type: "enum", loc, msg: `Input should be ${expected}`, input, ctx: { expected } });
      }
    return list.map(String);
  }

  /** One of the words the service knows, in exactly this spelling. */
  word(name: string, known: readonly string[], nullable = false): string | undefined {
    const value = this.raw(name);
    if (!this.has(name) || (value === null && nullable)) return undefined;
    if (typeof value === "string" && known.includes(value)) return value;
    const expected = alternatives(known);
    return this.flaw(name, "enum", `Input should be ${expected}`, { expected });
  }

  uuid(name: string): string | undefined {
    const value = this.raw(name);
    if (!this.has(name) || value === null) return undefined;
    if (typeof value !== "string")
      return this.flaw(name, "uuid_type", "UUID input should be a string, bytes or UUID object");
    if (isUuid(value)) return value.toLowerCase();
    const error = uuidFault(value);
    return this.flaw(name, "uuid_parsing", `Input should be a valid UUID, ${error}`, { error });
  }
}

/** `'a', 'b' or 'c'` */
function alternatives(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

/** Whether a text is a UUID with its dashes. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** What is wrong with a text that should be a UUID. */
export function uuidFault(text: string): string {
  return `invalid length: expected length 32 for simple format, found ${text.length}`;
}

/** A value as Python prints it. Tuples come as arrays; what is neither text, number nor container is undefined. */
export type Printed = string | number | boolean | null | undefined | readonly Printed[] | { [key: string]: Printed };

/** Deeper values are skipped over: nothing an error says is nested like that, but echoed input can be. */
const MAX_DEPTH = 32;

/**
 * Reads the printed Python dictionaries at the head of a text, until something else comes. Every character is looked at
 * a bounded number of times, whatever the text.
 */
export function readPrintedDictionaries(text: string): { [key: string]: Printed }[] {
  const reader = new PrintedReader(text);
  const found: { [key: string]: Printed }[] = [];
  while (reader.peek() === "{") {
    const value = reader.value(0);
    if (reader.broken) break;
    if (isDictionary(value)) found.push(value);
  }
  return found;
}

function isDictionary(value: Printed): value is { [key: string]: Printed } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

class PrintedReader {
  readonly #text: string;
  #at = 0;
  broken = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character that is no blank. */
  peek(): string | undefined {
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\n") this.#at++;
    return this.#text[this.#at];
  }

  value(depth: number): Printed {
    const next = this.peek();
    if (next === undefined || depth > MAX_DEPTH) return this.#give(undefined);
    if (next === "'" || next === '"') return this.#string(next);
    if (next === "{") return this.#dictionary(depth);
    if (next === "(" || next === "[") return this.#sequence(depth, next === "(" ? ")" : "]");
    return this.#word(depth);
  }

  #dictionary(depth: number): Printed {
    const entries: [string, Printed][] = [];
    this.#at++;
    while (!this.broken && this.peek() !== "}") {
      const key = this.value(depth + 1);
      if (!this.#skip(":")) return this.#give(undefined);
      entries.push([String(key), this.value(depth + 1)]);
      if (!this.#skip(",") && this.peek() !== "}") return this.#give(undefined);
    }
    this.#at++;
    return Object.fromEntries(entries);
  }

  #sequence(depth: number, end: string): Printed {
    const values: Printed[] = [];
    this.#at++;
    while (!this.broken && this.peek() !== end) {
      values.push(this.value(depth + 1));
      if (!this.#skip(",") && this.peek() !== end) return this.#give(undefined);
    }
    this.#at++;
    return values;
  }

  #string(quote: string): string {
    let text = "";
    let from = ++this.#at;
    for (; this.#text[this.#at] !== quote; this.#at++) {
      if (this.#at >= this.#text.length) {
        this.broken = true;
        return text;
      }
      if (this.#text[this.#at] !== "\\") continue;
      text += this.#text.slice(from, this.#at);
      const escaped = this.#text[++this.#at] ?? "";
      text += escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped;
      from = this.#at + 1;
    }
    text += this.#text.slice(from, this.#at++);
    return text;
  }

  /** A number, a constant, or something opaque such as `UUID('…')` or `<object at …>`. */
  #word(depth: number): Printed {
    const from = this.#at;
    while (this.#at < this.#text.length && !"()[]{},:'\" ".includes(this.#text[this.#at] ?? "")) this.#at++;
    const word = this.#text.slice(from, this.#at);
    if (this.#text[this.#at] === "(") {
      this.#sequence(depth, ")");
      return undefined;
    }
    if (word === "") return this.#give(undefined);
    if (word === "True" || word === "False") return word === "True";
    if (word === "None") return null;
    const number = Number(word);
    return Number.isNaN(number) ? undefined : number;
  }

  #skip(character: string): boolean {
    if (this.peek() !== character) return false;
    this.#at++;
    return true;
  }

  #give(value: Printed): Printed {
    this.broken = true;
    return value;
  }
}

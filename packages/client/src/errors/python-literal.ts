/** A value as Python prints it. Tuples come as arrays; what is neither text, number nor container is undefined. */
export type Printed = string | number | boolean | null | undefined | readonly Printed[] | { [key: string]: Printed };

/** Deeper values are skipped over: nothing an error says is nested like that, but echoed input can be. */
const MAX_DEPTH = 32;

/** How often reading begins anew behind what cannot be read. Each time costs at most the length of the text. */
const MAX_TRIES = 50;

/** How a printed validation error begins, whatever came before it. */
const BEGINNING = /\{'type': '[^'\n]{0,200}', 'loc': [([]/g;

/**
 * Reads the printed Python dictionaries at the head of a text, until something else comes. A dictionary that holds
 * something nobody can read (an object that prints itself as it likes) comes with the entries before that, and what
 * follows it is read too. Never throws; time in proportion to the text.
 */
export function readPrintedDictionaries(text: string): { [key: string]: Printed }[] {
  const found: { [key: string]: Printed }[] = [];
  let from = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const reader = new PrintedReader(text, from);
    while (!reader.broken && reader.peek() === "{") {
      from = reader.at + 1;
      const entries = reader.entries();
      if (!reader.broken || entries.length > 0) found.push(Object.fromEntries(entries));
    }
    // What an object prints can seem to end its dictionary: the errors go on where the next one begins.
    BEGINNING.lastIndex = reader.broken ? from : reader.at;
    const next = BEGINNING.exec(text);
    if (next === null) return found;
    from = next.index;
  }
  return found;
}

class PrintedReader {
  readonly #text: string;
  /** Where in the text it is. */
  at: number;
  broken = false;
  /** Where the next error begins that was looked for last. */
  #beginning = -1;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** The next character that is no blank. */
  peek(): string | undefined {
    while (this.#text[this.at] === " " || this.#text[this.at] === "\n") this.at++;
    return this.#text[this.at];
  }

  /** The entries of the dictionary that begins here, up to the first that cannot be read. */
  entries(): [string, Printed][] {
    const entries: [string, Printed][] = [];
    this.#dictionary(0, entries);
    return entries;
  }

  #value(depth: number): Printed {
    const next = this.peek();
    if (next === undefined || depth > MAX_DEPTH) return this.#give(undefined);
    if (next === "'" || next === '"') return this.#string(next);
    if (next === "{") return this.#dictionary(depth, []);
    if (next === "(" || next === "[") return this.#sequence(depth, next === "(" ? ")" : "]");
    if (next === "<") return this.#opaque();
    return this.#word(depth);
  }

  /** A dictionary, or a set, which looks like one without colons and is read as a list. */
  #dictionary(depth: number, entries: [string, Printed][]): Printed {
    const members: Printed[] = [];
    this.at++;
    while (!this.broken && this.peek() !== "}") {
      const key = this.#value(depth + 1);
      if (this.broken) return undefined;
      if (this.#skip(":")) {
        const value = this.#value(depth + 1);
        if (this.broken) return undefined;
        entries.push([String(key), value]);
      } else members.push(key);
      if (!this.#skip(",") && this.peek() !== "}") return this.#give(undefined);
    }
    this.at++;
    return members.length > 0 ? members : Object.fromEntries(entries);
  }

  #sequence(depth: number, end: string): Printed {
    const values: Printed[] = [];
    this.at++;
    while (!this.broken && this.peek() !== end) {
      values.push(this.#value(depth + 1));
      if (!this.#skip(",") && this.peek() !== end) return this.#give(undefined);
    }
    this.at++;
    return values;
  }

  #string(quote: string): string {
    let text = "";
    let from = ++this.at;
    for (; this.#text[this.at] !== quote; this.at++) {
      if (this.at >= this.#text.length) {
        this.broken = true;
        return text;
      }
      if (this.#text[this.at] !== "\\") continue;
      text += this.#text.slice(from, this.at) + this.#escaped();
      from = this.at + 1;
    }
    text += this.#text.slice(from, this.at++);
    return text;
  }

  /** The character behind a backslash; ends on its last letter. */
  #escaped(): string {
    const letter = this.#text[++this.at] ?? "";
    const digits = letter === "x" ? 2 : letter === "u" ? 4 : letter === "U" ? 8 : 0;
    if (digits === 0) return letter === "n" ? "\n" : letter === "t" ? "\t" : letter === "r" ? "\r" : letter;
    const hex = this.#text.slice(this.at + 1, this.at + 1 + digits);
    const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : 0x110000;
    if (code > 0x10ffff) return letter;
    this.at += digits;
    return String.fromCodePoint(code);
  }

  /**
   * `<object at 0x7f…>`, whatever stands in it, with others inside. What it prints may open brackets that it never
   * closes, so it reaches no further than to the next error.
   */
  #opaque(): Printed {
    const end = this.#nextBeginning();
    let depth = 0;
    do {
      const character = this.#text[this.at++];
      if (character === undefined || this.at > end) return this.#give(undefined);
      if (character === "<") depth++;
      if (character === ">") depth--;
    } while (depth > 0);
    return undefined;
  }

  /** Looked for once for all that stands before it. */
  #nextBeginning(): number {
    if (this.#beginning < this.at) {
      BEGINNING.lastIndex = this.at;
      this.#beginning = BEGINNING.exec(this.#text)?.index ?? Number.POSITIVE_INFINITY;
    }
    return this.#beginning;
  }

  /** A number, a constant, bytes, or something opaque such as `UUID('…')` and `re.compile('x')`. */
  #word(depth: number): Printed {
    const from = this.at;
    while (this.at < this.#text.length && !"()[]{}<,:'\" \n".includes(this.#text[this.at] ?? "")) this.at++;
    const word = this.#text.slice(from, this.at);
    if (word === "") return this.#give(undefined);
    const next = this.#text[this.at];
    if (next !== undefined && "([{<'\"".includes(next)) {
      this.#value(depth + 1);
      return undefined;
    }
    if (word === "True" || word === "False") return word === "True";
    if (word === "None") return null;
    const number = Number(word);
    return Number.isNaN(number) ? undefined : number;
  }

  #skip(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at++;
    return true;
  }

  #give(value: Printed): Printed {
    this.broken = true;
    return value;
  }
}

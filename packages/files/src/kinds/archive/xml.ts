import { Parser } from "htmlparser2";
import type { Attributes } from "../html-text.ts";

/** Elements inside each other (docs/threats.md, T26). What people write has a tenth of that. */
const MAX_DEPTH = 512;
/** Characters of one text that are given; more than any cell of a sheet or paragraph of a book. */
const MAX_TEXT = 1_000_000;

/** Who is told what an XML file holds, in its order. Names come with their prefixes, as they are written. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
  /** Nothing more is wanted. */
  readonly done?: boolean;
}

/**
 * Reads XML that comes in pieces. Entities a file declares itself are never expanded, and nothing outside of it is opened:
 * a name it invents stays as it is written. Throws RangeError for what nests deeper than 512 elements. Linear.
 */
export class XmlReading {
  readonly #handler: XmlHandler;
  readonly #parser: Parser;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #depth = 0;
  #characters = 0;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => {
          this.#depth++;
          if (this.#depth > MAX_DEPTH) throw new RangeError(`More than ${MAX_DEPTH} elements inside each other.`);
          this.#characters = 0;
          if (handler.done !== true) handler.open(name, attributes);
        },
        ontext: (text) => {
          this.#characters += text.length;
          if (handler.done !== true && this.#characters <= MAX_TEXT) handler.text(text);
        },
        onclosetag: (name) => {
          this.#depth--;
          this.#characters = 0;
          if (handler.done !== true) handler.close(name);
        },
      },
      { xmlMode: true },
    );
  }

  /** Whether more is wanted. */
  write(bytes: Uint8Array): boolean {
    this.#decoder ??= new TextDecoder(encodingOf(bytes));
    return this.writeText(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Whether more is wanted. */
  writeText(text: string): boolean {
    this.#parser.write(text);
    return this.#handler.done !== true;
  }

  end(): void {
    if (this.#handler.done !== true) this.#parser.end();
  }
}

/** UTF-8, unless its first bytes say that it is the other encoding every reader of XML has to know. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? "utf-16be" : "utf-8";
}

/** A name without its prefix, which is whatever a program chose. */
export const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** An attribute with any prefix, such as `id` of `r:id`; not the one without. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  return Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1];
}

import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Entry } from "../assistant.ts";
import {
  BrokenConfigError,
  type ConfigLanguage,
  type ConfigValue,
  isKeyed,
  lineEndOf,
  lineStart,
  replaced,
} from "./config-language.ts";

/*
 * Read by jsonc-parser, written here: its `modify` gives the comment behind the last value to the one that is added
 * (microsoft/node-jsonc-parser#125).
 */

/** JSON, also with comments and with a comma behind the last value. */
export const JSON_WITH_COMMENTS: ConfigLanguage = {
  name: "JSON",

  read(text) {
    const root = rootOf(text);
    return root === undefined ? {} : (getNodeValue(root) as ConfigValue);
  },

  put(text, path, entry) {
    const root = rootOf(text);
    const [name = ""] = path.slice(-1);
    if (root === undefined) return withRoot(text, nested(path, entry));
    let object = root;
    for (const [depth, key] of path.entries()) {
      const property = propertyOf(object, key);
      const value = property?.children?.[1];
      if (value === undefined) return withProperty(text, root, object, key, nested(path.slice(depth + 1), entry));
      if (key === name && depth === path.length - 1) {
        const style = styleOf(text, root);
        const written = stringified(entry, style, indentAt(text, property?.offset ?? 0), isOneLine(text, object));
        return replaced(text, value.offset, endOf(value), written);
      }
      object = value;
    }
    return text;
  },

  drop(text, path) {
    const root = rootOf(text);
    if (root === undefined) return text;
    const object = path.slice(0, -1).reduce((inner, key) => propertyOf(inner, key)?.children?.[1] ?? inner, root);
    const property = propertyOf(object, path.at(-1) ?? "");
    return property === undefined ? text : withoutProperty(text, object, property);
  },

  sample: (path, entry) => `${JSON.stringify(nested(path, entry), undefined, 2)}\n`,
};

/** The text's one value, which has keys; undefined where there is nothing but blanks and comments. */
function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    const { line, column } = placeOf(text, first.offset);
    throw new BrokenConfigError(`line ${line}, column ${column} is no JSON (${wordsOf(first)})`);
  }
  if (root !== undefined && root.type !== "object") throw new BrokenConfigError("it holds no keys and values");
  return root;
}

/** The parser's name of a mistake, such as `CommaExpected`, in words. */
function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** The property of a key. Throws where it stands twice: programs differ in which of them counts. */
function propertyOf(object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  if (found.length > 1) throw new BrokenConfigError(`"${key}" stands there ${found.length} times; leave one of them`);
  return found[0];
}

interface Style {
  /** One step of indentation. */
  readonly unit: string;
  readonly lineBreak: string;
}

const DEFAULT_UNIT = "  ";

function styleOf(text: string, root: Node): Style {
  const first = root.children?.[0];
  const unit = first !== undefined && isFirstOfLine(text, first.offset) ? indentAt(text, first.offset) : "";
  return { unit: unit === "" ? DEFAULT_UNIT : unit, lineBreak: lineEndOf(text) };
}

/** A file that held no value keeps its comments. */
function withRoot(text: string, value: Entry): string {
  const lineBreak = lineEndOf(text);
  const written = stringified(value, { unit: DEFAULT_UNIT, lineBreak }, "", false);
  const kept = text.trimEnd();
  return kept === "" ? `${written}${lineBreak}` : `${kept}${lineBreak}${written}${lineBreak}`;
}

/** The property as the last of its object. */
function withProperty(text: string, root: Node, object: Node, key: string, value: unknown): string {
  const style = styleOf(text, root);
  const last = object.children?.at(-1);
  const close = endOf(object) - 1;
  if (last === undefined) return withFirstProperty(text, object, close, key, value, style);
  // Behind the comments of the same line, which are the last value's; a comma at the end stays the habit of the file.
  const { comma, end } = after(text, endOf(last));
  const separated = (grown: string): string =>
    comma === undefined ? replaced(grown, endOf(last), endOf(last), ",") : grown;
  if (isOneLine(text, object)) {
    const gap = /\s/.test(text[object.offset + 1] ?? "") ? " " : "";
    const property = `${gap}${JSON.stringify(key)}:${gap}${JSON.stringify(value)}${comma === undefined ? "" : ","}`;
    return separated(replaced(text, end, end, property));
  }
  const indent = isFirstOfLine(text, last.offset)
    ? indentAt(text, last.offset)
    : indentAt(text, object.offset) + style.unit;
  const property = `${JSON.stringify(key)}: ${stringified(value, style, indent, false)}`;
  const added = `${style.lineBreak}${indent}${property}${comma === undefined ? "" : ","}`;
  const closing = text.slice(end, close).includes("\n") ? "" : `${style.lineBreak}${indentAt(text, object.offset)}`;
  return separated(replaced(text, end, closing === "" ? end : close, added + closing));
}

function withFirstProperty(
  text: string,
  object: Node,
  close: number,
  key: string,
  value: unknown,
  style: Style,
): string {
  const inside = text.slice(object.offset + 1, close);
  const outer = indentAt(text, object.offset);
  const indent = outer + style.unit;
  const property = `${style.lineBreak}${indent}${JSON.stringify(key)}: ${stringified(value, style, indent, false)}`;
  const from = object.offset + 1 + inside.trimEnd().length;
  return replaced(text, from, close, `${property}${style.lineBreak}${outer}`);
}

function withoutProperty(text: string, object: Node, property: Node): string {
  const properties = object.children ?? [];
  const previous = properties[properties.indexOf(property) - 1];
  const isLast = properties.at(-1) === property;
  const { comma, end } = after(text, endOf(property));
  // Lines of its own go with their line break. Else that stays: it may end a comment.
  const hasLines = isFirstOfLine(text, property.offset) && /^[ \t]*\r?\n/.test(text.slice(end));
  const from = hasLines ? beforeLine(text, property.offset) : property.offset;
  if (previous === undefined && isLast) {
    const left = text.slice(object.offset + 1, from) + text.slice(end, endOf(object) - 1);
    return replaced(text, object.offset + 1, endOf(object) - 1, left.trim() === "" ? "" : left);
  }
  if (!isLast) return replaced(text, from, hasLines ? end : behindBlanks(text, end), "");
  const shorter = replaced(text, hasLines ? from : beforeBlanks(text, from), end, "");
  // The comma of the one before separates no more, unless the file ends its lists with one.
  const separator = previous === undefined ? undefined : after(text, endOf(previous)).comma;
  return comma !== undefined || separator === undefined ? shorter : replaced(shorter, separator, separator + 1, "");
}

/** What follows a value: its comma, if it has one, and where the comments of its line end. */
function after(text: string, offset: number): { comma: number | undefined; end: number } {
  const scanner = createScanner(text);
  scanner.setPosition(offset);
  let comma: number | undefined;
  let end = offset;
  for (;;) {
    const token = scanner.scan() as number;
    if (token === COMMA && comma === undefined) {
      comma = scanner.getTokenOffset();
      end = comma + 1;
    } else if (token === LINE_COMMENT || token === BLOCK_COMMENT) {
      // A comment behind a line break is not this value's, but its comma may still come.
      if (!text.slice(end, scanner.getTokenOffset()).includes("\n")) end = scanner.getPosition();
    } else if (token !== BLANKS && !(token === LINE_BREAK && comma === undefined)) return { comma, end };
  }
}

/** Kinds of tokens, which the library only has as constants of its compiler. */
const [COMMA, LINE_COMMENT, BLOCK_COMMENT, LINE_BREAK, BLANKS] = [5, 12, 13, 14, 15];

const behindBlanks = (text: string, offset: number): number =>
  offset + (/^[ \t]*/.exec(text.slice(offset))?.[0].length ?? 0);

const beforeBlanks = (text: string, offset: number): number => text.slice(0, offset).replace(/[ \t]+$/, "").length;

const endOf = ({ offset, length }: Node): number => offset + length;

const isOneLine = (text: string, object: Node): boolean =>
  (object.children?.length ?? 0) > 0 && !text.slice(object.offset, endOf(object)).includes("\n");

const isFirstOfLine = (text: string, offset: number): boolean =>
  offset > 0 && text.slice(lineStart(text, offset), offset).trim() === "";

/** Blanks the line of this offset begins with. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? "";
}

/** Where the line break before the line of this offset begins; the text's start, where it is the first line. */
function beforeLine(text: string, offset: number): number {
  const start = lineStart(text, offset);
  if (start === 0) return 0;
  return text[start - 2] === "\r" ? start - 2 : start - 1;
}

function stringified(value: unknown, { unit, lineBreak }: Style, indent: string, oneLine: boolean): string {
  if (oneLine) return JSON.stringify(value);
  return JSON.stringify(value, undefined, unit).replaceAll("\n", `${lineBreak}${indent}`);
}

/** The entry below the keys that lead to it. */
function nested(path: readonly string[], entry: Entry): Entry {
  const value = path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), entry);
  return isKeyed(value) ? (value as Entry) : entry;
}

import { isMap, isNode, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { Entry, EntryValue } from "../assistant.ts";
import {
  BrokenConfigError,
  type ConfigLanguage,
  isKeyed,
  lineEnd,
  lineEndOf,
  lineStart,
  quoted,
  replaced,
} from "./config-language.ts";

/*
 * Read by the library, written here: what it writes itself has other indentation, line breaks and quotes than a person
 * chose, everywhere in the file.
 */

/** YAML. The entry is written in block style, and its values in one line each. */
export const YAML: ConfigLanguage = {
  name: "YAML",

  read(text) {
    const document = parsed(text);
    const value = document.contents === null ? {} : unfolded(document);
    if (value === null) return {};
    if (!isKeyed(value)) throw new BrokenConfigError("it holds no keys and values");
    return value;
  },

  put(text, path, entry) {
    const root = parsed(text).contents;
    if (!isMap(root)) return appended(text, lines(path, entry, "", styleOf(text)));
    let map: YAMLMap = root;
    for (const [depth, key] of path.entries()) {
      const pair = pairOf(map, key);
      const rest = path.slice(depth + 1);
      if (pair === undefined) return withPair(text, map, [key, ...rest], entry);
      if (!isMap(pair.value) || rest.length === 0 || isEmptyFlow(pair.value)) {
        return withValue(text, map, pair, rest, entry);
      }
      map = pair.value;
    }
    return text;
  },

  drop(text, path) {
    const root = parsed(text).contents;
    let map: unknown = root;
    let holder: Pair | undefined;
    for (const key of path.slice(0, -1)) {
      holder = isMap(map) ? pairOf(map, key) : undefined;
      map = holder?.value;
    }
    if (!isMap(map)) return text;
    const pair = pairOf(map, path.at(-1) ?? "");
    return pair === undefined ? text : withoutPair(text, map, pair, holder);
  },

  sample: (path, entry) => lines(path, entry, "", { unit: "  ", lineBreak: "\n" }),
};

function parsed(text: string) {
  const document = parseDocument(text);
  const [first] = document.errors;
  if (first !== undefined) {
    const what = first.message.split("\n")[0]?.replace(/( at line \d+, column \d+)?:$/, "") ?? "";
    throw new BrokenConfigError(`line ${first.linePos?.[0].line ?? 1} is no YAML (${what})`);
  }
  return document;
}

/** What a document stands for. Aliases of aliases can make a short text stand for more than memory holds. */
function unfolded(document: ReturnType<typeof parsed>): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) throw new BrokenConfigError("its aliases stand for too much, or for nothing");
    throw error;
  }
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

const isEmptyFlow = (map: YAMLMap): boolean => map.flow === true && map.items.length === 0;

/** A pair as the last of its map. */
function withPair(text: string, map: YAMLMap, path: readonly string[], entry: Entry): string {
  if (map.flow === true) {
    const [key = "", ...rest] = path;
    const end = contentEnd(map) - 1;
    const last = map.items.at(-1);
    const separator = last === undefined || text.slice(endOfPair(last), end).includes(",") ? "" : ", ";
    const at = last === undefined ? end : endOfPair(last);
    return replaced(text, at, at, `${separator}${quoted(key)}: ${inOneLine(nested(rest, entry))}`);
  }
  const last = map.items.at(-1);
  const indent = last === undefined ? "" : indentOfPair(text, last);
  const end = last === undefined ? text.length : afterComments(text, afterLine(text, endOfPair(last)), indent);
  return inserted(text, end, lines(path, entry, indent, styleOf(text)));
}

/** A pair that is there with another value: the entry below these keys. */
function withValue(text: string, map: YAMLMap, pair: Pair, rest: readonly string[], entry: Entry): string {
  const indent = indentOfPair(text, pair);
  const [start, end] = isNode(pair.value) ? (pair.value.range ?? [0, 0]) : [0, 0];
  if (map.flow === true) return replaced(text, start, end, inOneLine(nested(rest, entry)));
  const style = styleOf(text);
  const block = lines(rest, entry, indent + style.unit, style);
  const colon = text.indexOf(":", endOfKey(pair)) + 1;
  const behind = afterLine(text, isNode(pair.value) ? contentEnd(pair.value) : end);
  const below = text[behind - 1] === "\n" ? block : block.slice(0, -style.lineBreak.length);
  // A comment behind the colon, or behind what stood there in the same line, stays where it is.
  if (text.slice(colon, start).includes("\n")) return replaced(text, lineStart(text, start), behind, below);
  if (text.slice(start, end).includes("\n")) return replaced(text, colon, behind, style.lineBreak + below);
  const emptied = start < end ? replaced(text, colon, end, "") : text;
  return inserted(emptied, lineEnd(emptied, colon), block);
}

function withoutPair(text: string, map: YAMLMap, pair: Pair, holder: Pair | undefined): string {
  if (map.flow === true) {
    const [from, to] = [startOfPair(pair), endOfPair(pair)];
    const before = /,\s*$/.exec(text.slice(0, from))?.[0].length ?? 0;
    const behind = /^\s*,\s*/.exec(text.slice(to))?.[0].length ?? 0;
    return before > 0 ? replaced(text, from - before, to, "") : replaced(text, from, to + behind, "");
  }
  const from = lineStart(text, startOfPair(pair));
  const end = afterLine(text, endOfPair(pair));
  // A file without a line break at its end goes on having none.
  const start =
    end === text.length && !text.endsWith("\n") ? from - (/\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0) : from;
  const shorter = replaced(text, start, end, "");
  if (map.items.length > 1 || holder === undefined) return shorter;
  // A key with nothing below it would stand for nothing, which is no list of servers.
  const colon = shorter.indexOf(":", endOfKey(holder)) + 1;
  return replaced(shorter, colon, colon, " {}");
}

/** Lines behind what is there, or before the mark that ends a document. */
function appended(text: string, block: string): string {
  return inserted(text, text.length, block);
}

/** Lines put in at the start of a line; a last line without a line break gets one, and the text's end has none again. */
function inserted(text: string, offset: number, block: string): string {
  if (offset === 0 || text[offset - 1] === "\n") return replaced(text, offset, offset, block);
  const lineBreak = lineEndOf(text);
  return replaced(text, offset, offset, lineBreak + block.slice(0, -lineBreak.length));
}

const startOfPair = ({ key }: Pair): number => (isNode(key) ? (key.range?.[0] ?? 0) : 0);
const endOfKey = ({ key }: Pair): number => (isNode(key) ? (key.range?.[1] ?? 0) : 0);
const endOfPair = (pair: Pair): number => (isNode(pair.value) ? contentEnd(pair.value) : endOfKey(pair));

/** Where the last value in a node ends; the node itself goes on through the comments behind it. */
function contentEnd(node: unknown): number {
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1);
    if (last !== undefined) return endOfPair(last);
  }
  if (isSeq(node) && node.flow !== true && node.items.length > 0) return contentEnd(node.items.at(-1));
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

const afterLine = (text: string, offset: number): number =>
  offset > 0 && text[offset - 1] === "\n" ? offset : lineEnd(text, offset);

/** Behind the comments that are indented further than the pairs of a map: they belong to its last pair. */
function afterComments(text: string, offset: number, indent: string): number {
  const comment = /^( *)#/.exec(text.slice(offset, lineEnd(text, offset)));
  return comment !== null && (comment[1] ?? "").length > indent.length
    ? afterComments(text, lineEnd(text, offset), indent)
    : offset;
}

const indentOfPair = (text: string, pair: Pair): string =>
  text.slice(lineStart(text, startOfPair(pair)), startOfPair(pair)).replaceAll(/[^ ]/g, " ");

interface Style {
  /** One step of indentation: as the first indented line has it. */
  readonly unit: string;
  readonly lineBreak: string;
}

const styleOf = (text: string): Style => ({
  unit: /^( +)[^\s#-]/m.exec(text)?.[1] ?? "  ",
  lineBreak: lineEndOf(text),
});

/** The entry below the keys that lead to it, one line for each of its values. */
function lines(path: readonly string[], entry: Entry, indent: string, style: Style): string {
  const { unit, lineBreak } = style;
  const [key, ...rest] = path;
  if (key !== undefined) return `${indent}${plainKey(key)}:${lineBreak}${lines(rest, entry, indent + unit, style)}`;
  const values = Object.entries(entry).map(([name, value]) => `${indent}${plainKey(name)}: ${inOneLine(value)}`);
  return values.map((line) => line + lineBreak).join("");
}

const plainKey = (key: string): string => (/^[A-Za-z_][\w-]*$/.test(key) ? key : quoted(key));

function inOneLine(value: EntryValue): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map((one: EntryValue) => inOneLine(one)).join(", ")}]`;
  if (!isKeyed(value)) return String(value);
  const pairs = Object.entries(value as Entry).map(([key, inner]) => `${quoted(key)}: ${inOneLine(inner)}`);
  return `{${pairs.join(", ")}}`;
}

function nested(path: readonly string[], entry: Entry): Entry {
  return path.toReversed().reduce<Entry>((inner, key) => ({ [key]: inner }), entry);
}

import { parse, TomlError } from "smol-toml";
import type { Entry, EntryValue } from "../assistant.ts";
import {
  BrokenConfigError,
  type ConfigLanguage,
  type ConfigValue,
  isKeyed,
  lineEnd,
  lineEndOf,
  quoted,
  replaced,
} from "./config-language.ts";

/*
 * Read by the library, which writes a whole file anew and without its comments. So a table is added and replaced as text:
 * TOML lets a table stand anywhere below the keys of the root, and its end is the head of the next.
 */

/** TOML. The entry is a table of its own, `[mcp_servers.threadlore]`. */
export const TOML: ConfigLanguage = {
  name: "TOML",

  read(text) {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const what = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "") ?? "";
      throw new BrokenConfigError(`line ${error.line}, column ${error.column} is no TOML (${what})`);
    }
  },

  put(text, path, entry) {
    const lineBreak = lineEndOf(text);
    const table = tableOf(path, entry, lineBreak);
    const [first, ...others] = sectionsOf(text, path);
    if (first !== undefined) {
      const end = text[first.to - 1] === "\n" ? table : table.slice(0, -lineBreak.length);
      return replaced(withoutSections(text, others), first.from, first.to, end);
    }
    if (text === "") return table;
    // A file without a line break at its end goes on having none.
    return text.endsWith("\n")
      ? text + lineBreak + table
      : text + lineBreak + lineBreak + table.slice(0, -lineBreak.length);
  },

  drop(text, path) {
    const sections = sectionsOf(text, path);
    const shorter = withoutSections(text, sections);
    const isLast = sections.at(-1)?.to === text.length;
    return isLast && !text.endsWith("\n") ? shorter.replace(/\r?\n$/, "") : shorter;
  },

  sample: (path, entry) => tableOf(path, entry, "\n"),
};

/** A table with its head, as a stretch of the text. */
interface Section {
  readonly from: number;
  readonly to: number;
}

/** The tables at this path and below it, without the comments before the next. */
function sectionsOf(text: string, path: readonly string[]): Section[] {
  const sections: Section[] = [];
  for (let from = 0; from < text.length; from = lineEnd(text, from)) {
    if (!isHeadOf(text.slice(from, lineEnd(text, from)), path) || !isWhole(text.slice(0, from))) continue;
    let to = lineEnd(text, from);
    let last = to;
    while (to < text.length) {
      const line = text.slice(to, lineEnd(text, to));
      if (/^\s*\[/.test(line) && isWhole(text.slice(0, to))) break;
      to = lineEnd(text, to);
      if (!/^\s*(?:#|$)/.test(line)) last = to;
    }
    sections.push({ from, to: last });
  }
  return sections;
}

/** Whether a line is the head of the table at this path, or of one below it. */
function isHeadOf(line: string, path: readonly string[]): boolean {
  if (!/^\s*\[[^[]/.test(line)) return false;
  try {
    return path.reduce<unknown>((inner, key) => (isKeyed(inner) ? inner[key] : undefined), parse(line)) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a head may begin where this text ends: not within a list or a text of several lines. */
function isWhole(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text without these, each with the empty line before it: that came with it. */
function withoutSections(text: string, sections: readonly Section[]): string {
  return sections.toReversed().reduce((shorter, { from, to }) => {
    const gap = /\n(\r?\n)$/.exec(shorter.slice(0, from))?.[1] ?? "";
    return replaced(shorter, from - gap.length, to, "");
  }, text);
}

function tableOf(path: readonly string[], entry: Entry, lineBreak: string): string {
  const values = Object.entries(entry).map(([key, value]) => `${bare(key)} = ${inOneLine(value)}`);
  return [`[${path.map(bare).join(".")}]`, ...values].map((line) => line + lineBreak).join("");
}

const bare = (key: string): string => (/^[\w-]+$/.test(key) ? key : quoted(key));

function inOneLine(value: EntryValue): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map((one: EntryValue) => inOneLine(one)).join(", ")}]`;
  if (!isKeyed(value)) return String(value);
  const pairs = Object.entries(value as ConfigValue).map(
    ([key, inner]) => `${bare(key)} = ${inOneLine(inner as EntryValue)}`,
  );
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

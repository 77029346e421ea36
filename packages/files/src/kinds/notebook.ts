import type { KindText, Part } from "../part.ts";
import { FileRefusedError } from "../refusal.ts";
import { commaSeparated, shortened } from "../text/visible-text.ts";
import { partsOfMarkdown } from "./markdown.ts";

/** Characters that are kept of what one cell has put out: a log says in its first lines what it is. */
const MAX_OUTPUT = 2_000;
const MAX_CELLS = 20_000;

/** Pictures and other files, written into a text. */
const EMBEDDED = /data:[\w/+.-]{1,100};base64,[\w+/=]+/g;
// oxlint-disable-next-line no-control-regex -- colours of a terminal
const COLOURS = /\u001B\[[\d;?]{0,30}[A-Za-z]/g;

/**
 * Reads a notebook (Jupyter, version 3 and later): its texts under their headings, its code, and the first 2,000 characters
 * that each cell has put out as text; no pictures. Throws FileRefusedError for what is none.
 */
export function partsOfNotebook(text: string, file: string, characters: number): KindText {
  const notebook = fieldsOf(parsed(text, file));
  const [sheet] = listOf(notebook["worksheets"]);
  const cells = listOf(notebook["cells"] ?? fieldsOf(sheet)["cells"]);
  if (notebook["cells"] === undefined && sheet === undefined && notebook["nbformat"] === undefined) {
    throw new FileRefusedError("damaged", file, { detail: "it is no notebook" });
  }
  const about = fieldsOf(notebook["metadata"]);
  const language = languageOf(about, cells);
  const parts: Part[] = [];
  let open: Part = { level: 0, heading: "", text: "" };
  const append = (words: string) => {
    if (words.trim() !== "") open = { ...open, text: [open.text.trim(), words.trim()].filter(Boolean).join("\n\n") };
  };
  let left = characters;
  for (const cell of cells.slice(0, MAX_CELLS).map(fieldsOf)) {
    if (left < 0) break;
    for (const { level, heading, text: words } of partsOfCell(cell, language)) {
      if (level > 0) {
        parts.push(open);
        open = { level, heading, text: "" };
      }
      append(words);
      left -= heading.length + words.length;
    }
  }
  parts.push(open);
  const title = textOf(about["title"]).trim() || parts.find(({ level }) => level === 1)?.heading;
  const authors = listOf(about["authors"]).map((author) => textOf(fieldsOf(author)["name"]));
  return {
    parts,
    title,
    authors: authors.filter((name) => name !== ""),
    metadata: { tags: tagsOf(about), programming_language: language === "" ? undefined : language },
    cut: left < 0 || cells.length > MAX_CELLS,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileRefusedError("damaged", file, { cause: error });
  }
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text, or the lines of one. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return listOf(value)
    .filter((line) => typeof line === "string")
    .join("");
}

function partsOfCell(cell: Fields, language: string): Part[] {
  const source = textOf(cell["source"] ?? cell["input"]).replace(EMBEDDED, "");
  const kind = cell["cell_type"];
  if (kind === "markdown") return partsOfMarkdown(source).parts;
  if (kind === "heading") return [{ level: Math.min(6, Number(cell["level"]) || 1), heading: source.trim(), text: "" }];
  if (kind !== "code") return [{ level: 0, heading: "", text: source }];
  const outputs = listOf(cell["outputs"]).map((output) => textOfOutput(fieldsOf(output)));
  const said = outputs.join("\n").replace(EMBEDDED, "").replace(COLOURS, "").trim();
  const texts = [fenced(source, language), fenced(shortened(said, MAX_OUTPUT), "")];
  return [{ level: 0, heading: "", text: texts.filter((text) => text !== "").join("\n\n") }];
}

/** What a person sees of an output, of the ways in which it is there; an error by its message, without where it came from. */
function textOfOutput(output: Fields): string {
  if (output["ename"] !== undefined) return `${textOf(output["ename"])}: ${textOf(output["evalue"])}`;
  const data = fieldsOf(output["data"]);
  const shown = ["text/markdown", "text/plain", "text/latex"].map((type) => textOf(data[type]));
  return textOf(output["text"]) || (shown.find((text) => text.trim() !== "") ?? "");
}

/** A block of code, behind a fence that is longer than any in it. */
function fenced(code: string, language: string): string {
  if (code.trim() === "") return "";
  const longest = [...code.matchAll(/`{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code.trimEnd()}\n${fence}`;
}

function languageOf(about: Fields, cells: readonly unknown[]): string {
  const names = [
    fieldsOf(about["language_info"])["name"],
    fieldsOf(about["kernelspec"])["language"],
    fieldsOf(cells.find((cell) => fieldsOf(cell)["language"] !== undefined))["language"],
  ].map(textOf);
  return names.find((name) => /^[\w+#.-]{1,30}$/.test(name)) ?? "";
}

function tagsOf(about: Fields): string[] | undefined {
  const tags = [...listOf(about["tags"]), ...commaSeparated(textOf(about["keywords"]))].map(textOf).filter(Boolean);
  return tags.length === 0 ? undefined : tags;
}

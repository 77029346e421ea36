import type { FileText, GivenFile, ReadLimits } from "./given-file.ts";
import { partsOfCsv } from "./kinds/csv.ts";
import { fileKind, type FileKind, isQuickKind, mayUnfold } from "./kinds/file-kind.ts";
import { partsOfHtml } from "./kinds/html.ts";
import { partsOfMarkdown } from "./kinds/markdown.ts";
import { partsOfNotebook } from "./kinds/notebook.ts";
import { partsOfPdf } from "./kinds/pdf.ts";
import type { KindText, Part } from "./part.ts";
import { FileRefusedError } from "./refusal.ts";
import { decodeText, looksBinary } from "./text/encoding.ts";
import { commaSeparated, visibleText } from "./text/visible-text.ts";

/**
 * Reads a file of any kind that is known: Markdown, HTML, CSV, plain text, PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, EPUB, RTF, EML and
 * Jupyter notebooks. What reads the less usual ones is loaded on first use.
 *
 * Throws FileRefusedError for what cannot be read, with the reason and what to do.
 */
export async function fileText(file: GivenFile, limits: ReadLimits): Promise<FileText> {
  return await readFile(file, limits, 0);
}

/** @param depth messages it was attached to, one within the other */
async function readFile(file: GivenFile, limits: ReadLimits, depth: number): Promise<FileText> {
  const kind = file.kind ?? fileKind(file.name, file.bytes);
  const read = (await readArchived(file, kind, limits, depth)) ?? readDecoded(file, kind, limits);
  const { parts, dropped } = visibleParts(read.parts);
  return {
    authors: [],
    metadata: {},
    hiddenCharacters: 0,
    hiddenPages: 0,
    macros: false,
    cut: false,
    ...read,
    kind,
    parts,
    invisibleCharacters: dropped,
  };
}

/** Whether reading it takes a moment, whatever it holds: a text, and no longer than `bytes`. */
export function isQuickToRead({ kind, name, bytes }: GivenFile, maxBytes: number): boolean {
  return bytes.byteLength <= maxBytes && isQuickKind(kind) && !mayUnfold(name, bytes);
}

/** Of kinds that hold more than a text; undefined: it is another one. Each is loaded when the first of it is read. */
async function readArchived(file: GivenFile, kind: FileKind, limits: ReadLimits, depth: number) {
  const { bytes, name } = file;
  const { characters } = limits;
  switch (kind) {
    case "pdf":
      return await partsOfPdf(file, characters, limits.pdf);
    case "docx":
      return await (await import("./kinds/office/docx.ts")).partsOfDocx(bytes, name);
    case "pptx":
      return await (await import("./kinds/office/pptx.ts")).partsOfPptx(bytes, name, characters);
    case "xlsx":
      return await (await import("./kinds/office/xlsx.ts")).partsOfXlsx(bytes, name, characters);
    case "odt":
    case "ods":
    case "odp":
      return await (
        await import("./kinds/open-document/open-document.ts")
      ).partsOfOpenDocument(bytes, name, kind, characters);
    case "epub":
      return await (await import("./kinds/epub/epub.ts")).partsOfEpub(bytes, name, characters);
    case "rtf":
      return (await import("./kinds/rtf/rtf.ts")).partsOfRtf(bytes, name, characters);
    case "eml":
      return await (await import("./kinds/eml.ts")).partsOfEml(file, limits, { read: readFile, depth });
    default:
      return undefined;
  }
}

function readDecoded(file: GivenFile, kind: FileKind, { characters }: ReadLimits): KindText {
  // HTML is mostly markup, and a notebook has its pictures in it, so all of it has to be there.
  const isWhole = kind === "html" || kind === "notebook";
  const decoded = decodeText(file.bytes, isWhole ? Infinity : 2 * characters);
  if (decoded === undefined) throw new FileRefusedError(looksBinary(file.bytes) ? "binary" : "encoding", file.name);
  const text = decoded.text.replace(/\r\n?/g, "\n").toWellFormed();
  const found = { ...(decoded.guessed && { guessedEncoding: decoded.encoding }), cut: decoded.cut };
  if (kind === "html") return { ...found, ...partsOfHtml(text, characters) };
  if (kind === "notebook") return { ...found, ...partsOfNotebook(text, file.name, characters) };
  if (kind === "markdown") return { ...found, ...readMarkdown(text) };
  if (kind === "text") return { ...found, parts: [{ level: 0, heading: "", text }] };
  const table = partsOfCsv(text, characters);
  return { ...found, parts: table.parts, cut: decoded.cut || table.cut };
}

function readMarkdown(text: string): KindText {
  const { frontMatter, title, parts } = partsOfMarkdown(text);
  const first = (...keys: string[]) => keys.map((key) => frontMatter.get(key)).find((value) => value !== undefined);
  const one = (value: string | readonly string[] | undefined) => (typeof value === "string" ? value : value?.[0]);
  const several = (value: string | readonly string[] | undefined) =>
    typeof value === "string" ? commaSeparated(value) : (value ?? []);
  const tags = several(first("tags", "keywords", "categories"));
  const known = ["title", "author", "authors", "tags", "keywords", "categories"];
  return {
    parts,
    title: one(first("title")) ?? title,
    authors: several(first("authors", "author")),
    updated: one(first("updated", "lastmod", "modified", "last_updated", "last_modified", "date")),
    metadata: {
      ...Object.fromEntries([...frontMatter].filter(([key]) => !known.includes(key))),
      tags: tags.length === 0 ? undefined : tags,
    },
  };
}

function visibleParts(parts: readonly Part[]): { parts: Part[]; dropped: number } {
  let dropped = 0;
  const clean = (text: string) => {
    const visible = visibleText(text);
    dropped += visible.dropped;
    return visible.text;
  };
  return { parts: parts.map((part) => ({ ...part, heading: clean(part.heading), text: clean(part.text) })), dropped };
}
